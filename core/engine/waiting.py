"""A run that waits for a person: what it asks and what the person says go through its record.

Whoever knows the record can say it: a page, a command line, another process. A killed process asks again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from treeline.core.engine.actions import Action
from treeline.core.engine.events import (
    DecisionAwaited,
    DecisionGiven,
    Event,
    RunFinished,
    RunResumed,
    StepFinished,
    StepStarted,
)
from treeline.core.engine.journal import events_of, record_event
from treeline.core.record.store import Store
from treeline.toolkit.errors import InputError, Stopped

# The answer of the person comes by way of the record, perhaps from another process that can wake nobody here.
_PAUSE = 0.1


class Desk:
    """Where a run asks a person and waits for the word.

    Parameters
    ----------
    emit : callable
        Records an event in the run.
    """

    def __init__(self, store: Store, run: str, emit: Callable[[Event], None]) -> None:
        self._store = store
        self._run = run
        self._emit = emit

    def ask(self, awaited: DecisionAwaited, stop: threading.Event) -> DecisionGiven:
        """Ask and return what the person says.

        Raises
        ------
        Stopped
            The run is stopped before anything is said.
        """
        # What was said earlier belongs to an earlier question.
        seen = _last_number(self._store, self._run)
        self._emit(awaited)
        while not stop.is_set():
            for stored in events_of(self._store, self._run, seen):
                seen = stored.number
                if isinstance(stored.event, DecisionGiven) and stored.event.step == awaited.step:
                    return stored.event
            # The word may be given in another process, which can reach this one by the record alone.
            stop.wait(_PAUSE)
        raise Stopped("The run was stopped.")


def _last_number(store: Store, run: str) -> int:
    rows = store.event_rows(run)
    return rows[-1].number if rows else 0


def find_awaited(events: Iterable[Event]) -> DecisionAwaited | None:
    """Return what a run waits for, by its record; ``None`` while it does not wait."""
    awaited: DecisionAwaited | None = None
    for event in events:
        match event:
            case DecisionAwaited():
                awaited = event
            case DecisionGiven(step=step) if awaited is not None and step == awaited.step:
                awaited = None
            # The process that asked is gone or has gone on: nobody would hear what is said now.
            case StepStarted() | StepFinished() | RunResumed() | RunFinished():
                awaited = None
            case _:
                pass
    return awaited


def give(
    store: Store, run: str, step: int, action: Action | None = None, thought: str = "", denied: str = ""
) -> None:
    """Tell a run what is to be done at the step for which it waits.

    Raises
    ------
    InputError
        It does not wait, or for another step: someone was quicker.
    """
    awaited = find_awaited(stored.event for stored in events_of(store, run))
    if awaited is None or awaited.step != step:
        raise InputError(f"The run does not wait for step {step}.", "Look at what it has done since.")
    if action is None and awaited.action is None and not awaited.plan and not denied:
        raise InputError("No action is given.", "Open a kit, read a document, call a tool or answer.")
    record_event(store, run, DecisionGiven(step, action, thought, denied))
