"""Numbers in the order of their size."""

from __future__ import annotations

import re
from dataclasses import replace

from treeline.core.policies.planner import cues
from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent, Subject
from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.policies.planner.text import Reading
from treeline.core.policies.planner.wording import listed, plain, what_of, when_of

_MOST = 40
_OF_SIZE = {"highest": "largest", "lowest": "smallest"}


def over_time(intent: Intent) -> bool:
    """Return whether the ratio of two variables is followed through the dates."""
    timeless = intent.operation in ("value", "change", "count", "correlation", "hotspots", "average_share")
    return bool(intent.ratio) and len(intent.subjects) == 2 and not timeless and not intent.each


def ranked(intent: Intent, finding: Finding) -> Finding:
    """Return a finding with its rows in the order that the question wants, the first being the answer."""
    if not intent.pick:
        return finding
    sign = 1.0 if intent.direction == "lowest" else -1.0
    known = [(label, value) for label, value in finding.rows if value is not None]
    rows = tuple(sorted(known, key=lambda row: sign * row[1]))
    if len(rows) < intent.nth:
        raise CannotAnswer(f"There are only {len(rows)} to rank.")
    label, value = rows[intent.nth - 1]
    return replace(finding, value=value, label=label, rows=rows)


def ranking(intent: Intent, finding: Finding, subject: Subject) -> str:
    """Return ranked numbers in a sentence."""
    rows = finding.rows[: intent.top or _MOST]
    if intent.nth > 1:
        return _at_place(intent, finding, subject)
    told = [f"{label} ({plain(value, finding.unit)})" for label, value in rows]
    what = f"{what_of(subject)}{when_of(subject)}"
    among = f", of {len(finding.rows)}" if len(finding.rows) > len(rows) else ""
    extreme = (
        _OF_SIZE[intent.direction] if subject.statistic in ("area", "share", "pixels") else intent.direction
    )
    at = "on" if intent.grouping == "date" and not intent.each else "in"
    if len(rows) == 1:
        return f"The {what} is {extreme} {at} {told[0]}{among}."
    return f"The {what} is {extreme} {at} {told[0]}, then {listed(told[1:])}{among}."


def _at_place(intent: Intent, finding: Finding, subject: Subject) -> str:
    """Return the one at a place of the ranking in a sentence, with those before it."""
    ahead = [f"{label} ({plain(value, finding.unit)})" for label, value in finding.rows[: intent.nth - 1]]
    size = plain(finding.value, finding.unit)
    what = f"{what_of(subject)}{when_of(subject)}"
    ordinal = next(word for word, place in _PLACES.items() if place == intent.nth)
    place = f"the {ordinal} {intent.direction} of {len(finding.rows)}"
    return f"The {what} of {finding.label} is {size}: {place}, after {listed(ahead)}."


_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_PLACES = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}
_SUPERLATIVE = r"(?:\w+est|most|least|best|worst)"
_TIMES = r"(?:dates|days|months|years|seasons|scenes|images|acquisitions|classes|polygons|regions)"


def read_ranking(reading: Reading) -> tuple[bool, int, int]:
    """Return whether a ranking is asked for, how many of it, and which place of it."""
    number = rf"(?:{'|'.join(_COUNTS)}|[2-9]|[1-4]\d)"
    top = re.search(
        rf"\b(?P<a>{number}) {_SUPERLATIVE}\b"
        rf"|\b(?P<b>{number}) (?:\w+ )?{_TIMES}\b[^?;]*\b{_SUPERLATIVE}\b"
        rf"|\btop[- ](?P<c>{number})\b",
        reading.timeless,
    )
    if reading.has(cues.CHANGE_EXTREME):
        return False, 0, 1
    place = re.search(rf"\b(?P<p>{'|'.join(_PLACES)})[- ]{_SUPERLATIVE}\b", reading.text)
    asked = reading.has(r"\b(?:rank(?:ed|ing)?|sort(?:ed)?|(?:de|a)scending)\b")
    if place:
        return True, 0, _PLACES[place["p"]]
    if top:
        word = top["a"] or top["b"] or top["c"]
        return True, _COUNTS.get(word) or int(word), 1
    return asked, 0, 1
