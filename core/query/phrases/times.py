"""Meanings of time: dates, parts of a time, the last few dates, clouds on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.query.expression import ALWAYS, When
from treeline.core.query.phrases.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Time(Phrase):
    """Which dates; ``joined`` of several that were named: "July and August"."""

    when: When
    joined: bool = False


@dataclass(frozen=True, slots=True)
class TimeBeside(Phrase):
    """A time that is said to lie before or after another, before it is told which that is.

    "The winter before it", and in brackets: December 2016 to February 2017.
    """

    when: When


@dataclass(frozen=True, slots=True)
class DayOfYear(Phrase):
    """A day and a month without a year."""

    month: int
    day: int


@dataclass(frozen=True, slots=True)
class Clouds(Phrase):
    """What is done with clouds."""

    mode: Literal["masked", "clear_dates", "included"]


@dataclass(frozen=True, slots=True)
class Ordinal(Phrase):
    """First, second, third; last is -1."""

    nth: int


@dataclass(frozen=True, slots=True)
class TimedExtreme(Phrase):
    """The peak or the lowest point of a time, of what is said elsewhere: "the 2017 peak"."""

    direction: Literal["highest", "lowest"]
    when: When


@dataclass(frozen=True, slots=True)
class BesideExtreme(Phrase):
    """After or before the peak or lowest point of what is said elsewhere: "after its maximum"."""

    side: Literal["after", "before"]
    direction: Literal["highest", "lowest"]
    when: When = ALWAYS


@dataclass(frozen=True, slots=True)
class TimeModifier(Phrase):
    """Words without a variable of their own that bear the time of what they join: "the dates of 2017"."""

    of: Phrase
    when: When


@dataclass(frozen=True, slots=True)
class PartOf(Phrase):
    """A part of a month or year, before it is said of which: early, the first half, the third quarter."""

    name: str


@dataclass(frozen=True, slots=True)
class SeveralDates(Phrase):
    """The first or last few dates; a negative number counts from the end, ``complete`` with its noun."""

    count: int
    when: When = ALWAYS
    complete: bool = False
