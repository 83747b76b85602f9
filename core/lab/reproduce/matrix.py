"""The cells of a table worked on: resumable at each question, in parallel, within a budget."""

from __future__ import annotations

import hashlib
import itertools
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from treeline import __version__
from treeline.core.errors import EndpointUnreachable
from treeline.core.home import home
from treeline.core.lab.geoplan.embedders import embedder_setting
from treeline.core.lab.pooling import work_through
from treeline.core.lab.reproduce.sources import Sources
from treeline.core.lab.reproduce.works import ENDPOINT_ERRORS, WORKS, Job, Row, work
from treeline.core.lab.results import ResultStore
from treeline.core.model_settings import ModelSettings
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import InputError


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be used of a model; ``None`` for as much as it takes.

    Attributes
    ----------
    price : float, optional
        In the unit of the endpoint's prices.
    """

    calls: int | None = None
    tokens: int | None = None
    price: float | None = None
    hours: float | None = None

    def check(self, settings: ModelSettings) -> None:
        """Refuse a limit on the price where no prices are known.

        Raises
        ------
        InputError
        """
        if self.price is not None and not settings.has_prices:
            raise InputError(
                "A limit on the price needs prices.",
                "Give --price-input and --price-output a million tokens.",
            )


@dataclass
class Spending:
    """What was used of a model.

    Attributes
    ----------
    seconds : float
        Of the questions one after the other.
    """

    settings: ModelSettings = field(default_factory=ModelSettings)
    calls: int = 0
    read: int = 0
    cached: int = 0
    written: int = 0
    seconds: float = 0.0

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a result."""
        tokens = row["tokens"]
        # Only what a model costs counts: planner and floors are free.
        if not row.get("model_calls"):
            return
        self.calls += row["model_calls"]
        self.read += tokens["input"]
        self.cached += tokens.get("cached", 0)
        self.written += tokens["output"]
        self.seconds += row.get("seconds", 0.0)

    @property
    def price(self) -> float | None:
        """In the unit of the endpoint's prices; ``None`` where there are none."""
        return (
            self.settings.cost_of(self.read, self.cached, self.written) if self.settings.has_prices else None
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "calls": self.calls,
            "tokens": {"input": self.read, "cached": self.cached, "output": self.written},
            "price": self.price,
            "hours": self.seconds / 3600,
        }


@dataclass
class Purse:
    """What may still be used, shared by all jobs of a run."""

    limits: Limits
    spent: Spending
    began: float = field(default_factory=time.monotonic)

    @property
    def empty(self) -> str:
        """Which limit is reached; empty where none is."""
        used = {
            "calls": self.spent.calls,
            "tokens": self.spent.read + self.spent.written,
            "price": self.spent.price,
            "hours": (time.monotonic() - self.began) / 3600,
        }
        for name, value in used.items():
            most = getattr(self.limits, name)
            if most is not None and value is not None and value >= most:
                return f"The limit of {most:g} {name} is reached ({value:,.6g} used)."
        return ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run of a matrix.

    Attributes
    ----------
    stopped : str
        Why it ended before all was done; empty where it was not.
    """

    rows: dict[str, Row]
    stopped: str = ""


def run_jobs(
    jobs: Sequence[Job],
    kept: ResultStore,
    purse: Purse,
    workers: int = 2,
    progress: TellProgress | None = None,
    stop: threading.Event | None = None,
    memory: Path | None = None,
) -> Outcome:
    """Work on the jobs that have no result yet, and return the results of all that have one.

    Cells that remember are worked on question by question, in their order. A limit is
    looked at before each question: those under way are finished.

    Parameters
    ----------
    memory : Path, optional
        Folder of what cells remember; a temporary one where it is left out.

    Raises
    ------
    EndpointUnreachable
        The endpoint gave no answer, after all retries; what has a result is kept.
    """
    stop = stop or threading.Event()
    wanted = {job.key: job for job in jobs}
    rows = {key: kept.rows[key] for key in wanted if key in kept.rows}
    if progress:
        progress(len(rows), len(wanted), "")
    left = [job for key, job in wanted.items() if key not in rows]
    for row in _work_through(left, workers, stop, purse, memory):
        # An endpoint that is gone would fail every question that is left, and each would be kept as wrong.
        if row.get("error") in ENDPOINT_ERRORS:
            raise EndpointUnreachable(
                str(row["reason"]), "What is done is kept: the same command goes on from there."
            )
        rows[row["id"]] = row
        purse.spent.add(row)
        kept.keep(row)
        if progress:
            progress(len(rows), len(wanted), row["question_id"])
    why = purse.empty or ("It was stopped." if stop.is_set() else "")
    done = {key: rows[key] for key in wanted if key in rows}
    return Outcome(done, why if len(done) < len(wanted) else "")


def _work_through(
    jobs: Sequence[Job], workers: int, stop: threading.Event, purse: Purse, memory: Path | None
) -> Iterator[Row]:
    """Yield results: without a model in processes, those of an endpoint, those of cells that remember."""
    # Processes for what reckons in this machine, threads for what waits for an endpoint.
    free = [job for job in jobs if not job.remembers]
    apart = [job for job in free if WORKS[job.cell.bench].in_processes and not job.cell.asks_model]
    waiting = [job for job in free if job.cell.asks_model or not WORKS[job.cell.bench].in_processes]
    with _folder(memory) as folder:
        chained = [replace(job, record=_record_of(job, folder)) for job in jobs if job.remembers]
        for row in itertools.chain(
            work_through(apart, work, workers, stop, threads=False),
            work_through(waiting, _work_from(purse), workers, stop, threads=True),
            *(work_through(turn, _work_from(purse), workers, stop, threads=True) for turn in _turns(chained)),
        ):
            if row is not None:
                yield row


def _turns(jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Yield the first question of each cell, then the second: cells may run at once, their questions not."""
    chains: dict[str, list[Job]] = {}
    for job in jobs:
        chains.setdefault(job.cell.key, []).append(job)
    for turn in itertools.zip_longest(*chains.values()):
        yield [job for job in turn if job is not None]


@contextmanager
def _folder(memory: Path | None) -> Iterator[Path]:
    if memory is not None:
        memory.mkdir(parents=True, exist_ok=True)
        yield memory
        return
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        yield Path(folder)


def _record_of(job: Job, folder: Path) -> str:
    # A hash, since a cell's key holds names of models with slashes.
    return str(folder / f"{hashlib.sha256(job.cell.key.encode()).hexdigest()[:16]}.sqlite")


def _work_from(purse: Purse) -> Callable[[Job, threading.Event], Row | None]:
    """Return the work that begins nothing once a limit is reached."""

    def begin(job: Job, stop: threading.Event) -> Row | None:
        # Asked when a job begins, so that what is under way is finished and kept.
        return None if job.cell.asks_model and purse.empty else work(job, stop)

    return begin


def results_file(paper: str, sources: Sources, endpoint: Endpoint | None, jobs: Iterable[Job]) -> Path:
    """Return where the results of a paper's tables are kept: by what decides them, in the home."""
    known = json.dumps(deciding_settings(paper, sources, endpoint, jobs), sort_keys=True)
    # Other settings have another file, so that results of two kinds are never mixed.
    return home() / "reproduce" / f"{paper}-{hashlib.sha256(known.encode()).hexdigest()[:10]}.jsonl"


def deciding_settings(
    paper: str, sources: Sources, endpoint: Endpoint | None, jobs: Iterable[Job]
) -> dict[str, Any]:
    """Return what decides the results besides cell and question."""
    jobs = list(jobs)
    files = sorted({job.file for job in jobs})
    planned = any(job.cell.bench == "geoplan" for job in jobs)
    return {
        "paper": paper,
        "version": __version__,
        "files": files,
        "data": sources.data,
        "neighbours": sources.neighbours,
        "url": endpoint.url if endpoint else "",
        **({"embedder": embedder_setting("auto")} if planned else {}),
        **(endpoint.settings.deciding if endpoint else {}),
    }
