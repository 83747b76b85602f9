"""What is done with the numbers over time: which operation, for which members, towards which end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from treeline.core.policies.planner import cues, phrases
from treeline.core.policies.planner.comparing import is_comparing, with_whole_year, within_a_year
from treeline.core.policies.planner.intent import Grouping, Operation, Subject, Threshold
from treeline.core.policies.planner.linking import Linked
from treeline.core.policies.planner.periods import Times
from treeline.core.policies.planner.steps import goal_of
from treeline.core.policies.planner.text import Reading

Value = TypeVar("Value")

COUNTING = ("count", "average_share")


def first_of(text: str, table: Sequence[tuple[str, Value]]) -> Value | None:
    """Return the value of the first pattern of a table that a text has."""
    return next((value for pattern, value in table if re.search(pattern, text)), None)


def operation_of(reading: Reading, times: Times) -> Operation:
    """Return what is done with the numbers over time."""
    found: Operation | None = first_of(reading.text, cues.OPERATIONS)
    if found == "extreme" and not re.search(
        f"{cues.LOWEST}|{cues.HIGHEST}|{cues.CHANGE_EXTREME}", reading.text
    ):
        found = None
    if found == "extreme" and times.kind == "single" and times.whole.period.is_day:
        found = None
    changing = re.search(cues.CHANGE_EXTREME, reading.text)
    if found in (None, "trend") and changing and times.kind != "several":
        return "extreme"
    comparing = is_comparing(reading)
    compared = comparing and (times.kind == "several" or len(with_whole_year(reading, times)) > 1)
    if (
        found is None
        and re.search(cues.SERIES, reading.timeless[goal_of(reading.text) :])
        and not reading.has(phrases.AVERAGED_AGAIN)
        and not compared
    ):
        return "series"
    return found or "value"


def grouping_of(reading: Reading, subjects: tuple[Subject, ...]) -> Grouping:
    """Return what one member of a series stands for."""
    found: Grouping | None = first_of(reading.text, cues.GROUPINGS)
    if reading.has(phrases.COUNTED_DATES):
        return "date"
    if found == "year" and all(within_a_year(s.period) for s in subjects):
        found = None
    return found or "date"


def limit_of(linked: Linked, operation: Operation) -> Threshold | None:
    """Return what each date's number is compared with when dates are counted."""
    if operation not in COUNTING:
        return None
    return linked.area_limit or linked.threshold
