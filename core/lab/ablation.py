"""What each part of the evolver is worth: the same questions with parts switched off.

After GeoEvolver, table 4: full, without contrast, also without parallel exploration, also without
memory, a single agent.
"""

from __future__ import annotations

import math
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from treeline.core.context.ledger import ledger_of
from treeline.core.engine.events import RunFinished
from treeline.core.engine.journal import recorded_state
from treeline.core.lab.metrics import average, group_rows
from treeline.core.lab.records import read_records
from treeline.core.lab.results import ResultStore
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions, check_options
from treeline.core.settings import Endpoint
from treeline.core.teams.report import variant_costs
from treeline.core.workspace import Workspace
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import InputError

# Each setting switches off one part more than the one before, as in that table, so that a difference between
# two neighbours is what one part is worth.
SETTINGS: dict[str, dict[str, Any]] = {
    "full": {"team": "evolver"},
    "without contrast": {"team": "evolver", "without": ("contrast",)},
    "without exploration": {"team": "evolver", "without": ("contrast", "exploration")},
    "without memory": {"team": "evolver", "without": ("contrast", "exploration", "memory")},
    "single agent": {"team": "solo"},
}
MEASURES = ("answered", "right", "steps", "seconds", "tokens")


class BenchQuestion(BaseModel):
    """A question with what is right, where that is known: a value, a name, or the letter of an option.

    Attributes
    ----------
    tolerance : float
        Relative, of the value.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)

    question: str = Field(min_length=1)
    value: float | None = None
    text: str = ""
    tolerance: float = Field(default=1e-2, gt=0)
    choices: tuple[str, ...] = ()
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class AblationOptions:
    """How the questions are worked on.

    Attributes
    ----------
    data : sequence of str
        Files or folders of rasters that are read in place.
    record : str
        Folder that keeps the runs, so that an ablation that was cut goes on with what its memory bank
        held; a temporary one where it is empty.
    """

    data: Sequence[str] = ()
    policy: str = "planner"
    variants: int = 2
    executors: int = 3
    record: str = ""

    def check(self, endpoint: Endpoint | None = None) -> None:
        """Refuse options that name nothing.

        Raises
        ------
        InputError
            Names the option and what there is.
        BackendMissing
            The language policy is asked for and no model is set.
        """
        missing = [address for address in self.data if not Path(address).exists()]
        if missing or not self.data:
            told = f"There is no {missing[0]!r}." if missing else "No rasters are named."
            raise InputError(told, "Name GeoTIFFs, or folders with some.")
        # Only the options are looked at: any question that is not empty does.
        check_options("?", self.run_options(), endpoint)

    def run_options(self) -> RunOptions:
        """Return how a question is worked on under every setting."""
        return RunOptions(
            policy=self.policy, team="evolver", variants=self.variants, executors=self.executors
        )


def read_questions_asked(file: Path) -> list[BenchQuestion]:
    """Read questions, one JSON object a line.

    Raises
    ------
    InputError
        The file cannot be read, a line is no question, or there is none.
    """
    questions = read_records(file, BenchQuestion)
    if not questions:
        raise InputError(f"There is no question in {str(file)!r}.", "Give one JSON object a line.")
    return questions


def run_ablation(
    questions: Sequence[BenchQuestion],
    options: AblationOptions,
    results: ResultStore | None = None,
    progress: TellProgress | None = None,
    stop: threading.Event | None = None,
    endpoint: Endpoint | None = None,
) -> dict[str, Any]:
    """Work on the questions in their order under each setting; what has a result keeps it.

    Parameters
    ----------
    results : Kept, optional
        Keeps each result.
    progress : callable, optional
        ``progress(done, total, setting)``.
    stop : threading.Event, optional
        Set from elsewhere, it ends the ablation at the next step.

    Raises
    ------
    InputError
    """
    options.check(endpoint)
    rows = dict(results.rows) if results else {}
    total = len(SETTINGS) * len(questions)
    if progress:
        progress(len(rows), total, "")
    for row in _work_through(questions, options, set(rows), stop or threading.Event(), endpoint):
        rows[row["id"]] = row
        if results:
            results.keep(row)
        if progress:
            progress(len(rows), total, row["setting"])
    return summarise_ablation(list(rows.values()), options)


def summarise_ablation(
    rows: Sequence[dict[str, Any]], options: AblationOptions | None = None
) -> dict[str, Any]:
    """Return the report on results.

    Returns
    -------
    dict
        ``by_setting``: by name the mean of each of :data:`MEASURES` over the questions; ``questions``: the
        results, the measures of each among them. Steps, seconds of actions and tokens (as the ledger counts
        them) are those of all members together; ``elapsed`` is the time that a person waits.
    """
    groups = group_rows(rows, "setting")
    means = {name: average(row["measures"] for row in groups[name]) for name in SETTINGS if name in groups}
    return {
        "bench": "ablation",
        "settings": asdict(options) if options else {},
        "by_setting": means,
        "questions": list(rows),
    }


def _work_through(
    questions: Sequence[BenchQuestion],
    options: AblationOptions,
    known: set[str],
    stop: threading.Event,
    endpoint: Endpoint | None,
) -> Iterator[dict[str, Any]]:
    """Yield the results that are not known yet, until it is stopped."""
    with _folder(options.record) as folder:
        for name, switches in SETTINGS.items():
            with open_manager(folder / name.replace(" ", "-"), options.data) as manager:
                for number, asked in enumerate(questions, start=1):
                    # By its number: the same question may stand in the file twice, to see what the
                    # first time taught.
                    key = f"{name} {number}"
                    if key in known:
                        continue
                    # In the order of the questions, since what one teaches is remembered for the next.
                    setting = replace(options.run_options(), **switches, choices=asked.choices)
                    row = work_on(manager, asked, setting, stop, endpoint)
                    if row is None:
                        return
                    yield {"id": key, "setting": name, **row}


@contextmanager
def _folder(record: str) -> Iterator[Path]:
    """Yield the folder of the stores: each setting has one of its own, since the memory bank is in it."""
    if record:
        yield Path(record)
        return
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        yield Path(folder)


@contextmanager
def open_manager(home: Path, data: Sequence[str]) -> Iterator[RunManager]:
    """Yield what runs questions over some data, recorded in a folder."""
    workspace = Workspace(home / "workspace", [Path(source) for source in data])
    store = Store(home / "store.sqlite")
    try:
        yield RunManager(store, lambda name: workspace)
    finally:
        store.close()


def work_on(
    manager: RunManager,
    asked: BenchQuestion,
    options: RunOptions,
    stop: threading.Event,
    endpoint: Endpoint | None,
) -> dict[str, Any] | None:
    """Return the result of one question; ``None`` when it was stopped."""
    if stop.is_set():
        return None
    began = time.monotonic()
    run = manager.create("ablation", asked.question, options, endpoint=endpoint)
    finished = manager.work(run, endpoint, stop)
    # A question that was stopped has no result, so that a resumed bench works on it again.
    if finished.status == "stopped":
        return None
    elapsed = time.monotonic() - began
    return {
        "question": asked.question,
        "run": run,
        "status": finished.status,
        "reason": finished.reason,
        "answer": finished.answer.text if finished.answer else None,
        "seconds": round(elapsed, 3),
        "measures": {
            **_costs(manager.store, run, finished),
            "right": _right(finished, asked),
            "elapsed": elapsed,
        },
    }


def _costs(store: Store, run: str, finished: RunFinished) -> dict[str, float]:
    state = recorded_state(store, run)
    costs = variant_costs(store, run)
    if not costs:
        seconds = sum(step.seconds for step in state.steps)
        # An agent alone is one variant: its steps are those of the run itself.
        costs = [{"steps": len(state.steps), "seconds": seconds, "input": ledger_of(state).input}]
    return {
        "answered": float(finished.status == "answered"),
        "steps": float(sum(cost["steps"] for cost in costs)),
        "seconds": float(sum(cost["seconds"] for cost in costs)),
        "tokens": float(sum(cost["input"] for cost in costs)),
    }


def _right(finished: RunFinished, asked: BenchQuestion) -> float | None:
    answer = finished.answer
    if asked.choice is not None:
        return float(answer is not None and answer.choice == asked.choice)
    if asked.value is None and not asked.text:
        return None
    if asked.text and (answer is None or not answer.answers or asked.text not in answer.words):
        return 0.0
    if asked.value is None:
        return 1.0
    value = answer.value if answer else None
    return float(
        # A relative tolerance alone would let nothing but an exact 0 pass for 0.
        value is not None and math.isclose(value, asked.value, rel_tol=asked.tolerance, abs_tol=1e-9)
    )
