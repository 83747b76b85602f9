"""Numbers in the order of their size."""

from __future__ import annotations

from dataclasses import replace

from core.policies.planner.findings import Finding
from core.policies.planner.intent import Intent, Subject
from core.policies.planner.wording import listed, plain, what_of, when_of

_MOST = 40
_OF_SIZE = {"highest": "largest", "lowest": "smallest"}


def ranked(intent: Intent, finding: Finding) -> Finding:
    """Return a finding with its rows in the order that the question wants, the first being the answer."""
    if not intent.pick:
        return finding
    sign = 1.0 if intent.direction == "lowest" else -1.0
    known = [(label, value) for label, value in finding.rows if value is not None]
    rows = tuple(sorted(known, key=lambda row: sign * row[1]))
    label, value = rows[0]
    return replace(finding, value=value, label=label, rows=rows)


def ranking(intent: Intent, finding: Finding, subject: Subject) -> str:
    """Return ranked numbers in a sentence."""
    rows = finding.rows[: intent.top or _MOST]
    told = [f"{label} ({plain(value, finding.unit)})" for label, value in rows]
    what = f"{what_of(subject)}{when_of(subject)}"
    among = f", of {len(finding.rows)}" if len(finding.rows) > len(rows) else ""
    extreme = (
        _OF_SIZE[intent.direction] if subject.statistic in ("area", "share", "pixels") else intent.direction
    )
    if len(rows) == 1:
        return f"The {what} is {extreme} in {told[0]}{among}."
    return f"The {what} is {extreme} in {told[0]}, then {listed(told[1:])}{among}."
