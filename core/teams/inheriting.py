"""What a member may cite of those that worked before it: their results begin its own record.

A member that is handed numbers in words alone has nothing to cite, makes every call again, and is told that
its answer rests on no result. So its record begins with the results of the members that it goes on from,
numbered as steps of its own: it reads them, cites them, and a call that was made is answered from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from treeline.core.engine.events import Event, StepFinished, StepStarted
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.state import State, Step
from treeline.core.record.store import Store
from treeline.core.teams.model import Member


def inherited_steps(store: Store, member: Member) -> tuple[Step, ...]:
    """Return the results that a member's record begins with, numbered as there."""
    found = [step for run in member.sources for step in _results_of(store, run)]
    return tuple(replace(step, number=number) for number, step in enumerate(found, 1))


def count_inherited(store: Store, run: str) -> int:
    """Return how many steps at the beginning of a run's record are those of other members."""
    record = store.run(run)
    options = record.options.get("member") if record is not None else None
    return len(inherited_steps(store, Member.from_json(options))) if options else 0


def inherit(store: Store, member: Member, state: State, emit: Callable[[Event], None]) -> State:
    """Record what a member goes on from, and return its state with it.

    Parameters
    ----------
    state : State
        As it was recorded: a run that was cut may have some of the steps already.
    """
    for step in inherited_steps(store, member)[len(state.steps) :]:
        emit(StepStarted(step.number, step.action, step.thought))
        emit(StepFinished(step.number, step.observation, 0.0))
        state = state.after(step)
    return state


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
