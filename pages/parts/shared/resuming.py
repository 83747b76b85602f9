"""Going on with a run that was stopped, interrupted or that used up its budget."""

from __future__ import annotations

from typing import NamedTuple

from treeline.core.engine.journal import ending_of
from treeline.core.record.status import Status
from treeline.core.record.store import RunRecord
from treeline.core.runs.options import RunOptions
from treeline.core.teams.names import SOLO
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.services import services

RESUMABLE: tuple[Status, ...] = ("stopped", "interrupted", "failed")
# What a resumed run has anew without being given more.
_ANEW = "seconds"


class Limit(NamedTuple):
    """A limit of a run's budget, as it was asked with."""

    name: str
    amount: float


def resume_label(record: RunRecord) -> str:
    """Return what a button says that goes on with a run: with how much more, where it used up a limit."""
    limit = used_up(record)
    if limit is None:
        return "Resume"
    name = limit.name.removesuffix("s") if limit.amount == 1 else limit.name
    return f"Go on with {limit.amount:,.10g} more {name}"


def resume(record: RunRecord) -> None:
    """Go on with a run; what it used up it may use as much of again.

    Raises
    ------
    TreelineError
        It cannot go on.
    """
    limit = used_up(record)
    more = {limit.name: limit.amount} if limit and limit.name != _ANEW else None
    services().manager.resume(record.id, session_endpoint(), more)


def used_up(record: RunRecord) -> Limit | None:
    """Return which limit ended a run and what it was; ``None`` where none did that can be raised."""
    options = RunOptions.from_json(record.options)
    # Rounds and members have budgets of their own; which of these is to be raised, one button cannot say.
    if record.status not in RESUMABLE or options.rounds > 1 or options.team != SOLO:
        return None
    finished = ending_of(services().store, record.id)
    name = finished.limit if finished else ""
    return Limit(name, getattr(options.budget, name)) if name else None
