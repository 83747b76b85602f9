"""A proxy that serves an application below a prefix and nothing else, as hosts of notebooks and teams do."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from tests.browser.server import free_port

_PIECE = 65_536


class PrefixProxy:
    """Hands on what is asked for below a prefix, less the prefix, while the ``with`` block lasts.

    Attributes
    ----------
    refused : list of str
        The paths that were asked for beside it, each answered by 404.
    """

    def __init__(self, port: int, prefix: str) -> None:
        self.refused: list[str] = []
        self._target, self._prefix = port, prefix
        self._listening = socket.create_server(("127.0.0.1", free_port()))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> PrefixProxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                piece = client.recv(_PIECE)
                if not piece:
                    return
                head += piece
            line, _, rest = head.partition(b"\r\n")
            method, path, version = line.split(b" ", 2)
            if not path.startswith(self._prefix.encode() + b"/"):
                self.refused.append(path.decode())
                client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            # One request a connection, so that each is looked at; a websocket stays one.
            if b"upgrade: websocket" not in rest.lower():
                rest = b"Connection: close\r\n" + b"\r\n".join(
                    each for each in rest.split(b"\r\n") if not each.lower().startswith(b"connection:")
                )
            with socket.create_connection(("127.0.0.1", self._target)) as server:
                server.sendall(b" ".join((method, path[len(self._prefix) :], version)) + b"\r\n" + rest)
                back = threading.Thread(target=_pump, args=(server, client), daemon=True)
                back.start()
                _pump(client, server)
                back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(_PIECE):
            target.sendall(piece)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
