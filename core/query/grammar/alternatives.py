"""One of several that are named: which of two dates, years or grounds has more of something."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import by_zones, kind_or_none
from treeline.core.query.expression import Aggregate, Node, Variable, When, Which, Zones
from treeline.core.query.grammar.change import between
from treeline.core.query.grammar.comparison import fill_slots
from treeline.core.query.grammar.groups import PERIODS, SPREADS, named_zones
from treeline.core.query.grammar.orders import IN_ORDER_OF
from treeline.core.query.grammar.ranking import by_unit
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import all_together, length
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import (
    Change,
    ChangeOf,
    Changes,
    Comparative,
    FirstSide,
    Larger,
    ToCompare,
    Versus,
)
from treeline.core.query.phrases.counts import CountOf, Unit
from treeline.core.query.phrases.courses import Relation, RelationOf
from treeline.core.query.phrases.phrase import Half, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import About, Mask
from treeline.core.query.phrases.ranks import (
    Alternatives,
    Candidates,
    Ends,
    Extreme,
    ExtremeStat,
    HigherIn,
    LargestArea,
    MostPixels,
    Ranking,
    WhichHas,
    WhichZone,
)
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Anaphor, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import as_mask, fill_place, fill_time, leaves, months_of

_ENDS: dict[str, Ends] = {"gt": "highest", "lt": "lowest"}


@rule((FirstSide, Comparative), Pair)
def which_of_two(word: FirstSide | Comparative, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which was greener, + 2016 or 2017; forest or grassland."""
    if pair.by == "or" and word.node is not None and word.sign in ("gt", "lt"):
        yield from _one_of((pair.left, pair.right), word.node, "highest" if word.sign == "gt" else "lowest")


@rule(About, WhichZone)
def where_of_two(about: About, found: WhichZone, names: Names) -> Iterable[Phrase]:
    """Where is + it warmer, in Oakhollow or in Marshend: in which of them."""
    by = getattr(found.node, "by", None)
    if about.name == "location" and isinstance(by, Zones) and len(by.names) > 1:
        yield found


@rule(Word, (Pair, Many))
def which_of(word: Word, several: Pair | Many, names: Names) -> Iterable[Phrase]:
    """Which of + 2015, 2016 and 2017."""
    asked = word.name == "which_of" or (
        word.name == "did" and isinstance(several, Pair) and several.by == "or"
    )
    if asked and (parts := _items_of_list(several)):
        yield Candidates(parts)


@rule(Word, (Pair, Many), either=True)
def rank_these(word: Word, several: Pair | Many, names: Names) -> Iterable[Phrase]:
    """Rank + 2015, 2016 and 2017, before it is said by what; these + in ascending order of."""
    parts = _items_of_list(several)
    if parts and word.name == "rank":
        yield Candidates(parts, first="highest")
    elif parts and word.name in IN_ORDER_OF:
        yield Half(Candidates(parts, first=IN_ORDER_OF[word.name]), "by")


@rule(Word, (Candidates, Half))
def rank_in_that_order(word: Word, found: Candidates | Half, names: Names) -> Iterable[Phrase]:
    """Put + 2015, 2016 and 2017 in order of."""
    candidates = found.left if isinstance(found, Half) else found
    if word.name == "rank" and isinstance(candidates, Candidates) and candidates.first:
        yield found


@rule(Candidates, Word)
def rank_these_by(candidates: Candidates, word: Word, names: Names) -> Iterable[Phrase]:
    """Rank forest and grassland + by."""
    if candidates.first and word.name == "per":
        yield Half(candidates, "by")


@rule(Half, (Raw, Measure, Series))
def rank_these_by_it(half: Half, item: Raw | Measure | Series, names: Names) -> Iterable[Phrase]:
    """Rank forest and grassland by + mean NDVI."""
    if half.by == "by" and isinstance(half.left, Candidates) and half.left.first:
        yield from _one_of(half.left.of, item.node, half.left.first, top=0)


def _items_of_list(several: Pair | Many) -> tuple[Phrase, ...]:
    """Return the times or places that are named one after another; none where it is something else."""
    parts = _sides_of(several) if isinstance(several, Pair) else several.of
    listed = isinstance(several, Many) or several.by in ("and", "or")
    return parts if listed and all(isinstance(part, Time | Mask) for part in parts) else ()


@rule(Candidates, Ranking)
def one_of_them(candidates: Candidates, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Which of 2015, 2016 and 2017 + was greenest."""
    if (ranked.nth, ranked.top) == (1, 1):
        yield from _one_of(candidates.of, ranked.node, ranked.direction)


@rule(Word, Ranking)
def which_has(word: Word, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Which has + the highest mean NDVI, of several that are named before or after."""
    if word.name == "which_has" and (ranked.nth, ranked.top) == (1, 1):
        yield WhichHas(ranked)


@rule(Word, (WhichZone, Value))
def which_has_the_most(word: Word, found: WhichZone | Value, names: Names) -> Iterable[Phrase]:
    """Which has + more area, forest or grassland."""
    if word.name == "which_has" and (isinstance(found, WhichZone) or isinstance(found.node, Which)):
        yield found


@rule(WhichHas, (Pair, Many, Candidates), either=True)
def which_of_them_has(found: WhichHas, several: Pair | Many | Candidates, names: Names) -> Iterable[Phrase]:
    """Which has the highest mean NDVI, + forest, grassland or shrubland; these named first."""
    parts = several.of if isinstance(several, Candidates) else _items_of_list(several)
    if parts and all(isinstance(part, Time | Mask) for part in parts):
        yield from _one_of(parts, found.ranked.node, found.ranked.direction)


@rule((Ranking, Comparative), Candidates)
def which_is(word: Ranking | Comparative, candidates: Candidates, names: Names) -> Iterable[Phrase]:
    """Greenest, greener: + forest, grassland or shrubland."""
    if isinstance(word, Comparative):
        if word.node is not None and word.sign in _ENDS:
            yield from _one_of(candidates.of, word.node, _ENDS[word.sign])
    elif (word.nth, word.top) == (1, 1):
        yield from _one_of(candidates.of, word.node, word.direction)


@rule(ToCompare, (Ranking, Comparative))
def which_of_the_compared(found: ToCompare, word: Ranking | Comparative, names: Names) -> Iterable[Phrase]:
    """Compare forest and grassland: + which is greener."""
    if isinstance(found.of, Pair) and all(isinstance(side, Time | Mask) for side in _sides_of(found.of)):
        yield from which_is(word, Candidates(_sides_of(found.of)), names)


def _sides_of(pair: Pair) -> tuple[Phrase, Phrase]:
    """Return what two things are named."""
    return pair.left, pair.right


@rule(WhichZone, Candidates)
def which_class_of_these(found: WhichZone, candidates: Candidates, names: Names) -> Iterable[Phrase]:
    """Which class is greenest, + forest, grassland or shrubland."""
    zones, table = named_zones(candidates.of), found.node
    if zones is not None and isinstance(table, Aggregate) and isinstance(table.by, Zones):
        yield from () if table.by.names else (replace(found, node=replace(table, by=zones)),)


def _one_of(candidates: tuple[Phrase, ...], node: Node, direction: Ends, top: int = 1) -> Iterable[Phrase]:
    """Yield which of several times or places something is highest or lowest in: all in order for 0."""
    whens = [one.when for one in candidates if isinstance(one, Time)]
    zones = named_zones(candidates)
    if len(whens) == len(candidates):
        each = _at_each(whens, node)
        if each is not None and kind_or_none(made := Which(each, direction, top=top)) is not None:
            yield Value(made)
    elif zones is not None and (grouped := by_zones(node, zones)) is not None:
        yield WhichZone(grouped, Extreme(direction, top=top))
    elif len(candidates) == 2 and top:
        yield from _one_against_the_other(candidates, node)


def _one_against_the_other(candidates: tuple[Phrase, ...], node: Node) -> Iterable[Phrase]:
    """Yield the difference of two grounds that are no zones, steep and flat: it tells which has more."""
    sides = [fill_place(Measure(node), one.node) for one in candidates if isinstance(one, Mask)]
    left, right = (getattr(side, "node", None) for side in sides) if len(sides) == 2 else (None, None)
    if isinstance(left, Node) and isinstance(right, Node) and left != right:
        yield Changes("difference", 0, left, right)


def _at_each(whens: list[When], node: Node) -> Node | None:
    """Return a series over several times of one length: dates, months, seasons or years."""
    periods = {_period(when) for when in whens}
    each = by_unit(node, Unit(periods.pop())) if len(periods) == 1 else None
    joined = all_together(whens)
    dated = fill_time(each, joined) if each is not None and joined is not None else None
    return dated if isinstance(dated, Node) else None


def _period(when: When) -> str:
    """Return what a time is one of: a date, a year, a season, a month, or one of every year."""
    if len(when.months) == 1 and when == When(months=when.months):
        return "calendar_month"
    span = when.spans[0] if len(when.spans) == 1 and when == When(when.spans) else None
    if span is None or span.first is None or span.last is None:
        return ""
    if length(when) in ("day", "year"):
        return {"day": "date"}.get(length(when), "year")
    if span == months_of(span.last.year, (span.last.month,)):
        return "month"
    seasons = ((12, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11))
    return "season" if any(span == months_of(span.last.year, months) for months in seasons) else ""


@rule(Comparative, Pair, either=True)
def which_thing(word: Comparative, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which is higher, + mean NDVI or mean EVI: told as a claim on the first."""
    left, right = pair.left, pair.right
    if pair.by not in ("or", "versus") or word.node is not None or word.sign not in ("gt", "lt"):
        return
    if type(left) is type(right) and isinstance(left, Raw | Measure) and isinstance(right, Raw | Measure):
        yield Versus(word.sign, left.node, right.node)


@rule(Many, Comparative)
def which_of_both(both: Many, word: Comparative, names: Names) -> Iterable[Phrase]:
    """Mean NDVI in July 2016 and in July 2017: which was + higher, told as a claim on the first."""
    parts = both.of
    if len(parts) != 2 or word.node is not None or word.sign not in ("gt", "lt"):
        return
    left, right = parts
    if isinstance(left, Measure) and isinstance(right, Measure):
        yield Versus(word.sign, left.node, right.node)


@rule((Raw, Measure), Pair)
def of_one_or_the_other(item: Raw | Measure, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI of + the forest or the grassland, of which one is looked for."""
    if pair.by == "or" and isinstance(pair.left, Time | Mask) and type(pair.left) is type(pair.right):
        yield Alternatives(item.node, (pair.left, pair.right))


@rule(Alternatives, Comparative)
def the_higher_of_them(found: Alternatives, word: Comparative, names: Names) -> Iterable[Phrase]:
    """NDVI of the forest or the grassland + higher."""
    if word.node is None and word.sign in _ENDS:
        yield from _one_of(found.of, found.node, _ENDS[word.sign])


@rule(Alternatives, ExtremeStat)
def the_more_variable_of_them(found: Alternatives, word: ExtremeStat, names: Names) -> Iterable[Phrase]:
    """NDVI of the forest or the grassland + higher standard deviation."""
    made = Aggregate(word.stat.statistic, found.node, "pixel", parameter=word.stat.parameter)  # type: ignore[arg-type]
    if kind_or_none(made) is not None:
        yield from _one_of(found.of, made, word.extreme.direction)


@rule(Comparative, Stat)
def higher_statistic(word: Comparative, stat: Stat, names: Names) -> Iterable[Phrase]:
    """Higher + standard deviation, before it is said of what."""
    if word.node is None and word.sign in _ENDS and stat.statistic in SPREADS and stat.over is None:
        yield ExtremeStat(Extreme(_ENDS[word.sign]), stat)


@rule(Comparative, Pair)
def higher_in_which(word: Comparative, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Higher + in the forest or in grassland, of what is said elsewhere."""
    if pair.by == "or" and word.node is None and word.sign in _ENDS and isinstance(pair.left, Time | Mask):
        yield HigherIn(_ENDS[word.sign], (pair.left, pair.right))


@rule((Raw, Measure), HigherIn, either=True)
def which_has_more_of_it(item: Raw | Measure, found: HigherIn, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + higher in the forest or in grassland."""
    yield from _one_of(found.of, item.node, found.direction)


@rule(Candidates, Comparative)
def the_greener_of_them(candidates: Candidates, word: Comparative, names: Names) -> Iterable[Phrase]:
    """Is the forest or the grassland + greener; which of 2016 and 2017 has + the lower mean NDVI."""
    if word.sign not in _ENDS or len(candidates.of) != 2:
        return
    if word.node is not None:
        yield from _one_of(candidates.of, word.node, _ENDS[word.sign])
    else:
        yield HigherIn(_ENDS[word.sign], candidates.of)


@rule(Unit, Pair)
def which_class_of_two(unit: Unit, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which class, + forest or grassland; which year, 2016 or 2017."""
    kind = {"class": Mask}.get(unit.of, Time)
    if pair.by == "or" and isinstance(pair.left, kind) and isinstance(pair.right, kind):
        yield Candidates((pair.left, pair.right))


@rule(Ranking, (Pair, Many))
def ranked_of_these(ranked: Ranking, several: Pair | Many, names: Names) -> Iterable[Phrase]:
    """More pixels with NDVI below 0.2 + on this date or on that, or on one of three."""
    parts = _sides_of(several) if isinstance(several, Pair) else several.of
    offered = several.by == "or" if isinstance(several, Pair) else all(isinstance(p, Time) for p in parts)
    if offered and (ranked.nth, ranked.top) == (1, 1):
        yield from _one_of(parts, ranked.node, ranked.direction)


@rule(Unit, Value)
def which_date_of_these(unit: Unit, found: Value, names: Names) -> Iterable[Phrase]:
    """On which date, which of these dates + was the forest greener, this one or that."""
    named = isinstance(found.node, Which) and any(len(leaf.when.spans) > 1 for leaf in leaves(found.node))
    if replace(unit, these=False) == Unit("date", asks=True) and named and _asks_for_a_date(found.node):
        yield found


@rule(Unit, Value)
def which_period_of_these(unit: Unit, found: Value, names: Names) -> Iterable[Phrase]:
    """In which month + was mean NDVI lower, January or February."""
    each = found.node.of if isinstance(found.node, Which) else None
    by = getattr(each, "by", None)
    if (
        by in PERIODS
        and replace(unit, these=False) == Unit("month" if by == "calendar_month" else by)
        and len(leaves(each)) == 1
    ):
        months = [leaf.when for leaf in leaves(each)]
        yield from (found,) if all(len(when.months) > 1 or len(when.spans) > 1 for when in months) else ()


def _asks_for_a_date(node: Node) -> bool:
    kind = kind_or_none(node)
    return kind is not None and kind.value == "date"


@rule(Anaphor, Value)
def which_one(it: Anaphor, found: Value, names: Names) -> Iterable[Phrase]:
    """Which one + had more cloud, this date or that: of those that are named."""
    named = isinstance(found.node, Which) and any(len(leaf.when.spans) > 1 for leaf in leaves(found.node))
    if it.several and isinstance(it.of, Unit) and it.of.of == "date" and named:
        yield found


@rule(Anaphor, WhichZone)
def which_one_of_the_grounds(it: Anaphor, found: WhichZone, names: Names) -> Iterable[Phrase]:
    """Which one + was greener, the forest or the grassland."""
    zones = getattr(found.node, "by", None)
    if it.several and it.of == Unit("class") and isinstance(zones, Zones) and zones.names:
        yield found


# --- Most pixels, most area -----------------------------------------------------------------------


@rule((Extreme, Larger), (Unit, CountOf))
def most_pixels(word: Extreme | Larger, asked: Unit | CountOf, names: Names) -> Iterable[Phrase]:
    """Most + pixels; largest + number of pixels; more + pixels."""
    unit = asked if isinstance(asked, Unit) else asked.unit
    if unit != Unit("pixel"):
        return
    if isinstance(word, Larger):
        yield from () if word.than else (MostPixels(Extreme(_ENDS[word.sign])),)
    else:
        yield MostPixels(word)


@rule(MostPixels, Mask)
def most_pixels_that_pass(found: MostPixels, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Most pixels + with NDVI below 0.2: on which date, in which region."""
    yield from _ranked_ground("count", found.extreme, mask)


@rule(LargestArea, Mask)
def most_area_that_passes(found: LargestArea, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Largest area + with NDVI above 0.7: on which date, in which region."""
    yield from _ranked_ground("area", found.extreme, mask)


def _ranked_ground(statistic: str, extreme: Extreme, mask: Mask) -> Iterable[Phrase]:
    made = Aggregate(statistic, as_mask(mask.node), "pixel")  # type: ignore[arg-type]
    if leaves(mask.node) and kind_or_none(made) is not None:
        yield Ranking(extreme.direction, made, extreme.nth, extreme.top)


# --- Set against each other -----------------------------------------------------------------------


@rule((Raw, Measure), Pair)
def one_against_the_other(item: Raw | Measure, pair: Pair, names: Names) -> Iterable[Phrase]:
    """90th percentile of NDVI + on this date against that, of which the difference is asked after."""
    if pair.by in ("than", "versus", "and") and type(pair.left) is type(pair.right):
        yield Alternatives(item.node, (pair.left, pair.right), against=True)


@rule(Alternatives, Time, either=True)
def alternatives_then(found: Alternatives, time: Time, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of forest against grassland + on 14 August 2016."""
    dated = fill_time(found.node, time.when) if isinstance(found.of[0], Mask) else None
    if isinstance(dated, Node):
        yield replace(found, node=dated)


@rule(Alternatives, Relation, either=True)
def relation_of_the_two(found: Alternatives, relation: Relation, names: Names) -> Iterable[Phrase]:
    """NDVI of this date and that + correlated."""
    _sides_of_it = [fill_slots(found.node, side) for side in found.of]
    if found.against and isinstance(found.of[0], Time):
        left, right = _sides_of_it
        if left is not None and right is not None and isinstance(left, Variable):
            yield RelationOf(relation.gives, "pixel", left, right)


@rule(Alternatives, Change)
def difference_of_the_two(found: Alternatives, change: Change, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of this date against that, + difference."""
    if found.against and not change.sign:
        item = ChangeOf(change.how, 0, found.node, measured=True, of_first=change.how == "ratio")
        yield from between(item, Pair(found.of[0], found.of[1], "and"), names)
