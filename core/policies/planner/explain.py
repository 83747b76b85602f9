"""The answer in plain English: what was found, how the question was read, what to keep in mind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treeline.core.policies.planner.contrasts import compared
from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.profiles import along_the_line
from treeline.core.policies.planner.ranking import over_time, ranking
from treeline.core.policies.planner.titles import short_title
from treeline.core.policies.planner.verdict import verdict_of
from treeline.core.policies.planner.wording import limit_of, listed, plain, unplaced, what_of, when_of

_MOST_ROWS = 40
_MOST_ALIKE = 5


def sentence(intent: Intent, finding: Finding, remarks: list[str]) -> str:
    """Return the answer in sentences."""
    if "each" in finding.facts:
        single = [sentence(replace(one, notes=()), found, []) for one, found in finding.facts["each"]]
        return " ".join([*single, *(note for note in (*intent.notes, *remarks) if note)])
    told = finding.facts.get("intent", intent)
    tell = _ranked if told.pick else _TELLERS[told.operation]
    if len(told.subjects) > 1 and not told.pick and told.operation != "correlation" and not over_time(told):
        tell = compared
    parts = [_of_ratio(told, tell(told, finding)), _chosen_date(intent, finding)]
    parts += [note for note in (*intent.notes, *remarks) if note]
    return " ".join(part for part in parts if part)


def _of_ratio(intent: Intent, text: str) -> str:
    """Return a sentence about the first of two variables as one about their ratio."""
    if not over_time(intent):
        return text
    above, below = (what_of(subject) for subject in intent.subjects)
    return text.replace(above, f"ratio of the {above} to the {below}", 1)


def _ranked(intent: Intent, finding: Finding) -> str:
    subject = intent.subjects[0]
    return ranking(intent, finding, subject if len(intent.subjects) == 1 else unplaced(subject))


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
    alike = [label for label, other in finding.rows if other == finding.value]
    first = listed(alike) if 1 < len(alike) <= _MOST_ALIKE else finding.label
    if len(alike) > _MOST_ALIKE:
        count += f"; {len(alike)} of them are alike in this"
    if intent.grouping == "date":
        when = f"{when_of(subject)} is {intent.direction} on {first}"
    else:
        when = f" is {intent.direction} in {first}"
    return f"The {what_of(subject)}{when}, with {value}{count}."


def _average_share(intent: Intent, finding: Finding) -> str:
    subject = intent.subjects[0]
    what, limit = what_of(subject), limit_of(intent.limit)
    if not finding.value:
        return f"On none of {finding.facts['dates']} dates{when_of(subject)} is the {what} {limit}."
    value = plain(finding.value, finding.unit)
    return f"The {what} is {value} on average over the dates{when_of(subject)} on which it is {limit}."


def _correlation(intent: Intent, finding: Finding) -> str:
    first, second = intent.subjects
    facts = finding.facts
    names = [short_title(s.role) for s in (first, second)]
    if first.role == second.role:
        names = [f"{name} of {s.period.label}" for name, s in zip(names, (first, second), strict=True)]
    when = when_of(first) if first.period == second.period else ""
    where = f" in {first.zone.name}" if first.zone else ""
    over = f"{facts['n']:,} {facts['of']}"
    over += f" of {facts['dates']} dates" if facts.get("dates", 1) > 1 else ""
    p = f", p = {facts['p']:.3g}" if "p" in facts else ""
    holds = verdict_of(intent, finding)
    verdict = "" if holds is None else "Yes: " if holds else "No: "
    lead = f"{verdict}the" if verdict else "The"
    return (
        f"{lead} correlation of {names[0]} and {names[1]}{where}{when} is r = {plain(finding.value)} "
        f"(Pearson, over {over}{p})."
    )


def _hotspots(intent: Intent, finding: Finding) -> str:
    subject, limit = intent.subjects[0], finding.facts["limit"]
    pixels = f"pixels {limit_of(limit)}" if limit else "hot spots"
    if finding.label not in ("north", "south", "east", "west"):
        return f"There are no {pixels} of {short_title(subject.role)}{when_of(subject)}."
    return (
        f"Most {pixels} of {short_title(subject.role)}{when_of(subject)} lie {finding.label} of the middle."
    )


def _count(intent: Intent, finding: Finding) -> str:
    subject = intent.subjects[0]
    facts = finding.facts
    share = f" ({plain(finding.value, '%')})" if finding.unit == "%" else ""
    number = facts["count"]
    which = f"the {what_of(subject)} is {limit_of(intent.limit)}"
    return f"On {number} of {facts['dates']} {intent.grouping}s{when_of(subject)}{share} {which}."


def _trend(intent: Intent, finding: Finding) -> str:
    subject, facts = intent.subjects[0], finding.facts
    slope = f"{finding.value:+.4g}" if finding.value is not None else "no value"
    through = f"{facts['dates']} {facts['of']}s"
    text = f"The {what_of(subject)}{when_of(subject)} changes by {slope} {finding.unit} "
    if "slope" not in facts:
        return f"{text}(Sen's slope over {through})."
    text += f"(straight line through {through}"
    text += f", intercept {plain(facts['intercept'])})" if facts.get("intercept") is not None else ")"
    sen = f"Sen's slope {plain(facts['sen'])} per step" if facts.get("sen") is not None else ""
    p = facts.get("p")
    if p is None:
        return f"{text}; {sen}." if sen else f"{text}."
    verdict = "is significant" if p < 0.05 else "is not significant"
    test = f"Mann-Kendall: {facts.get('trend')}, p = {p:.3g}"
    return f"{text}. The trend {verdict} ({', '.join(part for part in (test, sen) if part)})."


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
    "profile": along_the_line,
    "series": _series,
    "extreme": _extreme,
    "change": compared,
    "count": _count,
    "average_share": _average_share,
    "correlation": _correlation,
    "hotspots": _hotspots,
    "trend": _trend,
    "variation": _variation,
    "spikes": _spikes,
    "change_points": _change_points,
    "seasonality": _seasonality,
}
