"""The events of a run in the record: written as they happen, read back as they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from treeline.core.engine.events import (
    Draft,
    Event,
    RunFinished,
    draft_from_json,
    draft_json,
    from_json,
    to_json,
)
from treeline.core.engine.state import State, state_of
from treeline.core.record.alterations import read_row
from treeline.core.record.drafts import put_draft, remove_draft
from treeline.core.record.store import Store


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event with its number in the run and the moment it was recorded."""

    number: int
    time: datetime
    event: Event


def record_event(store: Store, run: str, event: Event, held_by: str = "", moment: float | None = None) -> int:
    """Append an event to a run and return its number, from 1.

    Parameters
    ----------
    held_by : str
        The owner who must hold the lease of the run; empty where nobody need.
    moment : float, optional
        When it happened, in seconds since 1970; without it, now.

    Raises
    ------
    LeaseLost
        Another process took the run over.
    """
    return store.append(run, event.kind, to_json(event), held_by, moment)


def events_of(store: Store, run: str, after: int = 0) -> list[StoredEvent]:
    """Return the events of a run whose number is greater than ``after``, in order."""
    rows = store.event_rows(run, after)
    with read_row("an event"):
        return [StoredEvent(row.number, row.time, from_json(row.body)) for row in rows]


def record_draft(store: Store, run: str, draft: Draft) -> None:
    """Keep what the policy of a run is writing, until :func:`forget_draft`."""
    put_draft(store, run, draft_json(draft))


def forget_draft(store: Store, run: str) -> None:
    """Forget what the policy of a run was writing: it is an event now, or was cut."""
    remove_draft(store, run)


def recorded_draft(store: Store, run: str) -> Draft | None:
    """Return what the policy of a run is writing at the moment; ``None`` where nothing."""
    body = store.draft(run)
    return draft_from_json(body) if body else None


def recorded_state(store: Store, run: str) -> State:
    """Return the state that the record of a run leads to."""
    return state_of(stored.event for stored in events_of(store, run))


def ending_of(store: Store, run: str) -> RunFinished | None:
    """Return how a run ended, the last time it did; ``None`` where it has not."""
    # A run that was resumed has ended more than once.
    endings = [s.event for s in events_of(store, run) if isinstance(s.event, RunFinished)]
    return endings[-1] if endings else None


def expression_of(store: Store, run: str) -> Mapping[str, Any] | None:
    """Return the expression that a run answered; ``None`` where it answered none."""
    finished = ending_of(store, run)
    return finished.answer.expression if finished and finished.answer else None
