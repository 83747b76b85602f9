"""What an expression means, in numpy: the oracle that the planner is held against.

Written from the algebra's docstrings alone. Truths are 1, 0, or NaN where what they are of has no
value; so a share is the mean of a truth, and a condition on two variables has no value where one of
them has none. What the algebra leaves to a method is :class:`Unsettled`.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import ndimage, stats

from tests.core.query import statistics
from tests.core.query.places import PLACES, QUARTERS, place_mask
from tests.core.query.values import AXES, Value, broadcast, line, single, stack
from tests.core.query.world import World
from treeline.core.query.expression import (
    Aggregate,
    And,
    Anomaly,
    Centroid,
    Classified,
    Cloud,
    Combine,
    Compare,
    Composite,
    Convert,
    Correlation,
    Dates,
    Direction,
    Distance,
    Facts,
    Hotspots,
    Majority,
    Node,
    Not,
    Number,
    Or,
    Phenology,
    Place,
    Profile,
    Rank,
    Rounded,
    Seasonal,
    Several,
    Show,
    Span,
    Steps,
    Trend,
    Valid,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves

Result = Value | tuple["Result", ...]


class Unsettled(Exception):
    """The algebra alone does not say what this is."""


def evaluate(node: Node, world: World) -> Result:
    """Return what an expression is in a world."""
    if isinstance(node, Several):
        return tuple(evaluate(part, world) for part in node.of)
    return value_of(node, world)


def value_of(node: Node, world: World) -> Value:
    """Return what an expression other than several is in a world."""
    rule = _RULES.get(type(node))
    if rule is None:
        raise Unsettled(type(node).__name__)
    with np.errstate(all="ignore"):
        return rule(node, world)


# --- Leaves: which dates, which pixels ------------------------------------------------------------


def _number(node: Number, world: World) -> Value:
    return single(node.value, node.unit)


def _variable(node: Variable, world: World) -> Value:
    raster = world.variable(node.role).to(node.unit)
    if node.clouds == "masked":
        raster = _where(raster, _invert(world.cloud()))
    if "date" in raster.labels:
        raster = _at(raster, node.when, world, clear=node.clouds == "clear_dates")
    return raster if node.where is None else _where(raster, value_of(node.where, world))


def _cloud(node: Cloud, world: World) -> Value:
    cloud = _at(world.cloud(), node.when, world)
    return cloud if node.where is None else _where(cloud, value_of(node.where, world))


def _valid(node: Valid, world: World) -> Value:
    whole = value_of(replace(node.of, where=None), world)
    marked = replace(whole, data=(~np.isnan(whole.data)).astype(float), unit="")
    return marked if node.of.where is None else _where(marked, value_of(node.of.where, world))


def _at(raster: Value, when: When, world: World, clear: bool = False) -> Value:
    dates = [date for date in raster.labels["date"] if not clear or date in world.clear_dates]
    kept = select_dates(when, dates, world)
    raster = raster.take("date", [raster.labels["date"].index(date) for date in kept])
    return raster.without("date") if when.single else raster


def select_dates(when: When, dates: list[dt.date], world: World) -> list[dt.date]:
    """Return those of the dates that are meant."""
    kept = [date for date in dates if not when.spans or any(_within(date, span) for span in when.spans)]
    kept = [date for date in kept if not when.months or date.month in when.months]
    if isinstance(when.at, Which) and when.at.period:
        found = set(value_of(when.at, world).flat)
        asked = {date for leaf in leaves(when.at) for date in select_dates(leaf.when, kept, world)}
        kept = [date for date in kept if _PERIODS[when.at.period](date) in found and date in asked]
    elif when.side != "on":
        (found,) = value_of(when.at, world).flat
        kept = [
            date
            for date in kept
            if (date.toordinal() > found if when.side == "after" else date.toordinal() < found)
        ]
    elif when.at is not None:
        found = set(value_of(when.at, world).flat)
        kept = [date for date in kept if date.toordinal() in found]
    if when.without is not None:
        gone = select_dates(when.without, dates, world)
        kept = [date for date in kept if date not in gone]
    if when.pick:
        position = when.pick - 1 if when.pick > 0 else len(kept) + when.pick
        return kept[position : position + 1] if position >= 0 else []
    return kept


def _within(date: dt.date, span: Span) -> bool:
    return (span.first or dt.date.min) <= date <= (span.last or dt.date.max)


def _where(raster: Value, mask: Value) -> Value:
    raster, mask = broadcast(raster, mask)
    return replace(raster, data=np.where(mask.data == 1, raster.data, np.nan))


def _place(node: Place, world: World) -> Value:
    return place_mask(node, world)


# --- Conditions -----------------------------------------------------------------------------------


def _compare(node: Compare, world: World) -> Value:
    sides = [value_of(side, world) for side in (node.of, node.limit, node.upper) if side is not None]
    unit, relative = sides[0].unit or sides[1].unit, sides[0].relative
    of, *limits = broadcast(*(side.to(unit, relative) for side in sides))
    known = ~np.any([np.isnan(side.data) for side in (of, *limits)], axis=0)
    truth = _OPERATORS[node.operator](of.data, *(limit.data for limit in limits))
    return Value(np.where(known, truth, np.nan), of.labels)


_OPERATORS: dict[str, Callable[..., Any]] = {
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "between": lambda x, low, high: (low <= x) & (x <= high),
}


def _and(node: And, world: World) -> Value:
    parts = broadcast(*(value_of(part, world) for part in node.of))
    return Value(np.min([part.data for part in parts], axis=0), parts[0].labels)


def _or(node: Or, world: World) -> Value:
    parts = broadcast(*(value_of(part, world) for part in node.of))
    return Value(np.max([part.data for part in parts], axis=0), parts[0].labels)


def _not(node: Not, world: World) -> Value:
    return _invert(value_of(node.of, world))


def _invert(truth: Value) -> Value:
    return truth.map(lambda x: 1 - x)


# --- Statistics -----------------------------------------------------------------------------------


def _aggregate(node: Aggregate, world: World) -> Value:
    if isinstance(node.of, Variable) and node.of.role == "terrain_aspect":
        raise Unsettled("directions, which have no order")
    if isinstance(node.by, Zones) and node.by.by == "spectral":
        of_band = [_of_band(replace(node, by=None), role) for role in world.bands]
        return stack([value_of(each, world) for each in of_band], "zone", list(world.bands))
    value = value_of(node.of, world)
    if node.within is not None:
        value = _where(value, value_of(node.within, world))
    gone = ("date", "pixel") if node.over == "all" else (node.over,)
    if isinstance(node.by, Zones):
        groups = {name: _where(value, mask) for name, mask in zones(node.by, world).items()}
        return _group(value, groups, "zone", node, world, gone)
    if node.by is not None:
        periods = _periods(value.labels["date"], node.by)
        groups = {name: value.take("date", positions) for name, positions in periods.items()}
        return _group(value, groups, "period", node, world, gone)
    return _reduce(value, node, world, gone)


def _of_band(node: Aggregate, role: str) -> Aggregate:
    def measured(leaf: Variable) -> Variable:
        return replace(leaf, role=role) if leaf.role == "reflectance" else leaf

    return rewrite(node, Variable, measured)


def _group(
    value: Value, groups: dict[str, Value], axis: str, node: Aggregate, world: World, gone: tuple[str, ...]
) -> Value:
    if groups:
        return stack([_reduce(part, node, world, gone) for part in groups.values()], axis, list(groups))
    whole = _reduce(value, node, world, gone)
    return replace(whole, labels={**whole.labels, axis: (None,)}).take(axis, ())


def _reduce(value: Value, node: Aggregate, world: World, gone: tuple[str, ...]) -> Value:
    positions = tuple(AXES.index(axis) for axis in gone)
    if node.weight is not None:
        value, weight = broadcast(value, value_of(node.weight, world))
        rows, weights = _rows(value, positions), _rows(weight, positions)
        shape = rows.shape[:-1]
        numbers = np.array([statistics.weighted_mean(rows[i], weights[i]) for i in np.ndindex(shape)])
    else:
        rows = _rows(value, positions)
        shape = rows.shape[:-1]
        numbers = np.array([_statistic(rows[index], node, value.unit, world) for index in np.ndindex(shape)])
    data = np.expand_dims(numbers.reshape(shape), positions)
    labels = {axis: labels for axis, labels in value.labels.items() if axis not in gone}
    relative = value.relative or node.statistic in ("std", "range", "iqr", "mad")
    return Value(data, labels, kind_of(node).unit, relative)


def _rows(value: Value, positions: tuple[int, ...]) -> Any:
    """Return the values with the axes at these positions as one, the last."""
    last = np.moveaxis(value.data, positions, range(-len(positions), 0))
    return last.reshape(*last.shape[: -len(positions)], math.prod(last.shape[-len(positions) :]))


def _statistic(row: Any, node: Aggregate, unit: str, world: World) -> float:
    if node.statistic == "area":
        return single(statistics.statistic("count", row) * world.pixel**2, "m2").to(node.unit or "ha").item
    return statistics.statistic(node.statistic, row, node.parameter, classes=unit == "class")


def zones(node: Zones, world: World) -> dict[str, Value]:
    """Return the mask of each zone by its name."""
    if node.by == "patch":
        assert node.of is not None
        mask = value_of(node.of, world)
        patches, count = ndimage.label(mask.data.reshape(world.shape) == 1, structure=np.ones((3, 3)))
        return {str(n): world.ground(patches == n) for n in range(1, count + 1)}
    if node.by == "band":
        assert node.of is not None
        value = value_of(node.of, world)
        return _bands(value, _equal_limits(value, node.step) if node.step else node.limits)
    names = node.names or _every_name(node, world)
    if node.by not in PLACES:
        raise Unsettled(f"zones by {node.by}")
    return {name: place_mask(Place(node.by, (name,), node.source, node.attribute), world) for name in names}  # type: ignore[arg-type]


def _every_name(node: Zones, world: World) -> tuple[str, ...]:
    if node.by == "class":
        return tuple(world.class_names.values())
    return tuple(world.features_of(node.source)) if node.by == "feature" else QUARTERS


def _equal_limits(value: Value, step: float) -> tuple[float, ...]:
    """Return the multiples of a width that the values lie between."""
    low, high = math.floor(np.nanmin(value.data) / step), math.floor(np.nanmax(value.data) / step)
    return tuple(k * step for k in range(low, high + 2))


# Units as they stand behind a number.
_BEHIND = {"m": " m", "K": " K", "degree": "°", "%": " %"}


def _bands(value: Value, limits: tuple[float, ...]) -> dict[str, Value]:
    """Return what lies between each two limits, the lower one included."""
    if len(limits) < 2:
        raise Unsettled("bands without limits")
    bands = {}
    for low, high in zip(limits, limits[1:], strict=False):
        inside = (value.data >= low) & (value.data < high)
        data = np.where(np.isnan(value.data), np.nan, inside)
        bands[f"{low:g} to {high:g}{_BEHIND.get(value.unit, '')}"] = replace(value, data=data, unit="")
    return bands


def _periods(dates: tuple[dt.date, ...], by: str) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    order = sorted(range(len(dates)), key=lambda n: dates[n].month if by == "calendar_month" else n)
    for position in order:
        groups.setdefault(_PERIODS[by](dates[position]), []).append(position)
    return groups


def _season(date: dt.date) -> str:
    """Return the season; December belongs to the next year's winter."""
    name = ("winter", "spring", "summer", "autumn")[date.month % 12 // 3]
    return f"{name} {date.year + (date.month == 12)}"


_PERIODS: dict[str, Callable[[dt.date], str]] = {
    "year": lambda date: f"{date:%Y}",
    "month": lambda date: f"{date:%Y-%m}",
    "quarter": lambda date: f"{date:%Y} Q{-(-date.month // 3)}",
    "season": _season,
    "calendar_month": lambda date: f"{date:%B}",
    "day": lambda date: f"{date:%Y-%m-%d}",
}


# --- Values set against each other ----------------------------------------------------------------


def _combine(node: Combine, world: World) -> Value:
    left, right = value_of(node.left, world), value_of(node.right, world)
    if node.how not in ("product", "ratio"):
        right = right.to(left.unit)
    left, right = broadcast(left, right)
    relative = left.relative or node.how in ("difference", "absolute_difference")
    return Value(
        _finite(_COMBINATIONS[node.how](left.data, right.data)), left.labels, kind_of(node).unit, relative
    )


def _finite(data: Any) -> Any:
    return np.where(np.isfinite(data), data, np.nan)


_COMBINATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "difference": lambda x, y: x - y,
    "absolute_difference": lambda x, y: abs(x - y),
    "ratio": lambda x, y: x / y,
    "percent_change": lambda x, y: 100 * (x - y) / y,
    "sum": lambda x, y: x + y,
    "product": lambda x, y: x * y,
    "normalised_difference": lambda x, y: (x - y) / (x + y),
}


def _steps(node: Steps, world: World) -> Value:
    value = value_of(node.of, world)
    axis = _time(value)
    value = value.without_gaps(axis)
    count = len(value.labels[axis])
    later = value.take(axis, range(1, count))
    earlier = replace(value.take(axis, range(count - 1)), labels=later.labels)
    change = _finite(_COMBINATIONS[node.how](later.data, earlier.data))
    return replace(later, data=change, unit=kind_of(node).unit, relative=node.how != "percent_change")


def _time(value: Value) -> str:
    return "date" if "date" in value.labels else "period"


def _anomaly(node: Anomaly, world: World) -> Value:
    of, base = value_of(node.of, world), value_of(node.base, world)
    base = base.to(of.unit)
    over = [axis for axis in ("date", "period") if axis in base.labels] or [
        a for a in AXES if a in base.labels
    ]
    mean, deviation = (_along(base, over, name) for name in ("mean", "std"))
    of, mean, deviation = broadcast(of, mean, deviation)
    change = of.data - mean.data
    scale = {"difference": 1.0, "z_score": 1 / deviation.data, "percent": 100 / abs(mean.data)}[node.how]
    return Value(_finite(change * scale), of.labels, kind_of(node).unit, node.how == "difference")


def _along(value: Value, axes: list[str], name: str) -> Value:
    positions = tuple(AXES.index(axis) for axis in axes)
    data = np.apply_along_axis(lambda row: statistics.statistic(name, row), -1, _rows(value, positions))
    labels = {axis: part for axis, part in value.labels.items() if axis not in axes}
    return Value(np.expand_dims(data, positions), labels, value.unit)


# --- Courses --------------------------------------------------------------------------------------


def _trend(node: Trend, world: World) -> Value:
    value = value_of(node.of, world)
    axis = _time(value)
    value = value.without_gaps(axis)
    moments = _moments(value.labels[axis], node.per)
    per = {"decade": 10.0, "month": 1 / 12}.get(node.per, 1.0)

    def fact(row: Any) -> float:
        there = ~np.isnan(row)
        return _TREND_FACTS[node.gives](moments[there], row[there], node) if there.sum() > 2 else math.nan

    data = np.apply_along_axis(fact, AXES.index(axis), value.data)
    data = np.expand_dims(data, AXES.index(axis)) * (per if node.gives in ("slope", "relative") else 1.0)
    labels = {name: labels for name, labels in value.labels.items() if name != axis}
    return Value(data, labels, kind_of(node).unit)


def _moments(labels: tuple[Any, ...], per: str) -> Any:
    """Return the moments in years; in days or steps where these are asked for."""
    if per == "step" or not labels:
        return np.arange(len(labels), dtype=float)
    if isinstance(labels[0], dt.date):
        return np.array([date.toordinal() if per == "day" else _decimal_year(date) for date in labels])
    if per == "day":
        raise Unsettled("the days between periods")
    if not all(label.isdigit() for label in labels):
        return np.array([_decimal_year(_beginning(label)) for label in labels])
    return np.array(labels, dtype=float)


def _beginning(label: str) -> dt.date:
    """Return the first day of a month, quarter or season."""
    if re.fullmatch(r"\d{4}-\d\d", label):
        return dt.date.fromisoformat(f"{label}-01")
    if found := re.fullmatch(r"(\d{4}) Q(\d)", label):
        return dt.date(int(found[1]), 3 * int(found[2]) - 2, 1)
    if found := re.fullmatch(r"(spring|summer|autumn|winter) (\d{4})", label):
        year = int(found[2])
        begins = {"spring": (year, 3), "summer": (year, 6), "autumn": (year, 9), "winter": (year - 1, 12)}
        return dt.date(*begins[found[1]], 1)
    raise Unsettled(f"when {label} begins")


def _decimal_year(date: dt.date) -> float:
    return (date.toordinal() - dt.date(2000, 1, 1).toordinal()) / 365.25


def _slope(x: Any, y: Any, node: Trend) -> float:
    return (
        statistics.sen(x, y)
        if node.method in ("mann_kendall", "theil_sen")
        else statistics.least_squares(x, y)[0]
    )


def _p_value(x: Any, y: Any, node: Trend) -> float:
    return statistics.least_squares(x, y)[1] if node.method == "linear" else statistics.mann_kendall_p(y)


_TREND_FACTS: dict[str, Callable[[Any, Any, Trend], float]] = {
    "slope": _slope,
    "relative": lambda x, y, node: 100 * _slope(x, y, node) / float(np.mean(y)),
    "p_value": _p_value,
    "r2": lambda x, y, node: statistics.least_squares(x, y)[2],
    "pearson": lambda x, y, node: float(np.corrcoef(x, y)[0, 1]),
    "significance": lambda x, y, node: float(_p_value(x, y, node) < node.level),
    "direction": lambda x, y, node: float(np.sign(_slope(x, y, node))),
}


def _seasonal(node: Seasonal, world: World) -> Value:
    raise Unsettled(f"{node.gives} depends on the method")


def _phenology(node: Phenology, world: World) -> Value:
    value = value_of(node.of, world)
    value = value.without_gaps(_time(value))
    dates = value.labels.get("date", ())
    if node.by is not None:
        return _seasons(node, world, value, dates)
    if len(dates) < 3:
        return single(math.nan)
    half = (value.data.min() + value.data.max()) / 2
    limit = half if node.limit is None else value_of(node.limit, world).to(value.unit).item
    season = [date for date, number in zip(dates, value.flat, strict=True) if number >= limit]
    if not season:
        return single(math.nan)
    peak = dates[int(np.argmax(value.flat))]
    facts = {"start": season[0], "end": season[-1], "peak": peak}
    if node.gives == "length":
        return single(float((season[-1] - season[0]).days), "days")
    return single(float(facts[node.gives].toordinal()))


def _seasons(node: Phenology, world: World, value: Value, dates: Any) -> Value:
    """Return a fact of the season of each year; of one that its dates begin or end within there is none."""
    limit = None if node.limit is None else value_of(node.limit, world).to(value.unit).item
    found = []
    years = sorted({date.year for date in dates})
    for year in years:
        course = {d: float(v) for d, v in zip(dates, value.flat, strict=True) if d.year == year}
        low = (min(course.values()) + max(course.values())) / 2 if limit is None else limit
        season = [date for date, number in course.items() if number >= low]
        days = list(course)
        cut = {"start": season[:1] == days[:1], "end": season[-1:] == days[-1:]}
        seen = not cut.get(node.gives, any(cut.values()))
        if len(course) < 3 or not season or not seen:
            found.append(math.nan)
            continue
        facts = {"start": season[0], "end": season[-1], "peak": max(course, key=course.__getitem__)}
        length = float((season[-1] - season[0]).days)
        found.append(length if node.gives == "length" else float(f"{facts[node.gives]:%j}"))
    return line(found, "period", [str(year) for year in years], "days" if node.gives == "length" else "")


def _correlation(node: Correlation, world: World) -> Value:
    left, right = broadcast(value_of(node.left, world), value_of(node.right, world))
    if node.by is None:
        return _correlate(node, left, right, ~np.isnan(left.flat))
    grounds = zones(node.by, world)
    inside = {name: broadcast(left, ground)[1].flat == 1 for name, ground in grounds.items()}
    found = [_correlate(node, left, right, mask).flat[0] for mask in inside.values()]
    return line(found, "zone", list(inside), "1")


def _correlate(node: Correlation, left: Value, right: Value, inside: Any) -> Value:
    both = ~np.isnan(left.flat) & ~np.isnan(right.flat) & inside
    x, y = right.flat[both], left.flat[both]
    if node.gives == "scatter":
        raise Unsettled("a scatter plot is no number")
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return single(math.nan, "1")
    if node.gives == "spearman":
        return single(float(stats.spearmanr(x, y).statistic), "1")
    pearson = float(np.corrcoef(x, y)[0, 1])
    facts = {"pearson": pearson, "r2": pearson**2, "slope": pearson * float(np.std(y) / np.std(x))}
    return single(facts[node.gives], "1")


# --- Dates and names ------------------------------------------------------------------------------


def _which(node: Which, world: World) -> Value:
    axis, labels, numbers = _table(value_of(node.of, world))
    order = np.argsort(-numbers if node.direction == "highest" else numbers, kind="stable")
    chosen = order[node.nth - 1 :][: node.top or None]
    if len(chosen) < node.top:  # fewer than asked for is no answer
        chosen = chosen[:0]
    return _value_of_names(axis, [labels[n] for n in chosen], several=node.top != 1)


def _table(value: Value) -> tuple[str, list[Any], Any]:
    (axis,) = value.labels
    value = value.without_gaps(axis)
    return axis, list(value.labels[axis]), value.flat


def _value_of_names(axis: str, labels: list[Any], several: bool) -> Value:
    """Return dates as ordinals, others by name."""
    values = [label.toordinal() if axis == "date" else str(label) for label in labels]
    if several:
        return line(values, axis, labels)
    return single(values[0] if values else math.nan)


def _rank(node: Rank, world: World) -> Value:
    _, labels, numbers = _table(value_of(node.of, world))
    member = _member(node.member, labels, world)
    if member not in labels:
        return single(math.nan, "rank")
    own = numbers[labels.index(member)]
    better = numbers > own if node.direction == "highest" else numbers < own
    return single(1.0 + better.sum(), "rank")


def _member(node: Node, labels: list[Any], world: World) -> Any:
    if isinstance(node, Place):
        return node.names[0]
    if isinstance(node, Span):
        return node.first
    if isinstance(node, When):
        return next(iter(select_dates(node, labels, world)), None)
    found = value_of(node, world).item
    return dt.date.fromordinal(int(found)) if isinstance(found, float) else found


def _dates(node: Dates, world: World) -> Value:
    axis, labels, truths = _table(value_of(node.of, world))
    held = [label for label, truth in zip(labels, truths, strict=True) if truth == 1]
    if node.pick == "all":
        return _value_of_names(axis, held, several=True)
    return _value_of_names(axis, held[:1] if node.pick == "first" else held[-1:], several=False)


# --- Ground ---------------------------------------------------------------------------------------


def _hotspots(node: Hotspots, world: World) -> Value:
    """Gi* by the nine pixels around, of those that have a value; hot above 1.96."""
    value = value_of(node.of, world)
    z = np.full(value.data.shape, np.nan)
    for index in np.ndindex(value.data.shape[:3]):
        z[index] = _gi_star(value.data[index].reshape(world.shape)).reshape(-1)
    hot = z > 1.96 if node.side == "hot" else z < -1.96
    return Value(np.where(np.isnan(z), np.nan, hot), value.labels)


def _classified(node: Classified, world: World) -> Value:
    """Number each pixel by the first condition that holds there."""
    found = broadcast(*(value_of(part, world) for part in node.of))
    numbers = np.full(found[0].data.shape, np.nan)
    for n, part in reversed(list(enumerate(found, start=1))):
        numbers[part.data == 1] = n
    numbers[np.any([np.isnan(part.data) for part in found], axis=0)] = np.nan
    return replace(found[0], data=numbers, unit="class")


def _gi_star(x: Any) -> Any:
    there = ~np.isnan(x)
    if not there.any():
        return x
    n, mean, spread = there.sum(), np.nanmean(x), np.nanstd(x)
    near = ndimage.convolve(there.astype(float), np.ones((3, 3)), mode="constant")
    total = ndimage.convolve(np.where(there, x, 0.0), np.ones((3, 3)), mode="constant")
    z = (total - mean * near) / (spread * np.sqrt((n * near - near**2) / (n - 1)))
    return np.where(there, z, np.nan)


def _direction(node: Direction, world: World) -> Value:
    mask = value_of(node.of, world).data.reshape(world.shape) == 1
    rows, columns = np.nonzero(mask)
    north, east = (world.shape[0] - 1) / 2 - rows, columns - (world.shape[1] - 1) / 2
    upright = np.where(abs(north) == abs(east), 0.5, abs(north) > abs(east))
    counts = {
        "north": upright[north > 0].sum(),
        "south": upright[north < 0].sum(),
        "east": (1 - upright)[east > 0].sum(),
        "west": (1 - upright)[east < 0].sum(),
    }
    return single(max(counts, key=lambda side: counts[side]) if mask.any() else math.nan)


def _centroid(node: Centroid, world: World) -> Value:
    mask = value_of(node.of, world).data.reshape(world.shape) == 1
    if not mask.any():
        return single(math.nan)
    rows, columns = np.nonzero(mask)
    return single("{:.5f}, {:.5f}".format(*world.to_degrees(rows.mean() + 0.5, columns.mean() + 0.5)))


def _distance(node: Distance, world: World) -> Value:
    if node.of is not None:
        raise Unsettled("which points of two places are meant")
    mask = value_of(node.to, world).data.reshape(world.shape) == 1
    if not mask.any():
        return world.ground(np.full(world.shape, np.nan))
    return replace(world.ground(ndimage.distance_transform_edt(~mask) * world.pixel), unit="m")


def _profile(node: Profile, world: World) -> Value:
    raise Unsettled("at which points along the line")


def _majority(node: Majority, world: World) -> Value:
    number = statistics.statistic("mode", value_of(node.of, world).flat)
    return single(math.nan if math.isnan(number) else world.class_names[int(number)])


def _composite(node: Composite, world: World) -> Value:
    parts = broadcast(*(value_of(band, world) for band in node.bands))
    data = np.empty(parts[0].data.shape, dtype=object)
    for index in np.ndindex(data.shape):
        data[index] = tuple(part.data[index] for part in parts)
    return Value(data, parts[0].labels)


def _facts(node: Facts, world: World) -> Value:
    role = node.of.role if isinstance(node.of, Variable) else ""
    dates = world.dates_of(role) if role else world.dates
    gaps = [(later - earlier).days for earlier, later in zip(dates, dates[1:], strict=False)]
    facts: dict[str, Any] = {
        "images": len(dates),
        "first_date": dates[0].toordinal() if dates else math.nan,
        "last_date": dates[-1].toordinal() if dates else math.nan,
        "gap": max(gaps, default=math.nan),
        "interval": float(np.median(gaps)) if gaps else math.nan,
        "pixel_size": world.pixel,
        "classes": len(world.class_names),
    }
    if node.about == "nearest_date" and isinstance(node.of, When):
        (day,) = (span.first for span in node.of.spans if span.first is not None)
        far = {date: abs((date - day).days) for date in world.dates}
        near = [date for date in sorted(far) if far[date] == min(far.values())]
        return (
            line([float(date.toordinal()) for date in near], "date", near, "date")
            if len(near) > 1
            else single(float(near[0].toordinal()))
        )
    if node.by is not None:
        counts = {label: len(members) for label, members in _periods(tuple(dates), node.by).items()}
        # Periods between the first and the last image that have none count as well.
        days = tuple(dates[0] + dt.timedelta(n) for n in range((dates[-1] - dates[0]).days + 1))
        every = list(_periods(days, node.by))
        return line([float(counts.get(label, 0)) for label in every], "period", every, "images")
    if node.about == "ground_area":
        area = world.shape[0] * world.shape[1] * world.pixel**2
        return single(area, "m2").to(node.unit or "ha")
    if node.about == "available":
        return single(float(_is_there(node.of, world)))
    if node.about == "dates":
        return single(", ".join(map(str, dates)))
    if node.about not in facts:
        raise Unsettled(f"facts about {node.about}")
    return single(float(facts[node.about]), node.unit)


def _is_there(sought: Node | None, world: World) -> bool:
    """Return whether there is a variable, at the time that it is asked for, or any image of a time."""
    if isinstance(sought, Variable) and sought.timeless:
        return world.has(sought.role)
    dates = world.dates_of(sought.role) if isinstance(sought, Variable) else world.dates
    when = getattr(sought, "when", sought)
    return bool(select_dates(when, list(dates), world))


# --- How it is said -------------------------------------------------------------------------------


def _show(node: Show, world: World) -> Value:
    return value_of(node.of, world)


def _convert(node: Convert, world: World) -> Value:
    return value_of(node.of, world).to(node.unit)


def _round(node: Rounded, world: World) -> Value:
    return value_of(node.of, world).map(lambda x: np.round(x, node.decimals))


_RULES: dict[type[Node], Callable[[Any, World], Value]] = {
    Number: _number,
    Variable: _variable,
    Cloud: _cloud,
    Valid: _valid,
    Place: _place,
    Compare: _compare,
    And: _and,
    Or: _or,
    Not: _not,
    Aggregate: _aggregate,
    Combine: _combine,
    Steps: _steps,
    Anomaly: _anomaly,
    Trend: _trend,
    Seasonal: _seasonal,
    Phenology: _phenology,
    Correlation: _correlation,
    Which: _which,
    Rank: _rank,
    Dates: _dates,
    Hotspots: _hotspots,
    Classified: _classified,
    Direction: _direction,
    Centroid: _centroid,
    Distance: _distance,
    Profile: _profile,
    Majority: _majority,
    Composite: _composite,
    Facts: _facts,
    Show: _show,
    Convert: _convert,
    Rounded: _round,
}
