"""The answer in plain English: what was found, how the question was read, what to keep in mind."""

from __future__ import annotations

import math
from collections.abc import Callable

from core.policies.planner.findings import Finding
from core.policies.planner.intent import Intent, Subject, Threshold
from core.policies.planner.measured import describe
from core.policies.planner.titles import short_title

_STATISTICS = {
    "mean": "mean", "median": "median", "min": "minimum", "max": "maximum", "std": "standard deviation of",
    "sum": "sum of", "skewness": "skewness of", "kurtosis": "kurtosis of",
}  # fmt: skip
_MOST_ROWS = 40


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
    shown = {"1": "", "degC": "\u00b0C", "degF": "\u00b0F", "%": " %"}.get(unit, f" {unit}" if unit else "")
    return f"{text}{' ' if shown.startswith(chr(176)) else ''}{shown}"


def listed(parts: list[str]) -> str:
    """Return parts as a list in a sentence: a, b and c."""
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def sentence(intent: Intent, finding: Finding, remarks: list[str]) -> str:
    """Return the answer in sentences."""
    told = finding.facts.get("intent", intent)
    tell = _compared if len(told.subjects) > 1 else _TELLERS[told.operation]
    parts = [tell(told, finding), _chosen_date(intent, finding)]
    parts += [note for note in (*intent.notes, *remarks) if note]
    return " ".join(part for part in parts if part)


def _chosen_date(intent: Intent, finding: Finding) -> str:
    """Tell why that date was taken."""
    if intent.chosen_by is None:
        return ""
    by, choice = intent.chosen_by, finding.facts["on"]
    size = plain(choice.value, choice.unit)
    return f"That is the date on which the {what_of(by.subjects[0])} is {by.direction} ({size})."


def declined(reason: str, needed: str) -> str:
    """Return why there is no answer and what it would need."""
    return " ".join(part for part in (reason, needed) if part)


def what_of(subject: Subject) -> str:
    """Return what is measured, without when: ``mean NDVI``."""
    role = short_title(subject.role)
    if subject.statistic == "percentile":
        text = f"{subject.percentile:g}th percentile of {role}"
    elif subject.statistic in ("share", "area", "pixels"):
        kind = {"share": "share of the area", "area": "area", "pixels": "number of pixels"}[subject.statistic]
        limits = [(role, subject.threshold)] if subject.threshold else []
        limits += [(short_title(c.role), c.threshold) for c in subject.conditions]
        text = f"{kind} with {listed([f'{name} {_limit(limit)}' for name, limit in limits])}"
        if not limits:
            text = f"{kind} of {role}"
        if subject.role == "cloud_mask" and subject.statistic == "share":
            text = "cloud cover"
        return text
    else:
        text = f"{_STATISTICS[subject.statistic]} {role}"
    if subject.conditions:
        text += f" where {listed([describe(c) for c in subject.conditions])}"
    return text


def _limit(threshold: Threshold | None) -> str:
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
    return f"{where} {'on' if subject.period.is_day else 'in'} {subject.period.label}"


def _value(intent: Intent, finding: Finding) -> str:
    subject = intent.subjects[0]
    how = f" ({finding.facts['how']}, {finding.facts['dates']} dates)" if finding.facts.get("how") else ""
    text = f"he {what_of(subject)}{when_of(subject)} is {plain(finding.value, finding.unit)}{how}."
    verdict = finding.facts.get("passes")
    return f"T{text}" if verdict is None else f"{'Yes' if verdict else 'No'}: t{text}"


def _series(intent: Intent, finding: Finding) -> str:
    subject = intent.subjects[0]
    rows = [f"{label}: {plain(value, finding.unit)}" for label, value in finding.rows]
    told = "; ".join(rows[:_MOST_ROWS])
    more = f"; and {len(rows) - _MOST_ROWS} more" if len(rows) > _MOST_ROWS else ""
    return f"The {what_of(subject)} per {intent.grouping}{when_of(subject)}: {told}{more}."


def _extreme(intent: Intent, finding: Finding) -> str:
    subject = intent.subjects[0]
    if intent.extremes_of == "change":
        kind = "rise" if intent.direction == "highest" else "fall"
        size = plain(finding.value, finding.unit)
        return f"The largest {kind} of the {what_of(subject)} is from {finding.label}: {size}."
    measured = [value for _, value in finding.rows if value is not None]
    count = f", among {len(measured)} {intent.grouping}s"
    if "apart" in finding.facts:
        values = " and ".join(f"{plain(v, finding.unit)} in {label}" for label, v in finding.rows)
        apart = plain(finding.facts["apart"], finding.unit)
        return f"The {what_of(subject)} is {values}: {intent.direction} in {finding.label}, {apart} apart."
    value = plain(finding.value, finding.unit)
    if intent.grouping == "date":
        when = f"{when_of(subject)} is {intent.direction} on {finding.label}"
    else:
        when = f" is {intent.direction} in {finding.label}"
    return f"The {what_of(subject)}{when}, with {value}{count}."


def _compared(intent: Intent, finding: Finding) -> str:
    units = finding.facts.get("units") or (finding.unit,) * len(finding.rows)
    rows = [f"{plain(value, u)} ({label})" for (label, value), u in zip(finding.rows, units, strict=True)]
    subject = intent.subjects[0]
    if "units" in finding.facts:
        named = [
            f"the {what_of(s)} is {plain(v, u)}"
            for s, (_, v), u in zip(intent.subjects, finding.rows, units, strict=True)
        ]
        text = listed(named)
        return f"{text[0].upper()}{text[1:]}{when_of(subject)}."
    what = "number of dates" if intent.operation == "count" else what_of(subject)
    alike = len({(s.statistic, s.role, s.threshold, s.conditions) for s in intent.subjects}) == 1
    lead = f"The {what} is" if alike else f"{subject.statistic.capitalize()} {short_title(subject.role)}:"
    text = f"{lead} {listed(rows)}"
    if intent.only_percent and finding.unit == "%" and "percent" in finding.facts:
        both = " and ".join(_in(label, value, finding) for label, value in finding.rows)
        return f"{lead} {both}: {_change_word(intent)} of {finding.value:+.2f} %."
    if finding.value is not None:
        percent = finding.facts.get("percent")
        relative = f", or {percent:+.2f} %" if percent is not None else ""
        sign = "+" if finding.value > 0 and not intent.absolute else ""
        text += f": {_change_word(intent)} of {sign}{_apart(finding)}{relative}{_which_way(intent, finding)}"
    how = f" ({finding.facts['how']})" if finding.facts.get("how") else ""
    return f"{text}{how}.{_higher(finding)}"


def _higher(finding: Finding) -> str:
    """Say which of two is the higher."""
    known = [(value, label) for label, value in finding.rows if value is not None]
    if len(known) != 2 or known[0][0] == known[1][0]:
        return ""
    return f" The higher is {max(known)[1]}."


def _in(label: str, value: float | None, finding: Finding) -> str:
    return f"{plain(value, finding.facts['unit'])} ({label})"


def _apart(finding: Finding) -> str:
    """Return a difference with its unit; of percentages it is one of percentage points."""
    unit = " percentage points" if finding.unit == "%" else ""
    return plain(finding.value, "ha" if unit else finding.unit).removesuffix(" ha") + unit


def _change_word(intent: Intent) -> str:
    return "a change" if _forward(intent) else "a difference"


def _forward(intent: Intent) -> bool:
    """Return whether the subjects go from an earlier to a later time."""
    first, last = intent.subjects[0], intent.subjects[-1]
    if first.which or last.which:
        return first.which == "first" or last.which == "last"
    if first.period == last.period:
        return False
    begins, ends = first.period.first, last.period.first
    return begins is None or ends is None or begins <= ends


def _which_way(intent: Intent, finding: Finding) -> str:
    """Say what was taken from what, where that is not the earlier from the later."""
    labels = [label for label, _ in finding.rows]
    if intent.absolute or _forward(intent) or len(labels) != 2 or any(map(_is_clause, labels)):
        return ""
    first, last = intent.subjects
    over_time = first.period != last.period or first.which != last.which
    return " ({} less {})".format(*(labels[::-1] if over_time else labels))


def _is_clause(label: str) -> bool:
    return label.startswith("where ")


def _count(intent: Intent, finding: Finding) -> str:
    subject = intent.subjects[0]
    facts = finding.facts
    share = f" ({plain(finding.value, '%')})" if finding.unit == "%" else ""
    number = facts["count"]
    which = f"the {what_of(subject)} is {_limit(intent.limit)}"
    return f"On {number} of {facts['dates']} {intent.grouping}s{when_of(subject)}{share} {which}."


def _trend(intent: Intent, finding: Finding) -> str:
    subject, facts = intent.subjects[0], finding.facts
    slope = f"{finding.value:+.4g}" if finding.value is not None else "no value"
    text = (
        f"The {what_of(subject)}{when_of(subject)} changes by {slope} {finding.unit} "
        f"(straight line through {facts['dates']} {intent.grouping}s"
    )
    text += f", intercept {plain(facts['intercept'])})" if facts.get("intercept") is not None else ")"
    p = facts.get("p")
    if p is None:
        return text + "."
    verdict = "is significant" if p < 0.05 else "is not significant"
    sen = f", Sen's slope {plain(facts['sen'])} per step" if facts.get("sen") is not None else ""
    return f"{text}. The trend {verdict} (Mann-Kendall: {facts.get('trend')}, p = {p:.3g}{sen})."


def _variation(intent: Intent, finding: Finding) -> str:
    what = what_of(intent.subjects[0])
    over = f"{finding.facts['dates']} {intent.grouping}s"
    return f"The coefficient of variation of the {what} over {over} is {plain(finding.value)}."


def _spikes(intent: Intent, finding: Finding) -> str:
    times = f"{plain(finding.value)} times in {finding.facts['dates']} dates"
    return f"The {what_of(intent.subjects[0])} rises suddenly {times}."


def _change_points(intent: Intent, finding: Finding) -> str:
    what = what_of(intent.subjects[0])
    if not finding.rows:
        return f"The level of the {what} does not change abruptly in {finding.facts['dates']} dates."
    return f"The level of the {what} changes at {', '.join(label for label, _ in finding.rows)}."


def _seasonality(intent: Intent, finding: Finding) -> str:
    what = what_of(intent.subjects[0])
    if finding.value is None:
        return f"The {what} shows no cycle: {finding.label}."
    return f"The {what} repeats after {plain(finding.value)} dates."


_TELLERS: dict[str, Callable[[Intent, Finding], str]] = {
    "value": _value,
    "series": _series,
    "extreme": _extreme,
    "change": _compared,
    "count": _count,
    "trend": _trend,
    "variation": _variation,
    "spikes": _spikes,
    "change_points": _change_points,
    "seasonality": _seasonality,
}
