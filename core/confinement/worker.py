"""A process without network, secrets and much memory, that makes one call after the other."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from treeline.core.confinement.network import cut_network
from treeline.core.processes import limit_memory, process_context, without_main
from treeline.toolkit.limits import Limits

_HANDLES = 256
# What a confined process may know of the server's settings; keys and addresses are not among them.
_KNOWN = ("PATH", "HOME", "LANG", "LC_", "TZ", "TMPDIR", "GDAL_", "PROJ_", "TREELINE_LIMITS", "TREELINE_LOG",
          "LD_LIBRARY_PATH")  # fmt: skip


class TooLong(Exception):
    """A call took longer than is waited; its process is ended."""


class Died(Exception):
    """The process ended in the middle of a call."""


class Worker:
    """A confined process.

    Attributes
    ----------
    calls : int
        How many it has made.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.calls = 0
        context = process_context()
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_serve, args=(theirs, limits.memory), daemon=True)
        with without_main():
            self._process.start()
        theirs.close()

    @property
    def alive(self) -> bool:
        """True while the process lives."""
        return self._process.is_alive()

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
        """Make a call and return what it gives.

        Raises
        ------
        TooLong, Died
            The process is gone then.
        Exception
            What the call raised.
        """
        self.calls += 1
        try:
            self._pipe.send((function, arguments))
            if not self._pipe.poll(seconds):
                self.end()
                raise TooLong
            done, result = self._pipe.recv()
        except (EOFError, OSError):
            self.end()
            raise Died from None
        if not done:
            raise result
        return result

    def end(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


def _serve(pipe: Connection, memory: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in [name for name in os.environ if not name.startswith(_KNOWN)]:
        del os.environ[name]
    cut_network()
    _limit(memory)
    while True:
        try:
            function, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (True, function(*arguments))
        except MemoryError:
            return
        except Exception as error:
            answer = (False, error)
        pipe.send(answer)


def _limit(memory: int) -> None:
    import resource  # not on Windows, where no network can be cut either

    limit_memory(memory)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_HANDLES, _HANDLES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
