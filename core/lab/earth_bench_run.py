"""One question of Earth-Bench worked on by a run as any other, and scored."""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from treeline.core.context.ledger import ledger_of
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import RunFinished
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.state import State
from treeline.core.lab.answers import chosen_option, is_correct
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.benchmark_paths import BenchmarkPaths
from treeline.core.lab.metrics import efficiency, score_trajectory
from treeline.core.lab.published.places import find_folder
from treeline.core.lab.records import Question, ToolCall
from treeline.core.lab.symbolic import SYMBOLIC, lay_out
from treeline.core.lab.toolbox import toolbox
from treeline.core.memory.rounds import rounds_of, shown_run
from treeline.core.record.faults import faults_of
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.surroundings import Surroundings
from treeline.core.runs.usage import count_tokens_used, model_calls, reflection_tokens
from treeline.core.settings import Endpoint
from treeline.core.teams.names import SOLO
from treeline.toolkit import registry
from treeline.toolkit.errors import RasterMissing, Stopped

_WORKSPACE = "bench"
# The expert's longest course has 81 calls, and a plan has an end of its own.
_PLANNED = 160
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def work_on(
    question: Question,
    options: BenchOptions,
    stop: threading.Event | None = None,
    endpoint: Endpoint | None = None,
) -> dict[str, Any]:
    """Work on one question and score it: the calls of the round that counts, of the variant that was taken.

    Raises
    ------
    Stopped
        The bench was stopped; the question has no result.
    """
    began = time.monotonic()
    try:
        place = data_folder(question, Path(options.data)) if options.data else None
    except RasterMissing as error:
        return _row(question, (), RunFinished("failed", reason=str(error)), options, began)
    with _surround(question, options, place) as (manager, inputs):
        run = manager.create(
            _WORKSPACE, question.text(options.regime), run_options(question, options), endpoint=endpoint
        )
        finished = manager.work(run, endpoint, stop)
        if finished.status == "stopped":
            raise Stopped("The bench was stopped.")
        store, shown = manager.store, shown_run(manager.store, run)
        state = recorded_state(store, shown)
        paths = BenchmarkPaths(question, inputs, manager.data(shown).folder, by_member=options.team != SOLO)
        calls = paths.calls(state, registry())
        # Of all variants and rounds, while the calls are those of the variant that was taken: what a person
        # pays for.
        tokens = count_tokens_used(store, run)
        reflected = reflection_tokens(store, run) if options.policy == "language" else 0
        rounds = len(rounds_of(store, run)) or 1
        asked = model_calls(store, run)
        faults = [asdict(each.fault) for each in faults_of(store, run)]
    row = _row(question, calls, finished, options, began)
    return row | {
        "refused": sum(not step.observation.is_success for step in state.calls),
        "rounds": rounds,
        "model_calls": asked,
        "tool_seconds": round(sum(step.seconds for step in state.calls), 3),
        "context": {"tokens": tokens.input, "turns": asked} if asked else _context_of(state, options.window),
        "tokens": {"input": tokens.input, "output": tokens.output, "cached": tokens.cached},
        "reflection_tokens": reflected,
        **({"faults": faults} if faults else {}),
    }


def _context_of(state: State, window: int) -> dict[str, int]:
    """Return what a model would have been sent along the steps that were taken, and in how many turns."""
    turns = ledger_of(state, window).turns
    return {"tokens": sum(turn.total for turn in turns), "turns": len(turns)}


def _row(
    question: Question, calls: Sequence[ToolCall], finished: RunFinished, options: BenchOptions, began: float
) -> dict[str, Any]:
    answer = finished.answer
    # Without pixels every number is a stand-in: only the calls and a refusal mean something.
    said = answer if answer and (options.data or answer.declined) else None
    return {
        "id": question.id,
        "benchmark": question.benchmark,
        "modality": question.modality,
        "question": question.text(options.regime),
        "calls": _as_json(calls),
        "expected": _as_json(question.ground_truth) if question.has_expert else None,
        "answer": said.text if said else None,
        "choice": chosen_option(answer) if options.data else None,
        "correct": is_correct(question, answer) if options.data else None,
        "status": finished.status,
        "reason": finished.reason,
        "scores": _scores(question, calls),
        "efficiency": efficiency(calls, question.ground_truth),
        "refused": 0,
        "rounds": 1,
        "model_calls": 0,
        "error": finished.error,
        "seconds": round(time.monotonic() - began, 3),
        "tokens": {"input": 0, "output": 0, "cached": 0},
        "reflection_tokens": 0,
    }


def _scores(question: Question, calls: Sequence[ToolCall]) -> dict[str, float | None]:
    """Return how the calls compare with the expert's; nothing where none of the expert's tools is here."""
    scores = score_trajectory(calls, question.ground_truth).as_dict()
    expert, tools = question.ground_truth, registry()
    compared = question.has_expert and (not expert or any(call.tool in tools for call in expert))
    return dict(scores) if compared else dict.fromkeys(scores)


def run_options(question: Question, options: BenchOptions) -> RunOptions:
    """Return how a question is worked on, in the words of ``ask``."""
    # Rounds of one question may always remember each other; only what other questions taught is a matter of
    # the bench.
    remembers = options.memory == "bench"
    return RunOptions(
        policy=options.policy,
        disclosure=options.disclosure,
        profile=options.profile,
        choices=question.choices,
        budget=Budget(
            steps=options.steps if options.policy == "language" else _PLANNED, seconds=options.seconds
        ),
        seed=options.seed,
        rounds=options.rounds,
        memory="own" if options.rounds > 1 else "off",
        card=options.card,
        partial=options.partial,
        team=options.team,
        variants=options.variants,
        executors=options.executors,
        without=tuple(dict.fromkeys((*options.without, *(() if remembers else ("memory",))))),
        reflection=options.reflection,
        lessons=options.lessons,
        withheld=_values_to_withhold(question),
        # What the papers' agents may call is decided by the strategy alone, which is what is compared.
        open_tools=False,
    )


def _values_to_withhold(question: Question) -> tuple[str, ...]:
    """Return what no memory may tell: the numbers that the expert's calls gave, and the right option."""
    outputs = [
        str(call.output) for call in question.ground_truth if isinstance(call.output, str | int | float)
    ]
    letters = [answer.strip().upper() for answer in question.answers]
    right = [
        choice for letter, choice in zip(ascii_uppercase, question.choices, strict=False) if letter in letters
    ]
    return (*(text for text in outputs if _NUMBER.fullmatch(text.strip())), *right)


def check_data(questions: Sequence[Question], root: str) -> None:
    """Refuse a folder that has the files of no question.

    Raises
    ------
    RasterMissing
    """
    # One folder that is found is enough: part of the archive may have been unpacked, and the others fail one
    # by one.
    if root and questions and not any(find_folder(Path(root), question.folder) for question in questions):
        data_folder(questions[0], Path(root))


def data_folder(question: Question, root: Path) -> Path:
    """Return the folder of a question's files below the benchmark's folder.

    Raises
    ------
    RasterMissing
        There is none.
    """
    place = find_folder(root, question.folder)
    if place is None:
        raise RasterMissing(
            f"There is no folder of question {question.id} below {str(root)!r}.",
            f"It should be {question.folder!r} there.",
        )
    lost = [name for name in question.files if not (place / name).exists()] if question.only_files else []
    if lost:
        raise RasterMissing(
            f"Question {question.id} has no file {', '.join(map(repr, lost))} in {str(place)!r}.",
            "Unpack the benchmark's archive of images whole.",
        )
    return place


@contextmanager
def _surround(
    question: Question, options: BenchOptions, place: Path | None
) -> Iterator[tuple[RunManager, Path]]:
    with tempfile.TemporaryDirectory(prefix="treeline-", ignore_cleanup_errors=True) as folder:
        root = Path(folder).resolve()
        inputs = place or lay_out(question.folder, question.files, root / "source")
        # Questions are worked on in parallel already.
        surroundings = Surroundings(apart=False) if place else SYMBOLIC
        surroundings = replace(surroundings, tree=partial(toolbox, options.tools, tuple(options.needed)))
        store = Store(options.record or root / "record.sqlite")
        workspace = surroundings.workspace(root / "workspace", _inputs_of(question, inputs))
        try:
            yield RunManager(store, lambda name: workspace, surroundings), inputs
        finally:
            store.close()


def _inputs_of(question: Question, inputs: Path) -> list[Path]:
    """Return what a question's run sees: its folder, or its own files where the folder is that of all."""
    return [inputs / name for name in question.files] if question.only_files else [inputs]


def _as_json(calls: Sequence[ToolCall]) -> list[dict[str, Any]]:
    return [{"tool": call.tool, "arguments": call.arguments} for call in calls]
