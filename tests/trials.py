"""Run tests again and again with one function changed, in forks of a process that has collected them.

A trial's time is mostly that of importing numpy, rasterio and the like, of collecting tests, and of tests
that have nothing to do with the change. Here the tests are collected once; a first run of each tells which
functions it calls; and a trial is a fork in which the function has its new code and the tests that call it
are run. What runs while modules are imported (constants, bodies of classes, what they call) needs a process
that imports them anew: that is a fork too, of a process that has imported the libraries alone.

The process reads one JSON request a line and answers with one JSON line.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TextIO

import pytest
from _pytest.main import pytest_runtestloop as run_tests

from tests.probes import CallProbes, functions_of

# Imported before the forks. What starts threads when it is imported (faiss, scikit-learn) is not among them:
# a fork has only the thread that made it.
_WARM = (
    "_pytest.assertion.rewrite",
    "hypothesis",
    "numpy",
    "pydantic",
    "pyproj",
    "rasterio",
    "shapely",
    "sqlalchemy",
    "yaml",
)
_POLL_SECONDS = 0.005
_OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "--no-header")
_COULD_NOT_RUN = 3
_SECONDS_OF_ALL = 3600


@dataclass(frozen=True, slots=True)
class Calls:
    """What the tests call, by the name of a function as :func:`tests.probes.functions_of` gives it."""

    imported: frozenset[str]
    """Functions that run while modules are imported."""
    tests: dict[str, frozenset[str]]
    """Functions that each test calls, of those that pass."""
    seconds: dict[str, float]
    failed: tuple[str, ...]
    """Tests that fail without a change."""


class Trials:
    """Processes in which tests are run with the code of a folder.

    Parameters
    ----------
    code : Path
        Folder that holds the package ``treeline``.
    house : Path
        The project: where the tests are.
    seconds : float
        The longest that a trial may take.
    """

    def __init__(self, code: Path, house: Path, seconds: float) -> None:
        self._code, self._house, self._seconds = code, house, seconds
        self._processes: list[subprocess.Popen[str]] = []
        self._cold = self._start()
        self._warm: subprocess.Popen[str] | None = None

    def collect(self, tests: Sequence[str]) -> Calls:
        """Collect tests, run each once and return what it calls."""
        self._warm = self._start(*tests)
        target = self._code / "calls.json"
        if self._ask(self._warm, {"calls": str(target), "seconds": _SECONDS_OF_ALL}) != 0:
            raise SystemExit("The tests cannot be run.")
        content = json.loads(target.read_text("utf-8"))
        calls = {test: frozenset(calls) for test, calls in content["tests"].items()}
        return Calls(frozenset(content["imported"]), calls, content["seconds"], tuple(content["failed"]))

    def run(self, tests: Sequence[str], chosen: Collection[str] = ()) -> int | None:
        """Return pytest's exit code of test modules that import everything anew; None if they took too long.

        Parameters
        ----------
        tests : sequence of str
            Modules, or tests by their address.
        chosen : collection of str
            Which tests of them; all if it is empty.
        """
        arguments = [*tests, f"--basetemp={self._code / 'temporary'}"]
        return self._ask(self._cold, {"tests": arguments, "chosen": list(chosen)})

    def run_changed(self, path: Path, chosen: Sequence[str], seconds: float) -> int | None:
        """Return pytest's exit code of collected tests with a module's functions as its file has them."""
        assert self._warm is not None
        return self._ask(self._warm, {"path": str(path), "chosen": list(chosen), "seconds": seconds})

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.communicate()

    def _start(self, *tests: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.trials", str(self._code), str(self._seconds), *tests],
            cwd=self._house,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join((str(self._code), str(self._house)))},
        )
        self._processes.append(process)
        return process

    @staticmethod
    def _ask(process: subprocess.Popen[str], request: dict[str, Any]) -> int | None:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise SystemExit("The tests cannot be collected.")
        return json.loads(answer)


def changed_functions(before: bytes, after: bytes) -> list[str] | None:
    """Return the functions that differ between two texts of a module; None where more than functions does."""
    pairs = zip(*(functions_of(compile(text, "", "exec")) for text in (before, after)), strict=True)
    differ = [(name, code) for (name, code), (_, other) in pairs if _own_part(code) != _own_part(other)]
    names = [name for name, _ in functions_of(compile(before, "", "exec"))]
    if any(not code.co_flags & inspect.CO_OPTIMIZED or names.count(name) > 1 for name, code in differ):
        return None
    return [name for name, _ in differ]


def _own_part(code: CodeType) -> tuple[Any, ...]:
    # 1 and 1.0 and True are equal, and are not the same constant.
    constants = [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, constants, code.co_names


class _CollectedTests:
    """A plugin of pytest: instead of running what was collected, do what is asked."""

    def __init__(self, probes: CallProbes, requests: Iterable[str], replies: TextIO) -> None:
        self._probes, self._requests, self._replies = probes, requests, replies

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        imported = sorted(self._probes.take())
        items = list(session.items)
        functions: dict[str, list[FunctionType]] = {}
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                functions.setdefault(each.__code__.co_filename, []).append(each)
        gc.freeze()
        for line in self._requests:
            request = json.loads(line)
            if "calls" in request:
                listen = _Listen(self._probes, imported, Path(request["calls"]))
                work = partial(listen.run, session, items)
            else:
                changed = functions.get(request["path"], [])
                work = partial(self._run_chosen, session, items, request, changed)
            print(json.dumps(_fork(work, request["seconds"])), file=self._replies, flush=True)
        return True

    def _run_chosen(
        self,
        session: pytest.Session,
        items: list[pytest.Item],
        request: dict[str, Any],
        changed: list[FunctionType],
    ) -> int:
        self._probes.end()
        _change_functions(request["path"], changed)
        _ChosenTests(request["chosen"]).pytest_collection_modifyitems(items)
        session.items = items
        try:
            run_tests(session)
        except session.Failed:
            return 1
        return int(session.testsfailed > 0)


class _Listen:
    """Runs every test and writes what each calls; what a fixture calls counts for all tests that use it."""

    def __init__(self, probes: CallProbes, imported: list[str], target: Path) -> None:
        self._probes, self._imported, self._target = probes, imported, target
        self._fixtures: dict[str, set[str]] = {}
        self._failed: set[str] = set()

    def run(self, session: pytest.Session, items: list[pytest.Item]) -> int:
        own: dict[str, set[str]] = {}
        seconds: dict[str, float] = {}
        session.config.pluginmanager.register(self)
        for item, following in zip(items, [*items[1:], None], strict=True):
            begin = time.monotonic()
            self._probes.take()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            own[item.nodeid] = self._probes.take()
            seconds[item.nodeid] = time.monotonic() - begin
        for item in items:
            for fixture in getattr(item, "fixturenames", ()):
                own[item.nodeid] |= self._fixtures.get(fixture, set())
        tests = {test: sorted(seen) for test, seen in own.items() if test not in self._failed}
        content = {
            "imported": self._imported,
            "tests": tests,
            "seconds": seconds,
            "failed": sorted(self._failed),
        }
        self._target.write_text(json.dumps(content), "utf-8")
        return 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Any:
        outside = self._probes.take()
        try:
            return (yield)
        finally:
            inside = self._probes.take()
            self._fixtures.setdefault(fixturedef.argname, set()).update(inside)
            self._probes.give(outside | inside)


def _change_functions(path: str, functions: list[FunctionType]) -> None:
    """Give the functions of a module that was imported the code that its file has now."""
    found = list(functions_of(compile(Path(path).read_bytes(), path, "exec")))
    count = Counter(name for name, _ in found)
    new = {name: code for name, code in found if count[name] == 1}
    for each in functions:
        name = f"{each.__code__.co_firstlineno}:{each.__code__.co_qualname}"
        each.__code__ = new.get(name, each.__code__)


class _ChosenTests:
    """A plugin of pytest: only the tests that are chosen."""

    def __init__(self, chosen: Collection[str]) -> None:
        self._order = {test: place for place, test in enumerate(chosen)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )


def _fork(work: Callable[[], int], seconds: float) -> int | None:
    """Do work in a fork and return its exit code; None where it takes too long."""
    child = os.fork()
    if child == 0:
        os.setsid()
        code = _COULD_NOT_RUN
        try:
            code = int(work())
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


def _pytest(arguments: Sequence[str], plugins: Sequence[object]) -> int:
    return int(pytest.main([*_OPTIONS, *arguments], plugins=list(plugins)))


def main(code: Path, seconds: float, tests: Sequence[str]) -> None:
    """Answer requests until there are no more; see the module."""
    replies = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    if tests:
        # What pytest captures is 0, 1 and 2: requests come by another number.
        requests = os.fdopen(os.dup(0))
        probes = CallProbes(code / "treeline")
        probes.begin()
        _pytest([*tests, f"--basetemp={code / 'temporary'}"], [_CollectedTests(probes, requests, replies)])
        return
    for each in _WARM:
        import_module(each)
    for line in sys.stdin:
        request = json.loads(line)
        plugins = [_ChosenTests(request["chosen"])] if request["chosen"] else []
        work = partial(_pytest, request["tests"], plugins)
        print(json.dumps(_fork(work, seconds)), file=replies, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
