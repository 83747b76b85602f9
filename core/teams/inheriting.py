"""What a member may cite of those that worked before it: their results begin its own record.

A member that is handed numbers in words alone has nothing to cite, makes every call again, and is told that
its answer rests on no result. So its record begins with the results of the members that it goes on from,
numbered as steps of its own: it reads them, cites them, and a call that was made is answered from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from treeline.core.engine.events import Event, StepFinished, StepStarted
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.renumbering import name_handles, renumber
from treeline.core.engine.state import State, Step
from treeline.core.record.store import Store
from treeline.core.teams.model import Member
from treeline.core.workspace import Collection

_Origin = tuple[str, int]
"""The run that found a result, and the number of the step there."""


def inherited_steps(store: Store, member: Member) -> tuple[Step, ...]:
    """Return the results that a member's record begins with, numbered as there."""
    return tuple(step for _, step in _inherited(store, member))


def _inherited(store: Store, member: Member) -> list[tuple[_Origin, Step]]:
    """Return the results of others with where each was found first."""
    found: list[tuple[_Origin, Step]] = []
    numbers: dict[_Origin, int] = {}
    for run in member.sources:
        begun = _begun_with(store, run)
        known = {step.number: numbers[origin] for origin, step in begun if origin in numbers}
        for step in _results_of(store, run):
            number = numbers[run, step.number] = known[step.number] = len(found) + 1
            found.append(((run, step.number), renumber(step, number, known)))
    return found


def _begun_with(store: Store, run: str) -> list[tuple[_Origin, Step]]:
    """Return the results of others that a member's own record began with."""
    record = store.run(run)
    options = record.options.get("member") if record is not None else None
    return _inherited(store, Member.from_json(options)) if options else []


def count_inherited(store: Store, run: str) -> int:
    """Return how many steps at the beginning of a run's record are those of other members."""
    return len(_begun_with(store, run))


def inherit(
    store: Store,
    member: Member,
    state: State,
    emit: Callable[[Event], None],
    collections: Iterable[Collection] = (),
) -> State:
    """Record what a member goes on from, and return its state with it.

    Parameters
    ----------
    state : State
        As it was recorded: a run that was cut may have some of the steps already.
    collections : iterable of Collection
        What it has; what others made is named by their handles, whatever these were where it was made.
    """
    handles = {m.description.path.resolve(): each.handle for each in collections for m in each.members}
    begun = [
        name_handles(step, _handles_there(store, run, handles))
        for (run, _), step in _inherited(store, member)
    ]
    for step in begun[len(state.steps) :]:
        emit(StepStarted(step.number, step.action, step.thought))
        emit(StepFinished(step.number, step.observation, 0.0))
        state = state.after(step)
    return state


def _handles_there(store: Store, run: str, handles: Mapping[Path, str]) -> dict[str, str]:
    """Return the handles that products had in another member's run, with those that they have here."""
    made = [product for step in recorded_state(store, run).calls for product in step.observation.products]
    here = [(product.handle, handles.get(Path(product.path).resolve())) for product in made if product.handle]
    return {there: known for there, known in here if known}


def _results_of(store: Store, run: str) -> Sequence[Step]:
    """Return the results that a member found itself, as others have them."""
    record = store.run(run)
    who = Member.from_json(record.options["member"]).role if record is not None else "a member"
    own = recorded_state(store, run).steps[count_inherited(store, run) :]
    return [
        Step(step.number, step.action, step.observation, f"[{who}] found this before.")
        for step in own
        if step.action.kind == "call" and step.observation.kind == "result"
    ]
