"""Words that stand for what a question found before: its, of them, which of these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import close, kind_or_none, raster_of_mean, series
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    And,
    Centroid,
    Cloud,
    Compare,
    Facts,
    Node,
    Not,
    Number,
    Place,
    Show,
    Trend,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.groups import PERIODS, zones_of
from treeline.core.query.grammar.levels import above_its_statistic
from treeline.core.query.grammar.maps import map_of_the_measured
from treeline.core.query.grammar.ranking import ground_found, which_of_zones
from treeline.core.query.grammar.registry import RULES, rule
from treeline.core.query.grammar.several import JOINS, other_end
from treeline.core.query.grammar.spots import extreme_of_pixels, location_of
from treeline.core.query.grammar.those_found import ask_of_several, counts_zones, is_any
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Form
from treeline.core.query.phrases.catalogue import KINDS
from treeline.core.query.phrases.conditions import Claim, CompareTo, Limit, Operator
from treeline.core.query.phrases.counts import (
    Area,
    AreaOf,
    CountOf,
    PixelsBeyond,
    Share,
    ShareOf,
    Unit,
)
from treeline.core.query.phrases.courses import CourseOf
from treeline.core.query.phrases.phrase import Half, Join, Many, Nothing, Pair, Phrase, Word
from treeline.core.query.phrases.places import About, Mask
from treeline.core.query.phrases.ranks import Ends, Extreme, LargestArea, Superlative, WhichZone
from treeline.core.query.phrases.times import Clouds, Time, TimeModifier
from treeline.core.query.phrases.values import Amount, Anaphor, Each, Measure, Raw, Stat, Stats, Value
from treeline.core.query.slots import (
    fill_place,
    fill_time,
    leaves,
    measured_ground,
    set_time,
)
from treeline.toolkit.series import SIGNIFICANCE

_ALONE = (Half, Join, Nothing, Anaphor, Time, TimeModifier, Word, Many, Pair)
_OTHERS = tuple(kind for kind in KINDS.values() if kind not in _ALONE)


@rule(Word, (Measure, Raw, Area, Mask, Clouds, Stat, Stats))
def of_it_before(word: Word, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Its + mean NDVI; its + clear pixels; the mean NDVI there."""
    if word.name in ("it", "there"):
        yield Anaphor(item, there=word.name == "there")


@rule((Share, ShareOf, CountOf, Area), Limit)
def pixels_beyond(asked: Share | ShareOf | CountOf | Area, limit: Limit, names: Names) -> Iterable[Phrase]:
    """And what share + lies above 0.75; how many pixels + are below 0.3: of what was measured before."""
    yield from (Anaphor(found) for found in _pixels(asked, limit))


@rule((Share, ShareOf, CountOf, Area), Operator)
def pixels_beyond_it(asked: Phrase, operator: Operator, names: Names) -> Iterable[Phrase]:
    """And how many pixels + exceed, before "it" is said."""
    if operator.sign in _INEQUALITIES:
        yield from _pixels(asked, operator)


@rule(PixelsBeyond, Word)
def pixels_beyond_what_was_found(found: PixelsBeyond, word: Word, names: Names) -> Iterable[Phrase]:
    """And how many pixels exceed + it."""
    if word.name == "it" and isinstance(found.limit, Operator):
        yield Anaphor(found)


_INEQUALITIES = ("gt", "ge", "lt", "le")


def _pixels(asked: Phrase, limit: Limit | Operator) -> Iterable[PixelsBeyond]:
    match asked:
        case CountOf(Unit(of="pixel")):
            yield PixelsBeyond("count", limit)
        case Area(unit):
            yield PixelsBeyond("area", limit, unit)
        case Share() | ShareOf(None):
            yield PixelsBeyond("share", limit)


@rule(Word, (Share, ShareOf))
def its_share(word: Word, share: Share | ShareOf, names: Names) -> Iterable[Phrase]:
    """Its + share of cropland; its + share, of everything."""
    if word.name == "it" and (isinstance(share, Share) or share.node is not None):
        yield Anaphor(share)


@rule(Unit, Word)
def when_it_was(unit: Unit, word: Word, names: Names) -> Iterable[Phrase]:
    """When was + it; which date, which month was + it; which region is + it in."""
    zones = zones_of(unit, names)
    is_time = unit.of in ("date", *PERIODS) and replace(unit, asks=True) == Unit(unit.of, asks=True)
    if word.name == "it" and (zones is not None or is_time):
        yield Anaphor(unit if zones is None else replace(unit, zones=zones))


@rule((Measure, Raw, Area), Word)
def of_it_after(item: Phrase, word: Word, names: Names) -> Iterable[Phrase]:
    """How cloudy + was it, were they."""
    yield from of_it_before(Word("it") if word.name == "they" else word, item, names)


@rule(About, Word)
def where_it_is(about: About, word: Word, names: Names) -> Iterable[Phrase]:
    """Where is + it."""
    if about.name == "location" and word.name == "it":
        yield Anaphor(about)


@rule(Area, LargestArea)
def size_of_the_largest(area: Area, largest: LargestArea, names: Names) -> Iterable[Phrase]:
    """How many patches are there and how large is + the largest."""
    yield Anaphor(replace(largest, unit=area.unit))


@rule(Word, Word)
def whether_it_is_significant(it: Word, word: Word, names: Names) -> Iterable[Phrase]:
    """Is it + significant: the trend that was asked for."""
    if it.name == "it" and word == _SIGNIFICANT:
        yield Anaphor(word)


@rule(Anaphor, Amount)
def at_the_usual_level(it: Anaphor, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Is it significant + at the 5 % level, which is meant anyway."""
    if it.of == _SIGNIFICANT and amount.number == Number(SIGNIFICANCE * 100, "%"):
        yield it


_SIGNIFICANT = Word("significant")


@rule(Stat, Word)
def of_what_was_found(stat: Stat, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean + of those maxima."""
    if word.name == "found_values" and stat.over is None:
        yield Anaphor(stat, several=True)


@rule(Stat, Word, cost=1)  # "its" is rather said of what follows
def on_that_day(stat: Stat, word: Word, names: Names) -> Iterable[Phrase]:
    """What was the minimum + that day: of what was highest then."""
    if word.name == "it" and stat.over is None:
        yield Anaphor(stat)


@rule(Word, Limit)
def whether_it_passes(it: Word, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Is it + above 0.7, or negative: the number that was asked for."""
    if it.name == "it":
        yield Anaphor(limit)


@rule(Form, Word, cost=1)  # "where is it" rather asks for a place
def map_of_it(form: Form, word: Word, names: Names) -> Iterable[Phrase]:
    """Map + it: what was measured before, or what is asked to be shown anyway."""
    if form.form == "map" and word.name == "it":
        yield Anaphor(form)
        yield form


@rule(Form, Unit)
def map_of_that_date(form: Form, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Map of + that date."""
    if form.form == "map" and unit.of == "date" and unit.these:
        yield Anaphor(form)


@rule(Anaphor, Form)
def shown_on_a_map(it: Anaphor, form: Form, names: Names) -> Iterable[Phrase]:
    """Show it + on a map."""
    if it.of == form:
        yield it


@rule(Anaphor, Word)
def of_it_then(it: Anaphor, word: Word, names: Names) -> Iterable[Phrase]:
    """How green was it + then; how cloudy was it + in per cent, as without the word."""
    if word.name in ("it", "there"):
        there = it.there or word.name == "there"
        yield from (replace(it, there=there),) if not it.several else ()
        return
    for joined, _ in RULES.get((type(it.of), Word), ()):
        yield from (replace(it, of=made) for made in joined(it.of, word, names))


@rule(Unit, Anaphor)
def when_of_them(unit: Unit, it: Anaphor, names: Names) -> Iterable[Phrase]:
    """When was + the last one."""
    if unit == Unit("date", asks=True) and it.several and isinstance(it.of, Time):
        yield it


@rule(CompareTo, Anaphor)
def above_its_own(left: CompareTo, it: Anaphor, names: Names) -> Iterable[Phrase]:
    """NDVI above + its mean: what is compared is what is meant."""
    if isinstance(it.of, Stat) and not it.several:
        yield from above_its_statistic(left, it.of, names)


@rule(Anaphor, _OTHERS)
def anaphor_before(it: Anaphor, other: Phrase, names: Names) -> Iterable[Phrase]:
    """Which of these + was the lowest; how big is it + in hectares: as without the word."""
    for joined, _ in RULES.get((type(it.of), type(other)), ()):
        yield from (replace(it, of=made) for made in joined(it.of, other, names))


@rule(_OTHERS, Anaphor)
def anaphor_after(other: Phrase, it: Anaphor, names: Names) -> Iterable[Phrase]:
    """How many + of them; mean NDVI of + its clear pixels."""
    for joined, _ in RULES.get((type(other), type(it.of)), ()):
        yield from (replace(it, of=made) for made in joined(other, it.of, names))


@rule(Half, Anaphor)
def ask_of_findings(half: Half, it: Anaphor, names: Names) -> Iterable[Phrase]:
    """Which date was greenest, and + its mean NDVI; how many are cloud-free, and + the last of them."""
    parts = half.left.of if isinstance(half.left, Many) else (half.left,)
    if half.by not in JOINS or not parts:
        return
    for former in _close(half.left if it.several else parts[0]):
        if _tells_anyway(former, it.of):
            yield half.left
        else:
            yield from (Many((*parts, found)) for found in ask_of(it, former))


def _tells_anyway(former: Node, of: Phrase) -> bool:
    """Return whether several that were found are told with what is asked of them: by it they were found.

    Where something lies is not asked twice.
    """
    if isinstance(former, Centroid):
        return of == About("location")
    if isinstance(former, Which) and isinstance(of, Unit) and of.zones is not None:
        return of.zones in {getattr(part, "by", None) for part in former.of.walk()}
    if not isinstance(former, Which) or former.top == 1 or not isinstance(of, Raw | Measure):
        return False
    ranked = set_time(replace(former.of, by=None), ALWAYS) if isinstance(former.of, Aggregate) else former.of
    return raster_of_mean(ranked) == raster_of_mean(of.node)


@rule(Unit, Join)
def each_of_them(unit: Unit, join: Join, names: Names) -> Iterable[Phrase]:
    """Regions + and, before what each of them has."""
    zones = zones_of(unit, names)
    if join.by in JOINS and not (unit.asks or unit.clear) and (zones is not None or unit.of == "date"):
        yield Half(Each("date") if zones is None else Each("zone", zones), join.by)


@rule(Half, Anaphor, cost=1)  # "the smallest class and its area" is rather one of them
def each_with_its_own(half: Half, it: Anaphor, names: Names) -> Iterable[Phrase]:
    """Regions and + their mean NDVI: that of each of them."""
    if half.by in JOINS and isinstance(half.left, Each):
        for joined, _ in RULES.get((type(it.of), Each), ()):
            yield from joined(it.of, half.left, names)


@rule(Half, Unit)
def when_it_ever_was(half: Half, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Was the mean NDVI ever above 0.8, and + when."""
    if half.by in JOINS and unit == Unit("date", asks=True):
        for former in _close(half.left):
            if is_any(former):
                yield from (Many((half.left, found)) for found in ask_of_several(unit, former))


def _close(item: Phrase) -> list[Node]:
    return [which_of_zones(item)] if isinstance(item, WhichZone) else list(close(item))


def ask_of(it: Anaphor, former: Node) -> Iterable[Phrase]:
    """Yield what is asked once it is known of what: of one date or ground, of several dates or zones."""
    part = (_shared_ground(former) or measured_ground(former)) if it.there else None
    if isinstance(it.of, PixelsBeyond):
        yield from _beyond(it.of, former)
    elif part is not None:
        yield from _at(it.of, _when_of(former), part)
    else:
        yield from ask_of_several(it.of, former) if it.several else _of_one(it.of, former)


def _of_one(of: Phrase, former: Node) -> Iterable[Phrase]:
    if isinstance(of, About):
        match former:  # "the elevation of the highest point, and where is it"
            case Aggregate(of=Variable(where=Compare(_, "eq", Aggregate("max" | "min") as highest))):
                former = highest
        if isinstance(former, Aggregate) and former.over == "all":
            former = replace(former, over="pixel", assumed=())
        extreme = extreme_of_pixels(Measure(former))
        yield from (location_of(extreme),) if extreme is not None else ()
        return
    if isinstance(of, Form):
        yield from map_of_the_measured(former)
        return
    if isinstance(of, Limit):
        passed = compare(former, of)
        yield from (Claim(passed),) if passed is not None and not kind_of(passed).axes else ()
        return
    if isinstance(of, Mask):
        yield from _sky_then(of, former)
        return
    if isinstance(of, Stat):
        if (kind := kind_or_none(former)) is not None and kind.axes == {"period"}:
            yield from ask_of_several(of, former)  # "monthly mean NDVI and its range": of these means
            return
        of = _statistic_of_the_same(of, former)
    if of == _SIGNIFICANT:
        if isinstance(former, Trend) and former.gives == "slope":
            yield CourseOf(replace(former, gives="significance"))
        return
    if isinstance(of, Unit):
        if of.zones is not None:
            yield from _zone_of(former, of.zones)
        else:
            yield from _date_of(former) if of.of == "date" else _period_of(former, of.of)
        return
    if isinstance(former, Centroid):
        yield from _of_the_spot(of, former)
        return
    if isinstance(of, Superlative):  # "and when was it lowest"
        yield from other_end(former, of)
        return
    extreme = extreme_of_pixels(Measure(former))
    if extreme is not None and isinstance(of, Raw | Measure) and _is_of_terrain(extreme):
        placed = fill_place(of, Compare(extreme.of, "eq", extreme))  # "its NDVI": that of the highest point
        yield from (placed,) if isinstance(placed, Phrase) else ()
        return
    if isinstance(of, Area) and (size := _size_of_the_date(of, former)) is not None:
        yield Value(size)
        return
    if isinstance(former, Which):
        if former.top == 1:
            at = When(at=former) if _value(former) == "date" or former.period else ALWAYS
            grounds = {leaf.where for leaf in leaves(former)}
            yield from (
                found for ground in {None, *grounds} if len(grounds) == 1 for found in _at(of, at, ground)
            )
            when = _when_of(former)
            yield from (found for ground in ground_found(former) for found in _at(of, when, ground.node))
        elif _value(former) == "date":
            yield from map(_table_of, _at(of, When(at=former), None))
        return
    if counts_zones(former) and isinstance(of, Area):  # "how many polygons are there, and their total area"
        yield AreaOf(former.of.of.of, of.unit)  # type: ignore[attr-defined]
        return
    if isinstance(of, LargestArea):
        yield from _largest_counted(of, former)
        return
    if isinstance(former, Show) and isinstance(of, Area):  # "where is it above 0.8, and how large is that"
        shown = kind_or_none(former.of)
        if former.form == "map" and shown is not None and shown.value == "truth":
            yield AreaOf(former.of, of.unit)
        return
    if isinstance(of, Area) and (part := _shared_ground(former)) is not None:
        yield AreaOf(part, of.unit)
        return
    measured = measured_ground(former)
    if measured is not None:
        yield from _at(of, ALWAYS, measured)
        return
    wheres = {leaf.where for leaf in leaves(former)} or {getattr(former, "of", None)}
    when = _when_of(former)
    if isinstance(former, Facts) and former.about in _ENDS:
        when = replace(former.of if isinstance(former.of, When) else ALWAYS, pick=_ENDS[former.about])
    where = wheres.pop() if len(wheres) == 1 else None
    yield from _at(of, when if when.single else ALWAYS, where if isinstance(where, Place) else None)


def _size_of_the_date(of: Area, former: Node) -> Node | None:
    """Return the area by which a date was found: "on which date was it largest, and how large was it"."""
    match former:
        case Which(Aggregate("area", by=None) as each, direction, 1, 1) if _value(former) == "date":
            extreme = "max" if direction == "highest" else "min"
            return Aggregate(extreme, replace(each, unit=of.unit or each.unit), "date")  # type: ignore[arg-type]
    return None


def _statistic_of_the_same(stat: Stat, former: Node) -> Phrase:
    """Return a statistic of the variable by which a date was found; the statistic where it was none."""
    match former:
        case Which(Aggregate(of=Variable() as variable, over="pixel", by=None)) if _value(former) == "date":
            bare = replace(variable, when=ALWAYS, where=None)
            return Measure(Aggregate(stat.statistic, bare, "pixel", parameter=stat.parameter))  # type: ignore[arg-type]
    return stat


def _shared_ground(former: Node) -> Node | None:
    """Return the part of the ground whose share was asked for: "and how many hectares is that"."""
    match former:
        case Aggregate("share", Compare() | And() as part, "pixel", by=None, within=within):
            return part if within is None else both(part, within)
    return None


def _largest_counted(of: LargestArea, former: Node) -> Iterable[Phrase]:
    """Yield how large the largest is of the patches or polygons that were counted."""
    sizes = former.of.of if isinstance(former, Aggregate) and isinstance(former.of, Compare) else None
    counted = isinstance(former, Aggregate) and (former.statistic, former.over) == ("count", "zone")
    if not counted or not isinstance(sizes, Aggregate) or sizes.statistic != "area":
        return
    if of.extreme == Extreme("highest"):
        yield Value(Aggregate("max", replace(sizes, unit=of.unit or sizes.unit), "zone"))


def _sky_then(of: Mask, former: Node) -> Iterable[Phrase]:
    """Yield whether the date that was found was cloud-free."""
    dates = [found.node for found in _date_of(former) if isinstance(found, Value)]
    found = former if isinstance(former, Which) else dates[0] if dates else None
    clouds = of.node.of if isinstance(of.node, Not) else None
    if isinstance(found, Which) and found.top == 1 and _value(found) == "date" and clouds == Cloud():
        yield Claim(Not(Aggregate("any", Cloud(When(at=found)), "pixel")))


def _table_of(item: Phrase) -> Phrase:
    """Return each value of something on several dates that were found: how cloudy the three greenest are."""
    each = series(item.node) if isinstance(item, Raw | Measure) else None
    return item if each is None else Value(Show(each, "table"))


def _beyond(found: PixelsBeyond, former: Node) -> Iterable[Phrase]:
    """Yield how many of the pixels of which a statistic was taken pass a limit."""
    match former:
        case Aggregate(of=Variable() as raster, over="pixel", by=None, weight=None):
            passed: Node | None
            if isinstance(found.limit, Operator):
                passed = Compare(raster, found.limit.sign, former)  # type: ignore[arg-type]
            else:
                scaled = raster.unit not in ("K", "degC") or found.limit.number.unit  # 30 alone may be either
                passed = compare(raster, found.limit) if scaled else None
            if passed is not None and kind_of(raster).axes == {"pixel"}:
                made = Aggregate(found.statistic, passed, "pixel", unit=found.unit)
                yield from (Value(made),) if kind_or_none(made) is not None else ()


def _is_of_terrain(extreme: Aggregate) -> bool:
    return all(getattr(leaf, "timeless", False) for leaf in leaves(extreme))


def _date_of(former: Node) -> Iterable[Phrase]:
    """Yield the date of a maximum or minimum over dates that was asked for."""
    if not isinstance(former, Aggregate) or former.statistic not in _ENDS_OF or former.by is not None:
        return
    each = replace(former, over="pixel", assumed=()) if former.over == "all" else former.of
    kind = kind_or_none(each)
    if former.over in ("all", "date") and kind is not None and kind.axes == {"date"}:
        yield Value(Which(each, _ENDS_OF[former.statistic]))


def _period_of(former: Node, by: str) -> Iterable[Phrase]:
    """Yield the month, season or year of a maximum or minimum over them that was asked for."""
    match former:
        case Aggregate("max" | "min" as end, Aggregate() as each, "period", by=None) if each.by == by:
            yield Value(Which(each, _ENDS_OF[end]))


def _zone_of(former: Node, zones: Zones) -> Iterable[Phrase]:
    """Yield the class or region of a maximum or minimum that was asked for: over them, or of a pixel."""
    match former:
        case Aggregate("max" | "min" as end, Aggregate() as each, "zone", by=None) if each.by == zones:
            yield Value(Which(each, _ENDS_OF[end]))
            return
    extreme = extreme_of_pixels(Measure(former))
    if extreme is not None:
        spot = Compare(extreme.of, "eq", extreme)
        yield Value(Which(Aggregate("area", spot, "pixel", by=zones), "highest"))


_ENDS_OF: dict[str, Ends] = {"max": "highest", "min": "lowest"}


def _of_the_spot(of: Phrase, former: Centroid) -> Iterable[Phrase]:
    """Yield how high it is at the highest point, once it was asked where that lies."""
    match former.of:
        case Compare(raster, "eq", Aggregate(of=same) as extreme) if isinstance(of, Raw | Measure):
            yield from (Measure(extreme),) if raster_of_mean(of.node) == raster == same else ()


_ENDS = {"first_date": 1, "last_date": -1}


def _when_of(former: Node) -> When:
    """Return the time that all variables of an expression have; always, where they have several."""
    whens = {leaf.when for leaf in leaves(former) if not getattr(leaf, "timeless", False)}
    return whens.pop() if len(whens) == 1 else ALWAYS


def _at(of: Phrase, when: When, where: Node | None) -> Iterable[Phrase]:
    """Yield something at a time and on a ground; nothing where it takes neither."""
    dates = [leaf.when for leaf in leaves(of) if not getattr(leaf, "timeless", False)]
    if dates and ALWAYS not in dates:
        when = ALWAYS  # "how warm was it in 2021" speaks of no other time
        if where is None:
            yield of
    if isinstance(of, Area):
        yield from (AreaOf(where, of.unit),) if where is not None else ()
        return
    if isinstance(of, Share):
        share = Aggregate("share", where, "pixel") if where is not None and not leaves(where) else None
        yield from (Value(share),) if share is not None and kind_or_none(share) is not None else ()
        return
    if isinstance(of, ShareOf):
        share = Aggregate("share", of.node, "pixel", within=where) if of.node and where is not None else None
        yield from (Value(share),) if share is not None and kind_or_none(share) is not None else ()
        return
    dated = fill_time(of, when) if when != ALWAYS else None
    placed = fill_place(of if dated is None else dated, where) if where is not None else None
    found = placed if placed is not None else dated
    if isinstance(found, Phrase):
        yield found


def _value(former: Node) -> str:
    kind = kind_or_none(former)
    return "" if kind is None else kind.value
