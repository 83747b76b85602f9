"""Operations over time: how each is computed with the tools. One function an operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from core.policies.planner.counting import average_share, count, passes
from core.policies.planner.findings import Finding, label_of
from core.policies.planner.heeding import first_of
from core.policies.planner.hotspots import hotspots
from core.policies.planner.intent import Intent, Period, Subject
from core.policies.planner.layers import Item
from core.policies.planner.measured import Number, Series
from core.policies.planner.measuring import Measuring
from core.policies.planner.periodic import MOST_CALLS, grouped_series
from core.policies.planner.plan import CannotAnswer, Steps
from core.policies.planner.spreading import each
from core.policies.planner.wording import what_of, when_of


def value(measuring: Measuring, intent: Intent) -> Steps:
    """Return the number of one subject."""
    number: Number = yield from measuring.number(intent.subjects[0])
    _there(measuring, intent.subjects[0], number)
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


def change(measuring: Measuring, intent: Intent) -> Steps:
    """Return the numbers of two or more subjects and how the last differs from the first."""
    numbers: list[Number] = []
    for subject in intent.subjects:
        if intent.operation == "count":
            finding = yield from count(measuring, replace(intent, subjects=(subject,)))
            numbers.append(Number(finding.value, finding.unit))
        elif intent.operation == "variation":
            finding = yield from variation(measuring, replace(intent, subjects=(subject,)))
            numbers.append(Number(finding.value, "1"))
        else:
            number: Number = yield from measuring.number(subject)
            numbers.append(_there(measuring, subject, number))
    return (yield from _apart(measuring, intent, numbers))


def _apart(measuring: Measuring, intent: Intent, numbers: list[Number]) -> Steps:
    rows = tuple((label_of(s, intent), n.value) for s, n in zip(intent.subjects, numbers, strict=True))
    first, last = numbers[0], numbers[-1]
    if intent.ratio and len(numbers) == 2:
        return (yield from _ratio(measuring, intent, numbers, rows))
    if not intent.comparing and len({(s.role, s.statistic) for s in intent.subjects}) == len(numbers):
        units = tuple(number.unit for number in numbers)
        return Finding(None, first.unit, rows=rows, facts={"how": first.how, "units": units})
    if len(numbers) > 2:
        return Finding(None, first.unit, rows=rows, facts={"how": first.how})
    apart = yield from measuring.plan.call(
        "difference", "How far the two are apart.", a=first.value, b=last.value
    )
    facts: dict[str, Any] = {"how": first.how or last.how, "first": first.value, "second": last.value}
    tells = first.unit not in ("K", "degC") and (first.unit != "%" or intent.in_percent)
    if tells and first.value not in (None, 0) and (intent.in_percent or _over_time(intent)):
        relative = yield from measuring.plan.call(
            "percentage_change", "The same in per cent of the first.", a=first.value, b=last.value
        )
        facts["percent"] = relative.value
    # In time the later less the earlier; else the first that is named less the second.
    ends = (first.value, last.value) if _over_time(intent) else (last.value, first.value)
    signed = apart.value if intent.absolute else _signed(apart.value, *ends)
    if intent.only_percent and "percent" in facts:
        return Finding(facts["percent"], "%", rows=rows, facts={**facts, "unit": first.unit})
    return Finding(signed, first.unit, rows=rows, facts=facts)


def _ratio(
    measuring: Measuring, intent: Intent, numbers: list[Number], rows: tuple[tuple[str, float | None], ...]
) -> Steps:
    upper, lower = (1, 0) if intent.ratio == "factor" and _over_time(intent) else (0, 1)
    above, below = numbers[upper], numbers[lower]
    if not below.value:
        raise CannotAnswer(f"The {rows[lower][0]} is 0; nothing can be divided by it.")
    result = yield from measuring.plan.call("division", "One by the other.", a=below.value, b=above.value)
    unit = "1" if above.unit == below.unit else above.unit
    unit += f" per {below.unit}" if below.unit not in ("1", "", above.unit) else ""
    facts = {"ratio": (upper, lower), "units": tuple(n.unit for n in numbers)}
    return Finding(result.value, unit, rows=rows, facts=facts)


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


def trend(measuring: Measuring, intent: Intent) -> Steps:
    """Return the slope of a straight line through the dates and whether it is significant."""
    told = len(measuring.plan.remarks)
    found: Series = yield from grouped_series(measuring, intent)
    if len(found.values) < 3 and intent.grouping != "date":
        del measuring.plan.remarks[told:]
        measuring.plan.remark(f"{len(found.values)} {intent.grouping}s make no trend: the dates were taken.")
        return (yield from trend(measuring, replace(intent, grouping="date")))
    if len(found.values) < 3:
        raise CannotAnswer(f"A trend needs at least three dates; there are {len(found.values)}.")
    times: list[Any] = [f"{d:%Y-%m-%d}" for d in found.dates if d is not None]
    if (dated := len(times) == len(found.values)) and intent.grouping == "year":
        times = [d.year for d in found.dates if d is not None]
    dates = {"x": times} if dated else {}
    thought = "A straight line through them."
    line = yield from measuring.plan.call("compute_linear_trend", thought, y=found.argument, **dates)
    test = yield from measuring.plan.call(
        "mann_kendall_test", "Is there a monotonic trend at all?", x=found.argument
    )
    facts = {"dates": len(found.values), "of": intent.grouping, **_line(line.value), **_test(test.value)}
    unit = f"{found.unit if found.unit != '1' else ''} per year".strip() if dated else found.unit
    return Finding(facts.get("slope"), unit, facts=facts)


def variation(measuring: Measuring, intent: Intent) -> Steps:
    """Return the coefficient of variation of the dates' numbers."""
    found: Series = yield from grouped_series(measuring, intent)
    result = yield from measuring.plan.call(
        "coefficient_of_variation", "How much they vary.", x=found.argument
    )
    return Finding(result.value, "1", facts={"dates": len(found.values)})


def spikes(measuring: Measuring, intent: Intent) -> Steps:
    """Return how often the number jumps up."""
    found: Series = yield from grouped_series(measuring, intent)
    result = yield from measuring.plan.call(
        "count_spikes_from_values", "Count the sudden rises.", values=found.argument
    )
    return Finding(result.value, "spikes", facts={"dates": len(found.values)})


def change_points(measuring: Measuring, intent: Intent) -> Steps:
    """Return after which dates the level changes."""
    found: Series = yield from grouped_series(measuring, intent)
    result = yield from measuring.plan.call(
        "detect_change_points", "Where does the level change?", signal=found.argument
    )
    positions = [int(i) for i in result.value or [] if 0 < int(i) < len(found.labels)]
    rows = tuple((found.labels[i], found.values[i]) for i in positions)
    return Finding(float(len(positions)), "change points", rows=rows, facts={"dates": len(found.values)})


def seasonality(measuring: Measuring, intent: Intent) -> Steps:
    """Return the period after which the numbers repeat."""
    found: Series = yield from grouped_series(measuring, intent)
    result = yield from measuring.plan.call(
        "detect_seasonality_acf", "Do they repeat?", values=found.argument
    )
    lag = result.value if isinstance(result.value, int) else None
    return Finding(lag, "dates", label=str(result.value), facts={"dates": len(found.values)})


PROCEDURES: dict[str, Callable[[Measuring, Intent], Steps]] = {
    "value": value,
    "series": series,
    "extreme": extreme,
    "change": change,
    "count": count,
    "average_share": average_share,
    "hotspots": hotspots,
    "trend": trend,
    "variation": variation,
    "spikes": spikes,
    "change_points": change_points,
    "seasonality": seasonality,
}


def procedure_of(intent: Intent) -> Callable[[Measuring, Intent], Steps]:
    """Return how an intent is worked on; several subjects are compared, whatever is asked of each."""
    if intent.chosen_by is not None:
        return on_chosen_date
    if intent.each:
        return each
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
        values.append(_signed(result.value, before, after) if name == "difference" else result.value)
    pairs = zip(found.items, found.items[1:], strict=False)
    items = tuple(replace(after, label=f"{before.label} to {after.label}") for before, after in pairs)
    return Series(items, tuple(values), "%" if intent.in_percent else found.unit, values)


def _there(measuring: Measuring, subject: Subject, number: Number) -> Number:
    """Return a number that has a value.

    Raises
    ------
    CannotAnswer
        No pixel is valid.
    """
    if number.value is None:
        why = first_of(measuring.plan.observations[-1:]) or "no pixel is valid"
        raise CannotAnswer(
            f"There is no {what_of(subject)}{when_of(subject)}: {why}.", "Check nodata, clouds and extent."
        )
    return number


def _over_time(intent: Intent) -> bool:
    first, last = intent.subjects[0], intent.subjects[-1]
    return first.period != last.period or first.which != last.which


def _signed(apart: float | None, first: float | None, last: float | None) -> float | None:
    if apart is None or first is None or last is None:
        return apart
    return -abs(apart) if last < first else abs(apart)


def _line(found: Any) -> dict[str, Any]:
    if isinstance(found, dict):
        return {"slope": found.get("slope"), "intercept": found.get("intercept"), "line_p": found.get("p")}
    pair = found if isinstance(found, list) and len(found) > 1 else [None, None]
    return {"slope": pair[0], "intercept": pair[1]}


def _test(found: Any) -> dict[str, Any]:
    if isinstance(found, dict):
        return {
            "trend": found.get("trend"),
            "p": found.get("p"),
            "tau": found.get("tau"),
            "sen": found.get("slope"),
        }
    names = ("trend", "p", "z", "tau")
    return dict(zip(names, found, strict=False)) if isinstance(found, list) else {}
