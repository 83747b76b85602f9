"""What a question says twice: a gloss in brackets, a variable by its noun and by its adjective."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from treeline.core.query.closing import raster_of_mean
from treeline.core.query.expression import ALWAYS, Aggregate, Compare, Trend, Variable
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import InUnit
from treeline.core.query.phrases.comparisons import Versus
from treeline.core.query.phrases.conditions import Claim
from treeline.core.query.phrases.courses import Course
from treeline.core.query.phrases.phrase import Pair, Phrase, Word
from treeline.core.query.phrases.ranks import Ranked
from treeline.core.query.phrases.values import Measure, Raw, Series, Value
from treeline.toolkit.index.catalogue import AMBIGUOUS, indices


@rule(Raw, Raw)
def variable_named_twice(one: Raw, other: Raw, names: Names) -> Iterable[Phrase]:
    """NDVI + (vegetation index)."""
    if one == other and isinstance(one.node, Variable):
        yield one


@rule(Raw, Pair)
def index_with_its_bands(index: Raw, bands: Pair, names: Names) -> Iterable[Phrase]:
    """NDWI + (green and NIR)."""
    sides = (bands.left, bands.right)
    if not isinstance(index.node, Variable) or not all(isinstance(side, Raw) for side in sides):
        return
    named = {getattr(getattr(side, "node", None), "role", "") for side in sides}
    if named in _bands_of(index.node.role):
        yield index


def _bands_of(role: str) -> list[set[str]]:
    """Return the bands that an index is made of where the question does not say more, in other words too."""
    names = AMBIGUOUS.get(role.upper(), (role,))
    index = indices().get(names[0]) or indices().get(names[0].upper())
    choices = product(*(band.roles for band in index.bands)) if index is not None else ()
    return [set(choice) for choice in choices]


@rule(Ranked, (Raw, Measure))
def hottest_temperature(ranked: Ranked, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Hottest + surface temperature: its maximum."""
    if (
        isinstance(item, Raw)
        and raster_of_mean(ranked.node) == item.node
        and (ranked.nth, ranked.top) == (1, 1)
    ):
        extreme = "max" if ranked.direction == "highest" else "min"
        yield Measure(Aggregate(extreme, item.node, "pixel"))  # type: ignore[arg-type]


@rule(Raw, Measure)
def extreme_named_twice(item: Raw, extreme: Measure, names: Names) -> Iterable[Phrase]:
    """How steep + is the steepest spot."""
    node = extreme.node
    if (
        isinstance(node, Aggregate)
        and node.statistic in ("max", "min")
        and raster_of_mean(item.node) == node.of
    ):
        yield extreme


@rule((Claim, Measure), Course)
def trend_named_twice(item: Claim | Measure, course: Course, names: Names) -> Iterable[Phrase]:
    """Falling NDVI + trend."""
    plain = course == Course("Trend", "slope")
    if plain and any(isinstance(part, Trend) and not part.method for part in item.node.walk()):
        yield item


@rule((Raw, Measure), (Claim, Versus))
def becomes_what_it_is(item: Raw | Measure, claim: Claim | Versus, names: Names) -> Iterable[Phrase]:
    """The vegetation + is getting greener."""
    node = claim.left if isinstance(claim, Versus) else claim.node
    rises = isinstance(claim, Versus) or isinstance(node, Compare) and isinstance(node.of, Trend)
    measured = {replace(part, when=ALWAYS) for part in node.walk() if isinstance(part, Variable)}
    if rises and measured == {raster_of_mean(item.node)}:
        yield claim


@rule((Measure, Series, Value), Word)
def share_of_the_mean(item: Measure | Series | Value, word: Word, names: Names) -> Iterable[Phrase]:
    """Coefficient of variation, share of each class + in per cent."""
    if word.name != "as_share" or not isinstance(item.node, Aggregate):
        return
    if item.node.statistic == "cv":
        yield InUnit(item, "%")
    elif item.node.statistic == "share":
        yield item
