"""Meanings that put dates and zones in order: highest, top three, which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.query.expression import Compare, Node, Number, Which, Zones
from treeline.core.query.phrases.comparisons import Change, ChangeOf
from treeline.core.query.phrases.counts import Area, Unit
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.values import Stat

Ends = Literal["highest", "lowest"]


@dataclass(frozen=True, slots=True)
class Extreme(Phrase):
    """Highest, second lowest, top three."""

    direction: Ends
    nth: int = 1
    top: int = 1


@dataclass(frozen=True, slots=True)
class ExtremeStat(Phrase):
    """The highest or lowest of a statistic, before it is said of what: "lowest standard deviation"."""

    extreme: Extreme
    stat: Stat


@dataclass(frozen=True, slots=True)
class ExtremeShare(Phrase):
    """The highest or lowest share of the values of what is to come: "the highest 10 %"."""

    direction: Ends
    percent: float


@dataclass(frozen=True, slots=True)
class HighestValues(Phrase):
    """The highest or lowest values of a raster, of which a statistic is asked: "the highest 10 % of NDVI"."""

    node: Compare


@dataclass(frozen=True, slots=True)
class Ranking(Phrase):
    """Something by which dates or zones are put in order: "the highest mean NDVI", "greenest".

    ``after`` where the order is said after it, "mean NDVI highest": a noun that follows has its own order,
    "mean NDVI of the largest class".
    """

    direction: Ends
    node: Node
    nth: int = 1
    top: int = 1
    after: bool = False


@dataclass(frozen=True, slots=True)
class NearestTo(Phrase):
    """Nearest to a number, before it is said what: "closest to 0.5"."""

    number: Number


@dataclass(frozen=True, slots=True)
class Order(Phrase):
    """In which order things are told: "from the greenest to the least green"."""

    direction: Ends
    node: Node


@dataclass(frozen=True, slots=True)
class Superlative(Phrase):
    """What is found, and how, before it is said by what: "which date has the highest"."""

    unit: Unit
    extreme: Extreme


@dataclass(frozen=True, slots=True)
class SuperlativeShare(Phrase):
    """Which zone has the highest share, before it is said of what: "of pixels above 0.8".

    ``ground`` is that of all zones: their own share of it is meant where nothing more is said.
    """

    zones: Zones
    extreme: Extreme
    ground: Node | None


@dataclass(frozen=True, slots=True)
class WhichHas(Phrase):
    """Which of several has the highest or lowest of something, before it is said which they are."""

    ranked: Ranking


@dataclass(frozen=True, slots=True)
class WhichZone(Phrase):
    """Which of the zones is highest or lowest, the time still open."""

    node: Node
    extreme: Extreme


@dataclass(frozen=True, slots=True)
class RankOf(Phrase):
    """What place something has in an order, before it is said in which."""

    member: Phrase | None = None
    direction: Ends = "highest"


@dataclass(frozen=True, slots=True)
class RankedZone(Phrase):
    """What place a class or region has in an order, the time still open."""

    node: Node
    member: Node
    direction: Ends = "highest"


@dataclass(frozen=True, slots=True)
class Candidates(Phrase):
    """The times or places of which one is looked for: "which of 2015, 2016 and 2017".

    ``first`` where all of them are asked for in their order: "rank 2015, 2016 and 2017".
    """

    of: tuple[Phrase, ...]
    first: Ends | None = None


@dataclass(frozen=True, slots=True)
class Alternatives(Phrase):
    """Something at two times or places, of which one is looked for: "NDVI of the forest or the grassland".

    ``against`` where they are set against each other: "NDVI of the forest against that of the grassland".
    """

    node: Node
    of: tuple[Phrase, ...]
    against: bool = False


@dataclass(frozen=True, slots=True)
class HigherIn(Phrase):
    """Two times or places, before it is said what is compared: "higher in the forest or in grassland"."""

    direction: Ends
    of: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class MostPixels(Phrase):
    """Most or fewest pixels, before it is said which: "the most pixels"."""

    extreme: Extreme


@dataclass(frozen=True, slots=True)
class LargestChange(Phrase):
    """What changed most, before it is said from when to when."""

    changed: ChangeOf
    extreme: Extreme


@dataclass(frozen=True, slots=True)
class LargestStep(Phrase):
    """What changed most from one date to the next, before it is asked when: "did mean NDVI drop the most"."""

    most: LargestChange


@dataclass(frozen=True, slots=True)
class ExtremeChange(Phrase):
    """Changed most, before it is said what: "lost the most", "lost the most area"."""

    change: Change
    extreme: Extreme
    area: Area | None = None


@dataclass(frozen=True, slots=True)
class LargestArea(Phrase):
    """The largest or smallest area, before it is said of which zones."""

    extreme: Extreme
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Among(Phrase):
    """Those that something is ranked or chosen from: "among the dates"."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class AmongFirst(Phrase):
    """To be one of the first that are found: "among the five greenest dates"."""

    node: Which
