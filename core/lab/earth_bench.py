"""Earth-Bench: a policy works on each question, and its calls and answers are scored."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from core.actions import Answer
from core.budget import Budget
from core.disclosure import STRATEGIES, make_disclosure
from core.engine import drive
from core.environment import Environment
from core.events import Event, RunFinished, RunStarted
from core.lab.experience import RunFacts, experience_metrics
from core.lab.intervals import intervals
from core.lab.metrics import answer_letter, average, efficiency, grouped, score_trajectory
from core.lab.records import Question, Regime, ToolCall
from core.lab.results import Results
from core.lab.symbolic import NamesData, NamesWorkspace, SymbolicEnvironment, lay_out
from core.lab.written import BenchmarkPaths
from core.policies import POLICIES, make_policy
from core.rundata import RunData
from core.settings import Endpoint
from core.state import State, state_of
from core.workspace import Workspace
from toolkit import SkillTree, registry
from toolkit.errors import InputError, RasterMissing

_TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """How the questions are worked on.

    Attributes
    ----------
    data : str
        Folder with the benchmark's data; empty means by file names only.
    workers : int
        Questions worked on at the same time.
    """

    regime: Regime = "ap"
    policy: str = "planner"
    disclosure: str = "progressive"
    data: str = ""
    profile: str = "earth_bench"
    workers: int = 2
    steps: int = 60
    seconds: float = 900.0
    seed: int = 0

    def check(self) -> None:
        """Refuse options that name nothing.

        Raises
        ------
        InputError
            Names the option and what there is.
        """
        for name, value, known in (
            ("policy", self.policy, tuple(POLICIES)),
            ("disclosure", self.disclosure, tuple(STRATEGIES)),
        ):
            if value not in known:
                raise InputError(f"There is no {name} {value!r}.", f"There are {', '.join(known)}.")
        if self.data and not Path(self.data).is_dir():
            raise InputError(
                f"There is no folder {self.data!r}.", "Give the benchmark's folder, or --files-only."
            )
        if self.policy == "language":
            Endpoint.from_environment().check()


def run_questions(
    questions: Sequence[Question],
    options: BenchOptions,
    results: Results | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> dict[str, Any]:
    """Work on every question that has no result yet, and score all.

    Parameters
    ----------
    results : Results, optional
        Keeps each result as soon as it is there, so that a killed bench goes on where it was.
    progress : callable, optional
        ``progress(done, total, question)``.

    Raises
    ------
    InputError
        An option names nothing.
    """
    options.check()
    rows = dict(results.rows) if results else {}
    open_questions = [q for q in questions if str(q.id) not in rows]
    for row in _worked(open_questions, options):
        rows[str(row["id"])] = row
        if results:
            results.keep(row)
        if progress:
            progress(len(rows), len(questions), str(row["id"]))
    return summarise([rows[str(q.id)] for q in questions])


def summarise(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the mean of each metric, its interval, the same by modality, and RSMem's metrics."""
    scored = [{**row["scores"], "efficiency": row["efficiency"], "accuracy": row["correct"]} for row in rows]
    facts = [
        RunFacts(_calls(row["calls"]), _calls(row["expected"]), row["correct"], sum(row["tokens"].values()))
        for row in rows
    ]
    by_modality = {
        name: {
            "questions": len(group),
            **average(
                [{**r["scores"], "efficiency": r["efficiency"], "accuracy": r["correct"]} for r in group]
            ),
        }
        for name, group in grouped(rows, "modality").items()
    }
    return {
        "metrics": average(scored),
        "intervals": intervals(scored),
        "by_modality": by_modality,
        "experience": experience_metrics(facts),
        "declined": sum(row["status"] == "declined" for row in rows),
        "failed": sum(row["status"] == "failed" for row in rows),
        "questions": list(rows),
    }


def work_on(question: Question, options: BenchOptions) -> dict[str, Any]:
    """Work on one question and score it."""
    began = time.monotonic()
    with _place_of(question, options) as (environment, inputs):
        state, finished = _drive(question, options, environment)
        paths = BenchmarkPaths(question, inputs, environment.data)
        calls = paths.calls(state, registry())
    answer = finished.answer
    return {
        "id": question.id,
        "modality": question.modality,
        "calls": [{"tool": call.tool, "arguments": call.arguments} for call in calls],
        "expected": [{"tool": call.tool, "arguments": call.arguments} for call in question.ground_truth],
        "answer": answer.text if answer else None,
        "choice": _choice(answer),
        "correct": None if not options.data else _correct(question, answer),
        "status": finished.status,
        "reason": finished.reason,
        "scores": score_trajectory(calls, question.ground_truth).as_dict(),
        "efficiency": efficiency(calls, question.ground_truth),
        "refused": sum(not step.observation.succeeded for step in state.calls),
        "seconds": round(time.monotonic() - began, 3),
        "tokens": {"input": state.tokens.input, "output": state.tokens.output},
    }


def _worked(questions: Sequence[Question], options: BenchOptions) -> Iterator[dict[str, Any]]:
    if options.workers <= 1 or len(questions) < 2:
        yield from (work_on(question, options) for question in questions)
        return
    with _pool(options) as pool:
        futures = [pool.submit(work_on, question, options) for question in questions]
        yield from (future.result() for future in as_completed(futures))


def _pool(options: BenchOptions) -> Executor:
    if options.policy == "language":
        return ThreadPoolExecutor(options.workers)
    return ProcessPoolExecutor(options.workers, mp_context=get_context("spawn"))


def _drive(question: Question, options: BenchOptions, environment: Environment) -> tuple[State, RunFinished]:
    text = question.text(options.regime)
    context = {"catalogue": environment.data.catalogue(), **environment.disclosure.context()}
    state = State(text, question.choices, context)
    events: list[Event] = [RunStarted(text, question.choices, context)]
    policy = make_policy(options.policy, environment.data, disclosure=environment.disclosure)
    budget = Budget(steps=options.steps, seconds=options.seconds)
    try:
        finished = drive(state, policy, environment, budget, events.append, threading.Event())
    except Exception as error:  # one question must not end the bench; the report names the fault
        finished = RunFinished("failed", reason=f"{type(error).__name__}: {error}")
    return state_of(events), finished


@contextmanager
def _place_of(question: Question, options: BenchOptions) -> Iterator[tuple[Environment, Path]]:
    tree = SkillTree.of(registry())
    disclosure = make_disclosure(options.disclosure, tree, question.text(options.regime), options.seed)
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        root = Path(folder).resolve()
        if options.data:
            inputs = data_folder(question, Path(options.data))
            data = RunData(Workspace(root / "workspace", [inputs]), "bench")
            yield Environment(data, disclosure, registry(), options.profile), inputs.resolve()
        else:
            inputs = lay_out(question.folder, question.files, root / "source")
            names = NamesData(NamesWorkspace(root / "workspace", [inputs]), "bench")
            yield SymbolicEnvironment(names, disclosure, registry(), options.profile), inputs


def data_folder(question: Question, root: Path) -> Path:
    """Return the folder of a question's files below the benchmark's folder.

    Raises
    ------
    RasterMissing
        There is none.
    """
    parts = Path(question.folder).parts
    places = [root.joinpath(*parts[start:]) for start in range(len(parts))]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise RasterMissing(
            f"There is no folder of question {question.id} below {str(root)!r}.",
            f"It should be {question.folder!r} there.",
        )
    return found


def _choice(answer: Answer | None) -> str | None:
    if answer is None:
        return None
    return answer.choice or answer_letter(answer.text)


def _correct(question: Question, answer: Answer | None) -> bool | None:
    if not question.answers:
        return None
    if question.choices:
        return _choice(answer) in question.answers
    try:
        wanted = float(question.answers[0])
    except ValueError:
        return _choice(answer) in question.answers
    value = answer.value if answer else None
    return value is not None and abs(value - wanted) <= _TOLERANCE * max(abs(wanted), 1e-9)


def _calls(calls: Sequence[dict[str, Any]]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall.model_validate(call) for call in calls)
