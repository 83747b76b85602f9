"""Which of the options fits what was found."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.moments import MONTH_NUMBER
from treeline.core.policies.planner.pictures import Seen
from treeline.core.policies.planner.text import NUMBER, normalised, number


def choose(finding: Finding, choices: Sequence[str], verdict: bool | None = None) -> str | None:
    """Return the letter of the option that fits best, ``None`` where none can be told.

    Yes and no are the verdict, a range of numbers fits what lies in it. Otherwise an option's numbers are
    compared with those found, its dates with the date found, and its words of direction with the sign of
    the change.
    """
    if not choices:
        return None
    plain = [_without_letter(normalised(choice)) for choice in choices]
    certain = _by_verdict(plain, verdict) if verdict is not None else _by_range(plain, finding)
    if certain is not None:
        return chr(ord("A") + certain)
    if finding.unit == "1" and finding.value is not None and all(re.search(r"\d ?%", c) for c in plain):
        finding = replace(finding, value=100.0 * finding.value, unit="%", facts={})
    numbers = Numbers.of(plain)
    scores = [_score(finding, choice, numbers) for choice in plain]
    known = [score for score in scores if score is not None]
    if not known:
        return None
    best = max(known)
    return chr(ord("A") + scores.index(best))


def far_from_all(finding: Finding, choices: Sequence[str]) -> bool:
    """Return whether every option's number is further from the number found than the options lie apart."""
    rows = [_read(_without_letter(normalised(choice))) for choice in choices]
    if finding.label or finding.value is None or len(choices) < 2 or any(len(row) != 1 for row in rows):
        return False
    options = [row[0] for row in rows]
    found = [v for v in (finding.value, finding.facts.get("percent")) if isinstance(v, int | float)]
    found += [100.0 * v for v in found if finding.unit == "1"]
    span = max(options) - min(options)
    return all(abs(abs(v) - abs(option)) > span for v in found for option in options)


def _without_letter(choice: str) -> str:
    return re.sub(r"^\(?[a-h][).:] +", "", choice)


def _by_verdict(choices: Sequence[str], verdict: bool) -> int | None:
    """Return the only option that begins with yes, or no."""
    wanted = r"(?:yes|true)\b" if verdict else r"(?:no|false)\b"
    fitting = [i for i, choice in enumerate(choices) if re.match(wanted, choice)]
    return fitting[0] if len(fitting) == 1 else None


def _by_range(choices: Sequence[str], finding: Finding) -> int | None:
    """Return the only option whose range holds the number found, where the options are ranges."""
    ranges = [_range(choice) for choice in choices]
    if finding.value is None or finding.label or sum(r is not None for r in ranges) < 2:
        return None
    fitting = [i for i, r in enumerate(ranges) if r is not None and r[0] <= finding.value <= r[1]]
    return fitting[0] if len(fitting) == 1 else None


def _range(choice: str) -> tuple[float, float] | None:
    """Return the ends of "5-10", "fewer than 5", "more than 20"; an end that does not belong is moved."""
    plain = re.sub(r"\b(?:pixels|dates|days|scenes|images|ha|km2|degc|k|m)\b|%", "", choice).strip(" .~")
    both = re.fullmatch(
        rf"(?:between |from )?({NUMBER})\s*(?:-|to|and)\s*({NUMBER})",
        re.sub(r"(?<=\d) *- *(?=\d)", " to ", plain),
    )
    if both:
        return number(both[1]), number(both[2])
    one = re.fullmatch(rf"(?P<w>[a-z<>= ]*?)\s*(?P<n>{NUMBER})(?P<o> or (?:more|less|fewer))?", plain)
    if one is None:
        return None
    value, word = number(one["n"]), f"{one['w']}{one['o'] or ''}"
    if re.search(r"or more|at least|>=", word):
        return value, math.inf
    if re.search(r"or (?:less|fewer)|at most|<=|up to", word):
        return -math.inf, value
    if re.search(r"(?:more|greater|higher) than|above|over|>", word):
        return math.nextafter(value, math.inf), math.inf
    if re.search(r"(?:less|fewer|lower) than|below|under|<", word):
        return -math.inf, math.nextafter(value, -math.inf)
    return None


def unit_of(choices: Sequence[str]) -> str:
    """Return the unit of temperature that all options are given in; empty where they have none."""
    plain = [normalised(choice) for choice in choices]
    return "degC" if plain and all("degc" in choice for choice in plain) else ""


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


def _score(finding: Finding, choice: str, numbers: Numbers) -> float | None:
    parts = [
        part
        for part in (_dates(finding, choice), _numbers(finding, choice, numbers), _words(finding, choice))
        if part is not None
    ]
    return sum(parts) if parts else None


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the numbers of all options have in common.

    Attributes
    ----------
    spans : tuple of float
        How far the options' first, second, ... numbers lie apart; 0 where they are all the same.
    signed : bool
        One of them bears a sign.
    """

    spans: tuple[float, ...]
    signed: bool

    @classmethod
    def of(cls, choices: Sequence[str]) -> Numbers:
        """Return what normalised options have in common."""
        rows = [_read(choice) for choice in choices]
        columns = [column for column in zip_longest(*rows) if column]
        known = [[value for value in column if value is not None] for column in columns]
        signed = any(value < 0 for row in rows for value in row) or any(
            re.search(r"(?<!\w)\+ ?\d", choice) for choice in choices
        )
        return cls(tuple(max(column) - min(column) for column in known), signed)

    def span(self, position: int, *values: float) -> float:
        """Return what a distance is compared with: the span, or the size of the values without one."""
        span = self.spans[position] if position < len(self.spans) else 0.0
        return span or max(*(abs(value) for value in values), 1e-12)


def _read(choice: str) -> list[float]:
    """Return the numbers of an option that are no dates; a hyphen between two numbers is no sign."""
    plain = re.sub(r"\d{4}-\d\d?(?:-\d\d?)?|\b(?:19|20)\d\d\b(?!\.\d)", " ", choice)
    plain = re.sub(r"(?<=[\d%]) ?-(?=\d)", " to ", plain)
    return [number(match) for match in re.findall(NUMBER, plain)]


def _numbers(finding: Finding, choice: str, numbers: Numbers) -> float | None:
    """Return minus the distance of the nearest of an option's numbers to each number found."""
    options = _read(choice)
    wanted = _wanted(finding)
    if not options or not wanted:
        return None
    total = 0.0
    for target in wanted[: len(options)]:
        total += min(
            _distance(target, option, numbers.span(position, target, option), numbers.signed, _falls(choice))
            for position, option in enumerate(options)
        )
    return -total


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


def _distance(target: float, option: float, span: float, signed: bool, falls: bool) -> float:
    """Return how far two numbers are apart in spans of the options: 0 to 2."""
    compared = target if signed else abs(target)
    chosen = -abs(option) if falls and (signed or target > 0) else option if signed else abs(option)
    apart = abs(compared - chosen) / span
    # Far beyond all options the nearest must still win, but one number not outweigh the others.
    return 2.0 * apart / (1.0 + apart)


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
