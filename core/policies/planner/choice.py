"""Which of the options fits what was found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from core.policies.planner.findings import Finding
from core.policies.planner.intent import Intent
from core.policies.planner.moments import MONTH_NUMBER
from core.policies.planner.pictures import Seen
from core.policies.planner.text import NUMBER, normalised, number


def choose(intent: Intent, finding: Finding, choices: Sequence[str]) -> str | None:
    """Return the letter of the option that fits best, ``None`` where none can be told.

    An option's numbers are compared with those found, its dates with the date found, and its words
    of direction with the sign of the change.
    """
    if not choices:
        return None
    scores = [_score(intent, finding, normalised(choice)) for choice in choices]
    known = [score for score in scores if score is not None]
    if not known:
        return None
    best = max(known)
    return chr(ord("A") + scores.index(best))


def choose_seen(seen: Seen, choices: Sequence[str]) -> str | None:
    """Return the letter of the option that fits a ranking, coordinates or a number found in pictures."""
    if seen.rows:
        wanted = re.sub(r"\s", "", seen.ranking).lower()
        same = [i for i, choice in enumerate(choices) if re.sub(r"\s", "", choice).lower() == wanted]
        return chr(ord("A") + same[0]) if same else None
    values = [seen.value] if seen.value is not None else _flat(seen.boxes)
    if not values:
        return None
    distances = []
    for choice in choices:
        options = [number(match) for match in re.findall(NUMBER, normalised(choice).replace("m2", ""))]
        pairs = list(zip(values, options, strict=False))
        distances.append(
            sum(abs(a - b) for a, b in pairs) if len(pairs) == min(len(values), 2) or options else 1e18
        )
    return chr(ord("A") + distances.index(min(distances))) if distances else None


def _flat(boxes: Sequence[Any]) -> list[float]:
    return [float(v) for box in boxes for v in (box if isinstance(box, list | tuple) else [box])]


def _score(intent: Intent, finding: Finding, choice: str) -> float | None:
    parts = [
        part
        for part in (_dates(finding, choice), _numbers(intent, finding, choice), _words(finding, choice))
        if part is not None
    ]
    return sum(parts) if parts else None


def _numbers(intent: Intent, finding: Finding, choice: str) -> float | None:
    """Return minus the relative distance of the nearest of an option's numbers to each number found."""
    without_dates = re.sub(r"\d{4}-\d\d?(?:-\d\d?)?|\b(?:19|20)\d\d\b", " ", choice)
    options = [number(match) for match in re.findall(NUMBER, without_dates)]
    if not options:
        return None
    wanted = _wanted(finding)
    if not wanted:
        return None
    signed = any(option < 0 for option in options) or "+" in choice
    total = 0.0
    for target in wanted[: len(options)]:
        total += min(_distance(target, option, signed, _falls(choice)) for option in options)
    return -min(total, 50.0)


def _wanted(finding: Finding) -> list[float]:
    facts = finding.facts
    candidates = [
        finding.value,
        facts.get("percent"),
        facts.get("intercept"),
        facts.get("p"),
        facts.get("first"),
        facts.get("second"),
    ]
    return [float(c) for c in candidates if isinstance(c, int | float)]


def _distance(target: float, option: float, signed: bool, falls: bool) -> float:
    compared = target if signed else (abs(target))
    chosen = option if signed else abs(option)
    if falls and not signed and target > 0:
        chosen = -chosen
    scale = max(abs(compared), abs(chosen), 1e-12)
    return min(abs(compared - chosen) / scale, 2.0)


def _falls(choice: str) -> bool:
    return re.search(r"decreas|declin|drop|fell|reduc|lower by", choice) is not None


def _dates(finding: Finding, choice: str) -> float | None:
    if not finding.label:
        return None
    label = finding.label.lower()
    if re.fullmatch(r"\d{4}-\d\d-\d\d.*", label):
        year, month, day = (int(part) for part in label[:10].split("-"))
        names = "|".join(name for name, n in MONTH_NUMBER.items() if n == month)
        pattern = rf"{label[:10]}|\b(?:{names})\.? 0?{day}\b(?!\d)|\b0?{day}(?:st|nd|rd|th)? (?:{names})\b"
    else:
        pattern = rf"\b{re.escape(label)}\b"
    return 3.0 if re.search(pattern, choice) else -3.0


def _words(finding: Finding, choice: str) -> float | None:
    facts = finding.facts
    if "trend" in facts:
        significant = isinstance(facts.get("p"), float) and facts["p"] < 0.05
        nothing = re.search(
            r"no (?:significant )?trend|non-significant|not significant|stable|unchanged|no change", choice
        )
        if nothing:
            return 1.0 if not significant else -1.0
        if "significant" in choice and not significant:
            return -1.0
    if finding.value is None:
        return None
    rising = re.search(r"increas|ris(?:e|ing)|grow|warmer|higher|gain|upward", choice)
    falling = re.search(r"decreas|declin|drop|fell|reduc|lower|loss|cooler|downward", choice)
    if not (rising or falling) or (rising and falling):
        return None
    fits = finding.value > 0 if rising else finding.value < 0
    return 1.0 if fits else -1.0
