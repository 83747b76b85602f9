"""Earth-Bench: runs work on each question, and their calls and answers are scored."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.earth_bench_run import check_data, work_on
from treeline.core.lab.experience import RunFacts, experience_metrics
from treeline.core.lab.failures import UNANSWERED
from treeline.core.lab.intervals import intervals
from treeline.core.lab.metrics import average, group_rows
from treeline.core.lab.parts import EARTH_BENCH, PARTS, part_of
from treeline.core.lab.pooling import work_through
from treeline.core.lab.records import Question, ToolCall
from treeline.core.lab.results import ResultStore
from treeline.core.lab.tuning import tuning_statement
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import Stopped


def run_questions(
    questions: Sequence[Question],
    options: BenchOptions,
    results: ResultStore | None = None,
    progress: TellProgress | None = None,
    stop: threading.Event | None = None,
    endpoint: Endpoint | None = None,
) -> dict[str, Any]:
    """Work on every question that has no result yet, and score all that have one.

    Parameters
    ----------
    results : Kept, optional
        Keeps each result as soon as it is there, so that a killed bench goes on where it was.
    progress : callable, optional
        ``progress(done, total, question)``.
    stop : threading.Event, optional
        Set from elsewhere, it ends the bench; questions under way have no result then.

    Raises
    ------
    InputError
        An option names nothing.
    RasterMissing
        There is a folder of data, and no question has its files there.
    """
    options.check(endpoint)
    check_data(questions, options.data)
    rows = dict(results.rows) if results else {}
    if results and options.memory == "bench" and not options.record:
        results.memory.mkdir(parents=True, exist_ok=True)
        options = replace(options, record=str(results.memory / "record.sqlite"))
    stop = stop or threading.Event()
    wanted = [_key(question, number) for number in range(options.repeats) for question in questions]
    if progress:
        progress(len(rows), len(wanted), "")
    for number in range(options.repeats):
        remaining = [question for question in questions if _key(question, number) not in rows]
        for row in _work_through(remaining, *_repetition(options, endpoint, number), stop):
            row |= {"question_id": str(row["id"]), "id": _result_name(row["id"], number)}
            rows[str(row["id"])] = row
            if results:
                results.keep(row)
            if progress:
                progress(len(rows), len(wanted), str(row["id"]))
    # In the order of the questions, whatever the order in which workers were done.
    return summarise([rows[key] for key in wanted if key in rows], options)


def _key(question: Question, number: int) -> str:
    return str(_result_name(question.id, number))


def _result_name(identifier: int | str, number: int) -> int | str:
    """Return the name of a result: that of its question, with a number from the second time on."""
    return f"{identifier} #{number + 1}" if number else identifier


def _repetition(
    options: BenchOptions, endpoint: Endpoint | None, number: int
) -> tuple[BenchOptions, Endpoint | None]:
    """Return how a question is worked on for the nth time: each has a seed of its own."""
    if not number:
        return options, endpoint
    if endpoint and endpoint.settings.seed is not None:
        # The same seed would give the same answer again, and no spread.
        seeded = endpoint.settings.model_copy(update={"seed": endpoint.settings.seed + number})
        endpoint = replace(endpoint, settings=seeded)
    return replace(options, seed=options.seed + number), endpoint


def summarise(rows: Sequence[dict[str, Any]], options: BenchOptions | None = None) -> dict[str, Any]:
    """Return the mean of each metric, its interval, the same by modality, and RSMem's metrics."""
    benchmark = next((row["benchmark"] for row in rows if "benchmark" in row), EARTH_BENCH)
    by_part = {name: [row for row in rows if part_of(_question_of(row), benchmark) == name] for name in PARTS}
    scored = [_scores(row) for row in rows]
    facts = [
        RunFacts(
            _calls(row["calls"]),
            _expected_calls(row),
            row["correct"],
            _tokens(row),
            row.get("reflection_tokens", 0),
        )
        for row in rows
    ]
    by_modality = {
        name: {
            "questions": len(group),
            **average([_scores(r) for r in group]),
        }
        for name, group in group_rows(rows, "modality").items()
    }
    return {
        "bench": benchmark,
        "tuned_on": tuning_statement([benchmark]),
        "settings": options.to_json() if options else {},
        "metrics": average(scored),
        "intervals": intervals(_by_question(rows)),
        "by_modality": by_modality,
        **{name: _summary_of_part(some) for name, some in by_part.items()},
        "experience": experience_metrics(facts),
        **{name: sum(row["status"] == name for row in rows) for name in UNANSWERED},
        "questions": list(rows),
    }


def _scores(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row["scores"], "efficiency": row["efficiency"], "accuracy": row["correct"]}


def _question_of(row: Mapping[str, Any]) -> int | str:
    return str(row.get("question_id", row["id"]))


def _by_question(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, float | None]]:
    """Return the mean scores of each question: its repeats do not make a mean over questions surer."""
    groups: dict[int | str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(_question_of(row), []).append(_scores(row))
    return [average(group) for group in groups.values()]


def _summary_of_part(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many questions there are of a part, and their mean scores."""
    return {"questions": len({_question_of(row) for row in rows}), **average([_scores(row) for row in rows])}


def _work_through(
    questions: Sequence[Question], options: BenchOptions, endpoint: Endpoint | None, stop: threading.Event
) -> Iterator[dict[str, Any]]:
    """Yield the results as they come; with memory in order, one after the other."""
    remembers = options.memory == "bench" and not options.record
    # What is remembered depends on the order: with several workers it would change from run to run.
    workers = 1 if options.memory == "bench" else options.workers
    with tempfile.TemporaryDirectory(prefix="treeline-") if remembers else nullcontext("") as folder:
        if remembers:
            options = replace(options, record=str(Path(folder) / "record.sqlite"))
        job = partial(_work, options=options, endpoint=endpoint)
        for row in work_through(questions, job, workers, stop, threads=options.policy == "language"):
            if row is not None:
                yield row


def _work(
    question: Question, stop: threading.Event, *, options: BenchOptions, endpoint: Endpoint | None
) -> dict[str, Any] | None:
    try:
        return work_on(question, options, stop, endpoint)
    except Stopped:
        return None


def _expected_calls(row: dict[str, Any]) -> tuple[ToolCall, ...] | None:
    return None if row["expected"] is None else _calls(row["expected"])


def _tokens(row: dict[str, Any]) -> int:
    return sum(row["tokens"][name] for name in ("input", "output")) + row.get("reflection_tokens", 0)


def _calls(calls: Sequence[dict[str, Any]]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall.model_validate(call) for call in calls)
