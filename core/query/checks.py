"""What a finished expression must fulfil before it may be answered: told in full, of data that are there."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from functools import partial

from treeline.core.query.expression import (
    ALWAYS,
    REFLECTANCE,
    Aggregate,
    And,
    Anomaly,
    Cloud,
    Combine,
    Compare,
    Convert,
    Correlation,
    Dates,
    Facts,
    Node,
    Not,
    Number,
    Phenology,
    Place,
    Rank,
    Rounded,
    Several,
    Span,
    Steps,
    Trend,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.inventory import Inventory
from treeline.core.query.kinds import are_rates_of_known_times, kind_of
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import Leaf, goes_on, leaves, rebuild, set_time, whole_year
from treeline.core.query.titles import short_title
from treeline.toolkit.variables import VARIABLES


def is_partly_dated(node: Node, apart: bool = False) -> bool:
    """Return whether some variables have a time and others none, so that a part of the question is open.

    Questions that stand apart are looked at one by one. The usual state that an anomaly is measured
    against may be that of all dates.
    """
    if isinstance(node, Several):
        # What is told of a date that another part finds has that part's time: "and its median NDVI".
        return any(is_partly_dated(part) for part in node.of) if apart else _is_mixed(node, node.of)
    anomalies = [part for part in node.walk() if isinstance(part, Anomaly)]
    if anomalies:
        return any(is_partly_dated(part.of) or is_partly_dated(part.base) for part in anomalies)
    # One date that is set against all of them leaves the time of these open on purpose.
    return _is_mixed(node) and not any(
        _is_one_of_all(part) and len(leaves(part)) == len(leaves(node))
        for part in node.walk()
        if isinstance(part, Compare | Combine)
    )


def _is_one_of_all(node: Compare | Combine) -> bool:
    """Return whether one date is set against all, or their mean or median: hotter than average.

    Of a difference it has to be said that all dates count: "the mean over all dates".
    """
    told = isinstance(node, Combine)
    sides = (node.left, node.right) if isinstance(node, Combine) else (node.of, node.limit)
    levels = [_is_level_of_dates(side, told) for side in sides]
    if told and not any(levels):
        return False
    bare = [side.of if level else side for side, level in zip(sides, levels, strict=True)]  # type: ignore[attr-defined]
    return set_time(bare[0], ALWAYS) == set_time(bare[1], ALWAYS)


def _is_level_of_dates(node: Node, told: bool) -> bool:
    """Return whether a side is the mean, median or a percentile of dates, which is told or assumed."""
    return (
        isinstance(node, Aggregate)
        and node.over == "date"
        and node.statistic in _LEVELS
        and not (told and "dates" in node.assumed)
    )


_LEVELS = ("mean", "median", "percentile")


def _is_mixed(node: Node, finding: tuple[Node, ...] = ()) -> bool:
    """Return whether some leaves have a time and others none; those at a date that is found aside."""
    own = [leaf for leaf in leaves(node) if leaf.when.at is None or leaf.when.at not in finding]
    told = {_is_told(leaf) for leaf in own if not (isinstance(leaf, Variable) and leaf.timeless)}
    return len(told) > 1


def is_half_dated(node: Node) -> bool:
    """Return whether one variable has a year and another only months: the year is rather meant of both."""
    if any(isinstance(part, Anomaly | Several) for part in node.walk()):
        return False
    whens = [leaf.when for leaf in leaves(node) if not (isinstance(leaf, Variable) and leaf.timeless)]
    return any(when.spans for when in whens) and any(when.months and not when.spans for when in whens)


def half_clear(node: Node) -> bool:
    """Return whether clouds are dealt with in one of two related series only: rather in both."""
    related = [part for part in node.walk() if isinstance(part, Correlation) and part.over == "date"]
    dated = ([leaf for leaf in leaves(part) if isinstance(leaf, Variable)] for part in related)
    return any(len({leaf.clouds for leaf in both if not leaf.timeless}) > 1 for both in dated)


def places_the_date_alone(node: Node) -> bool:
    """Return whether a place counts only in how a date is found, and not in what is measured then."""
    found = (leaf for leaf in leaves(node) if isinstance(leaf, Variable) and leaf.when.at is not None)
    return any(leaf.where is None and _is_placed(leaf.when.at) for leaf in found)


def _is_placed(node: Node | None) -> bool:
    return node is not None and any(isinstance(leaf.where, Place) for leaf in leaves(node))


def measures_itself(node: Node) -> bool:
    """Return whether cloud is looked for where there is cloud or none, or on dates that have none.

    So is a share of what passes a limit where it passes it, a season of ground that has the values of one,
    and what is set against itself.
    """
    clouds = [leaf for leaf in leaves(node) if isinstance(leaf, Cloud)]
    grounds = [leaf.where for leaf in clouds if leaf.where is not None]
    dates = [leaf.when.at for leaf in clouds]
    return (
        any(isinstance(part, Cloud) for ground in grounds for part in ground.walk())
        or any(isinstance(at, Dates) and _is_cloudless(at.of) for at in dates)
        or any(_is_share_of_itself(part) or _is_against_itself(part) for part in node.walk())
        or any(_is_season_of_itself(part) for part in node.walk())
    )


def _is_cloudless(condition: Node) -> bool:
    """Return whether dates are without a cloud; those that are not overcast have some."""
    held = condition.of if isinstance(condition, Not) else None
    return isinstance(held, Cloud) or isinstance(held, Aggregate) and held.statistic == "any"


def finds_itself(node: Node) -> bool:
    """Return whether a date or period is looked for in what it was found by: it is the same one."""
    return any(
        leaf.when.at == set_time(part, ALWAYS)
        for part in node.walk()
        if isinstance(part, Which)
        for leaf in leaves(part)
        if leaf.when.at is not None
    )


def _is_season_of_itself(node: Node) -> bool:
    """Return whether a season is looked for on ground that is chosen by the values that make it."""
    found = leaves(node) if isinstance(node, Phenology) else []
    return any(
        getattr(part, "role", "") == getattr(leaf, "role", None)
        for leaf in found
        if leaf.where is not None
        for part in leaf.where.walk()
    )


def limits_an_extreme(node: Node) -> bool:
    """Return whether ground is where a variable is lowest, and below a limit or in a place beside that.

    One tells of the other then: the flattest terrain is that below 2 degrees, and the highest point in a
    region is the highest of the region.
    """
    grounds = (getattr(part, "where", None) for part in node.walk())
    return any(
        _is_beside_its_limit(one, ground.of)
        for ground in grounds
        if isinstance(ground, And)
        for one in ground.of
    )


def _is_beside_its_limit(extreme: Node, conditions: tuple[Node, ...]) -> bool:
    match extreme:
        # "Where it is lowest" is written as where it equals its minimum.
        case Compare(of, "eq", Aggregate("min" | "max", same)) if of == same:
            others = [one for one in conditions if one is not extreme]
            limited = any(isinstance(one, Compare) and one.of == of for one in others)
            named = any(isinstance(one, Place) for one in others)
            return limited or named and all(leaf.where is None for leaf in leaves(of))
    return False


def _is_against_itself(node: Node) -> bool:
    match node:
        case Compare(one, _, other):
            return one == _without_factor(other)  # "above the mean of all dates times 1.15"
        case Combine(_, one, other) | Correlation(one, other):
            return one == other
    return False


def _without_factor(node: Node) -> Node:
    """Return a statistic of something times a number as that of the thing itself."""
    match node:
        case Aggregate(of=Combine("product", inner, Number())):
            return replace(node, of=inner)
    return node


def averages_cloudy_dates(node: Node) -> bool:
    """Return whether cloudy dates are told pixel by pixel, and their mean assumed: images are asked for."""
    return any(
        part.statistic == "mean"
        and "statistic" in part.assumed
        and isinstance(part.of, Aggregate)
        and part.of.over == "date"
        and isinstance(part.of.of.of if isinstance(part.of.of, Not) else part.of.of, Cloud)
        for part in node.walk()
        if isinstance(part, Aggregate)
    )


def looks_through_clouds(node: Node) -> bool:
    """Return whether something is looked for under clouds, of what has its cloudy pixels masked out."""
    return any(
        isinstance(leaf, Variable)
        and leaf.clouds in ("masked", "clear_dates")
        and leaf.where is not None
        and any(isinstance(part, Cloud) for part in _conditions(leaf.where))
        for leaf in leaves(node)
    ) or any(
        Cloud() in (found := _conditions(leaf.where)) and Not(Cloud()) in found
        for leaf in leaves(node)
        if leaf.where is not None
    )


def _conditions(where: Node) -> tuple[Node, ...]:
    return where.of if isinstance(where, And) else (where,)


def _is_share_of_itself(node: Node) -> bool:
    if not isinstance(node, Aggregate) or node.statistic != "share":
        return False
    if isinstance(node.of, Place) and node.within is not None:  # cropland or grassland, of cropland
        of, parts = node.of, node.within.of if isinstance(node.within, And) else (node.within,)
        bases = [part.of if isinstance(part, Not) else part for part in parts]
        return any(
            isinstance(base, Place)
            and replace(of, names=()) == replace(base, names=())
            and bool(base.names)
            and set(base.names) <= set(of.names)
            for base in bases
        )
    if not isinstance(node.of, Compare):
        return False
    where = getattr(node.of.of, "where", None)
    return where is not None and replace(node.of, of=replace(node.of.of, where=None)) == where  # type: ignore[call-arg]


def forgets_the_band(node: Node) -> bool:
    """Return whether reflectance is measured of no band beside a band: it is rather that band's."""
    roles = {leaf.role for leaf in leaves(node) if isinstance(leaf, Variable)}
    return "reflectance" in roles and any(
        role in VARIABLES and VARIABLES[role].kind == "reflectance" for role in roles - {"reflectance"}
    )


def ranks_an_outsider(node: Node) -> bool:
    """Return whether the rank of a day is looked for among named days of which it is none."""
    for part in node.walk():
        if isinstance(part, Rank) and isinstance(part.member, When):
            spans = {span for leaf in leaves(part.of) for span in leaf.when.spans}
            if spans and all(span.is_day for span in spans) and not spans.issuperset(part.member.spans):
                return True
    return False


def pools_times(node: Node) -> bool:
    """Return whether times that are named one by one are pooled by default: rather each is meant.

    So it is with days, and with months or seasons that do not follow each other; years may be meant together.
    """
    pooled = [
        part.of
        for part in node.walk()
        if isinstance(part, Aggregate)
        and part.by is None
        and (
            not {"dates", "over"}.isdisjoint(part.assumed)
            or part.over == "date"
            and rests_on_a_default(part.of)
        )
    ]
    whens = {leaf.when for part in pooled for leaf in leaves(part)} - {ALWAYS}
    return any(map(_are_apart, whens))


def _are_apart(when: When) -> bool:
    if when.months:
        return not goes_on(When(months=when.months))
    return len(when.spans) > 1 and not goes_on(when) and not any(map(whole_year, when.spans))


def rests_on_a_default(node: Node) -> bool:
    """Return whether the answer is a statistic that nobody asked for: of "slope raster" the raster."""
    while isinstance(node, Convert | Rounded):
        node = node.of
    return isinstance(node, Aggregate) and "statistic" in node.assumed


def measures_by_default(node: Node) -> bool:
    """Return whether a node is one number of a statistic that nobody asked for, over the dates or none."""
    while isinstance(node, Convert | Rounded):
        node = node.of
    if isinstance(node, Aggregate) and "dates" in node.assumed:
        node = node.of
    return rests_on_a_default(node)


def _is_told(leaf: Leaf) -> bool:
    return leaf.when != ALWAYS


def averages_classes(node: Node) -> bool:
    """Return whether an expression calculates with the numbers of classes, which only name them."""
    for part in node.walk():
        if isinstance(part, Aggregate) and part.statistic not in _OF_CLASSES and _is_class(part.of):
            return True
        if isinstance(part, Combine | Steps | Trend | Correlation | Anomaly) and any(
            _is_class(side) for side in part.parts()
        ):
            return True
        if isinstance(part, Compare) and part.operator not in ("eq", "ne") and _is_class(part.of):
            return True
    return False


def averages_totals_of_parts(node: Node) -> bool:
    """Return whether the areas of all polygons of a class are averaged as if each class were one of them.

    "Mean size of the polygons by class" is the mean of the polygons in each class, which no node says.
    """
    averages = [part for part in node.walk() if isinstance(part, Aggregate) and part.statistic != "sum"]
    return any(part.over == "zone" and _totals_parts(part.of) for part in averages)


def _totals_parts(table: Node) -> bool:
    if not isinstance(table, Aggregate) or table.statistic != "area" or not isinstance(table.by, Zones):
        return False
    ground, zones = table.of, table.by
    polygons = isinstance(ground, Place) and ground.by == "feature" and not ground.names
    return polygons and (zones.by == "class" or zones.attribute != "")


def is_partly_placed(node: Several) -> bool:
    """Return whether the size of named ground is asked for first, and then something of no ground at all.

    "Marshend: its area, mean slope" means the slope of Marshend.
    """
    first, *others = node.of
    sized = any(isinstance(part, Place) for part in first.walk()) and not leaves(first)
    return sized and any(
        leaves(one) and not any(isinstance(part, Place | Zones) for part in one.walk()) for one in others
    )


def is_partly_based(node: Node) -> bool:
    """Return whether one share is taken of named ground and another of everything, which is not said.

    "What percentage of Oakhollow is grassland, and what percentage is cropland" means Oakhollow twice.
    """
    parts = node.of if isinstance(node, Several) else ()
    shares = [part for part in parts if isinstance(part, Aggregate) and part.statistic == "share"]
    based = {part.within is not None for part in shares if isinstance(part.of, Place)}
    return len(based) > 1


def zones_elsewhere(node: Node) -> bool:
    """Return whether an expression groups by zones what counts in one alone, or in others, of their kind."""
    for part in node.walk():
        if isinstance(part, Aggregate) and isinstance(part.by, Zones):
            kind = (part.by.by, part.by.source, part.by.attribute)
            grounds = [leaf.where for leaf in leaves(part.of) if isinstance(leaf.where, Place)]
            named = [g.names for g in grounds if (g.by, g.source, g.attribute) == kind]
            if any(len(names) == 1 or names and part.by.names for names in named):
                return True
    return False


def lacks_antecedent(node: Node) -> bool:
    """Return whether "their" stands for nothing: several are found, then all there is is asked of.

    Of a ground it is the level of that ground alone: "forest pixels above their mean elevation".
    """
    if not isinstance(node, Several):
        grounds = [part for part in node.walk() if isinstance(part, Place)]
        limits = [part.limit for part in node.walk() if isinstance(part, Compare)]
        levels = [leaf for limit in limits if isinstance(limit, Aggregate) for leaf in leaves(limit)]
        return bool(grounds) and any(leaf.where is None for leaf in levels)
    first, *others = node.of
    return _finds_several(first) and any(map(_is_of_everything, others))


def _finds_several(node: Node) -> bool:
    match node:
        case Which(top=top):
            return top != 1
        case Dates(pick="all") | Aggregate("count", over="date" | "zone"):
            return True
    return False


def _is_of_everything(node: Node) -> bool:
    """Return whether something has neither zones nor a date that was found."""
    told = leaves(node)
    grouped = any(isinstance(part, Zones) for part in node.walk())
    return bool(told) and not grouped and all(leaf.when.at is None and leaf.where is None for leaf in told)


def limits_shares_of_zones(node: Node) -> bool:
    """Return whether what share of each zone something covers is held against a limit."""
    return any(
        isinstance(part, Compare)
        and isinstance(part.of, Aggregate)
        and part.of.statistic == "share"
        and isinstance(part.of.by, Zones)
        and not (isinstance(part.of.of, Place) and part.of.of.by == part.of.by.by)
        for part in node.walk()
    )


def ranks_pixels_of_a_ground(node: Node) -> bool:
    """Return whether pixels above a percentile and a named ground stand together.

    The hottest 10 % may be of all pixels or of those of the ground.
    """
    levels = [part.limit for part in node.walk() if isinstance(part, Compare)]
    ranked = any(isinstance(level, Aggregate) and level.statistic == "percentile" for level in levels)
    return ranked and any(isinstance(part, Place) for part in node.walk())


def shares_another_base(node: Node) -> bool:
    """Return whether "what share of the forest" is asked after a part of it, and would be that of the scene.

    "How many hectares of forest are above 500 m, and what share of the forest is that?"
    """
    if not isinstance(node, Several):
        return False
    sized = [p for p in node.of if isinstance(p, Aggregate) and p.statistic in ("area", "count")]
    parts = {one for p in sized for one in p.of.walk() if isinstance(one, Place) and one != p.of}
    parts |= {leaf.where for p in sized for leaf in leaves(p) if isinstance(leaf.where, Place)}
    shares = [p for p in node.of if isinstance(p, Aggregate) and p.statistic == "share" and p.within is None]
    return any(share.of in parts for share in shares)


def sums_rates(node: Node) -> bool:
    """Return whether rates are added up, of pixels or of dates: mm per day of two days are no mm.

    Over dates they make a total where it is known how long the time of each is.
    """
    return any(
        isinstance(part, Aggregate)
        and part.statistic == "sum"
        and any(map(is_rate, leaves(part.of)))
        and not (part.over == "date" and are_rates_of_known_times(part.of))
        for part in node.walk()
    )


def is_rate(leaf: Leaf) -> bool:
    """Return whether a leaf is a depth of water in a time."""
    return isinstance(leaf, Variable) and _RATE.match(leaf.unit or "") is not None


# A depth of water that falls in a time, as files write it: mm/month, mm d-1, mm day**-1, kg m-2 s-1.
_RATE = re.compile(r"(?:mm|cm|m|in|kg ?m-2)(?: ?/ ?| )(?:s|h|hr|hours?|d|days?|months?|yr|years?|a)\b", re.I)
# These tell of classes which is frequent and how mixed they are, and calculate with no number of theirs.
_OF_CLASSES = frozenset({"mode", "entropy"})


def _is_class(node: Node) -> bool:
    while isinstance(node, Aggregate) and node.statistic not in _OF_CLASSES:
        node = node.of
    return isinstance(node, Variable) and node.unit == "class"


def absences(node: Node, inventory: Inventory) -> list[str]:
    """Return what an expression asks for that is not there: dates without an image, a band."""
    held = inventory.holding(REFLECTANCE)
    # A raster of reflectance itself needs no band; what stands for the bands of a scene does.
    found = [_NO_BAND] if held is not None and held.made and _is_of_no_band(node) else []
    for leaf in leaves(_without_availability(node)):
        if _is_timeless(leaf):
            continue
        dates = dates_of(leaf, inventory)
        for part in _parts(leaf.when):
            if dates and not any(matches(date, part) for date in dates):
                found.append(_missing(leaf, part, dates))
    return list(dict.fromkeys(found))


def _without_availability(node: Node) -> Node:
    """Return an expression without what it asks whether it is there, as no is an answer to that."""
    return rewrite(node, Facts, lambda fact: replace(fact, of=None) if fact.about == "available" else fact)


def on_nearest_dates(node: Node, inventory: Inventory) -> list[Node]:
    """Return an expression of one day without an image as of each of the nearest dates that have one.

    Nothing where it speaks of other times too: the order of what is compared could turn.
    """
    spans = {span for leaf in leaves(node) for span in leaf.when.spans}
    day = next(iter(spans)).first if len(spans) == 1 else None
    if day is None or spans != {Span(day, day)}:
        return []
    dates = {date for leaf in leaves(node) if not _is_timeless(leaf) for date in dates_of(leaf, inventory)}
    near = nearest_dates(day, tuple(dates))
    moved = [rebuild(node, partial(_move, day=day, date=date)) for date in near]
    return [each for each in moved if not absences(each, inventory)]


def _move(leaf: Leaf, day: dt.date, date: dt.date) -> Leaf:
    """Return a leaf of a day as of another one."""
    spans = tuple(Span(date, date) if span == Span(day, day) else span for span in leaf.when.spans)
    return replace(leaf, when=replace(leaf.when, spans=spans))


def _is_timeless(leaf: Leaf) -> bool:
    return isinstance(leaf, Variable) and leaf.timeless


def nearest_dates(day: dt.date, dates: tuple[dt.date, ...]) -> list[dt.date]:
    """Return the two dates nearest to a day, in their order."""
    return sorted(sorted(dates, key=lambda date: abs(date - day))[:2])


_NO_BAND = "Reflectance is that of a band: name one, or ask for each spectral band."


def _is_of_no_band(node: Node) -> bool:
    """Return whether reflectance is measured without a band, and not of each of them."""
    if isinstance(node, Aggregate) and isinstance(node.by, Zones) and node.by.by == "spectral":
        return False
    if isinstance(node, Variable) and node.role == REFLECTANCE:
        return True
    return any(map(_is_of_no_band, node.parts()))


def _parts(when: When) -> list[When]:
    """Return each stretch of a time by itself: each of them must be there."""
    if len(when.spans) > 1:
        return [When((span,), when.months) for span in when.spans]
    return [When(when.spans, when.months)]


def dates_of(leaf: Leaf, inventory: Inventory) -> tuple[dt.date, ...]:
    """Return the dates that there are of what a leaf names."""
    if isinstance(leaf, Cloud):
        return inventory.cloud_dates
    # What has no dates of its own, as it is yet to be made, may have any that the workspace has.
    held = inventory.holding(leaf.role)
    return held.dates if held is not None and held.dates else inventory.dates


def matches(date: dt.date, when: When) -> bool:
    """Return whether a date is in a time, as far as spans and months tell."""
    within = not when.spans or any(_in(date, span) for span in when.spans)
    return within and (not when.months or date.month in when.months)


def _in(date: dt.date, span: Span) -> bool:
    return (span.first is None or span.first <= date) and (span.last is None or date <= span.last)


def _missing(leaf: Leaf, when: When, dates: tuple[dt.date, ...]) -> str:
    title = short_title(leaf.role) if leaf.role else "cloud mask"
    if when.spans and when.spans[0].is_day and when.spans[0].first:
        day = when.spans[0].first
        near = " and ".join(map(str, nearest_dates(day, dates)))
        return f"There is no {title} of {day}; the nearest dates are {near}."
    return f"There is no {title} of that time; the dates go from {dates[0]} to {dates[-1]}."


def leaves_out_nothing(node: Node) -> bool:
    """Return whether dates are left out that do not count anyway: July and August without June."""
    whens = [when for when in node.walk() if isinstance(when, When) and when.without is not None]
    return any(when.without is not None and _is_apart(when, when.without) for when in whens)


def _is_apart(when: When, without: When) -> bool:
    """Return whether two times have no date in common, as far as months and spans tell."""
    if when.months and without.months and not set(when.months) & set(without.months):
        return True
    return bool(when.spans) and not any(_shares_a_month(span, without) for span in when.spans)


def _shares_a_month(span: Span, without: When) -> bool:
    first, last = span.first or dt.date.min, span.last or dt.date.max
    apart = [s for s in without.spans if (s.first or dt.date.min) > last or (s.last or dt.date.max) < first]
    if without.spans and len(apart) == len(without.spans):
        return False
    # Two turns of the year lie around one with all its months.
    if not without.months or last.year - first.year > 1:
        return True
    length = (last.year - first.year) * 12 + last.month - first.month + 1
    return bool({(first.month - 1 + k) % 12 + 1 for k in range(length)} & set(without.months))


def mixes_the_base(node: Node) -> bool:
    """Return whether a share has two grounds of which one limits a variable alone: it is of neither of them.

    The share of the cropland in Larchford that is above 230 m is of the cropland that lies in Larchford.
    """
    return any(
        isinstance(part, Aggregate)
        and part.statistic == "share"
        and part.within is None
        and isinstance(part.of, And)
        and any(isinstance(one, Place) for one in part.of.of)
        and any(getattr(leaf, "where", None) is not None for leaf in leaves(part.of))
        for part in node.walk()
    )


def claims_a_condition(node: Node) -> bool:
    """Return whether a claim stands beside a measured ground, and none said of what: it may be a condition.

    "What percentage of the cropland is above 250 m and has LST above 30 °C" asks one thing.
    """
    if not isinstance(node, Several):
        return False
    measured = any(isinstance(p, Aggregate) and p.statistic in ("share", "count", "area") for p in node.of)
    return measured and any(claims_by_default(part) for part in node.of[1:])


def claims_by_default(node: Node) -> bool:
    """Return whether a node is yes or no of a number whose statistic the question did not say."""
    kind = kind_of(node)
    parts = [part for part in node.walk() if isinstance(part, Aggregate)]
    quantified = any(part.statistic in ("all", "any") for part in parts)
    return kind.value == "truth" and not kind.axes and not quantified and any(p.assumed for p in parts)
