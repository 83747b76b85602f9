"""Numbers as questions write them, with their units; percentiles, ordinals, numbers in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treeline.core.query.expression import Number, Place
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Ordinal
from treeline.core.query.phrases.values import Amount, Stat, Stats

_UNITS: dict[str, tuple[str, ...]] = {
    "%": ("%", "per cent", "percent", "pct", "percentage points"),
    "degC": ("°c", "degc", "deg c", "degrees celsius", "degree celsius", "degrees c", "celsius", "c"),
    "degF": ("°f", "degrees fahrenheit", "fahrenheit", "f"),
    "K": ("k", "kelvin", "kelvins"),
    "degree": ("°", "degrees", "degree", "deg"),
    "ha": ("ha", "hectares", "hectare"),
    "km2": ("km2", "km²", "km^2", "sq km", "square kilometres", "square kilometers", "sqkm"),
    "m2": ("m2", "m²", "m^2", "sq m", "square metres", "square meters", "sqm"),
    "acre": ("acres", "acre"),
    "m": ("m", "metres", "meters", "metre", "meter", "m a.s.l.", "m asl", "masl", "m above sea level"),
    "km": ("km", "kilometres", "kilometers", "kilometre", "kilometer"),
    "ft": ("ft", "feet"),
    "dB": ("db", "decibels", "decibel"),
    "days": ("days", "day"),
    "mm": ("mm", "millimetres", "millimeters"),
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words}
_UNIT = "|".join(re.escape(word) for word in sorted(_UNIT_OF, key=len, reverse=True))
_NUMBER = r"(?P<number>[-−–+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:[.]\d+)?|[-−–+]?\.\d+|[-−–+]?\d+,\d{1,2}(?!\d))"
_WITH_UNIT = re.compile(rf"{_NUMBER}(?:\s*-?\s*(?P<unit>{_UNIT})(?![\w²]))?(?![\w.,]*\d)(?![a-z])")
_PERCENTILE = re.compile(
    r"(?P<a>\d{1,2}(?:\.\d+)?)(?:st|nd|rd|th|\s*%)?[\s-]*(?:percentiles?|centiles?|pctl|%ile)\b"
    r"|percentile\s+(?P<b>\d{1,2})\b|p(?P<c>\d{1,2})\b"
    r"|0?\.(?P<q>\d{1,3})[\s-]*quantile\b|quantile\s+(?:of\s+)?0?\.(?P<r>\d{1,3})\b"
    r"|(?P<s>\d{1,2})\s*(?:%|per cent|percent)[\s-]*quantile\b"
)
_PERCENTILES = re.compile(
    r"percentiles?\s*:?\s+\d{1,2}(?:th)?(?:\s*(?:,\s*(?:and\s+)?|and\s+|/\s*)p?\d{1,2}(?:th)?(?![\d.]|th\b))+"
)
_RANKS = {
    "fifth": 5, "tenth": 10, "twentieth": 20, "twenty-fifth": 25, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "seventy-fifth": 75, "eightieth": 80, "ninetieth": 90,
    "ninety-fifth": 95, "ninety-eighth": 98, "ninety-ninth": 99,
}  # fmt: skip
_RANK_NAMES = "|".join(sorted(_RANKS, key=len, reverse=True))
_RANK_IN_WORDS = re.compile(rf"(?P<word>{_RANK_NAMES})(?:[\s-]+(?P<called>percentiles?))?\b")
_ORDINAL = re.compile(r"(?P<n>\d{1,2})(?:st|nd|rd|th)\b")
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "zero": 0, "half": 0,
}  # fmt: skip
_WORD_NAMES = "|".join(word for word in _WORDS if word != "half")
# Of units as they are written beside a number in words.
_UNIT_NAMES = "|".join(word for word in _UNIT.split("|") if word.isalpha() and len(word) > 4) + "|%|per cent"
_WORD = re.compile(rf"(?P<word>{_WORD_NAMES})(?:[\s-]*(?P<unit>{_UNIT_NAMES}))?\b")

Found = tuple[int, tuple[Phrase, ...]]


_COORDINATE = re.compile(
    r"(?:lat(?:itude)?\s*[=:]?\s*)?(?P<lat>-?\d{1,2}(?:\.\d+)?)\s*°?\s*(?P<ns>[ns])?\s*(?:,|and)?\s*"
    r"(?:lon(?:gitude)?\s*[=:]?\s*)?(?P<lon>-?\d{1,3}(?:\.\d+)?)\s*°?\s*(?P<ew>[ew])?\b"
)


_LONGITUDE_FIRST = re.compile(
    r"lon(?:gitude)?\s*[=:]?\s*(?P<lon>-?\d{1,3}(?:\.\d+)?)\s*°?\s*(?:,|and)?\s*"
    r"lat(?:itude)?\s*[=:]?\s*(?P<lat>-?\d{1,2}(?:\.\d+)?)\s*°?(?P<ns>)(?P<ew>)(?![\w.])"
)


_EAST_FIRST = re.compile(
    r"(?P<lon>-?\d{1,3}(?:\.\d+)?)\s*°?\s*(?P<ew>[ew])\s*(?:,|and)?\s*"
    r"(?P<lat>-?\d{1,2}(?:\.\d+)?)\s*°?\s*(?P<ns>[ns])\b"
)


_DECIMAL = r"-?\d+(?:\.\d+)?"
_ON_MAP = re.compile(
    rf"(?:x|easting|e)\s*[=:]?\s*(?P<x>{_DECIMAL})\s*m?\s*(?:,|;|and|/)?\s*"
    rf"(?:y|northing|n)\s*[=:]?\s*(?P<y>{_DECIMAL})(?:\s*m\b)?(?![\w.])"
)
_LARGE = re.compile(
    r"(?P<x>\d{6,7}(?:\.\d+)?)(?:\s*m?\s*e(?:ast)?\b\s*[,;/]?|\s*[,;/])\s*"
    r"(?P<y>\d{6,7}(?:\.\d+)?)(?:\s*m?\s*n(?:orth)?\b)?(?![\w.]|,\d)"
)
# The reference system that coordinates are in, where it is said.
_SYSTEM = re.compile(
    r"\s*,?\s*(?P<open>\()?\s*(?:in\s+)?"
    r"(?:utm\s*(?:zone\s*)?(?P<zone>\d{1,2})\s*(?P<half>[ns])|epsg[:\s]*(?P<code>\d{4,6}))\b(?(open)\s*\))"
)


def coordinate_at(text: str, start: int) -> Found | None:
    """Return where a pair of coordinates that starts here ends, and the point that it is.

    Both need a letter or a name, so that two plain numbers are never taken for a point, unless they are as
    large as only map coordinates are.
    """
    on_map = _ON_MAP.match(text, start) or _LARGE.match(text, start)
    if on_map is not None:
        return _point_on_map(text, on_map)
    match = next(filter(None, (way.match(text, start) for way in _IN_DEGREES)), None)
    if match is None:
        return None
    named = match[0].startswith("l") and "lon" in match[0]
    if not named and not (match["ns"] and match["ew"]):
        return None
    latitude = float(match["lat"]) * (-1 if match["ns"] == "s" else 1)
    longitude = float(match["lon"]) * (-1 if match["ew"] == "w" else 1)
    if abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return match.end(), (Mask(Place("point", (repr(longitude), repr(latitude)))),)


_IN_DEGREES = (_LONGITUDE_FIRST, _EAST_FIRST, _COORDINATE)


def _point_on_map(text: str, match: re.Match[str]) -> Found:
    """Return a point by x and y, of the reference system that is said behind it, else of the rasters' own."""
    x, y = float(match["x"]), float(match["y"])
    system = _SYSTEM.match(text, match.end())
    if system is not None:
        code = system["code"] or f"32{'6' if system['half'] == 'n' else '7'}{int(system['zone']):02d}"
        names = (f"{x:.12g}", f"{y:.12g}")
        return system.end(), (Mask(Place("point", names, attribute=f"EPSG:{code}")),)
    if match[0].startswith("e ") and abs(x) <= 180 and abs(y) <= 90:
        return match.end(), (Mask(Place("point", (repr(x), repr(y)))),)
    return match.end(), (Mask(Place("point", (f"{x:.12g}", f"{y:.12g}"), attribute="map")),)


def unit_of_all(texts: Sequence[str]) -> str:
    """Return the unit that all numbers of several texts bear; empty where they differ or one has none."""
    units = {
        _UNIT_OF.get(match["unit"] or "", "") for text in texts for match in _WITH_UNIT.finditer(text.lower())
    }
    return units.pop() if len(units) == 1 else ""


def number_at(text: str, start: int) -> Found | None:
    """Return where the longest number that starts here ends, and what it may mean."""
    best: Found | None = None
    for pattern, reader in (
        (_PERCENTILE, _percentile),
        (_PERCENTILES, _percentiles),
        (_RANK_IN_WORDS, _rank_in_words),
        (_ORDINAL, _ordinal),
        (_WITH_UNIT, _number),
        (_WORD, _word),
    ):
        match = pattern.match(text, start)
        if match and (best is None or match.end() > best[0]):
            best = (match.end(), reader(match))
    return best


def value_of(text: str) -> float:
    """Return the number that a text writes, with a comma or a point."""
    text = text.replace("−", "-").replace("–", "-")
    if re.fullmatch(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", text) and not text.lstrip("-+").startswith("0,"):
        return float(text.replace(",", ""))
    return float(text.replace(",", "."))


def _number(match: re.Match[str]) -> tuple[Phrase, ...]:
    return _amounts(value_of(match["number"]), match["unit"])


def _word(match: re.Match[str]) -> tuple[Phrase, ...]:
    return _amounts(float(_WORDS[match["word"]]), match["unit"])


def _amounts(value: float, written: str | None) -> tuple[Phrase, ...]:
    unit = _UNIT_OF[written] if written else ""
    if unit == "degree":
        return (Amount(Number(value, "degree")), Amount(Number(value, "degC")))
    return (Amount(Number(value, unit)),)


def _percentile(match: re.Match[str]) -> tuple[Phrase, ...]:
    if share := match["q"] or match["r"]:
        return (Stat("percentile", 100 * int(share) / 10 ** len(share)),)
    return (Stat("percentile", float(match["a"] or match["b"] or match["c"] or match["s"])),)


def _percentiles(match: re.Match[str]) -> tuple[Phrase, ...]:
    return (Stats(tuple(Stat("percentile", float(rank)) for rank in re.findall(r"\d+", match[0]))),)


def _rank_in_words(match: re.Match[str]) -> tuple[Phrase, ...]:
    rank = _RANKS[match["word"]]
    return (Stat("percentile", float(rank)) if match["called"] else Ordinal(rank),)


def _ordinal(match: re.Match[str]) -> tuple[Phrase, ...]:
    return (Ordinal(int(match["n"])),)
