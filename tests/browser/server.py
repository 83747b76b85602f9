"""The application as a process of its own, on a free port, with a home of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# On a loaded machine a start takes a minute, and while the first page is made ready an answer takes seconds.
_PATIENCE, _ANSWER = 240.0, 30.0


class Server:
    """``streamlit run app.py`` while the ``with`` block lasts.

    Parameters
    ----------
    home : Path
        Where it keeps workspaces and the store.
    settings : mapping
        Further variables of its environment.
    """

    def __init__(self, home: Path, settings: Mapping[str, str] | None = None) -> None:
        self.home = home
        self.settings = dict(settings or {})
        self.folder = ROOT
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = home / "server.log"

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> None:
        """Start the process and wait until it answers."""
        inherited = {name: value for name, value in os.environ.items() if name != "TREELINE_STORE"}
        environment = {**inherited, "TREELINE_HOME": str(self.home), **self.settings}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, env=environment, stdout=log, stderr=log
            )
        self._wait()

    def command(self) -> list[str]:
        """Return what is started."""
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address", "127.0.0.1"]
        return [*command, "--server.port", str(self.port)]

    def end(self, *, killed: bool = False) -> None:
        """End the process; ``killed`` gives it no time to clear up."""
        self.process.kill() if killed else self.process.terminate()
        self.process.wait(20)

    def _wait(self) -> None:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            if self.process.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"{self.url}/livez", timeout=_ANSWER).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"The server did not start:\n{self.log.read_text('utf-8')}")


def free_port() -> int:
    """Return a port at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
