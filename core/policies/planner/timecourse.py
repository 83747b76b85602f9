"""Operations on the numbers of many dates: trend, variation, spikes, change points, seasonality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.measured import Series
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.periodic import grouped_series
from treeline.core.policies.planner.plan import CannotAnswer, Steps

_YEARS_OF_A_LONG_SERIES = 5


def trend(measuring: Measuring, intent: Intent) -> Steps:
    """Return the slope of a straight line through the dates and whether it is significant."""
    told = len(measuring.plan.remarks)
    intent = yield from _annual(measuring, intent)
    found: Series = yield from grouped_series(measuring, intent)
    if len(found.values) < 3 and intent.grouping != "date":
        del measuring.plan.remarks[told:]
        measuring.plan.remark(f"{len(found.values)} {intent.grouping}s make no trend: the dates were taken.")
        return (yield from trend(measuring, replace(intent, grouping="date")))
    if len(found.values) < 3:
        raise CannotAnswer(f"A trend needs at least three dates; there are {len(found.values)}.")
    facts: dict[str, Any] = {"dates": len(found.values), "of": intent.grouping}
    if "line" in intent.trend_by:
        facts |= yield from _straight_line(measuring, intent, found)
    for name, thought, read in _TREND_TESTS:
        if name in intent.trend_by:
            result = yield from measuring.plan.call(name, thought, x=found.argument)
            facts |= read(result.value)
    if "slope" not in facts:
        return Finding(facts.get("sen"), f"{_named(found.unit)} per step".strip(), facts=facts)
    unit = f"{_named(found.unit)} per year".strip() if facts["dated"] else found.unit
    return Finding(facts.get("slope"), unit, facts=facts)


def _annual(measuring: Measuring, intent: Intent) -> Steps:
    """Return the intent for annual means where many years have many dates, so that no season weighs more."""
    subject = intent.subjects[0]
    layer: Layer = yield from measuring.materials.layer(subject.role, subject)
    years = [item.date.year for item in layer.items if item.date]
    if intent.grouping != "date" or subject.statistic != "mean" or subject.period.months:
        return intent
    if len(set(years)) < _YEARS_OF_A_LONG_SERIES or len(years) < 2 * len(set(years)):
        return intent
    return replace(intent, grouping="year")


def _straight_line(measuring: Measuring, intent: Intent, found: Series) -> Steps:
    times: list[Any] = [f"{d:%Y-%m-%d}" for d in found.dates if d is not None]
    if (dated := len(times) == len(found.values)) and intent.grouping == "year":
        times = [d.year for d in found.dates if d is not None]
    dates = {"x": times} if dated else {}
    thought = "A straight line through them."
    line = yield from measuring.plan.call("compute_linear_trend", thought, y=found.argument, **dates)
    return {**_line(line.value), "dated": dated}


def _named(unit: str) -> str:
    return "" if unit == "1" else unit


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


def _line(found: Any) -> dict[str, Any]:
    if isinstance(found, dict):
        return {"slope": found.get("slope"), "intercept": found.get("intercept"), "line_p": found.get("p")}
    pair = found if isinstance(found, list) and len(found) > 1 else [None, None]
    return {"slope": pair[0], "intercept": pair[1]}


def _sen(found: Any) -> dict[str, Any]:
    slope = found.get("slope") if isinstance(found, dict) else found
    return {"sen": slope[0] if isinstance(slope, list) and slope else slope}


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


# Tool, why, and how its result is read.
_TREND_TESTS: tuple[tuple[str, str, Callable[[Any], dict[str, Any]]], ...] = (
    ("mann_kendall_test", "Is there a monotonic trend at all?", _test),
    ("sens_slope", "The median of the slopes between any two.", _sen),
)
