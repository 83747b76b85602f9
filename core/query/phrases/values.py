"""Meanings with a value: rasters, statistics, series, sums."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from treeline.core.query.expression import Node, Number, Zones
from treeline.core.query.phrases.phrase import Phrase

Axis = Literal["date", "pixel", "zone", "period", "all"]


@dataclass(frozen=True, slots=True)
class Raw(Phrase):
    """Numbers for pixels (and dates) of which no statistic is taken yet: "NDVI"."""

    node: Node


@dataclass(frozen=True, slots=True)
class ToCompute(Phrase):
    """A raster that is to be made first, of which a statistic is asked then."""

    node: Node


@dataclass(frozen=True, slots=True)
class Raws(Phrase):
    """Three or more variables in a list, before it is said what is asked of each."""

    of: tuple[Raw, ...]


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
class PixelValues(Phrase):
    """The pixels of a variable, as their values: "the NDVI pixels"."""

    node: Node


@dataclass(frozen=True, slots=True)
class OfThat(Phrase):
    """A statistic of what was told just before: "the mean of that"."""

    stat: Stat


@dataclass(frozen=True, slots=True)
class TrimmedShare(Phrase):
    """How much a trimmed mean leaves out at each end, in per cent: "10 % from each end"."""

    percent: float


@dataclass(frozen=True, slots=True)
class Amount(Phrase):
    """A number of the question."""

    number: Number


@dataclass(frozen=True, slots=True)
class Stat(Phrase):
    """A statistic; ``over`` where the axis is said, ``pixelwise`` where "per pixel" says it.

    ``zones`` where the axis is that of named zones.
    """

    statistic: str
    parameter: float | None = None
    over: Axis | None = None
    pixelwise: bool = False
    zones: Zones | None = None


@dataclass(frozen=True, slots=True)
class Vague(Phrase):
    """A word for one of several statistics, which a gloss tells: "spread (standard deviation)"."""

    statistics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stats(Phrase):
    """Several statistics of one thing."""

    of: tuple[Stat, ...]


@dataclass(frozen=True, slots=True)
class StatPair(Phrase):
    """Two statistics set against each other, before it is said of what."""

    how: str
    stats: Stats


@dataclass(frozen=True, slots=True)
class Along(Phrase):
    """The axis over which a statistic goes; the words stand before the statistic, after it, or both.

    ``zones`` where the axis is that of named zones: "over the regions".
    """

    axis: Axis
    stands: Literal["before", "after", "both"] = "after"
    zones: Zones | None = None


@dataclass(frozen=True, slots=True)
class Each(Phrase):
    """One result for each: date, month, class, region; ``before`` what it is of: "monthly mean"."""

    axis: str
    zones: Zones | None = None
    before: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Infix(Phrase):
    """The first side of a sum: "mean NIR minus", "NIR divided by"."""

    how: str
    left: Phrase


@dataclass(frozen=True, slots=True)
class Anaphor(Phrase):
    """Something asked of what was found before: "its mean NDVI"; ``several``: "how many of them".

    ``there`` on the ground that was found: "the mean NDVI there".
    """

    of: Phrase
    several: bool = False
    there: bool = False


@dataclass(frozen=True, slots=True)
class Weight(Phrase):
    """A raster that weights a mean: "weighted by slope"."""

    node: Node


@dataclass(frozen=True, slots=True)
class Bands(Phrase):
    """Steps of a variable, before it is said how wide: "elevation bands"; so many, where it is said."""

    node: Node
    count: int = 0


@dataclass(frozen=True, slots=True)
class BandWidth(Phrase):
    """How wide steps are, before it is said of what: "100 m steps"."""

    number: Number
