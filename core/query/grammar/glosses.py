"""What a question says twice: a gloss in brackets, a variable by its noun and by its adjective."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from treeline.core.query.closing import raster_of_mean
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    And,
    Combine,
    Compare,
    Node,
    Not,
    Number,
    Place,
    Trend,
    Variable,
)
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import InUnit
from treeline.core.query.phrases.comparisons import ChangeOf, Versus
from treeline.core.query.phrases.conditions import Claim
from treeline.core.query.phrases.counts import ShareOf
from treeline.core.query.phrases.courses import Course
from treeline.core.query.phrases.phrase import Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Ranking
from treeline.core.query.phrases.times import Time, TimeBeside
from treeline.core.query.phrases.values import Measure, Raw, Series, Value
from treeline.core.query.slots import fill_time, months_in
from treeline.toolkit.index.catalogue import AMBIGUOUS, indices
from treeline.toolkit.variables import VARIABLES


@rule(Time, Word)
def time_beside_another(time: Time, word: Word, names: Names) -> Iterable[Phrase]:
    """The winter + before it."""
    if word.name == "beside it":
        yield TimeBeside(time.when)


@rule(TimeBeside, Time)
def time_beside_in_brackets(beside: TimeBeside, time: Time, names: Names) -> Iterable[Phrase]:
    """The winter before it + (December 2016 to February 2017)."""
    if len(time.when.spans) == 1 and months_in(time.when) in (months_in(beside.when), ()):
        yield time


@rule(Raw, Raw)
def variable_named_twice(one: Raw, other: Raw, names: Names) -> Iterable[Phrase]:
    """NDVI + (vegetation index)."""
    if one == other and isinstance(one.node, Variable):
        yield one


@rule(Mask, Mask)
def ground_with_its_parts(called: Mask, parts: Mask, names: Names) -> Iterable[Phrase]:
    """Farmland + (cropland and grassland): both, though one of them alone is called so, too."""
    match called.node:
        case Place() as one if _are_parts_of(parts.node, one):
            yield parts
        case And((*others, Not(Place() as one))) if _are_parts_of(
            parts.node, one
        ):  # neither forest nor farmland
            yield replace(called, node=And((*others, Not(parts.node))))


def _are_parts_of(node: Node | None, one: Place) -> bool:
    """Return whether a ground is several classes, of which another ground is one."""
    if not isinstance(node, Place) or replace(node, names=()) != replace(one, names=()):
        return False
    return set(one.names) < set(node.names)


@rule(Raw, Raw)
def reflectance_in_a_band(reflectance: Raw, band: Raw, names: Names) -> Iterable[Phrase]:
    """Reflectance in + the red band."""
    known = VARIABLES.get(getattr(band.node, "role", ""))
    if getattr(reflectance.node, "role", "") == "reflectance" and known and known.kind == "reflectance":
        yield from (band,) if band != reflectance else ()


@rule(Ranking, Measure)
def highest_named_by_its_adjective(ranked: Ranking, measure: Measure, names: Names) -> Iterable[Phrase]:
    """Steepest + mean slope; hottest + mean LST."""
    node = measure.node
    if isinstance(node, Aggregate) and raster_of_mean(ranked.node) == raster_of_mean(node) != node:
        yield replace(ranked, node=node)


@rule(Ranking, Mask, cost=1)  # of "a maximum elevation above 800 m" the maximum is rather meant
def extreme_ground_by_its_limit(extreme: Ranking, limit: Mask, names: Names) -> Iterable[Phrase]:
    """The flattest terrain + (slope below 2 degrees): what is below the limit."""
    match limit.node:
        case Compare(of, sign, Number()) if raster_of_mean(extreme.node) == of:
            if sign in (("lt", "le") if extreme.direction == "lowest" else ("gt", "ge")):
                yield limit


@rule(Raw, Pair)
def index_with_its_bands(index: Raw, bands: Pair, names: Names) -> Iterable[Phrase]:
    """NDWI + (green and NIR); NDMI + from B8A and B11, if need be not the bands that are its own."""
    sides = [getattr(side, "node", None) for side in (bands.left, bands.right)]
    if not isinstance(index.node, Variable) or not all(isinstance(side, Variable) for side in sides):
        return
    whens = {side.when for side in sides} - {ALWAYS}  # type: ignore[union-attr]
    roles = [side.role for side in sides]  # type: ignore[union-attr]
    plain = [Variable(role, when=s.when, unit=s.unit) for role, s in zip(roles, sides, strict=True)]  # type: ignore[union-attr]
    if len(whens) > 1 or plain != sides:
        return
    for made in _index_of_bands(index.node, roles, names):
        dated = fill_time(Raw(made), whens.pop()) if whens else Raw(made)
        yield from (dated,) if isinstance(dated, Raw) else ()


def _index_of_bands(index: Variable, named: list[str], names: Names) -> Iterable[Node]:
    """Yield an index as it is made of two bands; nothing where it is not made of them."""
    forms = AMBIGUOUS.get(index.role.upper(), (index.role,))
    for form, roles in product(forms, (named, named[::-1])):
        known = indices().get(form) or indices().get(form.upper())
        if known is None or len(known.bands) != len(roles):
            continue
        if all(role in band.roles for role, band in zip(roles, known.bands, strict=True)):
            held = [next(filter(names.inventory.holding, band.roles), "") for band in known.bands]
            if held == roles and form == forms[0]:
                yield index
            elif _NORMALISED.fullmatch(known.formula.text):
                left, right = (replace(index, role=role) for role in roles)
                yield Combine("normalised_difference", left, right)
            return


_NORMALISED = re.compile(r"\((\w+) - (\w+)\) / \(\1 \+ \2\)")


@rule((Raw, Measure), Word)
def vegetation_that_improves(item: Raw | Measure, word: Word, names: Names) -> Iterable[Phrase]:
    """Vegetation + improved: its index rose."""
    sign = {"improved": 1, "worsened": -1}.get(word.name, 0)
    variable = raster_of_mean(item.node)
    if sign and isinstance(variable, Variable) and variable.role in _OF_VEGETATION:
        yield ChangeOf("difference", sign, item.node, isinstance(item, Measure))


_OF_VEGETATION = frozenset({"ndvi", "evi", "savi", "fvc", "lai"})


@rule(Ranking, (Raw, Measure))
def hottest_temperature(ranked: Ranking, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Hottest + surface temperature: its maximum."""
    if (
        isinstance(item, Raw)
        and not ranked.after  # "mean LST, maximum LST" asks for two things
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


@rule((Claim, Versus), Word)
def with_both_sides(claim: Claim | Versus, word: Word, names: Names) -> Iterable[Phrase]:
    """Is the forest greener than the grassland + both means: they are told with the answer."""
    two = isinstance(claim, Versus) or (
        isinstance(claim.node, Compare) and not isinstance(claim.node.limit, Number)
    )
    if word.name == "both_sides" and two:
        yield claim


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


@rule(ShareOf, Word)
def share_in_per_cent(share: ShareOf, word: Word, names: Names) -> Iterable[Phrase]:
    """Share of the forest + in per cent, as it is told anyway."""
    if word.name == "as_share" and share.node is not None:
        yield share


@rule((Measure, Series, Value), Word)
def share_of_the_mean(item: Measure | Series | Value, word: Word, names: Names) -> Iterable[Phrase]:
    """Coefficient of variation, share of each class, mean cloud cover per year + in per cent."""
    if word.name != "as_share" or not isinstance(item.node, Aggregate):
        return
    told = item.node
    while told.statistic in _SAME_UNIT and isinstance(told.of, Aggregate):
        told = told.of
    if item.node.statistic == "cv":
        yield InUnit(item, "%")
    elif told.statistic == "share":
        yield item


_SAME_UNIT = ("mean", "median", "max", "min", "percentile")
