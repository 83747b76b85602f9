"""The kind of an expression: over what it varies, what one of its values is, and in which unit.

An expression whose nodes do not fit together has no kind; that is how most wrong readings fall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from treeline.core.query.expression import (
    DAY_OF_YEAR,
    ORDERED_STATISTICS,
    REFLECTANCE,
    TRUTH_STATISTICS,
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
    Steps,
    Trend,
    Valid,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.objects import Objects
from treeline.toolkit.units import becomes_decibels

Axis = Literal["date", "pixel", "zone", "period"]
ValueKind = Literal["number", "truth", "date", "name", "text"]


class IllTyped(ValueError):
    """Nodes do not fit together; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What an expression stands for.

    Attributes
    ----------
    axes : frozenset of str
        Over what it varies; empty for a single value.
    value : str
    unit : str
        As in :mod:`treeline.toolkit.variables`; empty where there is none.
    """

    axes: frozenset[Axis]
    value: ValueKind
    unit: str = ""


_NONE: frozenset[Axis] = frozenset()
_IMAGE: frozenset[Axis] = frozenset({"pixel"})
_CUBE: frozenset[Axis] = frozenset({"pixel", "date"})
_UNITLESS = frozenset({"cv", "skewness", "kurtosis", "entropy", "moran"})


def kind_of(node: Node) -> Kind:
    """Return what an expression stands for.

    Raises
    ------
    IllTyped
        Its nodes do not fit together.
    """
    rule = _RULES.get(type(node))
    if rule is None:
        raise IllTyped(f"A {type(node).__name__} has no value of its own.")
    return rule(node)


def _of_variable(node: Variable) -> Kind:
    axes = _IMAGE if node.timeless or node.when.single else _CUBE
    _check_mask(node.where, "where", axes)
    return Kind(axes, "number", node.unit)


def _of_cloud(node: Cloud) -> Kind:
    axes = _IMAGE if node.when.single else _CUBE
    _check_mask(node.where, "where", axes)
    return Kind(axes, "truth")


def _check_mask(node: Node | None, slot: str, axes: frozenset[Axis]) -> None:
    """Refuse what is no mask of pixels, or has dates where what it masks has none."""
    if node is None:
        return
    kind = kind_of(node)
    if kind.value != "truth" or "pixel" not in kind.axes or not kind.axes <= axes:
        raise IllTyped(f"{slot} takes a truth for each {' and '.join(sorted(axes))}, not {_say(kind)}.")


def _of_place(node: Place) -> Kind:
    if node.by == "point" and isinstance(node.at, Centroid):
        kind_of(node.at)
        return Kind(_IMAGE, "truth")
    # What is looked for is found before anything is drawn, so it has to end in names.
    found = kind_of(node.at) if node.at is not None else None
    if found is not None and (found.value != "name" or not found.axes <= {"zone"}):
        raise IllTyped("A place that is found is a class or feature, or several.")
    return Kind(_IMAGE, "truth")


def _of_valid(node: Valid) -> Kind:
    kind = kind_of(node.of)
    if "pixel" not in kind.axes:
        raise IllTyped(f"Pixels have a value or none, not {_say(kind)}.")
    return Kind(kind.axes, "truth")


def _of_compare(node: Compare) -> Kind:
    axes: set[Axis] = set()
    units = []
    for side in (node.of, node.limit, node.upper):
        if side is None:
            continue
        kind = kind_of(side)
        if kind.value not in ("number", "date"):
            raise IllTyped(f"Only numbers and dates are compared, not {_say(kind)}.")
        axes |= kind.axes
        units.append(kind.unit)
    if (node.operator == "between") != (node.upper is not None):
        raise IllTyped("Between takes two limits, every other comparison one.")
    for unit in units[1:]:
        check_units(units[0], unit)
    return Kind(frozenset(axes), "truth")


def _of_logic(node: And | Or) -> Kind:
    kinds = [kind_of(part) for part in node.of]
    if len(kinds) < 2 or any(kind.value != "truth" for kind in kinds):
        raise IllTyped("And and or take two conditions or more.")
    return Kind(frozenset().union(*(kind.axes for kind in kinds)), "truth")


def _of_not(node: Not) -> Kind:
    kind = kind_of(node.of)
    if kind.value != "truth":
        raise IllTyped(f"Not takes a condition, not {_say(kind)}.")
    return kind


def _of_aggregate(node: Aggregate) -> Kind:
    kind = kind_of(node.of)
    if (node.statistic in TRUTH_STATISTICS) != (kind.value == "truth"):
        raise IllTyped(f"The {node.statistic} cannot be taken of {_say(kind)}.")
    if kind.value not in ("number", "truth"):
        raise IllTyped(f"No statistic can be taken of {_say(kind)}.")
    gone: frozenset[Axis] = frozenset({"pixel", "date"}) if node.over == "all" else frozenset({node.over})
    if not gone <= kind.axes:
        raise IllTyped(f"{_say(kind)} does not vary over {node.over}.")
    # Only dates have an order in which something lasts.
    if node.statistic in ORDERED_STATISTICS and node.over != "date":
        raise IllTyped("Runs are of dates.")
    if node.within is not None and (node.statistic, node.over) != ("share", "pixel"):
        raise IllTyped("Only a share of pixels is taken within a part of the ground.")
    _check_mask(node.within, "within", kind.axes)
    _check_weight(node)
    if node.statistic in ("otsu", "moran") and (node.over != "pixel" or node.by is not None):
        raise IllTyped("Otsu's threshold and Moran's I are of the pixels of a raster.")
    if node.statistic == "area" and node.over != "pixel":
        raise IllTyped("An area is of pixels.")
    axes = kind.axes - gone
    if isinstance(node.by, Zones):
        if node.over not in ("pixel", "all"):
            raise IllTyped("Zones group pixels.")
        _check_bands(node.by, node.of)
        axes |= {"zone"}
    elif node.by is not None:
        if node.over not in ("date", "all"):
            raise IllTyped("Periods group dates.")
        axes |= {"period"}
    if node.statistic in ("all", "any"):
        return Kind(axes, "truth")
    return Kind(axes, "number", _unit_of(node, kind))


def _check_bands(zones: Zones, of: Node) -> None:
    """Refuse bands of what has none."""
    if zones.by == "spectral" and set(_measured_roles(of)) != {REFLECTANCE}:
        raise IllTyped("Bands group the reflectance of a scene.")


def _measured_roles(node: Node) -> Iterator[str]:
    """Yield the roles of what is measured, those of the ground where it is left out."""
    if isinstance(node, Variable):
        yield node.role
        return
    for part in node.parts():
        yield from _measured_roles(part)


def _check_weight(node: Aggregate) -> None:
    """Refuse a weight of anything but a mean over pixels, and one that is no raster."""
    if node.weight is None:
        return
    if (node.statistic, node.over) != ("mean", "pixel"):
        raise IllTyped("Only a mean over pixels is weighted.")
    kind = kind_of(node.weight)
    if kind.value != "number" or "pixel" not in kind.axes:
        raise IllTyped(f"A weight is a raster, not {_say(kind)}.")


def _unit_of(node: Aggregate, kind: Kind) -> str:
    if node.statistic == "share":
        return "%"
    if node.statistic == "area":
        return node.unit or "ha"
    if node.statistic == "count" or node.statistic in ORDERED_STATISTICS:
        return {"pixel": "pixels", "date": "dates"}.get(node.over, "")
    if node.statistic == "variance":
        return f"{kind.unit}2" if kind.unit not in ("", "1") else kind.unit
    if node.statistic == "sum" and node.over == "date" and are_rates_of_known_times(node.of):
        return kind.unit.partition("/")[0]
    return "1" if node.statistic in _UNITLESS else kind.unit


# What is the same of a depth as of its rate, times the days.
_OF_RATES = frozenset({"mean", "median", "min", "max", "percentile"})


def are_rates_of_known_times(node: Node) -> bool:
    """Return whether numbers are rates of which each stands for a known time, whose sum is a depth."""
    while isinstance(node, Aggregate) and node.statistic in _OF_RATES and node.over == "pixel":
        node = node.of
    return isinstance(node, Variable) and node.periods


def _of_combine(node: Combine) -> Kind:
    left, right = kind_of(node.left), kind_of(node.right)
    if node.left == node.right:
        raise IllTyped(f"A {node.how} is that of two things, and these are the same.")
    # Two dates lie so many days apart; nothing else can be calculated with dates.
    for kind in (left, right):
        if kind.value != "number" and not (kind.value == "date" and node.how.endswith("difference")):
            raise IllTyped(f"No {node.how} can be taken of {_say(kind)}.")
    if node.how not in ("product", "ratio"):
        check_units(left.unit, right.unit)
    if node.how == "product" and not _is_factor(node.left) and not _is_factor(node.right):
        raise IllTyped(f"{left.unit} times {right.unit} is no quantity that is asked for.")
    if left.value == "date":
        return Kind(left.axes | right.axes, "number", "days")
    units = {"percent_change": "%", "normalised_difference": "1", "product": left.unit}
    unit = units.get(node.how, left.unit)
    if node.how == "ratio":
        unit = "1" if left.unit == right.unit else f"{left.unit}/{right.unit}"
    return Kind(left.axes | right.axes, "number", unit)


def _is_factor(node: Node) -> bool:
    """Return whether something can be multiplied with anything: a number of the question, a pure number."""
    return isinstance(node, Number) and not node.unit or kind_of(node).unit in ("", "1")


def _of_steps(node: Steps) -> Kind:
    kind = kind_of(node.of)
    _expect_number(kind)
    if not kind.axes & {"date", "period"}:
        raise IllTyped(f"{_say(kind)} has no steps.")
    return Kind(kind.axes, "number", "%" if node.how == "percent_change" else kind.unit)


def _of_anomaly(node: Anomaly) -> Kind:
    of, base = kind_of(node.of), kind_of(node.base)
    _expect_number(of)
    _expect_number(base)
    if not base.axes & {"date", "period", "pixel", "zone"}:
        raise IllTyped("The usual state of something is known from several values.")
    units = {"z_score": "1", "percent": "%"}
    return Kind(of.axes, "number", units.get(node.how, of.unit))


def _of_trend(node: Trend) -> Kind:
    kind = kind_of(node.of)
    _expect_number(kind)
    time = kind.axes & {"date", "period"}
    if len(time) != 1:
        raise IllTyped(f"{_say(kind)} has no course over time.")
    if node.gives in ("significance", "direction"):
        # Pixel by pixel a test is yes or no, which makes a mask; of one series it is told in words.
        tested = node.gives == "significance" and "pixel" in kind.axes
        return Kind(kind.axes - time, "truth" if tested else "text")
    if node.gives == "relative" and kind.axes != time:
        raise IllTyped("A trend in per cent is that of one series.")
    units = {"slope": f"{kind.unit if kind.unit != '1' else ''}/{node.per}", "relative": f"%/{node.per}"}
    unit = units.get(node.gives, "1")
    return Kind(kind.axes - time, "number", unit)


def _of_seasonal(node: Seasonal) -> Kind:
    if not kind_of(node.of).axes & {"date", "period"}:
        raise IllTyped("Only a series has a course.")
    if node.gives == "change_points":
        return Kind(frozenset({"date"}), "date")
    return Kind(_NONE, "number", "dates" if node.gives == "season_length" else "")


def _of_phenology(node: Phenology) -> Kind:
    if not kind_of(node.of).axes & {"date", "period"}:
        raise IllTyped("Only a series has a growing season.")
    if node.limit is not None:
        check_units(kind_of(node.of).unit, kind_of(node.limit).unit)
    if any(getattr(part, "at", None) is not None for part in node.of.walk() if isinstance(part, When)):
        raise IllTyped("Dates that are chosen by their values are no course of a season.")
    if node.by is None and any(len(part.spans) > 1 for part in node.of.walk() if isinstance(part, When)):
        raise IllTyped("One season is of one time.")
    unit = {"length": "days", "amplitude": kind_of(node.of).unit}.get(node.gives, "")
    if node.by is not None:
        if "date" not in kind_of(node.of).axes:
            raise IllTyped("Periods group dates.")
        return Kind(frozenset({"period"}), "number", unit)
    return Kind(_NONE, "date") if node.is_date else Kind(_NONE, "number", unit)


def _of_correlation(node: Correlation) -> Kind:
    for side in (node.left, node.right):
        kind = kind_of(side)
        _expect_number(kind)
        if node.over not in kind.axes:
            raise IllTyped(f"{_say(kind)} does not vary over {node.over}.")
    if node.by is not None and (node.over != "pixel" or node.gives == "scatter"):
        raise IllTyped("Zones group pixels.")
    unit = _unit_of_slope(node) if node.gives == "slope" else "1"
    return Kind(_NONE if node.by is None else frozenset({"zone"}), "number", unit)


def _unit_of_slope(node: Correlation) -> str:
    """Return the unit of the one per unit of the other; a pure number has none."""
    above, below = (
        "" if kind_of(side).unit == "1" else kind_of(side).unit for side in (node.left, node.right)
    )
    return above if not below else "1" if above == below else f"{above}/{below}"


def _of_which(node: Which) -> Kind:
    kind = kind_of(node.of)
    _expect_number(kind)
    # Of a table of both it is which zone each date has.
    if kind.axes == {"date", "zone"} and (node.nth, node.top) == (1, 1):
        return Kind(frozenset({"date"}), "name")
    if len(kind.axes) != 1 or "pixel" in kind.axes:
        raise IllTyped(f"Which one is highest is asked of dates or zones, not of {_say(kind)}.")
    several: frozenset[Axis] = kind.axes if node.top != 1 else _NONE
    return Kind(several, "date" if kind.axes == {"date"} else "name")


def _of_rank(node: Rank) -> Kind:
    if len(kind_of(node.of).axes) != 1:
        raise IllTyped("A rank is one in a series or table.")
    return Kind(_NONE, "number", "rank")


def _of_dates(node: Dates) -> Kind:
    kind = kind_of(node.of)
    if kind.value != "truth" or len(kind.axes) != 1 or "pixel" in kind.axes:
        raise IllTyped(f"Dates are those on which a condition holds, not {_say(kind)}.")
    axes: frozenset[Axis] = kind.axes if node.pick == "all" else _NONE
    return Kind(axes, "date" if kind.axes == {"date"} else "name")


def _of_convert(node: Convert) -> Kind:
    kind = kind_of(node.of)
    if node.unit == DAY_OF_YEAR:
        if kind != Kind(_NONE, "date"):
            raise IllTyped("Only a date has a day of the year.")
        return Kind(_NONE, "number", "day")
    # A rate over a known time is a depth, and decibels are a scale and no unit: neither has the
    # dimension of what it is made of.
    depths = are_rates_of_known_times(node.of) and kind.unit.partition("/")[0] == node.unit
    if not depths and not becomes_decibels(kind.unit, node.unit):
        check_units(kind.unit, node.unit)
    return replace(kind, unit=node.unit)


def _of_hotspots(node: Hotspots) -> Kind:
    kind = kind_of(node.of)
    _expect_number(kind)
    return Kind(kind.axes, "truth")


def _of_classes(node: Classified) -> Kind:
    kinds = [kind_of(part) for part in node.of]
    if len(kinds) < 2 or any(kind != Kind(frozenset({"pixel"}), "truth") for kind in kinds):
        raise IllTyped("Classes are of two or more conditions on the pixels of one raster each.")
    return Kind(frozenset({"pixel"}), "number", "class")


def _of_show(node: Show) -> Kind:
    kind = kind_of(node.of)
    if node.form == "map" and "pixel" not in kind.axes and "zone" not in kind.axes:
        raise IllTyped(f"A map is of a raster or of zones, not of {_say(kind)}.")
    return kind


def _of_profile(node: Profile) -> Kind:
    of = kind_of(node.of)
    if of.axes != {"pixel"} or of.value != "number":
        raise IllTyped(f"A profile is of the numbers of one raster, not of {_say(of)}.")
    if node.start.by != "point" or node.end.by != "point":
        raise IllTyped("A line goes from one point to another.")
    return Kind(frozenset({"zone"}), "number", kind_of(node.of).unit)


def _of_distance(node: Distance) -> Kind:
    return Kind(frozenset({"pixel"}) if node.of is None else _NONE, "number", "m")


def _of_facts(node: Facts) -> Kind:
    if node.by is not None:
        return Kind(frozenset({"period"}), "number", "images")
    if node.about == "images":
        return Kind(_NONE, "number", "images")
    return Kind(_NONE, "text", node.unit)


def _expect_number(kind: Kind) -> None:
    if kind.value != "number":
        raise IllTyped(f"A number is needed here, not {_say(kind)}.")


def _say(kind: Kind) -> str:
    axes = " and ".join(sorted(kind.axes))
    return f"a {kind.value} for each {axes}" if axes else f"a single {kind.value}"


_RULES: dict[type[Node], Any] = {
    Number: lambda node: Kind(_NONE, "number", node.unit),
    Variable: _of_variable,
    Cloud: _of_cloud,
    Place: _of_place,
    Valid: _of_valid,
    Compare: _of_compare,
    And: _of_logic,
    Or: _of_logic,
    Not: _of_not,
    Aggregate: _of_aggregate,
    Combine: _of_combine,
    Steps: _of_steps,
    Anomaly: _of_anomaly,
    Trend: _of_trend,
    Seasonal: _of_seasonal,
    Phenology: _of_phenology,
    Correlation: _of_correlation,
    Which: _of_which,
    Rank: _of_rank,
    Dates: _of_dates,
    Hotspots: _of_hotspots,
    Classified: _of_classes,
    Direction: lambda node: Kind(_NONE, "text"),
    Centroid: lambda node: Kind(_NONE, "text"),
    Distance: _of_distance,
    Profile: _of_profile,
    Majority: lambda node: Kind(_NONE, "name"),
    Facts: _of_facts,
    Objects: lambda node: Kind(_NONE, "text"),
    Composite: lambda node: Kind(frozenset({"pixel"}), "number"),
    Show: _of_show,
    Convert: _of_convert,
    Rounded: lambda node: kind_of(node.of),
    Several: lambda node: Kind(_NONE, "text"),
}


# --- Units ----------------------------------------------------------------------------------------

# Units of one dimension are compared and converted; others are not.
_DIMENSIONS: tuple[frozenset[str], ...] = (
    frozenset({"K", "degC", "degF"}),
    frozenset({"ha", "km2", "m2", "acre"}),
    frozenset({"m", "km", "cm", "mm", "ft", "mi"}),
    frozenset({"1", "%", ""}),
    frozenset({"days", "weeks", "months", "years"}),
)


def same_dimension(one: str, other: str) -> bool:
    """Return whether two units measure the same; a missing unit fits everything.

    Of "K/m" and "K/100 m" both what is counted and per what it is told do.
    """
    if "/" in one and "/" in other:
        sides = zip(one.split("/", 1), other.split("/", 1), strict=True)
        return all(
            same_dimension(left.split()[-1], right.split()[-1]) for left, right in sides if left and right
        )
    return not one or not other or one == other or any({one, other} <= group for group in _DIMENSIONS)


def check_units(one: str, other: str) -> None:
    """Refuse to set two units against each other that measure different things.

    Raises
    ------
    IllTyped
    """
    if not same_dimension(one, other):
        raise IllTyped(f"{one} and {other} measure different things.")
