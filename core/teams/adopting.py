"""The team's own record: how it begins, and how the taken variant's steps become its steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from treeline.core.actions import Answer, Decision, Observation, ProductRecord
from treeline.core.engine import Emit
from treeline.core.events import RunFinished, RunResumed, RunStarted, StepFinished, StepStarted
from treeline.core.memory.learning import remembered
from treeline.core.state import Step, state_of
from treeline.core.teams.crew import Crew, Work

if TYPE_CHECKING:
    from treeline.core.options import RunOptions
    from treeline.core.runs import RunManager


def begin(manager: RunManager, run: str, options: RunOptions, emit: Emit, *, resumed: bool) -> None:
    """Record that the team began, or goes on."""
    record = manager.record(run)
    state = state_of(stored.event for stored in manager.store.events(run))
    if resumed:
        emit(RunResumed(len(state.steps)))
    if not resumed or not state.question:
        context = {**manager.disclosure(run).context(), "catalogue": manager.data(run).catalogue()}
        context |= remembered(manager.store, record, options.memory)
        emit(RunStarted(record.question, options.choices, context))


def adopt(crew: Crew, works: Sequence[Work]) -> RunFinished:
    """Record the steps of the members whose work was taken, and the answer of the last.

    Tokens stay with the members, whose runs paid them.
    """
    evidence: list[int] = []
    answer: Answer | None = None
    numbers = _numbers(crew)
    for work in works:
        own: dict[int, int] = {}
        for step in work.state.steps:
            if isinstance(step.action, Answer):
                continue
            number = own[step.number] = next(numbers)
            _record(crew, number, work, step)
        found = work.finished.answer
        if found is not None:
            evidence += [own[number] for number in found.evidence if number in own]
            answer = found
    if answer is None:
        finished = RunFinished("failed", reason=_reason(works))
    else:
        answer = replace(answer, evidence=tuple(dict.fromkeys(evidence)))
        number = next(numbers)
        crew.emit(StepStarted(number, answer, "The judge takes this answer."))
        crew.emit(StepFinished(number, _answered(), 0.0))
        finished = RunFinished("declined" if answer.declined else "answered", answer)
    crew.emit(finished)
    return finished


def _numbers(crew: Crew) -> Iterator[int]:
    state = state_of(stored.event for stored in crew.manager.store.events(crew.run))
    number = len(state.steps)
    while True:
        number += 1
        yield number


def _record(crew: Crew, number: int, work: Work, step: Step) -> None:
    decision = Decision(step.action, step.thought)
    products = tuple(_moved(product, work) for product in step.observation.products)
    crew.emit(StepStarted(number, decision.action, f"[{work.member.role}] {decision.thought}"))
    crew.emit(StepFinished(number, replace(step.observation, products=products), step.seconds))


def _moved(product: ProductRecord, work: Work) -> ProductRecord:
    """Return a product as the team's folder holds it: in the folder of its member."""
    return replace(product, name=f"{work.member.name}/{product.name}")


def _answered() -> Observation:
    return Observation("information", "answered")


def _reason(works: Sequence[Work]) -> str:
    said = [work.finished.reason for work in works if work.finished.reason]
    return said[-1] if said else "No member of the team answered the question."
