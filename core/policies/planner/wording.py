"""Numbers, limits, and what is measured when, in words."""

from __future__ import annotations

import math
from dataclasses import replace

from treeline.core.policies.planner.intent import Subject, Threshold
from treeline.core.policies.planner.measured import describe
from treeline.core.policies.planner.titles import marked_ground, short_title
from treeline.core.policies.planner.zones import ZONE

_STATISTICS = {
    "mean": "mean", "median": "median", "min": "minimum", "max": "maximum", "std": "standard deviation of",
    "sum": "sum of", "skewness": "skewness of", "kurtosis": "kurtosis of",
}  # fmt: skip


_UNITS = {"1": "", "degC": "\u00b0C", "degF": "\u00b0F", "%": " %", "pixels": "", "degree": "\u00b0"}


ANY_MARKED = Threshold("above", 0.0)


def plain(value: float | None, unit: str = "") -> str:
    """Return a number as people write it, with its unit."""
    if value is None:
        return "no value"
    if not math.isfinite(value):
        return str(value)
    if float(value).is_integer() and abs(value) < 1e9:
        text = f"{int(value):,}"
    else:
        digits = 4 if unit in ("", "1") else 2
        size = abs(value)
        text = f"{value:,.{digits}f}" if size >= 10 ** (1 - digits) else f"{value:.3g}"
    shown = _UNITS.get(unit, f" {unit}" if unit else "")
    return f"{text} {shown}" if shown in (_UNITS["degC"], _UNITS["degF"]) else f"{text}{shown}"


def listed(parts: list[str]) -> str:
    """Return parts as a list in a sentence: a, b and c."""
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def what_of(subject: Subject) -> str:
    """Return what is measured, without when: ``mean NDVI``."""
    zone = subject.zone.name if subject.zone else ""
    if subject.role == ZONE:
        if subject.statistic == "share":
            return f"share of {zone} in the area" if zone else "share of the area"
        kind = "number of pixels" if subject.statistic == "pixels" else "area"
        return f"{kind} of {zone}" if zone else kind
    preposition = subject.zone.preposition if subject.zone else "in"
    return _what_of(subject) + (f" {preposition} {zone}" if zone else "")


def unplaced(subject: Subject) -> Subject:
    """Return a subject whose zone is left unsaid, because the rows that follow name it."""
    return subject if subject.zone is None else replace(subject, zone=replace(subject.zone, name=""))


def _what_of(subject: Subject) -> str:
    role = short_title(subject.role)
    if subject.statistic == "percentile":
        text = f"{subject.percentile:g}th percentile of {role}"
    elif subject.statistic in ("share", "area", "pixels"):
        kind = {"share": "share of the area", "area": "area", "pixels": "number of pixels"}[subject.statistic]
        limits = [(role, subject.threshold)] if subject.threshold else []
        limits += [(short_title(c.role), c.threshold) for c in subject.conditions]
        told = [f"{name} {limit_of(limit)}" for name, limit in limits]
        text = f"{kind} with {listed(told)}" if told else f"{kind} of {role}"
        ground = marked_ground(subject.role)
        if ground and subject.threshold == ANY_MARKED and not subject.conditions:
            text = f"{kind} under {ground}"
        if subject.role == "cloud_mask" and subject.statistic == "share":
            below = subject.threshold is not None and subject.threshold.side == "below"
            text = "share of the area without clouds" if below else "cloud cover"
        return text
    elif subject.statistic == "mean" and subject.zone is not None and subject.zone.preposition == "at":
        text = role
    else:
        text = f"{_STATISTICS[subject.statistic]} {role}"
    if subject.conditions:
        text += f" where {listed([describe(c) for c in subject.conditions])}"
    return text


def limit_of(threshold: Threshold | None) -> str:
    """Return a limit in words: ``above 0.7``."""
    if threshold is None:
        return ""
    if threshold.of_mean == 1:
        return f"{threshold.side} the mean"
    if threshold.of_mean is not None:
        return f"{threshold.side} {threshold.of_mean:g} times the mean"
    if threshold.upper is not None:
        return f"between {threshold.value:g} and {_bound(threshold.upper, threshold.unit)}"
    words = {("above", True): "at least", ("below", True): "at most"}.get(
        (threshold.side, threshold.inclusive), threshold.side
    )
    return f"{words} {_bound(threshold.value, threshold.unit)}"


def _bound(value: float | None, unit: str) -> str:
    return f"{value:g}" if unit in ("", "1") and value is not None else plain(value, unit)


def when_of(subject: Subject) -> str:
    """Return where and when, with a blank before; empty for all dates of the only place."""
    where = f" at {subject.place}" if subject.place else ""
    if subject.which:
        return f"{where} on {subject.period.label}"
    if subject.period.open:
        return where
    if subject.period.label.startswith(("since ", "until ")):
        return f"{where} {subject.period.label}"
    return f"{where} {'on' if subject.period.is_day else 'in'} {subject.period.label}"
