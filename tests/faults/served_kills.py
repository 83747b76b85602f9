"""The real server of a team, killed while it works on runs that people asked for on its pages.

``python -m tests.faults.served_kills SEED COUNT`` kills so many times, the server alone or with all that it
started, starts it anew, resumes by the page, and prints what was lost, as :mod:`tests.faults.kills` does.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from tests.browser.server import Server
from tests.rasters import write_raster
from tests.security.team import ANA, SETTINGS, visitor, write_emptied
from treeline.core.engine.journal import ending_of, events_of
from treeline.core.record.store import RunRecord, Store

QUESTION = "What is the mean NDVI of each date?"
LONGEST_LIFE, GROWTH = 2.5, 4
PATIENCE = 120.0
_LONGEST_TRACEBACK = 4000
# Within so many seconds a server that was started anew has seen that a run's process is gone.
NOTICED = 5.0
_QUERY = "workspace=quarry"


class KilledServer:
    """A server that is killed again and again, and what its record holds.

    Parameters
    ----------
    home : Path
    chance : random.Random
    """

    def __init__(self, home: Path, chance: random.Random) -> None:
        self.server = Server(home, SETTINGS)
        self.store = Store(home / "treeline.sqlite")
        self.chance = chance
        self.kills = self.in_run = 0
        self.met = ""

    def answer_undisturbed(self) -> str:
        """Ask, wait for the end, and return the answer."""
        with self.server:
            run = self._begin(set())
            self._until(run, lambda record: record.is_finished)
        return self.answer_of(run)

    def ask_and_kill(self, most: int) -> tuple[str, str]:
        """Ask, and kill the server until the run has ended; return the run and what was lost."""
        known = {record.id for record in self.store.runs()}
        run, lives = "", 0
        while not run or not self._has_ended(run):
            self.server.start()
            undisturbed = self.kills >= most
            try:
                if run:
                    self._resume(run)
                else:
                    run = self._begin(known)
                if undisturbed:
                    self._until(run, _is_at_its_end)
                else:
                    time.sleep(self.chance.uniform(0.0, LONGEST_LIFE * (1 + lives / GROWTH)))
            finally:
                self.in_run += not undisturbed and bool(run) and not self._has_ended(run)
                before = [(e.number, e.event.kind) for e in events_of(self.store, run)] if run else []
                self._end(killed=not undisturbed)
            lives += 1
            after = [(e.number, e.event.kind) for e in events_of(self.store, run)]
            numbers = [number for number, _ in after]
            if after[: len(before)] != before or numbers != list(range(1, len(numbers) + 1)):
                return run, f"events {before} became {after}"
            if undisturbed and not self._has_ended(run):
                return run, f"stuck as {self._record(run).status}"
        return run, ""

    def answer_of(self, run: str) -> str:
        """Return the answer of a run, empty for none."""
        finished = ending_of(self.store, run)
        return finished.answer.text if finished is not None and finished.answer is not None else ""

    def tracebacks(self) -> list[str]:
        """Return the tracebacks that the server wrote, each with what follows it."""
        _, *told = self.server.log.read_text("utf-8").split("Traceback")
        return [text[:_LONGEST_TRACEBACK] for text in told]

    def _begin(self, known: set[str]) -> str:
        self._open_and_press(_QUERY, "Ask")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            new = [record.id for record in self.store.runs() if record.id not in known]
            if new:
                return new[0]
            if self.met:  # a server under load may not have had the page in time; a person presses again
                self._open_and_press(_QUERY, "Ask")
            time.sleep(0.02)
        raise AssertionError(f"No run has begun. {self.met}")

    def _resume(self, run: str) -> None:
        """Press Resume where the page has it: the run of a server that is gone is shown as interrupted."""
        with visitor(self.server, ANA).session() as session:
            session.open("", _QUERY)
        self._until(run, lambda record: record.status != "running", NOTICED)
        if self._record(run).status == "interrupted":
            self._open_and_press(f"{_QUERY}&run={run}", "Resume")
            self._until(run, lambda record: record.status != "interrupted")

    def _open_and_press(self, query: str, label: str) -> None:
        """Open a page and press its button; the page is still being drawn when the server is killed."""
        self.met = ""

        def press() -> None:
            try:
                with visitor(self.server, ANA).session() as session:
                    page = session.open("", query)
                    states: dict[str, tuple[str, Any]] = {
                        page.element("button", label).id: ("trigger_value", True)
                    }
                    if label == "Ask":
                        states[page.element("text_input", "Question").id] = ("string_value", QUESTION)
                    session.use(states, query=query)
            except Exception as error:  # mostly that the server was killed; told where nothing comes of it
                self.met = f"{type(error).__name__}: {error}"

        threading.Thread(target=press, daemon=True).start()

    def _has_ended(self, run: str) -> bool:
        return _is_at_its_end(self._record(run))

    def _record(self, run: str) -> RunRecord:
        record = self.store.run(run)
        assert record is not None, "the run is lost"
        return record

    def _until(self, run: str, wanted: Callable[[RunRecord], bool], patience: float = PATIENCE) -> None:
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if wanted(self._record(run)):
                return
            time.sleep(0.02)

    def _end(self, *, killed: bool) -> None:
        if not killed:
            self.server.end()
            return
        self.kills += 1
        started = psutil.Process(self.server.process.pid).children(recursive=True)
        self.server.end(killed=True)
        if self.chance.random() < 0.5:
            for process in started:
                with suppress(psutil.NoSuchProcess):
                    process.kill()


def kill_many(seed: int, count: int) -> int:
    """Kill so many times; print the faults and return how many there were."""
    faults = runs = 0
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        _write_home(home)
        killed = KilledServer(home, random.Random(seed))
        expected = killed.answer_undisturbed()
        while killed.kills < count:
            run, lost = killed.ask_and_kill(count)
            runs += 1
            if lost or killed.answer_of(run) != expected:
                faults += 1
                print(f"fault in run {run}: {lost or killed.answer_of(run)}", flush=True)
            print(f"{killed.kills} kills, {killed.in_run} in {runs} runs, {faults} faults", flush=True)
        tracebacks = killed.tracebacks()
        for told in tracebacks:
            print(f"Traceback in the log:{told}", flush=True)
    return faults + len(tracebacks)


def _is_at_its_end(record: RunRecord) -> bool:
    return record.is_finished and record.status != "interrupted"


def _write_home(home: Path) -> None:
    inputs = write_emptied(home)
    bands = np.random.default_rng(1).integers(500, 4000, (2, 700, 700)).astype("uint16")
    for day in range(1, 13):
        path = inputs / f"Lake_2021-05-{day:02d}.tif"
        write_raster(path, bands + day * 20, descriptions=("red", "nir"), scale=0.0001)


if __name__ == "__main__":
    sys.exit(min(kill_many(int(sys.argv[1]), int(sys.argv[2])), 100))
