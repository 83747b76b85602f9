"""Moments in a question: days, months, seasons, years, as they are written."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from treeline.core.policies.planner.text import Reading, Span

_MONTHS = tuple(name.lower() for name in calendar.month_name[1:])
_SHORT = {name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
# German names, as they slip into English.
_GERMAN = {
    "januar": 1, "februar": 2, "m\u00e4rz": 3, "maerz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10,
    "dezember": 12,
}  # fmt: skip
MONTH_NUMBER: dict[str, int] = {name: number for number, name in enumerate(_MONTHS, 1)} | _SHORT | _GERMAN

SEASON_MONTHS: dict[str, tuple[int, ...]] = {
    "growing season": (4, 5, 6, 7, 8, 9),
    "vegetation period": (4, 5, 6, 7, 8, 9),
    "vegetation season": (4, 5, 6, 7, 8, 9),
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "fall": (9, 10, 11),
    "winter": (12, 1, 2),
}

# Parts of a year that are the same on both hemispheres.
PARTS_OF_YEAR: dict[str, tuple[int, ...]] = {
    **{f"q{n}": tuple(range(3 * n - 2, 3 * n + 1)) for n in (1, 2, 3, 4)},
    **{f"{word} quarter": tuple(range(3 * n - 2, 3 * n + 1))
       for n, word in enumerate(("first", "second", "third", "fourth"), 1)},
    "last quarter": (10, 11, 12),
    "first half": (1, 2, 3, 4, 5, 6),
    "second half": (7, 8, 9, 10, 11, 12),
}  # fmt: skip

# Parts of a month: the first and the last day, which may be beyond the month's end.
PARTS_OF_MONTH: dict[str, tuple[int, int]] = {
    "early": (1, 10), "mid": (11, 20), "late": (21, 31), "the first half of": (1, 15),
    "the second half of": (16, 31), "the first week of": (1, 7), "the last week of": (25, 31),
}  # fmt: skip
_PART = {"early": "early", "beginning": "early", "start": "early", "mid": "mid", "middle": "mid",
          "late": "late", "end": "late"}  # fmt: skip

_YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
_MONTH = r"(?:" + "|".join(sorted(MONTH_NUMBER, key=len, reverse=True)) + r")\.?"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?!\d)"
_SEASON = r"(?:" + "|".join(sorted({*SEASON_MONTHS, *PARTS_OF_YEAR}, key=len, reverse=True)) + r")"
_RANGE = r"\s*(?:-|to|through|until|till)\s*"
_OF = r"(?:,|\s)*(?:of |in |the year )?\s*"


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, month, season or year; parts that the question leaves out are ``None``.

    Attributes
    ----------
    which : str
        ``first`` or ``last`` for "the first date" and "the last date".
    part : str
        ``early``, ``mid`` or ``late``: or another key of ``PARTS_OF_MONTH``.
    """

    span: Span
    year: int | None = None
    month: int | None = None
    day: int | None = None
    season: str = ""
    which: Literal["", "first", "last"] = ""
    part: str = ""

    @property
    def only_year(self) -> bool:
        """True for a bare year."""
        return self.year is not None and self.month is None and not self.season


def read_moments(reading: Reading) -> list[Moment]:
    """Return the moments of a question in its order, and consume them."""
    found: list[Moment] = []
    for pattern, build in _FORMS:
        for match in list(reading.find(pattern)):
            moments = build(match)
            if moments and all(_exists(moment) for moment in moments):
                found += moments
                reading.consume(Span(*match.span()))
    return sorted(found, key=lambda moment: moment.span.start)


def with_years(moments: list[Moment]) -> list[Moment]:
    """Return the moments with the years that the neighbours lend them."""
    filled = list(moments)
    for index, moment in enumerate(filled):
        if moment.year is None and not moment.which:
            later = next(
                (m.year for m in moments[index + 1 :] if m.year is not None and not m.only_year), None
            )
            earlier = next(
                (m.year for m in reversed(filled[:index]) if m.year is not None and not m.only_year), None
            )
            filled[index] = replace(moment, year=later or earlier)
    return filled


def _exists(moment: Moment) -> bool:
    if moment.month is not None and not 1 <= moment.month <= 12:
        return False
    if moment.day is None or moment.month is None:
        return True
    return 1 <= moment.day <= calendar.monthrange(moment.year or 2020, moment.month)[1]


def _int(text: str | None) -> int | None:
    digits = re.match(r"\d+", text) if text else None
    return int(digits[0]) if digits else None


def _month(text: str) -> int:
    return MONTH_NUMBER[text.rstrip(".")]


def _numeric(match: re.Match[str]) -> list[Moment]:
    return [Moment(Span(*match.span()), int(match["y"]), int(match["m"]), int(match["d"]))]


def _short_year(match: re.Match[str]) -> list[Moment]:
    return [Moment(Span(*match.span()), 2000 + int(match["y"]), int(match["m"]), int(match["d"]))]


def _slashed(match: re.Match[str]) -> list[Moment]:
    """Read 08/30/2015 with the month first, unless that cannot be."""
    month, day = int(match["a"]), int(match["b"])
    if month > 12:
        month, day = day, month
    return [Moment(Span(*match.span()), int(match["y"]), month, day)]


def _numeric_month(match: re.Match[str]) -> list[Moment]:
    return [Moment(Span(*match.span()), int(match["y"]), int(match["m"]))]


def _written(match: re.Match[str]) -> list[Moment]:
    return [Moment(Span(*match.span()), _int(match["y"]), _month(match["m"]), _int(match["d"]))]


def _days_of_month(match: re.Match[str]) -> list[Moment]:
    year, month = _int(match["y"]), _month(match["m"])
    middle = match.end("d")
    return [
        Moment(Span(match.start(), middle), year, month, _int(match["d"])),
        Moment(Span(match.start("e"), match.end()), year, month, _int(match["e"])),
    ]


def _written_month(match: re.Match[str]) -> list[Moment]:
    return [Moment(Span(*match.span()), _int(match["y"]), _month(match["m"]))]


def _part_of_month(match: re.Match[str]) -> list[Moment]:
    words = match["p"] or match["q"]
    part = _PART.get(words) or f"the {words} of"
    return [Moment(Span(*match.span()), _int(match["y"]), _month(match["m"]), part=part)]


def _bare_month(match: re.Match[str]) -> list[Moment]:
    return [Moment(Span(*match.span("m")), None, _month(match["m"]))]


def _season(match: re.Match[str]) -> list[Moment]:
    return [Moment(Span(*match.span()), _int(match["y"]), season=match["s"])]


def _winter(match: re.Match[str]) -> list[Moment]:
    """Read "winter 2020/21" as the one that ends in the later year."""
    return [Moment(Span(*match.span()), 2000 + int(match["y"]) % 100, season=match["s"])]


def _year(match: re.Match[str]) -> list[Moment]:
    return [Moment(Span(*match.span()), int(match["y"]))]


def _around(match: re.Match[str]) -> list[Moment]:
    """Read "before and after the fire" as the first and the last date."""
    return [Moment(Span(*match.span("a")), which="first"), Moment(Span(*match.span("b")), which="last")]


def _end_of_series(match: re.Match[str]) -> list[Moment]:
    which: Literal["first", "last"] = "first" if match["w"] in ("first", "earliest", "oldest") else "last"
    return [Moment(Span(*match.span()), which=which)]


# From the most to the least specific; the readings are tried on what the earlier ones left.
_FORMS: tuple[tuple[str, Callable[[re.Match[str]], list[Moment]]], ...] = (
    (
        rf"(?<!\d)(?P<y>{_YEAR})[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})"
        r"(?:[t ]\d\d:?\d\d(?::?\d\d)?)?(?!\d)",
        _numeric,
    ),
    (rf"(?<!\d)(?P<y>{_YEAR})(?P<m>\d\d)(?P<d>\d\d)(?!\d)", _numeric),
    (rf"(?<![\d.])(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.(?P<y>{_YEAR})(?!\d)", _numeric),
    (r"(?<![\d.])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d\d)(?![\d.]*\d)", _short_year),
    (rf"(?<![\d/])(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/(?P<y>{_YEAR})(?!\d)", _slashed),
    (rf"\b(?P<m>{_MONTH}) (?P<d>{_DAY}){_RANGE}(?P<e>{_DAY})(?:{_OF}(?P<y>{_YEAR}))?\b", _days_of_month),
    (rf"\b(?P<d>{_DAY}) (?:of )?(?P<m>{_MONTH})(?:{_OF}(?P<y>{_YEAR}))?\b", _written),
    (rf"\b(?P<m>{_MONTH}) (?:the )?(?P<d>{_DAY})(?:{_OF}(?P<y>{_YEAR}))?(?![\w])", _written),
    (
        r"\b(?:(?P<p>early|mid|late)[ -]|"
        r"(?P<q>beginning|start|middle|end|(?:first|second) half|(?:first|last) week) of )"
        rf"(?P<m>{_MONTH})"
        rf"(?:{_OF}(?P<y>{_YEAR}))?(?!\w)",
        _part_of_month,
    ),
    (rf"\b(?P<m>{_MONTH}){_OF}(?P<y>{_YEAR})\b", _written_month),
    (rf"(?<!\d)(?P<y>{_YEAR})[-/](?P<m>0[1-9]|1[0-2])(?![\d])", _numeric_month),
    (rf"\b(?P<y>{_YEAR}) (?P<m>{_MONTH})(?!\w)", _written_month),
    (rf"\b(?P<s>winter) (?:of )?{_YEAR}/(?P<y>{_YEAR}|\d\d)\b", _winter),
    (rf"\b(?P<s>{_SEASON})s?{_OF}(?P<y>{_YEAR})\b", _season),
    (rf"\b(?P<y>{_YEAR})(?:'s)? (?P<s>{_SEASON})\b", _season),
    (
        rf"\b(?P<s>(?!fall\b){_SEASON}|(?:(?<=\bin )|(?<=during )|(?<=\band )|(?<=\bof ))fall)(?P<y>)\b",
        _season,
    ),
    (
        r"\b(?P<a>before) and (?P<b>after) (?=the (?:fire|flood|storm|event|harvest|burn|disaster|rain)\b)",
        _around,
    ),
    (
        r"\b(?:the )?(?P<w>first|earliest|oldest|last|latest|newest|most recent)"
        r"(?= (?:(?:and|to|until|with) (?:the )?(?:last|latest|first|earliest|newest)|(?:available )?"
        r"(?:date|image|scene|acquisition|raster|observation|overpass))\b)"
        r"(?: (?:available )?(?:date|image|scene|acquisition|raster|observation|overpass)\b)?",
        _end_of_series,
    ),
    (
        r"(?:\b(?:in|of|from|to|until|and|between|during|since|for|early|late|mid|vs|versus|against|"
        r"the month of|or) |[-(,] ?)"
        rf"(?P<m>{_MONTH})(?![\w])",
        _bare_month,
    ),
    (rf"\b(?P<m>{_MONTH})(?=\s*(?:-|to|through|until|and|,|\)|/))(?![\w])", _bare_month),
    (rf"\b(?P<m>(?!may\b|march\b|mar\b){_MONTH})(?![\w])", _bare_month),
    (
        rf"(?<![\d.,=<>#@_/-])(?<![<>=] )(?P<y>{_YEAR})"
        r"(?![\d.]\d|\s*(?:k\b|m\b|m2|ha\b|%|km2|pixels))(?=\b)",
        _year,
    ),
    (rf"(?<=[-/])(?P<y>{_YEAR})(?!\d|\.\d)\b", _year),
)
