"""The team's own record: how it begins, and how the taken variant's steps become its steps."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from treeline.core.context.holdings import holdings
from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.citations import renumber_citations
from treeline.core.engine.events import RunFinished, RunResumed, RunStarted, StepFinished, StepStarted, ending
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.renumbering import map_strings, renumber
from treeline.core.engine.state import Step
from treeline.core.engine.verification import settle
from treeline.core.memory.learning import recall
from treeline.core.teams.crew import Crew, Outcome
from treeline.core.teams.work import Work


def begin(work: Work) -> None:
    """Record that the team began, or goes on."""
    record = work.record
    state = recorded_state(work.store, record.id)
    if work.is_resumed:
        work.emit(RunResumed(len(state.steps)))
    if not work.is_resumed or not state.question:
        data = work.data()
        context = {**work.disclosure().context(), "catalogue": data.catalogue()}
        if work.options.policy == "language":
            context |= holdings(data)  # classes that a member names are compared with their numbers
        context |= recall(work.store, record, work.options.memory, data)
        problems = dict(data.workspace.problems)
        work.emit(RunStarted(record.question, work.options.choices, context, problems))


def adopt(crew: Crew, outcomes: Sequence[Outcome]) -> RunFinished:
    """Record the steps of the members whose work was taken, and the answer of the last.

    Tokens stay with the members, whose runs paid them.
    """
    evidence: list[int] = []
    answer: Answer | None = None
    numbers = _numbers(crew)
    recorded: dict[str, list[int]] = {}
    for outcome in outcomes:
        own = _inherited_numbers(outcome, recorded)
        # Where another plan took the place of theirs, what it goes on from is in no other outcome.
        for step in (*(() if own else outcome.inherited), *outcome.state.steps):
            if isinstance(step.action, Answer):
                continue
            number = own[step.number] = next(numbers)
            _record(crew, outcome, renumber(step, number, own))
            if isinstance(step.action, Call) and step.observation.kind == "result":
                recorded.setdefault(outcome.run, []).append(number)
        found = _given_answer(outcome)
        if found is not None:
            cited = [own[number] for number in found.evidence if number in own]
            evidence += cited or [own[s.number] for s in outcome.state.calls if s.observation.is_success]
            answer = replace(found, text=renumber_citations(found.text, own))
    if answer is None:
        finished = _failure(outcomes)
    else:
        # The members numbered their steps each for itself; here they are numbered again, and so is what is
        # cited.
        answer = replace(answer, evidence=tuple(dict.fromkeys(evidence)))
        number = next(numbers)
        crew.emit(StepStarted(number, answer, "The judge takes this answer."))
        crew.emit(StepFinished(number, _answer_observation(), 0.0))
        finished = ending(settle(answer, recorded_state(crew.store, crew.run)))
    crew.emit(finished)
    return finished


def _inherited_numbers(outcome: Outcome, recorded: Mapping[str, Sequence[int]]) -> dict[int, int]:
    """Return which steps of the team's record those are that a member's record began with."""
    before = [number for run in outcome.member.sources for number in recorded.get(run, ())]
    whole = len(before) == len(outcome.inherited)
    return (
        {step.number: number for step, number in zip(outcome.inherited, before, strict=True)} if whole else {}
    )


def _given_answer(outcome: Outcome) -> Answer | None:
    """Return the answer as the member gave it: the team's steps are to carry it, not the member's alone."""
    given = [step.action for step in outcome.state.steps if isinstance(step.action, Answer)]
    return given[-1] if given and outcome.finished.answer is not None else outcome.finished.answer


def _numbers(crew: Crew) -> Iterator[int]:
    state = recorded_state(crew.store, crew.run)
    number = len(state.steps)
    while True:
        number += 1
        yield number


def _record(crew: Crew, outcome: Outcome, step: Step) -> None:
    products = tuple(_move(product, outcome) for product in step.observation.products)
    observation = replace(step.observation, products=products)
    action = step.action
    if isinstance(action, Call):
        # The paths of members' products are the names that the team's record has for them.
        folder = f"{crew.folder.resolve()}{os.sep}"
        named = map_strings(dict(action.arguments), lambda text: text.removeprefix(folder))
        action = Call(action.tool, named)
    crew.emit(StepStarted(step.number, action, f"[{outcome.member.role}] {step.thought}"))
    crew.emit(StepFinished(step.number, observation, step.seconds))


def _move(product: ProductRecord, outcome: Outcome) -> ProductRecord:
    """Return a product as the team's folder holds it: in the folder of its member."""
    return replace(product, name=f"{outcome.member.name}/{product.name}")


def _answer_observation() -> Observation:
    return Observation("information", "answered")


def _failure(outcomes: Sequence[Outcome]) -> RunFinished:
    """Return the end of a team without an answer: that of the last member that says why."""
    ends = [outcome.finished for outcome in outcomes if outcome.finished.reason]
    if not ends:
        return RunFinished("failed", reason="No member of the team answered the question.")
    return RunFinished("failed", reason=ends[-1].reason, error=ends[-1].error)
