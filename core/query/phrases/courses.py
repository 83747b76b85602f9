"""Meanings of a course over time: trends, seasons, departures, relations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.query.expression import ALWAYS, Clouds, Node, When, Zones
from treeline.core.query.phrases.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Course(Phrase):
    """A fact of a course over time: trend, phenology, breaks; ``name`` is the node, ``gives`` its fact."""

    name: Literal["Trend", "Phenology", "Seasonal"]
    gives: str
    method: str = ""
    when: When = ALWAYS
    pixelwise: bool = False
    per: str = ""


@dataclass(frozen=True, slots=True)
class CourseOf(Phrase):
    """That fact of a series, which may still be told its limit, method or level."""

    node: Node


@dataclass(frozen=True, slots=True)
class SlopeOf(Phrase):
    """The slope of a series, before it is said that it goes over time, or per what."""

    node: Node


@dataclass(frozen=True, slots=True)
class SignedCourse(Phrase):
    """An upward or downward trend."""

    course: Course
    sign: Literal["gt", "lt"]


@dataclass(frozen=True, slots=True)
class TrendOfPixels(Phrase):
    """How many pixels have an upward or downward trend, before it is said of what."""

    asked: Phrase
    found: SignedCourse


@dataclass(frozen=True, slots=True)
class Method(Phrase):
    """A method by name, of a trend: linear, Mann-Kendall, Theil-Sen."""

    name: str


@dataclass(frozen=True, slots=True)
class LeveledMethod(Phrase):
    """A method with its level: "(Mann-Kendall, 5 %)"."""

    name: str
    level: float


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
class Unusual(Phrase):
    """What is more or less than usual: "warmer than usual"; without a sign, how much it is."""

    node: Node
    sign: str


@dataclass(frozen=True, slots=True)
class DepartureFrom(Phrase):
    """A departure from a base, before it is said of what: "how many standard deviations from the mean"."""

    how: str
    base: Baseline


@dataclass(frozen=True, slots=True)
class Baseline(Phrase):
    """What a departure is from: "compared with all November dates", "from the long-term mean"."""

    when: When
    clouds: Clouds = "included"


@dataclass(frozen=True, slots=True)
class Relation(Phrase):
    """Correlation, regression, scatter of two things."""

    gives: str
    over: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True)
class RelationOf(Phrase):
    """A relation of two things, over an axis that may still be said."""

    gives: str
    over: str
    left: Node
    right: Node
    sign: str = ""
    limit: float = 0.0
    by: Zones | None = None


@dataclass(frozen=True, slots=True)
class PerLength(Phrase):
    """Per so many metres of elevation, of what changes with it."""

    length: str


@dataclass(frozen=True, slots=True)
class RelationSide(Phrase):
    """One side of a relation: "NDVI correlated"."""

    gives: str
    over: str
    left: Phrase
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Usual(Phrase):
    """A usual state: "the mean of all Julys", "the long-term mean"."""

    when: When
    clouds: Clouds = "included"
