"""The loop: (state, policy, environment) becomes events."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from treeline.core.engine.actions import Answer, Decision, action_name
from treeline.core.engine.budget import Budget, Deadline
from treeline.core.engine.environment import Environment
from treeline.core.engine.events import Event, Note, Progress, RunFinished, StepFinished, StepStarted, ending
from treeline.core.engine.gate import Denial, Gate, let_pass
from treeline.core.engine.state import State, Step, step_of
from treeline.core.engine.verification import settle
from treeline.core.engine.verification.grounds import citation_remark
from treeline.core.engine.verification.missing_units import remark_on_units
from treeline.toolkit.errors import Stopped, TreelineError

Emit = Callable[[Event], None]

_LOG = logging.getLogger(__name__)

# Each report is a row of the record and redraws the page, and a raster has thousands of blocks.
_PROGRESS_INTERVAL = 0.2


class Policy(Protocol):
    """Chooses the next action from the decision state."""

    name: str

    def decide(self, state: State, notify: Callable[[str], None], stop: threading.Event) -> Decision:
        """Return the next action.

        Parameters
        ----------
        notify : callable
            Tells a person something that is no step, such as a retry.
        stop : threading.Event
            Set when the person stops the run; waiting for an endpoint ends then.

        Raises
        ------
        TreelineError
            No decision can be had, such as an endpoint that does not answer; ends the run.
        """
        ...


def drive(
    state: State,
    policy: Policy,
    environment: Environment,
    budget: Budget,
    emit: Emit,
    stop: threading.Event,
    gate: Gate = let_pass,
) -> RunFinished:
    """Work on a question until there is an answer, the budget is used up, or the person stops.

    Every event is emitted as it happens; the last one is also returned. What the gate takes is not counted
    as time of the run.

    Parameters
    ----------
    state : State
        Of a new run, or of one that is resumed: the steps so far.
    policy : Policy
        Chooses each action.
    environment : Environment
        Carries it out.
    budget : Budget
        Of the whole run, what it used before it was resumed included.
    emit : callable
        Takes each event, and keeps it.
    stop : threading.Event
        Set by whoever wants the run to end.
    gate : callable
        Lets an action pass, changes or denies it; may wait for a person.

    Returns
    -------
    RunFinished
        ``failed`` with the reason where an error of Treeline's own ended it; what is unexpected is raised.
    """
    try:
        finished = _loop(state, policy, environment, budget, emit, stop, gate)
    except Stopped:
        finished = RunFinished("stopped", reason="The run was stopped.")
    except TreelineError as error:
        finished = RunFinished("failed", reason=str(error), error=type(error).__name__)
    emit(finished)
    return finished


def _loop(
    state: State,
    policy: Policy,
    environment: Environment,
    budget: Budget,
    emit: Emit,
    stop: threading.Event,
    gate: Gate,
) -> RunFinished:
    began = time.monotonic()
    last = state.steps[-1] if state.steps else None
    if last is not None and isinstance(last.action, Answer) and last.observation.is_success:
        # The process was lost between the answer and the end.
        return ending(settle(last.action, replace(state, steps=state.steps[:-1])))
    while True:
        if stop.is_set():
            raise Stopped("The run was stopped.")
        spent = budget.find_spent_limit(state, time.monotonic() - began)
        if spent is not None:
            return RunFinished("failed", reason=spent.text, limit=spent.limit)
        started = time.monotonic()
        # A policy that waits for an endpoint ends its wait when the seconds are used up, not only between two
        # steps.
        deadline = Deadline(stop, None if budget.seconds is None else began + budget.seconds)
        try:
            decision = policy.decide(state, lambda text: emit(Note(text)), deadline)
        except Stopped:
            if stop.is_set() or not deadline.is_over:
                raise
            continue  # where the limit is found used up
        took, asked = time.monotonic() - started, time.monotonic()
        passed = gate(decision, state, stop)
        # The gate may wait hours for a person, which is no time of the run.
        began += time.monotonic() - asked
        decision = decision if isinstance(passed, Denial) else passed
        number = len(state.steps) + 1
        _LOG.debug("Step %d: %s %s.", number, decision.action.kind, action_name(decision.action))
        start = StepStarted(
            number,
            decision.action,
            decision.thought,
            decision.tokens,
            took,
            decision.reasoning,
            decision.joined,
        )
        # Recorded before it is carried out, so that a page shows the call that is under way; a process that
        # is killed in it leaves a step without an end, which :func:`state_of` leaves out.
        emit(start)
        if isinstance(passed, Denial):
            step = step_of(start, passed.observation(), 0.0)
        else:
            step = _carry_out(start, state, environment, emit, stop)
        emit(StepFinished(number, step.observation, step.seconds))
        # A denied answer is a step like any other: the policy reads the reason and goes on.
        if isinstance(decision.action, Answer) and not isinstance(passed, Denial):
            if remark := citation_remark(decision.action, state):
                emit(Note(remark))
            settled = settle(decision.action, state)
            if remark := remark_on_units(decision.action, settled):
                emit(Note(remark))
            return ending(settled)
        state = state.after(step)


def _carry_out(
    start: StepStarted, state: State, environment: Environment, emit: Emit, stop: threading.Event
) -> Step:
    last = 0.0

    def progress(done: int, total: int, label: str) -> None:
        nonlocal last
        now = time.monotonic()
        # The last report always passes, or the page would never show the call as complete.
        if done == total or now - last >= _PROGRESS_INTERVAL:
            last = now
            emit(Progress(start.step, done, total, label))

    started = time.monotonic()
    observation = environment.act(start.action, state, progress, stop)
    return step_of(start, observation, time.monotonic() - started)
