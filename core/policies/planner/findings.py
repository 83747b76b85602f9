"""What a procedure found out, and how compared subjects are called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from treeline.core.policies.planner.intent import Intent, Subject
from treeline.core.policies.planner.measured import describe


@dataclass(frozen=True)
class Finding:
    """What was found out.

    Attributes
    ----------
    value : float, optional
        The number that answers the question.
    label : str
        The date, month or year that answers it.
    rows : tuple of (label, value)
        A list that answers it.
    facts : dict
        Further numbers by name: ``percent``, ``p``, ``trend``, ``intercept``, ``first``, ``second`` ...
    """

    value: float | None = None
    unit: str = ""
    label: str = ""
    rows: tuple[tuple[str, float | None], ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


def label_of(subject: Subject, intent: Intent) -> str:
    """Return how a subject differs from those that it is compared with."""
    if subject.name:
        return subject.name
    others = [s for s in intent.subjects if s is not subject]
    if any(s.place != subject.place for s in others):
        return subject.place
    if subject.zone is not None and any(s.zone != subject.zone for s in others):
        return subject.zone.name
    if any(s.sensor != subject.sensor for s in others):
        return subject.sensor
    if any(s.period != subject.period or s.which != subject.which for s in others):
        return subject.period.label
    if any(s.role != subject.role for s in others):
        return subject.role
    if subject.conditions and any(s.conditions != subject.conditions for s in others):
        return "where " + " and ".join(describe(c) for c in subject.conditions)
    if subject.threshold is not None and any(s.threshold != subject.threshold for s in others):
        return f"{subject.threshold.side} {subject.threshold.value:g} {subject.threshold.unit}".strip()
    return f"{subject.statistic} {subject.role}"
