"""Bands: equal steps of a variable that the ground is divided into, and what lies across parts of it."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.query.expression import ALWAYS, REFLECTANCE, Node, Number, Variable, Zones
from treeline.core.query.grammar.conditions import REFLECTANCES
from treeline.core.query.grammar.groups import zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.values import Amount, Bands, BandWidth, Each, Measure, Raw, Series, Value
from treeline.core.query.slots import leaves


@rule((Raw, Measure, Series, Value), Word)
def computed_from_bands(item: Raw | Measure | Series | Value, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + computed from the bands: as it has to be, where no raster holds it."""
    held = [names.inventory.holding(getattr(leaf, "role", "")) for leaf in leaves(item)]
    if word.name == "from_bands" and held and all(each is not None and each.made for each in held):
        yield item


@rule((Raw, Measure), Raw)
def reflectance_of_a_band(item: Raw | Measure, noun: Raw, names: Names) -> Iterable[Phrase]:
    """SWIR (B11) + reflectance, which a band is of anyway."""
    bare = isinstance(noun.node, Variable) and noun.node.role == REFLECTANCE and noun.node.where is None
    told = leaves(item)
    if bare and leaves(noun)[0].when == ALWAYS and told:
        yield from (item,) if all(getattr(leaf, "role", "") in REFLECTANCES for leaf in told) else ()


@rule(Raw, Word)
def bands(item: Raw, word: Word, names: Names) -> Iterable[Phrase]:
    """Elevation + bands."""
    if word.name == "bands" and isinstance(item.node, Variable):
        yield Bands(item.node)


@rule(Amount, Word)
def width(amount: Amount, word: Word, names: Names) -> Iterable[Phrase]:
    """100 m + steps; so many without a unit are a number of them."""
    number = amount.number
    if word.name == "bands" and (number.unit or number.value != int(number.value)):
        yield BandWidth(amount.number)


@rule(Word, Amount)
def width_first(word: Word, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Per + 100 m, of what is to come."""
    if word.name in ("per", "bands"):
        yield BandWidth(amount.number)


@rule(BandWidth, Raw)
def each_step(found: BandWidth, item: Raw, names: Names) -> Iterable[Phrase]:
    """Per 100 m + of elevation; in 100 m steps + of elevation."""
    yield from _each(item.node, found.number)


@rule(Amount, Bands)
def so_many_bands(amount: Amount, found: Bands, names: Names) -> Iterable[Phrase]:
    """Three + elevation bands, of which the limits are to come."""
    number = amount.number
    if not number.unit and number.value == int(number.value) and number.value > 1 and not found.count:
        yield Bands(found.node, int(number.value))


@rule(Amount, Bands, either=True)
def each_band(amount: Amount, found: Bands, names: Names) -> Iterable[Phrase]:
    """100 m + elevation bands; elevation bands of + 100 m."""
    number = amount.number
    if not found.count and (number.unit or number.value != int(number.value)):
        yield from _each(found.node, number)


@rule(Bands, BandWidth)
def each_band_in_steps(found: Bands, step: BandWidth, names: Names) -> Iterable[Phrase]:
    """Elevation bands + in steps of 100 m."""
    yield from _each(found.node, step.number)


def _each(node: Node, step: Number) -> Iterable[Phrase]:
    if isinstance(node, Variable) and step.value > 0 and step.unit in ("", node.unit):
        zones = Zones("band", of=node, step=step.value)
        yield Each("zone", zones)
        yield Unit("zone", zones)


@rule(Word, Raw, cost=1)
def by_terrain(word: Word, item: Raw, names: Names) -> Iterable[Phrase]:
    """By + elevation: in bands of a usual width, which is told."""
    if word.name == "by" and isinstance(item.node, Variable) and item.node.where is None:
        width = _USUAL_WIDTHS.get(item.node.role)
        zones = Zones("band", of=item.node, step=width or 0.0, assumed=("width",))
        yield from (Each("zone", zones),) if width else ()


@rule(Word, Bands)
def by_usual_bands(word: Word, found: Bands, names: Names) -> Iterable[Phrase]:
    """Per + elevation band: in bands of a usual width, which is told."""
    if word.name == "per" and not found.count:
        yield from by_terrain(Word("by"), Raw(found.node), names)


_USUAL_WIDTHS = {"dem": 100.0, "terrain_slope": 5.0}


@rule(Word, Unit)
def across(word: Word, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Across + the classes."""
    zones = zones_of(unit, names) if word.name == "across" and not unit.clear else None
    if zones is not None:
        yield Each("zone", zones)
