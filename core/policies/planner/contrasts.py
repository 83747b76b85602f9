"""Numbers that are set against each other, in sentences."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.titles import short_title
from treeline.core.policies.planner.verdict import verdict_of
from treeline.core.policies.planner.wording import listed, plain, unplaced, what_of, when_of
from treeline.core.policies.planner.zones import ZONE


def compared(intent: Intent, finding: Finding) -> str:
    """Return the numbers of several subjects in a sentence, and how far they are apart.

    A question such as "Was A warmer than B?" is answered by yes or no first.
    """
    text = _compared(intent, finding)
    holds = verdict_of(intent, finding)
    if holds is None:
        return text
    return f"{'Yes' if holds else 'No'}: {text[0].lower()}{text[1:]}"


def _compared(intent: Intent, finding: Finding) -> str:
    units = finding.facts.get("units") or (finding.unit,) * len(finding.rows)
    rows = [
        f"{plain(value, u) if value is not None else 'without a valid pixel'} ({label})"
        for (label, value), u in zip(finding.rows, units, strict=True)
    ]
    subject = intent.subjects[0]
    if len({s.zone for s in intent.subjects}) > 1:
        subject = unplaced(subject)
    if "ratio" in finding.facts:
        return _ratio(intent, finding)
    if "units" in finding.facts:
        named = [
            f"the {what_of(s)} is {plain(v, u)}"
            for s, (_, v), u in zip(intent.subjects, finding.rows, units, strict=True)
        ]
        text = listed(named)
        span = f": a range of {plain(finding.value, finding.unit)}" if finding.value is not None else ""
        return f"{text[0].upper()}{text[1:]}{when_of(subject)}{span}."
    what = "number of dates" if intent.operation == "count" else what_of(subject)
    alike = len({(s.statistic, s.role, s.threshold, s.conditions) for s in intent.subjects}) == 1
    when = "" if len({s.period for s in intent.subjects}) > 1 else when_of(replace(subject, place=""))
    lead = (
        f"The {what}{when} is" if alike else f"{subject.statistic.capitalize()} {short_title(subject.role)}:"
    )
    if all(s.name for s in intent.subjects):
        lead = f"The {what_of(replace(subject, role=ZONE))}{when} is"
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


def _ratio(intent: Intent, finding: Finding) -> str:
    subjects, units = intent.subjects, finding.facts["units"]
    alike = len({(s.statistic, s.role, s.threshold, s.conditions) for s in subjects}) == 1
    names = [label if alike else what_of(s) for s, (label, _) in zip(subjects, finding.rows, strict=True)]
    values = [plain(value, unit) for (_, value), unit in zip(finding.rows, units, strict=True)]
    upper, lower = finding.facts["ratio"]
    when = "" if subjects[0].period != subjects[1].period else when_of(subjects[0])
    what = f" of the {what_of(subjects[0])}" if alike else ""
    return (
        f"The ratio{what}{when}, {names[upper]} to {names[lower]}, is {plain(finding.value, finding.unit)} "
        f"({values[upper]} to {values[lower]})."
    )


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
    if first.period.without:
        return False
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
