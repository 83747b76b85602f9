"""Meanings that hold or do not: limits, claims, runs, first times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.query.expression import Node, Number, When, Zones
from treeline.core.query.phrases.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Condition(Phrase):
    """True or false of each date or zone, or once: a condition on a series, a claim."""

    node: Node


@dataclass(frozen=True, slots=True)
class Claim(Phrase):
    """A condition that is asked whether it holds: "is mean NDVI above 0.7"."""

    node: Node


@dataclass(frozen=True, slots=True)
class Operator(Phrase):
    """Above, below, at least, between."""

    sign: str


@dataclass(frozen=True, slots=True)
class Limit(Phrase):
    """A condition without what it is on: "above 0.7"."""

    sign: str
    number: Number
    upper: Number | None = None


@dataclass(frozen=True, slots=True)
class Tolerance(Phrase):
    """How far something may lie from what follows: "within 0.05 of"."""

    number: Number


@dataclass(frozen=True, slots=True)
class LimitThen(Phrase):
    """A limit at a time of its own, on what is said before: "(above 0.75 on A but) below 0.7 on B"."""

    limit: Limit
    when: When


@dataclass(frozen=True, slots=True)
class NotThen(Phrase):
    """A time at which what is said before does not hold: "(above 0.7 on A but) not on B"."""

    when: When


@dataclass(frozen=True, slots=True)
class Crossing(Phrase):
    """A limit that holds first and another that holds later: "from below 0.4 to above 0.6"."""

    earlier: Limit
    later: Limit
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class Limits(Phrase):
    """Two limits on one thing."""

    of: tuple[Limit, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Ranges(Phrase):
    """Ranges that follow one another, before it is said of what: "under 300 m, 300 to 600 m, over 600 m"."""

    of: tuple[Limit, ...]


@dataclass(frozen=True, slots=True)
class OrElse(Phrase):
    """A condition that counts where none before it holds, and those after it."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ToClassify(Phrase):
    """A variable that is to be put in classes; so many of them, 0 where it is not said."""

    node: Node
    count: int = 0


@dataclass(frozen=True, slots=True)
class OperatorOf(Phrase):
    """A condition whose limit is still to come: "above an NDVI of"."""

    sign: str
    node: Node


@dataclass(frozen=True, slots=True)
class CompareTo(Phrase):
    """The first side of a condition whose other side is no number: "mean NDVI above".

    The limit is ``factor`` of that other side, and so many of its standard deviations beside it, or on both
    sides of it where the sign is ``around`` or ``outside``.
    """

    sign: str
    left: Phrase
    factor: float = 1.0
    deviations: float = 0.0


@dataclass(frozen=True, slots=True)
class Multiple(Phrase):
    """So many times another thing: "twice", "three times"."""

    factor: float


@dataclass(frozen=True, slots=True)
class Surpass(Phrase):
    """Above what follows by some per cent, times or standard deviations: "15 % above", "at least twice"."""

    sign: str
    factor: float = 1.0
    deviations: float = 0.0


@dataclass(frozen=True, slots=True)
class Deviations(Phrase):
    """So many standard deviations; with a sign, "more than two standard deviations"."""

    number: float
    sign: str = ""


@dataclass(frozen=True, slots=True)
class DeviatedMean(Phrase):
    """The mean less (or plus) so many standard deviations."""

    deviations: float


@dataclass(frozen=True, slots=True)
class Relative(Phrase):
    """A condition of pixels on a statistic of their own raster: "above the mean NDVI"."""

    node: Node


@dataclass(frozen=True, slots=True)
class ZoneQuantifier(Phrase):
    """Of every, any or no zone, of which a condition is to come: "no region"."""

    quantifier: Literal["every", "any", "no"]
    zones: Zones


@dataclass(frozen=True, slots=True)
class DateQuantifier(Phrase):
    """Of every, any or no one of some dates, of which a condition is to come: "both A and B"."""

    quantifier: Literal["every", "any", "no"]
    when: When


@dataclass(frozen=True, slots=True)
class PixelQuantifier(Phrase):
    """Of every, any or no pixel of a ground, of which a condition is to come: "any forest pixel"."""

    quantifier: Literal["every", "any", "no"]
    ground: Node


@dataclass(frozen=True, slots=True)
class EachLimit(Phrase):
    """A limit that is passed ever, always, never."""

    axis: str
    limit: Limit


@dataclass(frozen=True, slots=True)
class FirstTime(Phrase):
    """First above, last below: a limit and which of the dates that pass it."""

    pick: Literal["first", "last"]
    limit: Limit


@dataclass(frozen=True, slots=True)
class FirstTimeOf(Phrase):
    """A condition on a series of which the first or last date is meant."""

    pick: Literal["first", "last"]
    node: Node


@dataclass(frozen=True, slots=True)
class Runs(Phrase):
    """The longest run of dates on which something holds, how many runs, how often it comes to hold."""

    statistic: Literal["longest_run", "runs", "onsets", "crossings"]


@dataclass(frozen=True, slots=True)
class StepLimit(Phrase):
    """A change from the date before: "lower than on the date before"."""

    sign: str
