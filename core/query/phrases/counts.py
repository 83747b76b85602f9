"""Meanings that count: how many, how much area, what share, of what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.query.expression import Node, Number, Zones
from treeline.core.query.phrases.conditions import Limit, Operator
from treeline.core.query.phrases.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Unit(Phrase):
    """What is counted, found or listed: dates, images, months, pixels, classes, regions.

    ``owns`` where it stands in the genitive: "the highest date's mean NDVI"; ``asks`` where the word asks
    for it: "when", "on which date"; ``these`` where those meant are named elsewhere: "which of these dates".
    """

    of: str
    zones: Zones | None = None
    clear: bool = False
    owns: bool = False
    asks: bool = False
    these: bool = False


@dataclass(frozen=True, slots=True)
class Count(Phrase):
    """How many."""


@dataclass(frozen=True, slots=True)
class CountOf(Phrase):
    """How many of what."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class PixelCount(Phrase):
    """How many, or what share, of the dates at each pixel."""

    statistic: str


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
class FoundBy(Phrase):
    """A condition by which ground is found: "from NDWI above 0"."""

    node: Node


@dataclass(frozen=True, slots=True)
class AreaChange(Phrase):
    """A difference of areas, before it is said of which."""

    how: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Share(Phrase):
    """What share."""


@dataclass(frozen=True, slots=True)
class ShareOf(Phrase):
    """What share of a base; without a node, of all pixels."""

    node: Node | None = None


@dataclass(frozen=True, slots=True)
class SizeLimit(Phrase):
    """A limit on how much there is of a ground: "more than 500 ha of forest"."""

    limit: Limit
    node: Node


@dataclass(frozen=True, slots=True)
class PixelsBeyond(Phrase):
    """How many, what share or how much area of the pixels passes a limit, before it is said of what.

    The limit is an operator where it is what was asked for before: "and how many pixels exceed it".
    """

    statistic: Literal["count", "share", "area"]
    limit: Limit | Operator
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ShareLimit(Phrase):
    """A limit on a share of everything: "more than half of the scene"."""

    limit: Limit


@dataclass(frozen=True, slots=True)
class Base(Phrase):
    """What a share is taken of: "among the pixels with NDVI above 0.7"."""

    node: Node


@dataclass(frozen=True, slots=True)
class SharedUnit(Phrase):
    """What share of the dates."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Quantifier(Phrase):
    """At least 80 % of the pixels, at least three of the dates, every date: of what follows.

    ``majority`` where it says "most of", which is asked of one thing, not of which.
    """

    unit: str
    sign: str
    number: Number
    clear: bool = False
    majority: bool = False


@dataclass(frozen=True, slots=True)
class PixelLimit(Phrase):
    """So many pixels, before it is said which: "more than 1000 pixels"; of a ground, "500 forest pixels"."""

    limit: Limit
    ground: Node | None = None


@dataclass(frozen=True, slots=True)
class PixelsOf(Phrase):
    """The pixels of named ground, which are counted: "forest pixels"."""

    node: Node


@dataclass(frozen=True, slots=True)
class ShareEach(Phrase):
    """What share of each of several zones, before it is said of what."""

    zones: Zones


@dataclass(frozen=True, slots=True)
class PixelShare(Phrase):
    """So many per cent of the pixels, before it is said which: "5 % of the pixels"."""

    percent: float


@dataclass(frozen=True, slots=True)
class PixelPercentile(Phrase):
    """The value that so many per cent of the pixels stay below."""

    percent: float
