"""Numbers of dates, or of the months, seasons or years that they make."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.policies.planner.grouping import Group, grouped, groups_of
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.measured import Series
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.plan import CannotAnswer, Steps

MOST_CALLS = 40


def grouped_series(measuring: Measuring, intent: Intent) -> Steps:
    """Return the numbers of the dates, or of the months, seasons or years that they make.

    Of a ratio of two variables it is that of their numbers.
    """
    if intent.ratio and len(intent.subjects) == 2:
        return (yield from _ratios(measuring, intent))
    subject = intent.subjects[0]
    if intent.grouping == "date":
        return (yield from measuring.series(subject))
    layer = yield from measuring.materials.layer(subject.role, subject)
    groups = groups_of(
        layer.items, intent.grouping, merge_years=intent.operation == "extreme" and intent.grouping != "year"
    )
    if len(groups) > MOST_CALLS:
        raise CannotAnswer(
            f"There are {len(groups)} {intent.grouping}s; I work on at most {MOST_CALLS}.",
            "Ask for a shorter period.",
        )
    if all(group.count == 1 for group in groups):
        found: Series = yield from measuring.series(subject)
        measuring.plan.remark(_group_remark(intent, groups))
        return replace(found, items=tuple(group.item for group in groups))
    measuring.dates_first = intent.operation == "trend" and intent.grouping == "year"
    measuring.briefly = not measuring.dates_first
    values = []
    unit = ""
    for group in groups:
        number = yield from measuring.number(grouped(subject, group))
        values.append(number.value)
        unit = number.unit
    measuring.plan.remark(_group_remark(intent, groups))
    return Series(tuple(group.item for group in groups), tuple(values), unit, values)


def _ratios(measuring: Measuring, intent: Intent) -> Steps:
    """Return the quotients of two series, date by date."""
    upper: Series = yield from grouped_series(measuring, replace(intent, subjects=intent.subjects[:1]))
    lower: Series = yield from grouped_series(measuring, replace(intent, subjects=intent.subjects[1:]))
    if len(upper.values) > MOST_CALLS:
        raise CannotAnswer(
            f"There are {len(upper.values)} dates; I divide at most {MOST_CALLS}.",
            "Ask for a shorter period.",
        )
    below = dict(zip(lower.labels, lower.values, strict=True))
    values: list[float | None] = []
    for label, value in zip(upper.labels, upper.values, strict=True):
        divisor = below.get(label)
        if value is None or not divisor:
            values.append(None)
            continue
        result = yield from measuring.plan.call("division", f"The ratio of {label}.", a=divisor, b=value)
        values.append(result.value)
    unit = "1" if upper.unit == lower.unit else f"{upper.unit.removeprefix('1')} per {lower.unit}".strip()
    return Series(upper.items, tuple(values), unit, values)


def _group_remark(intent: Intent, groups: list[Group]) -> str:
    if all(group.count == 1 for group in groups):
        return f"There is one date in each {intent.grouping}."
    few = [f"{g.item.label} {g.count}" for g in groups]
    return f"Each {intent.grouping} is the mean of its dates ({', '.join(few[:14])})."
