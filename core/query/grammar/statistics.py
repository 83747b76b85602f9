"""Statistics: of pixels, of dates, one over the other, several at once, weighted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import by_zones, kind_or_none, raster_of_mean, series
from treeline.core.query.expression import (
    Aggregate,
    Cloud,
    Compare,
    Node,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.grammar.formal import phrases_of
from treeline.core.query.grammar.groups import SPREADS, how_many_there_are, zones_of
from treeline.core.query.grammar.ranking import rank_after
from treeline.core.query.grammar.registry import rule, rules_for
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Display
from treeline.core.query.phrases.comparisons import Changes, HowMuch, Versus
from treeline.core.query.phrases.conditions import Operator
from treeline.core.query.phrases.counts import AreaOf, PixelPercentile, PixelShare, Unit
from treeline.core.query.phrases.courses import CourseOf, RelationOf
from treeline.core.query.phrases.phrase import Many, Phrase, Word
from treeline.core.query.phrases.places import Mask, Source
from treeline.core.query.phrases.ranks import Extreme, ExtremeShare, ExtremeStat, Ranking
from treeline.core.query.phrases.values import (
    Along,
    Amount,
    Each,
    Measure,
    PixelValues,
    Raw,
    Series,
    Stat,
    Vague,
    Value,
    Weight,
)
from treeline.core.query.slots import fill_clouds, leaves, mark_whole, rebuild, set_time


def fits(node: Node) -> bool:
    """Return whether the nodes of an expression fit together."""
    return kind_or_none(node) is not None


@rule(Along, Stat)
def axis_before(along: Along, stat: Stat, names: Names) -> Iterable[Phrase]:
    """Per-pixel + mean."""
    if stat.over is not None or along.stands == "after":
        return
    if along.axis == "pixel" and stat.statistic == "mean":
        yield stat
    else:
        yield Stat(stat.statistic, stat.parameter, along.axis, along.stands == "both")


@rule(Along, Along)
def axis_said_twice(one: Along, other: Along, names: Names) -> Iterable[Phrase]:
    """Each pixel's + temporal."""
    if one == Along("date", "both") and other == Along("date", "before"):
        yield one


@rule(Along, Measure, cost=1)
def axis_before_measure(along: Along, item: Measure, names: Names) -> Iterable[Phrase]:
    """Temporal + NDVI range; per-pixel + NDVI maximum."""
    if along.axis == "date" and along.stands != "after":
        yield from through(item, Along("date", "both"), names)


@rule(Stat, Along)
def axis_after(stat: Stat, along: Along, names: Names) -> Iterable[Phrase]:
    """Maximum + over all dates."""
    if stat.over is None and along.stands == "after":
        yield Stat(stat.statistic, stat.parameter, along.axis, zones=along.zones)


@rule(Word, Unit)
def over_the_zones(word: Word, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Over + the regions; among + the classes."""
    zones = zones_of(unit, names) if word.name in _OVER else None
    if zones is not None:
        yield Along("zone", zones=zones)


_OVER = ("over", "across", "among", "between", "in")


@rule(Amount, Unit, cost=1)
def count_units(amount: Amount, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Ten + regions, where there are just ten; the five + scenes."""
    if not amount.number.unit and amount.number.value in how_many_there_are(unit, names):
        yield unit


@rule(Stat, Raw)
def of_raster(stat: Stat, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Mean + NDVI."""
    if stat.over == "date":
        node = Aggregate(stat.statistic, raw.node, "date", parameter=stat.parameter)  # type: ignore[arg-type]
        if fits(node):
            yield Raw(node)
    elif stat.over in (None, "pixel"):
        node = Aggregate(stat.statistic, raw.node, "pixel", parameter=stat.parameter)  # type: ignore[arg-type]
        if fits(node):
            yield Measure(node) if stat.over is None else Series(node)


@rule(Raw, Unit, cost=1)
def pixels_of_a_variable(raw: Raw, unit: Unit, names: Names) -> Iterable[Phrase]:
    """NDVI + pixels, of which a statistic is asked."""
    if unit == Unit("pixel"):
        yield PixelValues(raw.node)


@rule((Stat, ExtremeShare), PixelValues)
def statistic_of_pixel_values(
    asked: Stat | ExtremeShare, found: PixelValues, names: Names
) -> Iterable[Phrase]:
    """Mean of + the NDVI pixels; the highest 10 % of + the NDVI pixels."""
    for join, _ in rules_for(asked, raw := Raw(found.node)):
        yield from join(asked, raw, names)


@rule(Amount, Unit)
def share_of_pixels(amount: Amount, unit: Unit, names: Names) -> Iterable[Phrase]:
    """5 % + of the pixels, which stay below or above what is asked."""
    if unit.of == "pixel" and amount.number.unit == "%" and 0 < amount.number.value < 100:
        yield PixelShare(amount.number.value)


@rule(PixelShare, Operator)
def percentile_that_they_pass(share: PixelShare, operator: Operator, names: Names) -> Iterable[Phrase]:
    """5 % of the pixels + stay below: the 5th percentile."""
    if operator.sign in ("lt", "le", "gt", "ge"):
        below = share.percent if operator.sign in ("lt", "le") else 100 - share.percent
        yield PixelPercentile(below)


@rule(Word, PixelShare)
def percentile_that_is_exceeded(word: Word, share: PixelShare, names: Names) -> Iterable[Phrase]:
    """What NDVI is exceeded by + 5 % of the pixels: the 95th percentile; below which + 10 % of them lie."""
    if word.name in ("exceeded_by", "above_which"):
        yield PixelPercentile(100 - share.percent)
    if word.name == "below_which":
        yield PixelPercentile(share.percent)


@rule(PixelShare, Ranking)
def highest_pixels(share: PixelShare, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """10 % of the pixels + with the highest NDVI."""
    raster = raster_of_mean(ranked.node)
    if not isinstance(raster, Variable) or (ranked.nth, ranked.top) != (1, 1):
        return
    highest = ranked.direction == "highest"
    limit = Aggregate(
        "percentile", raster, "pixel", parameter=100 - share.percent if highest else share.percent
    )
    made = Compare(raster, "ge" if highest else "le", limit)
    if kind_or_none(made) is not None:
        yield Mask(made)


@rule(Raw, PixelPercentile)
def percentile_of(raw: Raw, found: PixelPercentile, names: Names) -> Iterable[Phrase]:
    """What NDVI do + 5 % of the pixels stay below."""
    yield from of_raster(Stat("percentile", found.percent), raw, names)


@rule(Extreme, Stat)
def extreme_statistic(extreme: Extreme, stat: Stat, names: Names) -> Iterable[Phrase]:
    """Lowest + standard deviation, before it is said of what."""
    if stat.statistic in SPREADS:
        yield ExtremeStat(extreme, stat)


@rule(Raw, ExtremeStat)
def extreme_statistic_of(raw: Raw, found: ExtremeStat, names: Names) -> Iterable[Phrase]:
    """NDVI + lowest standard deviation."""
    for item in of_raster(found.stat, raw, names):
        if isinstance(item, Measure):
            yield from rank_after(item, found.extreme, names)


@rule(ExtremeStat, Measure)
def extreme_statistic_of_dates(found: ExtremeStat, item: Measure, names: Names) -> Iterable[Phrase]:
    """Smallest standard deviation + of mean NDVI: of its dates, in one year or another."""
    each = series(item.node)
    kind = None if each is None else kind_or_none(each)
    if each is not None and kind is not None and kind.axes == {"date"}:
        made = Aggregate(found.stat.statistic, each, "date", parameter=found.stat.parameter)  # type: ignore[arg-type]
        yield from (Ranking(found.extreme.direction, made),) if fits(made) else ()


@rule(Vague, Stat)
def gloss(vague: Vague, stat: Stat, names: Names) -> Iterable[Phrase]:
    """Spread + (standard deviation)."""
    if stat.statistic in vague.statistics:
        yield stat


@rule(Measure, Along)
def of_all_dates_pooled(item: Measure, along: Along, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + over all dates and all pixels."""
    node = item.node
    if along.axis == "all" and isinstance(node, Aggregate) and node.over == "pixel" and node.by is None:
        pooled = replace(node, over="all")
        if fits(pooled):
            yield Value(pooled)


@rule(Measure, Along)
def mean_of_the_dates(item: Measure, along: Along, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + of all dates: one number, that something may be set against."""
    node = item.node
    if along.axis == "date" and isinstance(node, Aggregate) and (node.statistic, node.by) == ("mean", None):
        mean = Aggregate("mean", node, "date")
        if fits(mean):
            yield Value(mean)


@rule(HowMuch, Measure)
def how_much_it_varies(word: HowMuch, item: Measure, names: Names) -> Iterable[Phrase]:
    """How much + does NDVI vary (standard deviation)."""
    spread = isinstance(item.node, Aggregate) and item.node.statistic in ("std", "range", "iqr", "variance")
    if spread and word.how == "difference":
        yield item


@rule(Raw, Stat, cost=1)
def after_raster(raw: Raw, stat: Stat, names: Names) -> Iterable[Phrase]:
    """NDVI + mean."""
    yield from of_raster(stat, raw, names)


@rule(Stat, Source)
def of_the_source(stat: Stat, source: Source, names: Names) -> Iterable[Phrase]:
    """Entropy + of the land cover."""
    variable = names.variable(source.role)
    if variable is not None:
        yield from of_raster(stat, Raw(variable), names)


@rule((Stat, Measure), Word)
def as_it_is_anyway(item: Stat | Measure, word: Word, names: Names) -> Iterable[Phrase]:
    """Entropy of the elevation + in bits; Moran's I + by queen contiguity."""
    node = item.node if isinstance(item, Measure) else item
    if getattr(node, "statistic", "") == _ANYWAY.get(word.name):
        yield item


# Words for how a statistic is taken, where it is never taken in another way.
_ANYWAY = {"bits": "entropy", "queen": "moran"}


_OF_GROUND = (Raw, Measure, Series, AreaOf, RelationOf, CourseOf, Changes, Versus, Many, Display)


@rule(_OF_GROUND, Word, either=True)
@rule(Value, Word)
def of_it_all(item: Phrase, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean elevation + of the study area."""
    if word.name == "whole" and not any(leaf.where for leaf in leaves(item)):
        yield rebuild(item, mark_whole)


@rule(Word, Word)
def over_the_whole_area(over: Word, ground: Word, names: Names) -> Iterable[Phrase]:
    """Over + the area."""
    if over.name == "over" and ground.name == "whole":
        yield ground


@rule(Word, Value)
def of_the_whole_area(word: Word, found: Value, names: Names) -> Iterable[Phrase]:
    """In the study area + the greenest date; "area of the largest class" is no class of the area."""
    sized = isinstance(found.node, Which) and getattr(found.node.of, "statistic", "") == "area"
    if not sized:
        yield from of_it_all(found, word, names)


@rule((Measure, Value), Each)
def extreme_of_any_date(item: Measure | Value, each: Each, names: Names) -> Iterable[Phrase]:
    """Lowest median NDVI + of any date: over the dates, as it is anyway."""
    node = item.node
    extreme = isinstance(node, Aggregate) and node.statistic in ("min", "max") and node.over == "date"
    if each.axis == "any date" and extreme:
        yield item
    if each.axis == "any clear date" and extreme and (clear := fill_clouds(item, "clear_dates")) is not None:
        yield clear


@rule(Stat, Measure, cost=3)
def mean_cloud_cover(stat: Stat, measure: Measure, names: Names) -> Iterable[Phrase]:
    """Average + cloud cover, of each year or month to come: the mean of the dates is meant anyway."""
    cover = measure.node
    if stat == Stat("mean") and isinstance(cover, Aggregate) and isinstance(cover.of, Cloud):
        yield measure


@rule(Stat, Measure)
def of_measure(stat: Stat, measure: Measure, names: Names) -> Iterable[Phrase]:
    """Highest + mean NDVI: over the dates, of each date's mean."""
    inner = measure.node
    if not isinstance(inner, Aggregate):
        return
    if stat.zones is not None:
        each = inner if inner.by == stat.zones else by_zones(inner, stat.zones)
        yield from of_series(stat, Series(each), names) if each is not None else ()
        return
    kind = kind_or_none(inner)
    if (
        stat.over is None
        and isinstance(inner.by, Zones)
        and kind is not None
        and kind.axes == {"zone"}
        or stat.over in ("zone", "period")
    ):
        yield from of_series(stat, Series(inner), names)
    elif stat.over in (None, "date") and not stat.pixelwise:
        if stat.over is not None or not _is_a_mean_of_zones_by_default(inner):
            yield from _over_dates(stat, inner)
    elif stat.over == "pixel" and inner.by is None and inner.weight is None:
        turned = Aggregate(inner.statistic, inner.of, "date", parameter=inner.parameter)
        outer = Aggregate(stat.statistic, turned, "pixel", parameter=stat.parameter)  # type: ignore[arg-type]
        if fits(outer):
            yield Value(outer)


@rule(Stat, Many, cost=1)
def of_each_measure(stat: Stat, several: Many, names: Names) -> Iterable[Phrase]:
    """Average + cloud cover in 2021 and in 2022: of each of them."""
    if several.apart or several.clauses or not all(isinstance(part, Measure) for part in several.of):
        return
    if len({part.node.of for part in several.of if isinstance(part.node, Aggregate)}) == 1:  # type: ignore[attr-defined]
        return  # statistics of one thing, of which the one before them is the first
    ways = [list(of_measure(stat, part, names)) for part in several.of]
    if all(len(way) == 1 for way in ways):
        yield Many(tuple(way[0] for way in ways))


@rule(Stat, Measure, cost=1)
def of_a_mean_by_default(stat: Stat, measure: Measure, names: Names) -> Iterable[Phrase]:
    """Highest + NDVI of each class: rather of its pixels than of means that nobody said."""
    if stat.over is None and stat.zones is None and _is_a_mean_of_zones_by_default(measure.node):
        kind = kind_or_none(measure.node)
        if not stat.pixelwise and kind is not None and "date" in kind.axes:
            yield from _over_dates(stat, measure.node)


def _is_a_mean_of_zones_by_default(node: Node) -> bool:
    return isinstance(node, Aggregate) and isinstance(node.by, Zones) and "statistic" in node.assumed


def _over_dates(stat: Stat, inner: Node) -> Iterable[Phrase]:
    outer = Aggregate(stat.statistic, inner, "date", parameter=stat.parameter)  # type: ignore[arg-type]
    yield from phrases_of(outer)


@rule(Stat, AreaOf)
def of_areas(stat: Stat, found: AreaOf, names: Names) -> Iterable[Phrase]:
    """Maximum over the dates + of the area with NDVI above 0.6; total + area of the forest."""
    if stat == Stat("sum"):
        yield found
        return
    yield from of_measure(stat, Measure(Aggregate("area", found.node, "pixel", unit=found.unit)), names)


@rule(Series, Stat, cost=1)
def after_series(found: Series, stat: Stat, names: Names) -> Iterable[Phrase]:
    """Each date's maximum, then + averaged."""
    if stat.statistic == "mean":
        yield from of_series(stat, found, names)


@rule(Stat, Series)
def of_series(stat: Stat, found: Series, names: Names) -> Iterable[Phrase]:
    """Median + of each date's 95th percentile."""
    if stat.pixelwise or "statistic" in getattr(_innermost(found.node), "assumed", ()):
        return
    if stat.zones is not None and stat.zones != getattr(found.node, "by", None):
        return  # "mean polygon size per class" is not of the sizes of the classes
    kind = kind_or_none(found.node)
    for axis in ("date", "period", "zone"):
        if (
            kind is not None
            and axis in kind.axes
            and stat.over in ({axis} if len(kind.axes) > 1 else {None, axis})
        ):
            outer = Aggregate(stat.statistic, found.node, axis, parameter=stat.parameter)  # type: ignore[arg-type]
            yield from phrases_of(outer)


def _innermost(node: Node) -> Node:
    """Return the statistic of the pixels that a series has."""
    while isinstance(node, Aggregate) and isinstance(node.of, Aggregate):
        node = node.of
    return node


@rule((Raw, Measure), Along)
def through(item: Raw | Measure, along: Along, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + per pixel: a raster, the statistic over the dates."""
    node = item.node
    if (
        isinstance(item, Measure)
        and isinstance(node, Aggregate)
        and node.by is None
        and node.weight is None
        and along.axis == "date"
        and (along.stands == "both" or (along.stands == "after" and node.statistic not in ("mean", "share")))
    ):
        turned = Aggregate(node.statistic, node.of, "date", parameter=node.parameter)
        if fits(turned):
            yield Raw(turned)
        mean = series(node.of)
        if along.stands == "after" and node.statistic in SPREADS and mean is not None:
            yield from _over_dates(Stat(node.statistic, node.parameter), mean)


@rule(Measure, Each)
def extreme_ever(item: Measure, each: Each, names: Names) -> Iterable[Phrase]:
    """Lowest NDVI + ever: of all dates, which is meant anyway."""
    node = item.node
    if (
        each.axis in ("any date", "any pixel", "any clear date")
        and isinstance(node, Aggregate)
        and node.statistic in ("min", "max")
    ):
        clear = fill_clouds(item, "clear_dates") if each.axis == "any clear date" else item
        yield from () if clear is None else (clear,)


# --- Weighted -------------------------------------------------------------------------------------


@rule(Word, Raw)
def weight(word: Word, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Weighted by + slope."""
    if word.name == "weighted_by":
        yield Weight(raw.node)


@rule(Raw, Word)
def weight_before(raw: Raw, word: Word, names: Names) -> Iterable[Phrase]:
    """Slope + weighted."""
    if word.name == "weighted":
        yield Weight(raw.node)


@rule((Measure, Series), Weight)
@rule(Measure, Weight, before=True)
def weight_by(item: Measure | Series, weight: Weight, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + weighted by slope."""
    node = item.node
    if isinstance(node, Aggregate) and node.weight is None and node.by is None:
        made = replace(node, weight=weight.node)
        if fits(made):
            yield replace(item, node=made)


@rule(Stat, Ranking)
def statistic_of_the_highest(stat: Stat, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Average + of the three highest mean NDVI values."""
    each = series(ranked.node)
    if each is not None:
        yield from _of_those_found(stat, Which(each, ranked.direction, ranked.nth, ranked.top))


@rule(Stat, Value)
def statistic_of_the_highest_dates(stat: Stat, found: Value, names: Names) -> Iterable[Phrase]:
    """Average + of the ten greenest dates."""
    if isinstance(found.node, Which) and stat.statistic in ("mean", "median"):  # "top" may be a maximum
        yield from _of_those_found(stat, found.node)


def _of_those_found(stat: Stat, found: Which) -> Iterable[Phrase]:
    """Yield a statistic of the values of several dates that are found by them."""
    kind = kind_or_none(found)
    if found.top > 1 and stat.over in (None, "date") and kind is not None and kind.value == "date":
        of_these = set_time(found.of, When(at=found))
        made = Aggregate(stat.statistic, of_these, "date", parameter=stat.parameter)  # type: ignore[arg-type]
        yield from (Measure(made),) if fits(made) else ()
