"""What a statistic gives, and limits in the unit of what they are compared with."""

from __future__ import annotations

from collections.abc import Mapping

from treeline.core.policies.planner.phrases import members_of
from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.policies.planner.values import Numbers
from treeline.core.query.expression import TRUTH_STATISTICS, Aggregate, Anomaly, Combine, Node, Rounded, Steps
from treeline.toolkit.errors import InputError
from treeline.toolkit.units import UNITS, line_between

UNITS_OF_AREA = ("ha", "m2", "km2")
_UNITLESS = frozenset({"cv", "skewness", "kurtosis", "entropy", "moran"})
# Statistics of truths by those of 1 and 0.
_OF_TRUTHS: Mapping[str, str] = {"all": "min", "any": "max"}


def of_truths(statistic: str) -> str:
    """Return the statistic of 1 and 0 that stands for one of truths."""
    return _OF_TRUTHS.get(statistic, statistic)


def gives_truth(node: Aggregate) -> bool:
    """Return whether a statistic gives a truth."""
    return node.statistic in _OF_TRUTHS


def unit_after(node: Aggregate, unit: str) -> str:
    """Return the unit of a statistic of values with a unit."""
    if node.statistic in _UNITLESS:
        return "1"
    if node.statistic == "variance":
        return f"{unit}2" if unit not in ("", "1") else unit
    if node.statistic == "area":
        return node.unit or "ha"
    if node.statistic == "share":
        return "%"
    if node.statistic in TRUTH_STATISTICS:
        return "" if node.statistic in ("all", "any", "runs", "onsets", "crossings") else members_of(node)
    return unit


def parameter_of(node: Aggregate) -> float | None:
    """Return the parameter of a statistic as the tools take it: what is trimmed as a fraction."""
    if node.statistic == "trimmed_mean" and node.parameter is not None and node.parameter >= 1:
        return node.parameter / 100.0
    return node.parameter


def statistic_name(node: Aggregate) -> str:
    """Return a statistic in words."""
    if node.statistic == "percentile" and node.parameter is not None:
        return f"percentile {node.parameter:g}"
    return node.statistic.replace("_", " ")


_SPREADS = frozenset({"std", "range", "iqr", "mad"})


def is_difference(node: Node) -> bool:
    """Return whether a value is a difference or a spread, which has no zero of its own."""
    if isinstance(node, Combine):
        return node.how.endswith("difference")
    if isinstance(node, Steps | Anomaly):
        return True
    if isinstance(node, Aggregate):
        return node.statistic in _SPREADS or is_difference(node.of)
    return isinstance(node, Rounded) and is_difference(node.of)


_DECIMALS = 12


def line(unit: str, wanted: str, *, difference: bool = False) -> tuple[float, float]:
    """Return factor and offset from one unit to another; a missing unit fits everything.

    Raises
    ------
    CannotAnswer
        The two do not measure the same.
    """
    if not unit or not wanted or unit == wanted:
        return 1.0, 0.0
    if unit == "degree" and wanted in ("K", "degC", "degF"):
        unit = "degC"
    if unit == "degree" or wanted == "degree":
        other = wanted if unit == "degree" else unit
        if other not in UNITS:
            return 1.0, 0.0
    try:
        return line_between(unit, wanted, difference=difference)
    except InputError:
        raise CannotAnswer(
            f"The limit is given in {unit}, but what it is compared with is in {wanted}.",
            "Give it in that unit.",
        ) from None


def convertible(unit: str, wanted: str) -> bool:
    """Return whether two different units measure the same."""
    if unit == wanted or not (unit in UNITS and wanted in UNITS):
        return False
    try:
        line_between(unit, wanted)
    except InputError:
        return False
    return True


def unit_of_limit(unit: str, limit: str) -> str:
    """Return the unit in which what was compared with a limit is told: the limit's, if it can be."""
    wanted = "degC" if limit == "degree" and unit in ("K", "degC", "degF") else limit
    return wanted if convertible(unit, wanted) else unit


def limit_in(limit: Numbers, unit: str, *, difference: bool = False) -> float:
    """Return a single limit in the unit of what it is compared with.

    Parameters
    ----------
    difference : bool
        What is compared is a difference: 5 degC is 5 K then.

    Raises
    ------
    CannotAnswer
        It has no value, or another dimension.
    """
    if limit.single is None:
        raise CannotAnswer("The limit itself has no value: no pixel or date is valid for it.")
    factor, offset = line(limit.unit, unit, difference=difference)
    if (factor, offset) == (1.0, 0.0):
        return limit.single
    return round(limit.single * factor + offset, _DECIMALS)
