"""Rasters of codes, which have no mean: bits of quality, classes of ground."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.policies.planner.intent import Statistic, Subject, Threshold
from treeline.toolkit.variables import variable

# Marked or not: their share is what is asked for, not their mean.
MASKS = frozenset({"cloud_mask", "fire_mask", "mask", "open_water", "frp"})
_AMOUNTS = MASKS | {"cloud_probability", "clear_score"}
_OF_AMOUNTS: frozenset[Statistic] = frozenset(
    {"mean", "median", "std", "sum", "percentile", "skewness", "kurtosis", "min", "max"}
)


def without_amounts(role: str, statistic: Statistic) -> str:
    """Return what is asked for where codes are to be counted like amounts; empty where they are not."""
    known = variable(role)
    coded = known is not None and known.kind in ("quality", "class") and role not in _AMOUNTS
    if not coded or statistic not in _OF_AMOUNTS:
        return ""
    return f"the {statistic} of {known.title.lower()}: its values are codes, not amounts"  # type: ignore[union-attr]


def as_cover(subject: Subject) -> Subject:
    """Return the share of a mask that is marked instead of its mean, which says the same in no unit."""
    if subject.role not in MASKS or subject.statistic != "mean" or subject.threshold:
        return subject
    return replace(subject, statistic="share", threshold=Threshold("above", 0.0))
