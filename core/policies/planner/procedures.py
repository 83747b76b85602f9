"""Operations over time: how each is computed with the tools. One function an operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from treeline.core.policies.planner.contrasting import change, signed, there
from treeline.core.policies.planner.correlating import correlate
from treeline.core.policies.planner.counting import average_share, count, passes
from treeline.core.policies.planner.findings import Finding, label_of
from treeline.core.policies.planner.hotspots import hotspots
from treeline.core.policies.planner.intent import Intent, Period
from treeline.core.policies.planner.layers import Item
from treeline.core.policies.planner.measured import Number, Series
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.periodic import MOST_CALLS, grouped_series
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel, Steps
from treeline.core.policies.planner.profiles import profile
from treeline.core.policies.planner.ranking import over_time, ranked
from treeline.core.policies.planner.spreading import each
from treeline.core.policies.planner.timecourse import change_points, seasonality, spikes, trend, variation
from treeline.core.policies.planner.wording import what_of, when_of
from treeline.core.policies.planner.zoned import each_class


def value(measuring: Measuring, intent: Intent) -> Steps:
    """Return the number of one subject."""
    number: Number = yield from measuring.number(intent.subjects[0])
    there(measuring, intent.subjects[0], number)
    facts: dict[str, Any] = {"how": number.how, "dates": number.dates}
    if intent.whether is not None and number.value is not None:
        facts["passes"] = passes(number.value, number.unit, intent.whether)
    return Finding(number.value, number.unit, facts=facts)


def series(measuring: Measuring, intent: Intent) -> Steps:
    """Return a number for each date, or for each month, season or year."""
    found: Series = yield from grouped_series(measuring, intent)
    rows = tuple(zip(found.labels, found.values, strict=True))
    only = found.values[0] if len(rows) == 1 else None
    return Finding(only, found.unit, rows=rows)


def extreme(measuring: Measuring, intent: Intent) -> Steps:
    """Return when a number is highest or lowest, or changes the most."""
    found: Series = yield from grouped_series(measuring, intent)
    if len(found.values) < 2 and intent.extremes_of == "change":
        raise CannotAnswer("A change needs at least two dates.", f"There is only {found.labels[0]}.")
    if intent.extremes_of == "change":
        found = yield from _steps_of(measuring, intent, found)
    if intent.pick:
        rows = tuple(zip(found.labels, found.values, strict=True))
        return ranked(intent, Finding(None, found.unit, rows=rows))
    name = "max_value_and_index" if intent.direction == "highest" else "min_value_and_index"
    result = yield from measuring.plan.call(
        name, f"Which of them is the {intent.direction}?", x=found.argument
    )
    best, index = result.value if result.value else (None, 0)
    rows = tuple(zip(found.labels, found.values, strict=True))
    facts: dict[str, Any] = {"item": found.items[int(index)]}
    if intent.comparing and len(found.values) == 2 and intent.extremes_of == "value":
        a, b = found.values
        apart = yield from measuring.plan.call("difference", "How far the two are apart.", a=a, b=b)
        facts["apart"] = apart.value
    return Finding(best, found.unit, label=found.labels[int(index)], rows=rows, facts=facts)


def on_chosen_date(measuring: Measuring, intent: Intent) -> Steps:
    """Return a number on the date on which another is highest or lowest."""
    assert intent.chosen_by is not None
    first = replace(measuring, materials=measuring.materials.serving(intent.chosen_by))
    choice: Finding = yield from extreme(first, intent.chosen_by)
    item: Item = choice.facts["item"]
    if item.date is None:
        raise CannotAnswer(f"{item.label} has no date.", "Say which raster is of which date.")
    day = item.date.replace(hour=0, minute=0, second=0, microsecond=0)
    period = Period(day, day + timedelta(days=1, microseconds=-1), label=item.label)
    subjects = tuple(replace(subject, period=period) for subject in intent.subjects)
    narrowed = replace(intent, subjects=subjects, chosen_by=None)
    then = replace(measuring, materials=measuring.materials.serving(narrowed))
    finding: Finding = yield from procedure_of(narrowed)(then, narrowed)
    return replace(finding, facts={**finding.facts, "on": choice, "intent": narrowed})


PROCEDURES: dict[str, Callable[[Measuring, Intent], Steps]] = {
    "value": value,
    "profile": profile,
    "series": series,
    "extreme": extreme,
    "change": change,
    "count": count,
    "average_share": average_share,
    "correlation": correlate,
    "hotspots": hotspots,
    "trend": trend,
    "variation": variation,
    "spikes": spikes,
    "change_points": change_points,
    "seasonality": seasonality,
}


# What is asked of each place or zone in one number.
_OF_NUMBERS = ("value", "change", "extreme")


def each_over_time(measuring: Measuring, intent: Intent) -> Steps:
    """Return what an operation over time finds out of each place or zone."""
    found: list[tuple[Intent, Finding]] = []
    for subject in (yield from each_class(measuring, intent.subjects)):
        alone = replace(intent, subjects=(subject,), each=False)
        try:
            found.append((alone, (yield from PROCEDURES[intent.operation](measuring, alone))))
        except NoPixel:
            measuring.plan.remark(f"No pixel is left{when_of(subject)} in the {what_of(subject)}.")
    if not found:
        raise NoPixel("There is no valid pixel in any of them.", "Check extent and clouds.")
    rows = tuple((label_of(one.subjects[0], intent), finding.value) for one, finding in found)
    return Finding(None, found[0][1].unit, rows=rows, facts={"each": tuple(found)})


def procedure_of(intent: Intent) -> Callable[[Measuring, Intent], Steps]:
    """Return how an intent is worked on; several subjects are compared, whatever is asked of each."""
    if intent.chosen_by is not None:
        return on_chosen_date
    if intent.operation == "correlation":
        return correlate
    if intent.each:
        return each if intent.operation in _OF_NUMBERS or intent.pick else each_over_time
    if over_time(intent):
        return PROCEDURES[intent.operation]
    return change if len(intent.subjects) > 1 else PROCEDURES[intent.operation]


def _steps_of(measuring: Measuring, intent: Intent, found: Series) -> Steps:
    """Return the changes from each date to the next one."""
    values: list[float | None] = []
    name = "percentage_change" if intent.in_percent else "difference"
    if len(found.values) - 1 > MOST_CALLS:
        raise CannotAnswer(
            f"There are {len(found.values)} dates; I compare at most {MOST_CALLS}.",
            "Ask for a shorter period.",
        )
    for before, after in zip(found.values, found.values[1:], strict=False):
        result = yield from measuring.plan.call(name, "From one to the next.", a=before, b=after)
        values.append(signed(result.value, before, after) if name == "difference" else result.value)
    pairs = zip(found.items, found.items[1:], strict=False)
    items = tuple(replace(after, label=f"{before.label} to {after.label}") for before, after in pairs)
    return Series(items, tuple(values), "%" if intent.in_percent else found.unit, values)
