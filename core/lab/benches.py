"""Benches in the background: each is recorded as a run, so that it is found, stopped and resumed as one."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from treeline.core.engine.actions import Answer
from treeline.core.engine.events import Event, Note, Progress, RunFinished, RunResumed, RunStarted
from treeline.core.engine.journal import events_of, record_event
from treeline.core.faults import Fault
from treeline.core.home import home
from treeline.core.lab.ablation import AblationOptions, read_questions_asked, run_ablation, summarise_ablation
from treeline.core.lab.bench_marks import WORKSPACE
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.earth_bench import run_questions, summarise
from treeline.core.lab.geoplan.bench import PlanOptions, bench_planner, summarise_plans
from treeline.core.lab.records import read_questions
from treeline.core.lab.reproduce.reproduction import Reproduction, report_of, reproduce
from treeline.core.lab.reproduce.verdicts import is_of_judge
from treeline.core.lab.results import ResultStore
from treeline.core.record.faults import keep_fault, record_fault
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.manager import RunManager
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import InputError, TreelineError

_ROW = "row"


class Options(Protocol):
    """How a bench is run."""

    def check(self, endpoint: Endpoint | None = None) -> None:
        """Refuse what cannot be run."""
        ...


Work = Callable[
    [Path, Any, ResultStore, TellProgress, threading.Event, Endpoint | None],
    dict[str, Any],
]
"""Runs a bench to its end and returns the report."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark as it is run in the background.

    Attributes
    ----------
    options : type
        A frozen dataclass of :class:`Options`.
    rows : str
        Key of the rows in a report.
    """

    title: str
    options: type[Any]
    work: Work
    summarise: Callable[[Sequence[dict[str, Any]], Any], dict[str, Any]]
    rows: str


def _earth_bench(file: Path, *how: Any) -> dict[str, Any]:
    questions = read_questions(file)
    return {**run_questions(questions, *how), "unread": questions.unread}


def _ablation(file: Path, *how: Any) -> dict[str, Any]:
    return run_ablation(read_questions_asked(file), *how)


def _reproduce(
    file: Path,
    options: Reproduction,
    kept: ResultStore,
    progress: TellProgress,
    stop: threading.Event,
    endpoint: Endpoint | None,
) -> dict[str, Any]:
    wanted = replace(options, questions=str(file))
    report = reproduce(wanted, progress, stop, endpoint, kept)
    return {**report, "questions": _plans(kept.rows.values())}


def _summarise_reproduction(rows: Sequence[dict[str, Any]], options: Reproduction) -> dict[str, Any]:
    return {**report_of(options, rows), "questions": _plans(rows)}


def _plans(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the results without what a judge says of them."""
    return [row for row in rows if not is_of_judge(row)]


BENCHES: Mapping[str, Bench] = {
    "earth-bench": Bench("Earth-Bench", BenchOptions, _earth_bench, summarise, "questions"),
    "geoplan": Bench("GeoPlan-bench", PlanOptions, bench_planner, summarise_plans, "tasks"),
    "reproduce": Bench("A paper's table", Reproduction, _reproduce, _summarise_reproduction, "questions"),
    "ablation": Bench("Ablation", AblationOptions, _ablation, summarise_ablation, "questions"),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a bench is.

    Attributes
    ----------
    rows : tuple of dict
        The results so far, in the order in which they came.
    total : int
        Questions or tasks; 0 while they are not counted yet.
    last : int
        Number of the last event that was read.
    """

    rows: tuple[dict[str, Any], ...] = ()
    total: int = 0
    last: int = 0
    reason: str = ""


_LOG = logging.getLogger(__name__)


def memory_of(run: str) -> Path:
    """Return the folder of what a bench of the record remembers."""
    return home() / "benches" / run


# In the record rather than in a file beside it: a page that follows the run sees each row as it comes, and a
# row cannot be there without its run.
class _InStore:
    """Keeps the rows of a bench as events of its run."""

    def __init__(
        self, store: Store, run: str, emit: Callable[[Event], None], rows: Sequence[dict[str, Any]]
    ) -> None:
        self.rows = {str(row["id"]): row for row in rows}
        self._store = store
        self._run = run
        self._emit = emit

    @property
    def memory(self) -> Path:
        """A folder of the bench's own, so that a resumed one remembers."""
        return memory_of(self._run)

    def keep(self, row: dict[str, Any]) -> None:
        # Faults are kept as those of any run, where the page of faults finds them.
        for fault in row.pop("faults", ()):
            keep_fault(self._store, Fault(**fault), self._run)
        self.rows[str(row["id"])] = row
        self._emit(Note(str(row["id"]), {_ROW: row}))


class Benches:
    """Starts benches over a run manager and reads their record."""

    def __init__(self, manager: RunManager) -> None:
        self.manager = manager

    def start(self, bench: str, file: Path, options: Options, endpoint: Endpoint | None = None) -> str:
        """Start a bench and return its run's identifier at once.

        Raises
        ------
        InputError
            There is no such bench, an option names nothing, or there is no file of questions.
        """
        if bench not in BENCHES:
            raise InputError(f"There is no bench {bench!r}.", f"There are {', '.join(BENCHES)}.")
        if not file.exists():
            raise InputError(f"There is no question file {str(file)!r}.", "Choose one that exists.")
        # Its check reads the questions, and so must know their file.
        if isinstance(options, Reproduction):
            options = replace(options, questions=str(file))
        options.check(endpoint)
        run = uuid.uuid4().hex[:12]
        kept = {"bench": bench, "file": str(file), "settings": asdict(options)}  # type: ignore[call-overload]
        self.manager.store.create_run(run, WORKSPACE, f"{BENCHES[bench].title}: {file.name}", kept)
        self._launch(run, endpoint, resumed=False)
        return run

    def resume(self, run: str, endpoint: Endpoint | None = None) -> None:
        """Go on with a bench that was stopped, failed or interrupted; what has a result keeps it.

        Raises
        ------
        InputError
            There is no such bench, or it has ended.
        """
        self.manager.check_resumable(run)
        self._launch(run, endpoint, resumed=True)

    def stop(self, run: str) -> None:
        """Ask a bench to stop; what is under way ends at its next step and has no result."""
        self.manager.stop(run)

    def records(self) -> list[RunRecord]:
        """Return the benches, the newest first."""
        return self.manager.store.runs(WORKSPACE)

    def read_standing(self, run: str, known: Standing | None = None) -> Standing:
        """Return how far a bench is, from what was known on."""
        # From the last event that is known: a page asks again and again, and a bench has thousands of events.
        standing = known or Standing()
        for stored in events_of(self.manager.store, run, standing.last):
            standing = _standing_after(standing, stored.number, stored.event)
        return standing

    def report(self, record: RunRecord, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return the report on the rows that a bench has so far."""
        bench = BENCHES[record.options["bench"]]
        return bench.summarise(rows, _options_of(record))

    def _launch(self, run: str, endpoint: Endpoint | None, *, resumed: bool) -> None:
        self.manager.launch(run, lambda stop: self._work(run, stop, endpoint, resumed=resumed))

    def _work(self, run: str, stop: threading.Event, endpoint: Endpoint | None, *, resumed: bool) -> None:
        store = self.manager.store
        _LOG.info("Bench %s %s.", run, "goes on" if resumed else "begins")

        def emit(event: Event) -> None:
            record_event(store, run, event)

        record = self.manager.record(run)
        standing = self.read_standing(run)
        # Read before, so that the rows of a resumed bench are those of its earlier work.
        emit(RunResumed(len(standing.rows)) if resumed else RunStarted(record.question))
        try:
            finished = self._run(record, _InStore(store, run, emit, standing.rows), emit, stop, endpoint)
        except TreelineError as error:
            finished = RunFinished("failed", reason=str(error))
        except Exception as error:  # the record must not say "running" for ever
            fault = record_fault(store, error, f"The bench {record.options['bench']}", run)
            finished = RunFinished("failed", reason=fault.sentence)
        emit(finished)
        store.set_status(run, finished.status)

    def _run(
        self,
        record: RunRecord,
        kept: _InStore,
        emit: Callable[[Event], None],
        stop: threading.Event,
        endpoint: Endpoint | None,
    ) -> RunFinished:
        bench = BENCHES[record.options["bench"]]

        def progress(done: int, total: int, label: str) -> None:
            emit(Progress(0, done, total, label))

        report = bench.work(Path(record.options["file"]), _options_of(record), kept, progress, stop, endpoint)
        if stop.is_set():
            return RunFinished("stopped", reason="The bench was stopped.")
        done = Answer(f"{len(report[bench.rows])} {bench.rows} done.")
        return RunFinished("answered", done, reason=" ".join(report.get("unread", ())))


def _standing_after(standing: Standing, number: int, event: Event) -> Standing:
    standing = replace(standing, last=number)
    match event:
        # The name stands here in full, since a pattern would bind _ROW to whatever is there. Other notes have
        # no row.
        case Note(data={"row": dict(row)}):
            return replace(standing, rows=(*standing.rows, row))
        case Progress(total=total):
            return replace(standing, total=total)
        case RunFinished(reason=reason):
            return replace(standing, reason=reason)
        case _:
            return standing


def _options_of(record: RunRecord) -> Any:
    return BENCHES[record.options["bench"]].options(**record.options["settings"])
