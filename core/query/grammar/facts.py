"""Facts about the data: how many images, which dates, which bands, of what and when."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.query.expression import ALWAYS, Facts, Variable
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Fact, FactOf
from treeline.core.query.phrases.counts import Area, Counted, Unit
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Raw, Value
from treeline.core.query.slots import fill_time

# What facts can be told of a variable or of a time.
_OF_VARIABLE = frozenset({
    "images", "dates", "first_date", "last_date", "pixel_size", "extent", "crs", "nodata", "gap", "interval",
    "span", "files", "sensors", "ground_area",
})  # fmt: skip
_OF_TIME = frozenset({"images", "dates", "first_date", "last_date", "gap", "interval", "span"})


@rule((Fact, FactOf), Raw, either=True)
def fact_of(fact: Fact | FactOf, raw: Raw, names: Names) -> Iterable[Phrase]:
    """How many images + of NDVI."""
    if isinstance(fact, FactOf):
        return
    if fact.about in _OF_VARIABLE and isinstance(raw.node, Variable):
        yield FactOf(fact.about, raw.node)


@rule((Fact, FactOf), Time, either=True)
def fact_in(fact: Fact | FactOf, time: Time, names: Names) -> Iterable[Phrase]:
    """How many images + in 2016."""
    if fact.about not in _OF_TIME:
        return
    if time.when == ALWAYS:
        yield fact
    elif isinstance(fact, Fact):
        yield FactOf(fact.about, time.when)
    elif isinstance(fact.node, Variable):
        filled = fill_time(fact.node, time.when)
        if filled is not None:
            yield FactOf(fact.about, filled)


@rule(Fact, Area)
def ground_area(fact: Fact, area: Area, names: Names) -> Iterable[Phrase]:
    """Area of the study area + in km2."""
    if fact.about == "ground_area" and area.unit:
        yield Value(Facts("ground_area", unit=area.unit))


@rule(Counted, Raw)
def images_of(counted: Counted, raw: Raw, names: Names) -> Iterable[Phrase]:
    """How many dates + NDVI."""
    if counted.unit.of in ("date", "image") and not counted.unit.clear and isinstance(raw.node, Variable):
        yield FactOf("images", raw.node)


@rule(Counted, Time)
def images_in(counted: Counted, time: Time, names: Names) -> Iterable[Phrase]:
    """How many images + in 2016."""
    if counted.unit.of in ("date", "image") and not counted.unit.clear and not time.when.at:
        yield Fact("images") if time.when == ALWAYS else FactOf("images", time.when)


@rule(Unit, Word)
def available_dates(unit: Unit, word: Word, names: Names) -> Iterable[Phrase]:
    """Which dates + are available."""
    if word.name == "available" and unit.of in ("date", "image") and not unit.clear:
        yield Fact("dates")
    if word.name == "available" and unit.of == "class":
        yield Fact("classes")


@rule((Fact, FactOf, Counted), Word)
def available(fact: Fact | FactOf | Counted, word: Word, names: Names) -> Iterable[Phrase]:
    """How many images + are available."""
    if word.name == "available":
        yield fact
