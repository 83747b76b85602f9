"""What a long question names: variables, limits, methods, each with the place where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from treeline.core.query.inventory import Inventory
from treeline.core.query.largest.text import NUMBER, number
from treeline.toolkit.variables import VARIABLES

_SIGNS = (
    (r">=|≥|at least|no less than|not less than", "ge"),
    (r"<=|≤|at most|no more than|not more than", "le"),
    (
        (
            r">|greater than|higher than|more than|larger than|above|over|exceed(?:s|ed|"
            r"ing)?(?: a)?|surpass(?:es|ed|ing)?|warmer than|hotter than"
        ),
        "gt",
    ),
    (r"<|less than|lower than|smaller than|fewer than|below|under|colder than|cooler than", "lt"),
)
_SIGN = "|".join(pattern for pattern, _ in _SIGNS)
_AVERAGE = r"(?:[a-z'-]+ ){0,3}?(?:mean|average)\b"
_LIMIT = re.compile(
    rf"(?P<sign>{_SIGN})\s*(?:or equal to )?(?:the |a |an )?(?:limit |threshold |critical value )?(?:of )?"
    rf"(?P<number>{NUMBER})\s*(?P<unit>%|k\b|degc\b|degf\b|mm\b|m\b|ntu\b)?"
    rf"(?P<relative> of {_AVERAGE}| (?:of|times) (?:this|that|the) value| times {_AVERAGE})?"
)
_THRESHOLD = re.compile(
    rf"(?:threshold|limit|critical value) (?:value )?(?:of |is |= ?|: ?|"
    rf"at )?(?P<number>{NUMBER})\s*(?P<unit>k\b|degc\b)?(?![\d.]* ?%)"
)
_DEPARTURE = re.compile(
    rf"(?P<number>{NUMBER})\s*% (?P<sign>above|higher than|greater than|more than|below"
    rf"|lower than|less than) {_AVERAGE}"
)
_UNITS = {"%": "%", "k": "K", "degc": "degC", "degf": "degF", "mm": "mm", "m": "m"}
_FAR = 60


@dataclass(frozen=True, slots=True)
class Mention:
    """A variable that a question names, and where."""

    role: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LimitAt:
    """A limit that a question names.

    Attributes
    ----------
    role : str
        Of the variable that stands nearest before it; empty where none does.
    factor : float, optional
        Where the limit is relative to the mean: so many times it.
    """

    sign: str
    value: float
    unit: str
    role: str
    start: int
    end: int
    factor: float | None = None

    @property
    def is_share(self) -> bool:
        """Whether it limits a share of the ground, not a variable."""
        return self.unit == "%" and self.factor is None

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it another limit than the one before."""
        return (self.sign, self.value, self.unit, self.factor)


@cache
def _phrases() -> tuple[tuple[str, tuple[str, ...]], ...]:
    text = (Path(__file__).parent / "variables.yaml").read_text("utf-8")
    listed = yaml.load(text, yaml.CSafeLoader)
    return tuple((phrase, tuple(roles)) for phrases, roles in listed for phrase in phrases)


def variables_in(text: str, inventory: Inventory) -> list[Mention]:
    """Return the variables that a text names and that are there or can be made, in its order."""
    known = {holding.role for holding in inventory.holdings}
    words: dict[str, str] = {}
    for role in sorted(known):
        named = VARIABLES.get(role)
        for word in {
            role.replace("_", " "),
            role,
            *(named.words if named else ()),
            *((named.title.lower(),) if named else ()),
        }:
            if len(word) > 2:
                words.setdefault(word.lower(), role)
    for phrase, roles in _phrases():
        found = next((role for role in roles if role in known), None)
        if found is not None:
            words[phrase] = found
    plain = re.sub(r"[-_]", " ", text)
    taken: list[Mention] = []
    for word in sorted(words, key=len, reverse=True):
        shape = re.escape(re.sub(r"[-_]", " ", word))
        for match in re.finditer(rf"(?<![a-z]){shape}(?![a-z])", plain):
            if all(match.end() <= one.start or match.start() >= one.end for one in taken):
                taken.append(Mention(words[word], match.start(), match.end()))
    return sorted(taken, key=lambda one: one.start)


def limits_in(text: str, mentions: list[Mention]) -> list[LimitAt]:
    """Return the limits that a text names, each once, in its order."""
    found: list[LimitAt] = []
    for match in _DEPARTURE.finditer(text):
        up = match["sign"] in ("above", "higher than", "greater than", "more than")
        share = number(match["number"]) / 100
        found.append(_limit(match, "gt" if up else "lt", mentions, 1 + share if up else 1 - share))
    for match in _LIMIT.finditer(text):
        sign = next(name for pattern, name in _SIGNS if re.fullmatch(pattern, match["sign"]))
        factor = None
        if match["relative"]:
            factor = number(match["number"]) / (100 if match["unit"] == "%" else 1)
        found.append(_limit(match, sign, mentions, factor))
    for match in _THRESHOLD.finditer(text):
        found.append(_limit(match, "gt", mentions, None))
    apart: list[LimitAt] = []
    for one in found:
        if all(one.end <= other.start or one.start >= other.end for other in apart):
            apart.append(one)
    once: dict[tuple[object, ...], LimitAt] = {}
    for one in sorted(apart, key=lambda limit: limit.start):
        known = once.get(one.key)
        if known is None or (not known.role and one.role):
            once[one.key] = one
    return list(once.values())


def _limit(match: re.Match[str], sign: str, mentions: list[Mention], factor: float | None) -> LimitAt:
    groups = match.groupdict()
    unit = _UNITS.get((groups.get("unit") or "").strip(), "")
    before = [
        one
        for one in mentions
        if one.end <= match.start() + 1
        and match.start() - one.end < _FAR
        and not re.search(r"[.;?!] ", match.string[one.end : match.start()])
    ]
    role = before[-1].role if before else ""
    return LimitAt(sign, number(match["number"]), unit, role, match.start(), match.end(), factor)


_METHODS = (
    (r"split[- ]window", ("split window", "lst multi channel")),
    (r"single[- ]channel", ("lst single channel",)),
    (
        (r"\btes\b|temperature (?:and|&) emissivity separation|" r"temperature[- ]emissivity separation"),
        ("temperature emissivity separation",),
    ),
    (r"\bttm\b|three[- ]temperature", ("ttm lst",)),
    (r"day ?[-/–] ?night|day and night brightness|modis day\b", ("modis day night lst",)),
)


def methods_in(text: str, inventory: Inventory) -> list[str]:
    """Return the methods of retrieval that a text names and that there are, the best first."""
    found: list[str] = []
    for pattern, names in _METHODS:
        if re.search(pattern, text):
            found += [name for name in names if name in inventory.methods]
    return found
