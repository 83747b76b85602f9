"""Run pytest again and again in one warm process: each trial is a fork, and what it imports ends with it.

A trial's time is mostly that of importing numpy, rasterio and the like; here they are imported once. The
process reads one JSON list of pytest's arguments a line, and answers with pytest's exit code, or ``null``
where the trial took longer than it may.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

# Imported before the forks. What starts threads when it is imported (faiss, scikit-learn) is not among them:
# a fork has only the thread that made it.
_WARM = (
    "_pytest.assertion.rewrite", "hypothesis", "numpy", "pydantic", "pyproj", "pytest", "rasterio", "shapely",
    "sqlalchemy", "yaml",
)  # fmt: skip
_POLL_SECONDS = 0.02


class Trials:
    """A warm process in which the tests of one folder of code are run."""

    def __init__(self, code: Path, tests: Path, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.trials", str(seconds)], cwd=tests, text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join((str(code), str(tests)))},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def run(self, arguments: Sequence[str]) -> int | None:
        """Return pytest's exit code, or None where the tests took too long."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(list(arguments)) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def _run(arguments: Sequence[str], seconds: float) -> int | None:
    child = os.fork()
    if child == 0:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        code = 3
        try:
            code = int(sys.modules["pytest"].main([*arguments]))
        finally:
            os._exit(code)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_POLL_SECONDS)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


if __name__ == "__main__":
    for each in _WARM:
        import_module(each)
    for line in sys.stdin:
        print(json.dumps(_run(json.loads(line), float(sys.argv[1]))), flush=True)
