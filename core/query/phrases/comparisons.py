"""Meanings that set one thing against another: comparatives, differences, changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.query.expression import Node
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.phrase import Pair, Phrase
from treeline.core.query.phrases.values import Stat


@dataclass(frozen=True, slots=True)
class Comparative(Phrase):
    """Higher, greener: ``node`` is the variable that the word itself names."""

    sign: str
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class PixelsThatAre(Phrase):
    """Pixels that have more or less of something, of which another thing is asked: "steeper places"."""

    sign: str
    node: Node


@dataclass(frozen=True, slots=True)
class Turned(Phrase):
    """What was of one class and is of another, before it is said when: "forest turned into cropland"."""

    first: Node
    second: Node


@dataclass(frozen=True, slots=True)
class ComparedTimes(Phrase):
    """Greener, of months or years that are named before and after it: "a greener year"."""

    word: Comparative
    unit: str


@dataclass(frozen=True, slots=True)
class Against(Phrase):
    """Set against another of its kind: "hotter than Larchford", "above that of 22 July", "than average"."""

    sign: str
    node: Node
    other: Phrase


@dataclass(frozen=True, slots=True)
class FirstSide(Phrase):
    """The first side of a comparison: "summer 2017 greener than"."""

    sign: str
    node: Node
    side: Phrase


@dataclass(frozen=True, slots=True)
class HigherThan(Phrase):
    """The first side of a comparison without what is compared: "2017 is higher than"."""

    sign: str
    side: Phrase


@dataclass(frozen=True, slots=True)
class ComparedPair(Phrase):
    """Both sides of a comparison without what is compared: "higher in the forest than in grassland".

    ``how`` where it is asked by how much.
    """

    sign: str
    pair: Pair
    how: str = ""


@dataclass(frozen=True, slots=True)
class Versus(Phrase):
    """Both sides of a comparison, asked whether or by how much."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class HowMuch(Phrase):
    """By how much; ``by`` where the word "by" or "how much" asks for a difference."""

    how: str = "difference"
    by: bool = True


@dataclass(frozen=True, slots=True)
class Margin(Phrase):
    """Part of a comparison that must hold by so much: "more than 3 K warmer than".

    Without a limit it is asked where it holds by the most: "furthest above".
    """

    limit: Limit | None
    of: Phrase


@dataclass(frozen=True, slots=True)
class MeasuredBy(Phrase):
    """By what a comparison is measured: "going by mean NDVI"."""

    node: Node


@dataclass(frozen=True, slots=True)
class TheDifference(Phrase):
    """How much what was told before changed or differs: "and how much did it change".

    ``in_time`` where it is one thing that changed.
    """

    how: str
    in_time: bool = False


@dataclass(frozen=True, slots=True)
class Rate(Phrase):
    """At what rate, per what time, of what changes: "at what rate per day"."""

    per: str


@dataclass(frozen=True, slots=True)
class HowMuchPer(Phrase):
    """By how much in each of a time: "by how many per cent per year"."""

    how: str
    per: str


@dataclass(frozen=True, slots=True)
class HowMuchMore(Phrase):
    """How much higher, before it is said what."""

    how: str


@dataclass(frozen=True, slots=True)
class OneSide(Phrase):
    """One side of a difference: "how much higher is mean NDVI in July"."""

    how: str
    node: Node


@dataclass(frozen=True, slots=True)
class ToCompare(Phrase):
    """Something to be told for two times or places: "compare the mean NDVI"."""

    of: Phrase


@dataclass(frozen=True, slots=True)
class SameOf(Phrase):
    """The same at another time or place: "that of the grassland"."""

    of: Phrase


@dataclass(frozen=True, slots=True)
class Change(Phrase):
    """A change or difference; ``sign`` for one that has a direction (rise 1, fall -1)."""

    how: str = "difference"
    sign: int = 0


@dataclass(frozen=True, slots=True)
class ChangeOf(Phrase):
    """A change of something, which waits for the two times or places.

    ``of_first`` where the first named of two is set against the second, as in a ratio; ``asked`` where it is
    asked how much it is.
    """

    how: str
    sign: int
    node: Node
    measured: bool = False
    of_first: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class ChangedMore(Phrase):
    """Changed more, or less, than on another ground: "the forest warmed more than the grassland"."""

    changed: ChangeOf
    sign: Literal["gt", "lt"]
    second: Node
    first: Node | None = None


@dataclass(frozen=True, slots=True)
class Changes(Phrase):
    """A change between two states, which may be asked as a number, a map, or pixels that changed."""

    how: str
    sign: int
    left: Node
    right: Node
    measured: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class PixelChange(Phrase):
    """A change of each pixel by itself: one without a value on one side has none."""

    of: Change | ChangeOf | Changes


@dataclass(frozen=True, slots=True)
class ChangedBy(Phrase):
    """A change by more than a limit, of which the places are meant."""

    of: Phrase
    limit: Limit


@dataclass(frozen=True, slots=True)
class ChangeLimit(Phrase):
    """A change by more than a limit, before it is said of what: "lost more than 0.1"."""

    change: Change
    limit: Limit


@dataclass(frozen=True, slots=True)
class StatElsewhere(Phrase):
    """A statistic at another time or place, of what was told before: "the variance on 20 July"."""

    stat: Stat
    of: Phrase


@dataclass(frozen=True, slots=True)
class StepBeyond(Phrase):
    """A change by more than a limit from each date to the next, before it is said that it is that."""

    changed: ChangeOf
    limit: Limit


@dataclass(frozen=True, slots=True)
class ChangeBetween(Phrase):
    """A difference of two times or places, before it is said in what."""

    change: Change
    pair: Pair


@dataclass(frozen=True, slots=True)
class Stepwise(Phrase):
    """The largest or smallest change from each date to the next, or the one of so high a rank."""

    largest: bool
    change: Change
    node: Node | None = None
    nth: int = 1


@dataclass(frozen=True, slots=True)
class StepsOf(Phrase):
    """The changes from each date (or period) to the next, before it is said of what."""

    how: str = "difference"
    period: str = ""


@dataclass(frozen=True, slots=True)
class Delta(Phrase):
    """A named difference of two dates, the earlier less the later: dNBR."""

    node: Node


@dataclass(frozen=True, slots=True)
class DeltaLimit(Phrase):
    """A limit on a named difference, which waits for the two dates."""

    node: Node
    limit: Limit


@dataclass(frozen=True, slots=True)
class Larger(Phrase):
    """Larger or smaller in area; ``than`` where the other side follows."""

    sign: str
    than: bool = False


@dataclass(frozen=True, slots=True)
class LargerThan(Phrase):
    """The first side of a comparison of areas: "the forest is larger than"."""

    sign: str
    node: Node


@dataclass(frozen=True, slots=True)
class HasMore(Phrase):
    """More of one ground than another has, before it is said which: "has more forest than Willowbank"."""

    sign: str
    ground: Node
    second: Node


@dataclass(frozen=True, slots=True)
class MoreGround(Phrase):
    """More of one ground, at one time than at another: "more forest"."""

    sign: str
    node: Node


@dataclass(frozen=True, slots=True)
class NoChange(Phrase):
    """A rise or fall that is denied: "did not decrease"; ``node`` once it is said of what."""

    sign: int
    node: Node | None = None
