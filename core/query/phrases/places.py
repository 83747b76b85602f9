"""Meanings of ground: masks, directions, polygons, what lies near."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from treeline.core.query.expression import Node, Number, Place, Zones
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.values import Stat


@dataclass(frozen=True, slots=True)
class Mask(Phrase):
    """True and false for pixels: a named place, a condition on a raster.

    ``joined`` where it was put together from several names of the question.
    """

    node: Node
    joined: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Part(Mask):
    """One class within one region, where it is set against another: "the cropland in Oakhollow"."""


@dataclass(frozen=True, slots=True)
class Location(Phrase):
    """A mask after "in", "where", "with": it limits what stands before it.

    ``inside`` after "in", where it may be what something is a share of.
    """

    node: Node
    inside: bool = False


@dataclass(frozen=True, slots=True)
class Handling(Phrase):
    """A verb and the ground that it deals with, before "in" or "out": "leave the clouds"."""

    node: Node
    verb: str


@dataclass(frozen=True, slots=True)
class Facing(Phrase):
    """A compass direction."""

    name: str


@dataclass(frozen=True, slots=True)
class Definition(Phrase):
    """A word for ground that a condition beside it defines: "steep slopes (above 20 degrees)"."""

    sign: Literal["gt", "lt"]
    roles: tuple[str, ...]


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
class Line(Phrase):
    """The straight line from one point to another."""

    start: Place
    end: Place


@dataclass(frozen=True, slots=True)
class CentreOf(Phrase):
    """The centre of ground, of which a distance is asked."""

    node: Node


@dataclass(frozen=True, slots=True)
class Source(Phrase):
    """A data set that the question names beside what it asks: "from the land cover"."""

    role: str


@dataclass(frozen=True, slots=True)
class Polygons(Phrase):
    """Polygons or patches, each by itself; ``mask`` for those of one class."""

    zones: Zones
    mask: Node


@dataclass(frozen=True, slots=True)
class EachPolygon(Phrase):
    """One result for each polygon of a class: "each forest polygon"."""

    of: Polygons


@dataclass(frozen=True, slots=True)
class StatPolygons(Phrase):
    """A statistic of polygons: "the largest forest polygon"."""

    stat: Stat
    polygons: Polygons


@dataclass(frozen=True, slots=True)
class StatArea(Phrase):
    """A statistic of areas, before it is said of which: "the largest area of", "mean patch size"."""

    stat: Stat
    unit: str = ""
    of_patches: bool = False


@dataclass(frozen=True, slots=True)
class PatchSize(Phrase):
    """The area of each patch, before it is said of what."""

    unit: str = ""
