"""From the record of a run, its row and its events, to its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic_core import to_jsonable_python

from treeline.core.context.cards import card_of_note
from treeline.core.context.ledger import ledger_of
from treeline.core.engine.actions import Answer, TokenUse, action_fields, action_name
from treeline.core.engine.events import Event, Note, RunFinished, RunStarted
from treeline.core.engine.journal import StoredEvent, ending_of, events_of, recorded_state
from treeline.core.engine.state import State, Step, state_of
from treeline.core.engine.waiting import find_awaited
from treeline.core.memory.learning import Judgement
from treeline.core.memory.rounds import Round, rounds_of, shown_run
from treeline.core.record.faults import faults_of
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.options import RunOptions
from treeline.core.runs.queue import place_of
from treeline.core.runs.result import (
    AreaResult,
    FaultResult,
    PlannerResult,
    RoundResult,
    RunResult,
    RunState,
    RunStatus,
    StepObservation,
    StepResult,
    Tokens,
)
from treeline.core.runs.second_answer import planners_answer
from treeline.core.runs.usage import count_tokens_used
from treeline.core.teams.report import team_report, variant_costs
from treeline.core.workspace.area import inside
from treeline.toolkit.errors import InputError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.interest import AreaOfInterest

_INTERRUPTED = "The process that worked on the run is gone; it can be resumed."

_STATUS: dict[str, RunStatus] = {
    "answered": "answered",
    "unverified": "unverified",
    "asks": "asks",
    "declined": "declined",
    "stopped": "stopped",
    "failed": "failed",
    "interrupted": "stopped",
}


def run_result(store: Store, run: str) -> RunResult:
    """Return the result of a run; of a round, that of the run that it is a round of.

    Raises
    ------
    InputError
        There is no such run.
    """
    record = record_of_question(store, run)
    shown = shown_run(store, record.id)
    # A run in rounds shows the steps of the round that counts, but its own time and ending.
    own = events_of(store, record.id)
    told = [stored.event for stored in (own if shown == record.id else events_of(store, shown))]
    state = state_of(told)
    finished = ending_of(store, record.id) if record.is_finished else None
    answer = (finished.answer if finished else None) or Answer("")
    # By name: a product that a later step wrote again is the later one.
    products = {p.name: p.path for step in state.steps for p in step.observation.products}
    rounds = rounds_of(store, record.id)
    area = RunOptions.from_json(record.options).area
    return RunResult(
        run=record.id,
        workspace=record.workspace,
        state=_state(record, told),
        place=place_of(store, record),
        question=record.question,
        choices=list(record.options.get("choices", ())),
        read_as=inside(answer.read_as, area) or None,
        expression=answer.expression,
        area_of_interest=_area(area),
        answer=finished.answer.text if finished and finished.answer else None,
        value=answer.value,
        unit=answer.unit,
        choice=answer.choice,
        status=_STATUS.get(record.status),
        reason=_reason(record, finished),
        evidence=list(answer.evidence),
        problems=_problems(told),
        steps=[step_result(step) for step in state.steps],
        tokens=_tokens(count_tokens_used(store, record.id)),
        seconds=_seconds(own),
        products=list(products.values()),
        faults=_faults(store, record.id),
        map=products.get(answer.map),
        parts=list(answer.parts),
        readings=[replace(each, read_as=inside(each.read_as, area)) for each in answer.readings],
        unconfirmed=list(answer.unconfirmed),
        sources=list(answer.sources),
        card=_card(told),
        ledger=_ledger(store, record, shown, state),
        planner=_planner([stored.event for stored in own]),
        rounds=[_round(store, each) for each in rounds] if rounds else None,
        **team_report(store, shown),
    )


def step_result(step: Step) -> StepResult:
    """Return a step as a run result has it."""
    found = step.observation
    fields = to_jsonable_python(action_fields(step.action))
    return StepResult(
        number=step.number,
        action=step.action.kind,
        name=action_name(step.action),
        arguments=fields["arguments"] if step.action.kind == "call" else fields,
        thought=step.thought,
        observation=StepObservation(
            kind=found.kind,
            text=found.text,
            hint=found.hint,
            value=found.value,
            warnings=list(found.warnings),
            error=found.error,
            arguments=found.arguments,
            products=[product.path for product in found.products],
        ),
        seconds=round(step.seconds, 4),
        tokens=_tokens(step.tokens),
    )


def record_of_question(store: Store, run: str) -> RunRecord:
    """Return the record of a run; for a round, of the run that was asked for.

    Raises
    ------
    InputError
        There is no such run.
    """
    record = store.run(run)
    if record is not None and record.options.get("round") and record.parent:
        record = store.run(record.parent)
    if record is None:
        raise InputError(f"There is no run {run!r}.", "`treeline runs` lists those that exist.")
    return record


def _area(area: AreaOfInterest | None) -> AreaResult | None:
    if area is None:
        return None
    return AreaResult(
        name=area.name,
        crs=area.crs,
        square_kilometres=round(area.square_kilometres, 6),
        geometry=replace(area, geometry=area.in_crs(LONGITUDE_LATITUDE), crs=LONGITUDE_LATITUDE).to_json()[
            "geometry"
        ],
    )


def _state(record: RunRecord, told: Sequence[Event]) -> RunState:
    if record.is_finished:
        return "ended"
    if record.status == "waiting":
        return "queued"
    return "waiting" if find_awaited(told) is not None else "running"


def _reason(record: RunRecord, finished: RunFinished | None) -> str:
    if record.status == "interrupted":
        return _INTERRUPTED
    return finished.reason if finished else ""


def _problems(told: Sequence[Event]) -> dict[str, str]:
    started = [event for event in told if isinstance(event, RunStarted)]
    return started[-1].problems if started else {}


def _card(told: Sequence[Event]) -> dict[str, Any] | None:
    """Return the task card that the run was told, with the parts of its score."""
    notes = (event for event in told if isinstance(event, Note))
    return next((card for note in notes if (card := card_of_note(note))), None)


def _planner(own: Sequence[Event]) -> PlannerResult | None:
    found = planners_answer(own)
    return PlannerResult.model_validate(found) if found else None


def _ledger(store: Store, record: RunRecord, shown: str, state: State) -> dict[str, Any]:
    costs = variant_costs(store, shown)
    return ledger_of(state).as_json() | ({"variants": costs} if costs else {})


def _round(store: Store, each: Round) -> RoundResult:
    judgement = each.judgement or Judgement()
    record = store.run(each.run)
    answer = each.finished.answer if each.finished else None
    return RoundResult(
        run=each.run,
        steps=[step_result(step) for step in recorded_state(store, each.run).steps],
        answer=answer.text if answer else None,
        status=_STATUS.get(record.status) if record else None,
        issue=judgement.issue or None,
        signs=[issue["sign"] for issue in judgement.issues],
        reflection=judgement.reflection or None,
        reflection_tokens=judgement.tokens,
    )


def _faults(store: Store, run: str) -> list[FaultResult]:
    """Return the faults of a run, each of them once."""
    found = {stored.fault.code: stored.fault for stored in faults_of(store, run)}
    return [FaultResult(code=f.code, message=f.sentence, error=f.error) for f in found.values()]


def _tokens(used: TokenUse) -> Tokens:
    return Tokens(input=used.input, output=used.output)


def _seconds(events: Sequence[StoredEvent]) -> float:
    # The clock may have been set back meanwhile.
    return max(0.0, round((events[-1].time - events[0].time).total_seconds(), 3)) if events else 0.0
