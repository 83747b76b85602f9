"""What a statistic gives: its unit, its parameter, and by which statistic that of truths is had."""

from __future__ import annotations

from collections.abc import Mapping

from treeline.core.query.expression import TRUTH_STATISTICS, Aggregate, Anomaly, Combine, Node, Rounded, Steps

UNITS_OF_AREA = ("ha", "m2", "km2")
_UNITLESS = frozenset({"cv", "skewness", "kurtosis", "entropy"})
_NAMED = {"pixel": "pixels", "all": "pixels", "date": "dates", "period": "periods", "zone": "zones"}
# Statistics of truths by those of 1 and 0.
_OF_TRUTHS: Mapping[str, str] = {"all": "min", "any": "max"}


def of_truths(statistic: str) -> str:
    """Return the statistic of 1 and 0 that stands for one of truths."""
    return _OF_TRUTHS.get(statistic, statistic)


def gives_truth(node: Aggregate) -> bool:
    """Return whether a statistic gives a truth."""
    return node.statistic in _OF_TRUTHS


def unit_after(node: Aggregate, unit: str, axis: str) -> str:
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
        return "" if node.statistic in ("all", "any", "runs") else _NAMED[axis]
    return unit


def share_cut(node: Aggregate) -> float | None:
    """Return the parameter of a statistic as the tools take it: what is trimmed as a fraction."""
    if node.statistic == "trimmed_mean" and node.parameter is not None and node.parameter >= 1:
        return node.parameter / 100.0
    return node.parameter


def said(node: Aggregate) -> str:
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
