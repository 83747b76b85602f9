"""Meanings of what is asked for: facts, maps, charts, pictures, units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treeline.core.query.expression import Node, Period
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Form(Phrase):
    """As a map, a table, a chart; as a chart over the dates. ``where`` asks for the ground where it is so."""

    form: Literal["map", "chart", "table", "histogram", "scatter", "series"]
    where: bool = False

    @property
    def picture(self) -> Literal["map", "chart", "table", "histogram", "scatter"]:
        """What is drawn: of a series a chart."""
        return "chart" if self.form == "series" else self.form


@dataclass(frozen=True, slots=True)
class Display(Phrase):
    """Something asked for as a map, chart or table; a histogram with so many bins."""

    of: Phrase
    form: Literal["map", "chart", "table", "histogram", "scatter"]
    bins: int = 0
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class BinCount(Phrase):
    """How many bins a histogram is to have."""

    bins: int


@dataclass(frozen=True, slots=True)
class Target(Phrase):
    """A unit that the answer is asked in."""

    unit: str


@dataclass(frozen=True, slots=True)
class InUnit(Phrase):
    """Something asked for in a unit."""

    of: Phrase
    unit: str


@dataclass(frozen=True, slots=True)
class LastStep(Phrase):
    """What the last step of several gives; all that was told before it is part of an earlier one."""

    of: Phrase


@dataclass(frozen=True, slots=True)
class Rounding(Phrase):
    """To how many decimals the answer is asked."""

    decimals: int


@dataclass(frozen=True, slots=True)
class RoundedTo(Phrase):
    """Something asked for to so many decimals."""

    of: Phrase
    decimals: int


@dataclass(frozen=True, slots=True)
class Fact(Phrase):
    """A fact of the data; images may be counted by period."""

    about: str
    by: Period | None = None


@dataclass(frozen=True, slots=True)
class FactOf(Phrase):
    """A fact of a variable, or of a time."""

    about: str
    node: Node
    by: Period | None = None


@dataclass(frozen=True, slots=True)
class Imagery(Phrase):
    """The rasters of a variable, of which a fact is asked: "NDVI images"."""

    node: Node


@dataclass(frozen=True, slots=True)
class ImageLimit(Phrase):
    """So many images, or clear ones, which a period has or has not: "fewer than 20 images"."""

    limit: Limit
    clear: bool = False


@dataclass(frozen=True, slots=True)
class Picture(Phrase):
    """A colour picture of three variables."""

    roles: tuple[str, ...]
