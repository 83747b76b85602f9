"""The planner's answer beside that of a language model: where the two differ, a person is told.

The planner works when the model has answered, on data and in a folder of its own, and for some seconds at
most: agreement makes an answer more certain, but nobody waits long for it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from treeline.core.disclosure.strategies import make_disclosure
from treeline.core.engine.actions import Answer
from treeline.core.engine.budget import Budget, Deadline
from treeline.core.engine.claims import Claim, claim_of, claims_in, dates_in
from treeline.core.engine.events import Event, Note, RunFinished
from treeline.core.engine.loop import drive
from treeline.core.engine.readings import readings_of
from treeline.core.engine.state import State
from treeline.core.policies.how_to_read import PLANNER_ANSWERS
from treeline.core.policies.registry import make_policy
from treeline.core.runs.task import Task
from treeline.toolkit import registry

# So long a person waits for the planner at the end of a run; means of some hundred rasters take less.
_LONGEST = 10.0


def compare_with_planner(task: Task, finished: RunFinished) -> Note | None:
    """Return what the planner answers and whether that differs; ``None`` where it answers nothing in time."""
    if finished.answer is None or finished.status not in ("answered", "unverified", "declined"):
        return None
    other = _planners_answer(task)
    if other is None or other.status != "answered":
        return None
    differs = answers_differ(finished.answer, other, task.options.choices)
    said = f"The planner answers {'differently' if differs else 'the same'}: {other.text}"
    kept = {name: asdict(other)[name] for name in ("text", "value", "unit", "choice", "read_as")}
    return Note(said, {PLANNER_ANSWERS: {**kept, "differs": differs}})


def answers_differ(answer: Answer, other: Answer, choices: Sequence[str] = ()) -> bool:
    """Return whether two answers to a question say what cannot both be so.

    Options, numbers and dates are compared, in this order; of words alone nothing follows.
    """
    if not answer.answers:
        return True
    if choices and answer.choice and other.choice:
        return answer.choice != other.choice
    if other.value is not None:
        claims = [claim_of(answer.value, answer.unit)] if answer.value is not None else claims_in(answer.text)
        return bool(claims) and not any(_means(claim, other.value, other.unit) for claim in claims)
    dates, others = dates_in(answer.text), dates_in(other.text)
    alike = any(a.startswith(b) or b.startswith(a) for a in dates for b in others)
    return bool(dates and others) and not alike


def _means(claim: Claim, value: float, unit: str) -> bool:
    """Return whether a number is another one as it is written, in its unit, whatever its sign."""
    half = claim.half * (1 + 1e-6)
    return any(
        abs(abs(claim.number) - abs(n)) <= half for n in readings_of(claim, value, (unit,) if unit else ())
    )


def tell_difference(task: Task) -> Task:
    """Return a task that tells, before it ends, what the planner answers; as it is where nobody asked for it.

    Left alone are members and rounds of another run, and runs under the regime of a paper.
    """
    options = task.options
    if options.policy != "language" or options.member or task.record.parent or not options.open_tools:
        return task

    def emit(event: Event) -> None:
        if isinstance(event, RunFinished) and (note := compare_with_planner(task, event)):
            task.emit(note)
        task.emit(event)

    return replace(task, emit=emit)


def _planners_answer(task: Task) -> Answer | None:
    try:
        own = task.data().folder
        with TemporaryDirectory(prefix="planner-", dir=own) as folder:
            return _work(task, Path(folder))
    except Exception as error:  # the model's answer stands, whatever befalls the planner
        task.report(error, "The planner's answer beside the model's")
        return None


def _work(task: Task, folder: Path) -> Answer | None:
    parts, options, question = task.parts, task.options, task.record.question
    workspace = parts.workspace(task.record.workspace, options.data)
    data = parts.surroundings.data(workspace, task.run, folder)
    data.area = options.area
    disclosure = make_disclosure("flat", parts.surroundings.tree(), question)
    policy = make_policy("planner", data, None, disclosure, task.how_to_read())
    environment = parts.surroundings.environment(
        data, disclosure, registry(), options.profile, (), task.report
    )
    stop = Deadline(task.stop, time.monotonic() + _LONGEST)
    state = State(question, options.choices)
    return drive(state, policy, environment, Budget(seconds=_LONGEST), _ignore, stop).answer


def _ignore(event: Event) -> None:
    """Keep no record of a step: only what the planner answers is told."""


def planners_answer(events: Sequence[Event]) -> dict[str, Any] | None:
    """Return what the planner answered to the question of a run, by its events; ``None`` where nothing."""
    told = (event.data for event in events if isinstance(event, Note))
    return next((data[PLANNER_ANSWERS] for data in told if PLANNER_ANSWERS in data), None)
