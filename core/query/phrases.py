"""Meanings of words and phrases: what stands in the cells of the chart.

A phrase with a node has a value of its own; the others wait for what they apply to. The class is
the category by which rules find each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from treeline.core.query.expression import ALWAYS, Node, Number, When, Zones

Axis = Literal["date", "pixel", "zone", "period", "all"]
Ends = Literal["highest", "lowest"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A meaning."""


# --- With a value ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Raw(Phrase):
    """Numbers for pixels (and dates) of which no statistic is taken yet: "NDVI"."""

    node: Node


@dataclass(frozen=True, slots=True)
class Measure(Phrase):
    """A statistic over the pixels of each date, the order over several dates left open: "mean NDVI"."""

    node: Node


@dataclass(frozen=True, slots=True)
class Series(Phrase):
    """Numbers that are asked for one by one: "mean NDVI of each date", "monthly NDVI"."""

    node: Node


@dataclass(frozen=True, slots=True)
class Value(Phrase):
    """An expression that is an answer as it stands."""

    node: Node


@dataclass(frozen=True, slots=True)
class Mask(Phrase):
    """True and false for pixels: a named place, a condition on a raster.

    ``joined`` where it was put together from several names of the question.
    """

    node: Node
    joined: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Located(Phrase):
    """A mask after "in", "where", "with": it limits what stands before it."""

    node: Node


@dataclass(frozen=True, slots=True)
class Held(Phrase):
    """True or false of each date or zone, or once: a condition on a series, a claim."""

    node: Node


@dataclass(frozen=True, slots=True)
class Claim(Phrase):
    """A condition that is asked whether it holds: "is mean NDVI above 0.7"."""

    node: Node


@dataclass(frozen=True, slots=True)
class Many(Phrase):
    """Several things asked for at once; ``apart`` where a semicolon keeps them so."""

    of: tuple[Phrase, ...]
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Amount(Phrase):
    """A number of the question."""

    number: Number


# --- Time and place -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Time(Phrase):
    """Which dates."""

    when: When


@dataclass(frozen=True, slots=True)
class DayOfYear(Phrase):
    """A day and a month without a year."""

    month: int
    day: int


@dataclass(frozen=True, slots=True)
class Pair(Phrase):
    """Two of a kind, joined by a word: "2016 and 2017", "July to September", "forest or grassland"."""

    left: Phrase
    right: Phrase
    by: Literal["and", "to", "or", "than", ";", "together", "versus", "between", "from", "both"]


@dataclass(frozen=True, slots=True)
class Half(Phrase):
    """The first of a pair, with its word: "2016 and"."""

    left: Phrase
    by: Literal["and", "to", "or", "than", ";", "together", "versus"]


@dataclass(frozen=True, slots=True)
class Join(Phrase):
    """A word that joins: and, or, to, than, versus, a comma."""

    by: Literal["and", "to", "or", "than", ";", "together", "versus"]


@dataclass(frozen=True, slots=True)
class Word(Phrase):
    """A word whose only meaning is what it does to its neighbour: from, between, in, where, not, each."""

    name: str


@dataclass(frozen=True, slots=True)
class Clouds(Phrase):
    """What is done with clouds."""

    mode: Literal["masked", "clear_dates", "included"]


# --- What waits for something ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stat(Phrase):
    """A statistic; ``over`` where the axis is said."""

    statistic: str
    parameter: float | None = None
    over: Axis | None = None


@dataclass(frozen=True, slots=True)
class Stats(Phrase):
    """Several statistics of one thing."""

    of: tuple[Stat, ...]


@dataclass(frozen=True, slots=True)
class Along(Phrase):
    """The axis over which a statistic goes; the words stand before the statistic, after it, or both."""

    axis: Axis
    stands: Literal["before", "after", "both"] = "after"


@dataclass(frozen=True, slots=True)
class Each(Phrase):
    """One result for each: date, month, class, region."""

    axis: str
    zones: Zones | None = None


@dataclass(frozen=True, slots=True)
class Extreme(Phrase):
    """Highest, second lowest, top three."""

    direction: Ends
    nth: int = 1
    top: int = 1


@dataclass(frozen=True, slots=True)
class Ordinal(Phrase):
    """First, second, third; last is -1."""

    nth: int


@dataclass(frozen=True, slots=True)
class Unit(Phrase):
    """What is counted, found or listed: dates, images, months, pixels, classes, regions.

    ``owns`` where it stands in the genitive: "the highest date's mean NDVI".
    """

    of: str
    zones: Zones | None = None
    clear: bool = False
    owns: bool = False


@dataclass(frozen=True, slots=True)
class Ranked(Phrase):
    """Something by which dates or zones are put in order: "the highest mean NDVI", "greenest"."""

    direction: Ends
    node: Node
    nth: int = 1
    top: int = 1


@dataclass(frozen=True, slots=True)
class Superlative(Phrase):
    """What is found, and how, before it is said by what: "which date has the highest"."""

    unit: Unit
    extreme: Extreme


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
class Comparative(Phrase):
    """Higher, greener: ``node`` is the variable that the word itself names."""

    sign: str
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class OperatorOf(Phrase):
    """A condition whose limit is still to come: "above an NDVI of"."""

    sign: str
    node: Node


@dataclass(frozen=True, slots=True)
class Change(Phrase):
    """A change or difference; ``sign`` for one that has a direction (rise 1, fall -1)."""

    how: str = "difference"
    sign: int = 0


@dataclass(frozen=True, slots=True)
class Changed(Phrase):
    """A change of something, which waits for the two times or places."""

    how: str
    sign: int
    node: Node
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Count(Phrase):
    """How many."""


@dataclass(frozen=True, slots=True)
class Counted(Phrase):
    """How many of what."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Area(Phrase):
    """How much area, in a unit."""

    unit: str = ""


@dataclass(frozen=True, slots=True)
class AreaOf(Phrase):
    """The area of a mask."""

    node: Node
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Share(Phrase):
    """What share."""


@dataclass(frozen=True, slots=True)
class ShareOf(Phrase):
    """What share of a base; without a node, of all pixels."""

    node: Node | None = None


@dataclass(frozen=True, slots=True)
class Quantified(Phrase):
    """At least 80 % of the pixels, at least three of the dates, every date: of what follows.

    ``majority`` where it says "most of", which is asked of one thing, not of which.
    """

    unit: str
    sign: str
    number: Number
    clear: bool = False
    majority: bool = False


@dataclass(frozen=True, slots=True)
class Facing(Phrase):
    """A compass direction."""

    name: str


@dataclass(frozen=True, slots=True)
class Form(Phrase):
    """As a map, a table, a chart."""

    form: Literal["map", "chart", "table", "histogram", "scatter"]


@dataclass(frozen=True, slots=True)
class Target(Phrase):
    """A unit that the answer is asked in."""

    unit: str


@dataclass(frozen=True, slots=True)
class Fact(Phrase):
    """A fact of the data."""

    about: str


@dataclass(frozen=True, slots=True)
class Course(Phrase):
    """A fact of a course over time: trend, phenology, breaks; ``name`` is the node, ``gives`` its fact."""

    name: Literal["Trend", "Phenology", "Seasonal"]
    gives: str
    method: str = ""
    when: When = ALWAYS
    pixelwise: bool = False


@dataclass(frozen=True, slots=True)
class CourseOf(Phrase):
    """That fact of a series, which may still be told its limit, method or level."""

    node: Node


@dataclass(frozen=True, slots=True)
class Relation(Phrase):
    """Correlation, regression, scatter of two things."""

    gives: str
    over: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Departure(Phrase):
    """Anomaly, z-score: waits for what, and against what."""

    how: str


@dataclass(frozen=True, slots=True)
class DepartureOf(Phrase):
    """A departure of something, which waits for its base."""

    how: str
    node: Node


@dataclass(frozen=True, slots=True)
class Source(Phrase):
    """A data set that the question names beside what it asks: "from the land cover"."""

    role: str


@dataclass(frozen=True, slots=True)
class Missing(Phrase):
    """A variable that is known, but neither here nor to be made; the role is empty of what has none."""

    title: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Nothing(Phrase):
    """A word that may stand without a meaning beside its others."""


@dataclass(frozen=True, slots=True)
class StatPair(Phrase):
    """Two statistics set against each other, before it is said of what."""

    how: str
    stats: Stats


@dataclass(frozen=True, slots=True)
class Limits(Phrase):
    """Two limits on one thing."""

    of: tuple[Limit, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Compared(Phrase):
    """The first side of a comparison: "summer 2017 greener than"."""

    sign: str
    node: Node
    side: Phrase


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
class Changes(Phrase):
    """A change between two states, which may be asked as a number, a map, or pixels that changed."""

    how: str
    sign: int
    left: Node
    right: Node
    measured: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Stepwise(Phrase):
    """The largest or smallest change from each date to the next."""

    largest: bool
    change: Change
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class SharedUnit(Phrase):
    """What share of the dates."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class InUnit(Phrase):
    """Something asked for in a unit."""

    of: Phrase
    unit: str


@dataclass(frozen=True, slots=True)
class Shown(Phrase):
    """Something asked for as a map, chart or table."""

    of: Phrase
    form: Literal["map", "chart", "table", "histogram", "scatter"]


@dataclass(frozen=True, slots=True)
class Method(Phrase):
    """A method by name, of a trend: linear, Mann-Kendall, Theil-Sen."""

    name: str


@dataclass(frozen=True, slots=True)
class Baseline(Phrase):
    """What a departure is from: "compared with all November dates", "from the long-term mean"."""

    when: When


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
class Polygons(Phrase):
    """Polygons or patches, each by itself; ``mask`` for those of one class."""

    zones: Zones
    mask: Node


@dataclass(frozen=True, slots=True)
class StatArea(Phrase):
    """A statistic of areas, before it is said of which: "the largest area of"."""

    stat: Stat
    unit: str = ""


@dataclass(frozen=True, slots=True)
class StatPolygons(Phrase):
    """A statistic of polygons: "the largest forest polygon"."""

    stat: Stat
    polygons: Polygons


@dataclass(frozen=True, slots=True)
class Anaphor(Phrase):
    """Something asked of what was found before: "its mean NDVI"."""

    of: Phrase


@dataclass(frozen=True, slots=True)
class OneSide(Phrase):
    """One side of a difference: "how much higher is mean NDVI in July"."""

    how: str
    node: Node


@dataclass(frozen=True, slots=True)
class ComparedPair(Phrase):
    """Both sides of a comparison without what is compared: "higher in the forest than in grassland"."""

    sign: str
    pair: Pair


@dataclass(frozen=True, slots=True)
class FirstTime(Phrase):
    """First above, last below: a limit and which of the dates that pass it."""

    pick: Literal["first", "last"]
    limit: Limit


@dataclass(frozen=True, slots=True)
class FirstHeld(Phrase):
    """A condition on a series of which the first or last date is meant."""

    pick: Literal["first", "last"]
    node: Node


@dataclass(frozen=True, slots=True)
class Runs(Phrase):
    """The longest run of dates on which something holds, or how many runs."""

    statistic: Literal["longest_run", "runs"]


@dataclass(frozen=True, slots=True)
class LeveledMethod(Phrase):
    """A method with its level: "(Mann-Kendall, 5 %)"."""

    name: str
    level: float


@dataclass(frozen=True, slots=True)
class Related(Phrase):
    """A relation of two things, over an axis that may still be said."""

    gives: str
    over: str
    left: Node
    right: Node
    sign: str = ""
    limit: float = 0.0


@dataclass(frozen=True, slots=True)
class MostChanged(Phrase):
    """What changed most, before it is said from when to when."""

    changed: Changed
    extreme: Extreme


@dataclass(frozen=True, slots=True)
class FactOf(Phrase):
    """A fact of a variable, or of a time."""

    about: str
    node: Node


@dataclass(frozen=True, slots=True)
class HowMuchMore(Phrase):
    """How much higher, before it is said what."""

    how: str


@dataclass(frozen=True, slots=True)
class Less(Phrase):
    """The first side of a difference: "mean NIR minus"."""

    of: Phrase


@dataclass(frozen=True, slots=True)
class ChangedBy(Phrase):
    """A change by more than a limit, of which the places are meant."""

    of: Phrase
    limit: Limit


@dataclass(frozen=True, slots=True)
class LargestArea(Phrase):
    """The largest or smallest area, before it is said of which zones."""

    extreme: Extreme


@dataclass(frozen=True, slots=True)
class ChangeLimit(Phrase):
    """A change by more than a limit, before it is said of what: "lost more than 0.1"."""

    change: Change
    limit: Limit


@dataclass(frozen=True, slots=True)
class Infix(Phrase):
    """The first side of a sum: "mean NIR minus", "NIR divided by"."""

    how: str
    left: Phrase


@dataclass(frozen=True, slots=True)
class CompareTo(Phrase):
    """The first side of a condition whose other side is no number: "mean NDVI above"; ``factor`` of that."""

    sign: str
    left: Phrase
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class StepsOf(Phrase):
    """The changes from each date to the next, before it is said of what."""

    how: str = "difference"


@dataclass(frozen=True, slots=True)
class PixelCount(Phrase):
    """How many, or what share, of the dates at each pixel."""

    statistic: str


@dataclass(frozen=True, slots=True)
class AreaChange(Phrase):
    """A difference of areas, before it is said of which."""

    how: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class EachLimit(Phrase):
    """A limit that is passed ever, always, never."""

    axis: str
    limit: Limit


@dataclass(frozen=True, slots=True)
class RelatedTo(Phrase):
    """One side of a relation: "NDVI correlated"."""

    gives: str
    over: str
    left: Phrase
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Picture(Phrase):
    """A colour picture of three variables."""

    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhichZone(Phrase):
    """Which of the zones is highest or lowest, the time still open."""

    node: Node
    extreme: Extreme


@dataclass(frozen=True, slots=True)
class Timed(Phrase):
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


@dataclass(frozen=True, slots=True)
class Surpass(Phrase):
    """Above by some per cent, of what follows: "15 % above"."""

    sign: str
    factor: float


@dataclass(frozen=True, slots=True)
class Relative(Phrase):
    """A condition of pixels on a statistic of their own raster: "above the mean NDVI"."""

    node: Node


@dataclass(frozen=True, slots=True)
class ToCompare(Phrase):
    """Something to be told for two times or places: "compare the mean NDVI"."""

    of: Phrase


@dataclass(frozen=True, slots=True)
class Exists(Phrase):
    """Whether there is any of a kind: "is there any date"."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class ChangedMost(Phrase):
    """Changed most, before it is said what: "lost the most"."""

    change: Change
    extreme: Extreme


@dataclass(frozen=True, slots=True)
class Near(Phrase):
    """A limit on the distance to what follows: "within 200 m of"."""

    sign: str
    number: Number


@dataclass(frozen=True, slots=True)
class About(Phrase):
    """A fact of ground, before it is said of which: its centre, its side, its distance."""

    name: str


@dataclass(frozen=True, slots=True)
class RankOf(Phrase):
    """What place something has in an order, before it is said in which."""

    member: Phrase | None = None
    direction: Ends = "highest"


@dataclass(frozen=True, slots=True)
class ChangeBetween(Phrase):
    """A difference of two times or places, before it is said in what."""

    change: Change
    pair: Pair


@dataclass(frozen=True, slots=True)
class SignedCourse(Phrase):
    """An upward or downward trend."""

    course: Course
    sign: Literal["gt", "lt"]
