"""Rankings of several: how many are told, in which order, by what; the one of each year."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none, number, series
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Cloud,
    Combine,
    Dates,
    Node,
    Not,
    Several,
    Span,
    When,
    Which,
    Zones,
)
from treeline.core.query.grammar.counting import per_date
from treeline.core.query.grammar.ranking import OPPOSITE, which
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Display
from treeline.core.query.phrases.comparisons import Changes
from treeline.core.query.phrases.conditions import Condition
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.phrase import Half, Phrase, Word
from treeline.core.query.phrases.ranks import (
    Ends,
    Extreme,
    LargestArea,
    NearestTo,
    Order,
    Ranking,
    Superlative,
    WhichHas,
    WhichZone,
)
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Amount, Each, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import fill_time, leaves, set_time


@rule(Word, Amount)
def nearest_to(word: Word, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Closest to + 0.5."""
    if word.name == "nearest":
        yield NearestTo(amount.number)


@rule((Measure, Raw, Series), NearestTo)
def ranked_by_nearness(item: Measure | Raw | Series, nearest: NearestTo, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + closest to 0.5: by how far it lies from that."""
    each = series(item.node)
    made = Combine("absolute_difference", each, nearest.number) if each is not None else None
    if made is not None and kind_or_none(made) is not None:
        yield Ranking("lowest", made, after=True)


@rule(Extreme, Amount, either=True)
def top_several(extreme: Extreme, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Three + highest."""
    value = amount.number.value
    if not amount.number.unit and value == int(value) and 1 < value <= 1000 and extreme.nth == 1:
        yield Extreme(extreme.direction, 1, int(value))


@rule(LargestArea, Amount)
def largest_several(largest: LargestArea, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Largest + three, of classes to come."""
    for extreme in top_several(largest.extreme, amount, names):
        if isinstance(extreme, Extreme):
            yield replace(largest, extreme=extreme)


@rule(Word, Unit)
def ranking(word: Word, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Rank + the classes, all of them in order."""
    if word.name == "rank":
        yield Superlative(unit, Extreme("highest", top=0))


@rule(Unit, Word)
def units_in_order(unit: Unit, word: Word, names: Names) -> Iterable[Phrase]:
    """The classes + in order of."""
    if word.name in IN_ORDER_OF:
        yield Superlative(unit, Extreme(IN_ORDER_OF[word.name], top=0))


IN_ORDER_OF: dict[str, Ends] = {"in_order_of": "highest", "in_rising_order_of": "lowest"}


@rule(Word, Superlative)
def rank_units_in_order(word: Word, found: Superlative, names: Names) -> Iterable[Phrase]:
    """List + the classes in order of."""
    if word.name == "rank" and found.extreme.top == 0:
        yield found


@rule(Extreme, Ranking)
def top_ranked(extreme: Extreme, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Top five + greenest."""
    if extreme.top > 1 and extreme.direction == "highest" and ranked.nth == ranked.top == 1:
        yield replace(ranked, top=extreme.top)


@rule(Amount, Ranking)
def several_ranked(amount: Amount, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Three + greenest."""
    value = amount.number.value
    if not amount.number.unit and value == int(value) and 1 < value <= 1000 and ranked.nth == ranked.top == 1:
        yield replace(ranked, top=int(value))


@rule(Ranking, Amount)
def ranked_several(ranked: Ranking, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Greenest + three, of dates or classes to come."""
    if not ranked.after:
        yield from several_ranked(amount, ranked, names)


@rule(Amount, (WhichZone, Value), cost=1)
def several_found(amount: Amount, found: WhichZone | Value, names: Names) -> Iterable[Phrase]:
    """Two + regions that are warmest."""
    value = amount.number.value
    if amount.number.unit or value != int(value) or not 1 < value <= _MOST_TOLD:
        return
    if isinstance(found, WhichZone) and found.extreme.top == found.extreme.nth == 1:
        yield WhichZone(found.node, replace(found.extreme, top=int(value)))
    elif isinstance(found, Value) and isinstance(found.node, Which) and not _names_its_own(found.node):
        yield Value(replace(found.node, top=int(value)))


@rule(Amount, Time, cost=1)
def several_dates_found(amount: Amount, found: Time, names: Names) -> Iterable[Phrase]:
    """Cloud cover of the five + dates with the lowest mean NDVI."""
    which = found.when.at
    if isinstance(which, Which) and found == Time(When(at=which)):
        for each in several_found(amount, Value(which), names):
            if isinstance(each, Value):
                yield Time(When(at=each.node))


_MOST_TOLD = 1000


def _names_its_own(node: Which) -> bool:
    """Return whether more than one is asked for already, or those to choose from are named."""
    named = any(isinstance(part, Zones) and part.names for part in node.walk())
    return (node.nth, node.top) != (1, 1) or named or any(len(leaf.when.spans) > 1 for leaf in leaves(node))


@rule((Value, WhichZone), Word)
def ranked_by(found: Value | WhichZone, word: Word, names: Names) -> Iterable[Phrase]:
    """Hottest date + by, before it is said again by what."""
    if word.name == "per" and (isinstance(found, WhichZone) or isinstance(found.node, Which)):
        yield Half(found, "by")


@rule(Half, (Raw, Measure, Stat))
def ranked_by_itself(half: Half, item: Raw | Measure | Stat, names: Names) -> Iterable[Phrase]:
    """Hottest date by + mean LST, by + its mean: by which it is anyway."""
    found = half.left
    if half.by != "by" or not isinstance(found, Value | WhichZone):
        return
    each = found.node.of if isinstance(found.node, Which) else found.node
    if not isinstance(each, Aggregate) or each.over != "pixel":
        return
    own = replace(each, by=None, assumed=())
    if isinstance(item, Stat):
        if item.over in (None, "pixel") and (item.statistic, item.parameter) == (
            own.statistic,
            own.parameter,
        ):
            yield found
    elif item.node in (each.of, own):
        yield found
    elif "statistic" in each.assumed and isinstance(item.node, Aggregate):
        told = replace(own, statistic=item.node.statistic, parameter=item.node.parameter)
        if item.node == told:  # "by maximum LST": by that, and not by the mean
            ranked = replace(told, by=each.by)
            if isinstance(found, WhichZone):
                yield replace(found, node=ranked)
            elif isinstance(found.node, Which):
                yield Value(replace(found.node, of=ranked))


@rule(Half, Ranking)
def from_one_end_to_the_other(half: Half, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Greenest to + least green."""
    first = half.left
    if half.by != "to" or not isinstance(first, Ranking) or first.direction == ranked.direction:
        return
    if first == replace(ranked, direction=first.direction):
        yield Order(first.direction, first.node)


@rule(Superlative, Order)
def rank_in_order(found: Superlative, order: Order, names: Names) -> Iterable[Phrase]:
    """Order the classes + from greenest to least green."""
    if found.extreme.top == 0:
        yield from which(found.unit, Ranking(order.direction, order.node, top=0), names)


@rule((WhichZone, Value), Word)
def ranking_turned(found: WhichZone | Value, word: Word, names: Names) -> Iterable[Phrase]:
    """List the classes by mean elevation, + lowest first."""
    if word.name not in _ENDS_FIRST:
        return
    first = _ENDS_FIRST[word.name]
    if isinstance(found, WhichZone) and found.extreme.top == 0:
        yield replace(found, extreme=replace(found.extreme, direction=first))
    elif isinstance(found, WhichZone) and found.extreme.top > 1 and found.extreme.direction == first:
        yield found
    elif isinstance(found, Value) and isinstance(found.node, Which) and found.node.top == 0:
        yield Value(replace(found.node, direction=first))
    elif isinstance(found, Value) and isinstance(found.node, Which) and found.node.top > 1:
        yield from (found,) if found.node.direction == first else ()


_ENDS_FIRST: dict[str, Ends] = {"sorted": "highest", "sorted_up": "lowest"}


@rule(Superlative, Word)
def rank_from_one_end(found: Superlative, word: Word, names: Names) -> Iterable[Phrase]:
    """Rank the classes + from the lowest on; rank the dates + from highest to lowest."""
    if word.name in _ENDS_FIRST and found.extreme == Extreme("highest", top=0):
        yield replace(found, extreme=Extreme(_ENDS_FIRST[word.name], top=0))


@rule(Display, Word)
def sorted_list(shown: Display, word: Word, names: Names) -> Iterable[Phrase]:
    """List the mean NDVI of all classes, + highest first."""
    if shown.form == "table" and isinstance(shown.of, Measure | Series):
        yield from sorted_table(shown.of, word, names)


@rule((Measure, Series), Word)
def sorted_table(item: Measure | Series, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean NDVI by class, + sorted."""
    each = number(item.node) if isinstance(item, Measure) else item.node
    if word.name in _ENDS_FIRST and each is not None:
        made = Which(each, _ENDS_FIRST[word.name], top=0)
        if kind_or_none(made) is not None:
            yield Value(made)


@rule(Value, Condition)
def which_of_those_that_pass(found: Value, held: Condition, names: Names) -> Iterable[Phrase]:
    """Greenest date + with less than 10 % cloud: of such dates."""
    condition = per_date(held) if isinstance(found.node, Which) else None
    made = fill_time(found.node, When(at=Dates(condition))) if condition is not None else None
    if isinstance(made, Node):
        yield Value(made)


@rule(Value, (Ranking, WhichHas))
def which_of_the_dates(dates: Value, ranked: Ranking | WhichHas, names: Names) -> Iterable[Phrase]:
    """Which date with less than 10 % cloud + has the highest mean NDVI; of such dates, + which has it."""
    asked = ranked.ranked if isinstance(ranked, WhichHas) else ranked
    # Dates without a cloud have a mode of their own, by which they are told anyway.
    clear = set_time(dates.node, ALWAYS) == Dates(Not(Aggregate("any", Cloud(), "pixel")))
    if isinstance(dates.node, Dates) and dates.node.pick == "all" and not clear:
        among = fill_time(asked.node, When(at=dates.node))
        if isinstance(among, Node):
            yield from which(Unit("date"), replace(asked, node=among), names)


@rule(Value, Each, either=True)
def which_of_each_year(item: Value, each: Each, names: Names) -> Iterable[Phrase]:
    """The greenest date + of each year: year by year."""
    found, years = item.node, sorted({date.year for date in names.inventory.dates})
    if each != Each("year") or not isinstance(found, Which) or not 1 < len(years) <= _MOST_YEARS:
        return
    kind = kind_or_none(found.of)
    if kind is None or kind.axes != {"date"} or found.top != 1:
        return
    whens = [When((Span(dt.date(year, 1, 1), dt.date(year, 12, 31)),)) for year in years]
    parts = [part for when in whens if (part := fill_time(found, when)) is not None]
    if len(parts) == len(years):
        yield Value(Several(tuple(parts)))


# So many years are still told one by one.
_MOST_YEARS = 6


@rule(Superlative, Changes)
def ranking_by_change(found: Superlative, changes: Changes, names: Names) -> Iterable[Phrase]:
    """Rank the classes by + NDVI change from A to B: with the sign that the word for it has."""
    node = Combine("difference", changes.left, changes.right)
    if changes.how == "difference" and found.extreme.top == 0:
        direction = found.extreme.direction if changes.sign >= 0 else OPPOSITE[found.extreme.direction]
        yield from which(found.unit, Ranking(direction, node, top=0), names)
