"""Comparison: one thing set against another of its kind, at two times, two places, or of two variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none, number, series, versus
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Combine,
    Compare,
    Dates,
    Node,
    Not,
    Number,
    Place,
    Several,
    Steps,
    Variable,
    When,
)
from treeline.core.query.grammar.registry import RULES, rule
from treeline.core.query.grammar.time import length
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import (
    Changes,
    Comparative,
    ComparedPair,
    ComparedTimes,
    FirstSide,
    HigherThan,
    HowMuch,
    HowMuchMore,
    Margin,
    OneSide,
    StatElsewhere,
    Versus,
)
from treeline.core.query.phrases.conditions import Claim, CompareTo, Condition, Limit, Operator, StepLimit
from treeline.core.query.phrases.counts import CountOf, SharedUnit, Unit
from treeline.core.query.phrases.phrase import Half, Join, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask, Part
from treeline.core.query.phrases.ranks import Ranking
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Measure, Raw, Stat, Value
from treeline.core.query.slots import (
    Leaf,
    at_another_place,
    fill_clouds,
    fill_place,
    fill_time,
    leaves,
    lend,
    set_time,
)


@rule((Comparative, ComparedTimes), Join)
def than(word: Comparative | ComparedTimes, join: Join, names: Names) -> Iterable[Phrase]:
    """Greener + than; greener year + than."""
    if join.by == "than":
        yield Half(word, "than")


@rule(Comparative, Unit)
def greener_time(word: Comparative, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Greener + year."""
    if unit.of in ("month", "season", "year") and not unit.asks:
        yield ComparedTimes(word, unit.of)


@rule(Time, Half)
def first_of_two_times(side: Time, half: Half, names: Names) -> Iterable[Phrase]:
    """2016 + a greener year than: the times are of that length."""
    found = half.left
    if isinstance(found, ComparedTimes) and (length(side.when) == "year") == (found.unit == "year"):
        yield from first_side(side, replace(half, left=found.word), names)


@rule((Time, Mask, Part), Half)
def first_side(side: Time | Mask, half: Half, names: Names) -> Iterable[Phrase]:
    """Summer of 2017 + greener than."""
    if isinstance(half.left, Comparative) and half.left.node is not None:
        yield FirstSide(half.left.sign, half.left.node, side)


@rule((Time, Mask, Part), Operator)
def first_of_sides(side: Time | Mask, operator: Operator, names: Names) -> Iterable[Phrase]:
    """Summer of 2017 + higher than, in what is said elsewhere."""
    if operator.sign in ("gt", "lt"):
        yield HigherThan(operator.sign, side)


@rule(HigherThan, (Time, Mask, Part))
def both_sides(first: HigherThan, other: Time | Mask, names: Names) -> Iterable[Phrase]:
    """Summer of 2017 higher than + summer of 2016, in what is said elsewhere."""
    if type(first.side) is type(other) and first.side != other:
        yield ComparedPair(first.sign, Pair(first.side, other, "than"))


@rule(HowMuch, ComparedPair)
def by_how_much_of_both(word: HowMuch, compared: ComparedPair, names: Names) -> Iterable[Phrase]:
    """By how much is + 2017 higher than 2016."""
    if not compared.how:
        yield replace(compared, how=word.how)


@rule(Mask, Word)
def lies_higher(side: Mask, word: Word, names: Names) -> Iterable[Phrase]:
    """The forest + lies higher than."""
    height = names.variable("dem")
    if word.name in _HIGHER and height is not None and isinstance(side.node, Place):
        yield FirstSide(_HIGHER[word.name], height, side)


_HIGHER = {"lies_higher": "gt", "lies_lower": "lt"}


@rule(FirstSide, (Time, Mask, Part))
def second_side(left: FirstSide, other: Time | Mask, names: Names) -> Iterable[Phrase]:
    """Summer of 2017 greener than + summer of 2016: a claim on both means."""
    if type(left.side) is not type(other) or isinstance(other, Mask) and other.joined:
        return  # "greener than A and B" is not said of both together
    if (
        isinstance(left.side, Time)
        and isinstance(other, Time)
        and length(left.side.when) != length(other.when)
    ):
        return
    one, two = fill_slots(left.node, left.side), fill_slots(left.node, other)
    if one is not None and two is not None and one != two:
        yield Versus(left.sign, one, two)


@rule(FirstSide, Word)
def than_the_whole(left: FirstSide, word: Word, names: Names) -> Iterable[Phrase]:
    """Willowbank greener than + the whole scene."""
    one = fill_slots(left.node, left.side)
    if word.name == "whole" and isinstance(left.side, Mask) and one is not None:
        yield Versus(left.sign, one, left.node)


@rule(FirstSide, Word)
def than_the_rest(left: FirstSide, word: Word, names: Names) -> Iterable[Phrase]:
    """Built-up land hotter than + everything else."""
    ground = left.side.node if isinstance(left.side, Mask) else None
    if word.name != "rest" or not isinstance(ground, Place):
        return
    one, two = fill_slots(left.node, left.side), fill_slots(left.node, Mask(Not(ground)))
    if one is not None and two is not None:
        yield Versus(left.sign, one, two)


def fill_slots(node: Node, side: Phrase) -> Node | None:
    """Return a node at a time or on a ground."""
    if isinstance(side, Time):
        found = fill_time(node, side.when)
    elif isinstance(side, Mask):
        found = fill_place(node, side.node)
    else:
        found = None
    return found if isinstance(found, Node) else None


@rule(Comparative, (Raw, Measure))
def more_of(word: Comparative, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Higher + was mean NDVI on this day, than to come."""
    if word.node is None:
        yield FirstSide(word.sign, item.node, item)


@rule(FirstSide, Join)
def more_of_than(left: FirstSide, join: Join, names: Names) -> Iterable[Phrase]:
    """Higher was mean NDVI on this day + than."""
    if join.by == "than":
        yield Half(left, "than")


@rule((Raw, Measure), Half)
def first_thing(item: Raw | Measure, half: Half, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of July + higher than."""
    if isinstance(half.left, Comparative) and half.left.node is None:
        yield Half(FirstSide(half.left.sign, item.node, item), "than")


@rule(Half, (Time, Mask, Raw, Measure))
def second_thing(half: Half, other: Phrase, names: Names) -> Iterable[Phrase]:
    """Mean NDVI higher in July than + in June; mean NIR higher than + mean red."""
    if not isinstance(half.left, FirstSide):
        return
    left = half.left
    if isinstance(other, Raw | Measure) and type(other) is type(left.side) and left.node != other.node:
        yield Versus(left.sign, left.node, other.node)


@rule(Half, (Time, Mask, Part))
def other_side(half: Half, other: Time | Mask, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of the forest in 2016 higher than + in 2017: the same at another time or place."""
    if not isinstance(half.left, FirstSide) or not isinstance(half.left.side, Raw | Measure):
        return
    node = half.left.node
    told = [leaf for leaf in leaves(node) if not getattr(leaf, "timeless", False)]
    if isinstance(other, Time) and told and all(leaf.when != ALWAYS for leaf in told):
        yield Versus(half.left.sign, node, set_time(node, lend_year(told, other)))
    if isinstance(other, Mask) and (there := at_another_place(node, other.node)) is not None:
        yield Versus(half.left.sign, node, there)


def lend_year(told: list[Leaf], other: Time) -> When:
    """Return a time with the year of what it is compared with."""
    return lend(told[0].when, other.when) if told else other.when


@rule(Comparative, Pair)
def higher_in_one(word: Comparative, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Greener + in the forest than in grassland; greener + from May to June: a change."""
    if pair.by == "than" and word.node is not None:
        one, two = fill_slots(word.node, pair.left), fill_slots(word.node, pair.right)
        if one is not None and two is not None and one != two:
            yield Versus(word.sign, one, two)
    elif pair.by == "than":
        yield ComparedPair(word.sign, pair)
    elif pair.by in ("between", "to") and word.node is not None and isinstance(pair.left, Time):
        earlier, later = fill_slots(word.node, pair.left), fill_slots(word.node, pair.right)
        if earlier is not None and later is not None:
            yield Changes("difference", 1 if word.sign == "gt" else -1, later, earlier)


@rule((Raw, Measure), ComparedPair, either=True)
def item_and_pair(item: Raw | Measure, compared: ComparedPair, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + higher in the forest than in grassland."""
    one, two = fill_slots(item.node, compared.pair.left), fill_slots(item.node, compared.pair.right)
    if one is not None and two is not None and one != two:
        claim = Versus(compared.sign, one, two)
        yield from difference(claim, HowMuch(compared.how)) if compared.how else (claim,)


@rule(Comparative, Mask, cost=1)
def more_of_a_ground(word: Comparative, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Greener + did Lakeside get, from one date to another."""
    placed = fill_place(word.node, mask.node) if word.node is not None else None
    if isinstance(placed, Node) and isinstance(mask.node, Place):
        yield replace(word, node=placed)


@rule(HowMuch, Comparative)
def how_much_more(word: HowMuch, more: Comparative, names: Names) -> Iterable[Phrase]:
    """How much + higher."""
    if more.node is None:
        yield HowMuchMore(word.how)


@rule(HowMuchMore, (Measure, Raw))
def how_much_more_of(word: HowMuchMore, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """How much higher + is mean NDVI in July."""
    yield OneSide(word.how, item.node)


@rule(Pair, OneSide, either=True)
def one_of_both(pair: Pair, side: OneSide, names: Names) -> Iterable[Phrase]:
    """Comparing January and July 2017, + how much higher is mean NDVI in July."""
    if not isinstance(pair.left, Time) or not isinstance(pair.right, Time):
        return
    told = {leaf.when for leaf in leaves(side.node) if not getattr(leaf, "timeless", False)}
    if len(told) != 1:
        return
    when = told.pop()
    one, other = pair.left.when, pair.right.when
    for this, that in ((one, other), (other, one)):
        if this in (when, lend(this, when)) and that != when:
            yield Changes(side.how, 0, set_time(side.node, this), set_time(side.node, that), asked=True)


@rule((CountOf, SharedUnit, Unit), Versus)
def dates_of_versus(asked: CountOf | SharedUnit | Unit, claim: Versus, names: Names) -> Iterable[Phrase]:
    """On how many dates + was the NDVI of the forest above that of grassland."""
    unit = asked if isinstance(asked, Unit) else asked.unit
    left, right = series(claim.left), series(claim.right)
    if unit.of != "date" or left is None or right is None:
        return
    plain = Compare(left, claim.sign, right)  # type: ignore[arg-type]
    held = fill_clouds(plain, "clear_dates") if unit.clear else plain
    if held is None or (kind := kind_or_none(held)) is None or kind.axes != {"date"}:
        return
    if isinstance(asked, Unit):
        yield Value(Dates(held))
    else:
        yield Value(Aggregate("count" if isinstance(asked, CountOf) else "share", held, "date"))


@rule(HowMuch, Versus)
def by_how_much(word: HowMuch, claim: Versus, names: Names) -> Iterable[Phrase]:
    """How much + higher is X than Y."""
    yield from difference(claim, word)


@rule(HowMuch, (Condition, Claim))
def by_how_much_it_exceeds(word: HowMuch, item: Condition | Claim, names: Names) -> Iterable[Phrase]:
    """By how much + does mean LST exceed mean air temperature."""
    for claim in _as_versus(item):
        yield from difference(claim, word)


@rule(HowMuch, Mask)
def by_how_much_one_raster_exceeds(word: HowMuch, mask: Mask, names: Names) -> Iterable[Phrase]:
    """By how many kelvin + does LST exceed brightness temperature: their difference, pixel by pixel."""
    match mask.node:
        case Compare(Variable() as left, "gt", Variable() as right) if word.how == "difference":
            yield Raw(Combine("difference", left, right))


@rule(Measure, StepLimit)
def step_that_passes(item: Measure, limit: StepLimit, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + lower than on the date before: its change is below 0."""
    each = series(item.node)
    made = Compare(Steps(each), limit.sign, Number(0.0)) if each is not None else None  # type: ignore[arg-type]
    if made is not None and kind_or_none(made) is not None:
        yield Condition(made)


@rule(Stat, (Time, Mask), cost=1)
def statistic_elsewhere(stat: Stat, other: Time | Mask, names: Names) -> Iterable[Phrase]:
    """The variance + on another day, of what was told before."""
    if not getattr(other, "joined", False):
        yield StatElsewhere(stat, other)


@rule(CompareTo, StatElsewhere)
def above_the_same_elsewhere(left: CompareTo, found: StatElsewhere, names: Names) -> Iterable[Phrase]:
    """The variance of NDVI on one day exceeds + the variance on another."""
    node = left.left.node if isinstance(left.left, Measure) else None
    if isinstance(node, Aggregate) and (node.statistic, node.parameter) == (
        found.stat.statistic,
        found.stat.parameter,
    ):
        for join, _ in RULES.get((CompareTo, type(found.of)), ()):
            yield from join(left, found.of, names)


@rule(Limit, Versus)
def by_so_much(limit: Limit, claim: Versus, names: Names) -> Iterable[Phrase]:
    """At least 8 K + warmer on A than on B; more than 10 % + higher than."""
    passes = limit.sign in ("gt", "ge") and limit.upper is None and claim.sign in ("gt", "lt")
    if not passes or isinstance(claim.right, Number):
        return
    if limit.number.unit == "%":
        change = Combine("percent_change", claim.left, claim.right)
        value = limit.number.value if claim.sign == "gt" else -limit.number.value
        sign = limit.sign if claim.sign == "gt" else {"gt": "lt", "ge": "le"}[limit.sign]
        yield Versus(sign, change, Number(value, "%"))
    else:
        sides = (claim.left, claim.right) if claim.sign == "gt" else (claim.right, claim.left)
        yield Versus(limit.sign, Combine("difference", *sides), limit.number)


@rule(Limit, (Half, Operator, Word))
def margin(limit: Limit, more: Half | Operator | Word, names: Names) -> Iterable[Phrase]:
    """More than 3 K + warmer than; more than 0.1 + higher than."""
    match more:
        case Half(left=Comparative()) | Operator(sign="gt" | "lt"):
            compares = True
        case Word(name):
            compares = name in _HIGHER
        case _:
            compares = False
    if compares and limit.sign in ("gt", "ge"):
        yield Margin(limit, more)


@rule((Time, Mask, Raw, Measure), Margin)
def first_side_by_a_margin(side: Phrase, found: Margin, names: Names) -> Iterable[Phrase]:
    """The built-up land + more than 3 K warmer than: as without the margin."""
    for joined, _ in RULES.get((type(side), type(found.of)), ()):
        yield from (replace(found, of=made) for made in joined(side, found.of, names))


@rule(Margin, (Time, Mask, Raw, Measure))
def second_side_by_a_margin(found: Margin, other: Phrase, names: Names) -> Iterable[Phrase]:
    """The built-up land more than 3 K warmer than + the cropland."""
    for joined, _ in RULES.get((type(found.of), type(other)), ()):
        for made in joined(found.of, other, names):
            for claim in _as_versus(made):
                if found.limit is not None:
                    yield from by_so_much(found.limit, claim, names)
                else:
                    yield from _by_the_most(claim)


def _by_the_most(claim: Versus) -> Iterable[Ranking]:
    """Yield by how much one exceeds the other, to be looked for where it is most."""
    left, right = series(claim.left), series(claim.right)
    if left is not None and right is not None and claim.sign in ("gt", "lt"):
        sides = (left, right) if claim.sign == "gt" else (right, left)
        yield Ranking("highest", Combine("difference", *sides))


def _as_versus(made: Phrase) -> Iterable[Versus]:
    """Yield a claim that one thing exceeds another as its two sides."""
    node = made.node if isinstance(made, Condition | Claim) else None
    if isinstance(made, Versus):
        yield made
    elif isinstance(node, Compare) and node.operator in ("gt", "lt") and not isinstance(node.limit, Number):
        yield Versus(node.operator, node.of, node.limit)


def difference(claim: Versus, word: HowMuch) -> Iterable[Phrase]:
    """Yield by how much one exceeds the other."""
    left, right = number(claim.left), number(claim.right)
    if left is not None and right is not None:
        node = Combine(word.how, left, right)  # type: ignore[arg-type]
        if kind_or_none(node) is not None:
            yield Value(node)


@rule(Versus, HowMuch)
def and_by_how_much(claim: Versus, word: HowMuch, names: Names) -> Iterable[Phrase]:
    """Was X greener than Y + and by how much."""
    yield from claim_with_difference(claim, word)


@rule((Claim, Condition), HowMuch)
def and_by_how_much_of_a_level(found: Claim | Condition, word: HowMuch, names: Names) -> Iterable[Phrase]:
    """The mean NDVI of one date is above that of all dates + and by how much."""
    kind = kind_or_none(found.node)
    for claim in _as_versus(found):
        if kind is not None and not kind.axes:
            yield from claim_with_difference(claim, word)


def claim_with_difference(claim: Versus, word: HowMuch) -> Iterable[Phrase]:
    """Yield a claim that one exceeds the other together with by how much."""
    said = versus(claim.sign, claim.left, claim.right)
    for found in difference(claim, word):
        if said is not None and isinstance(found, Value):
            yield Value(Several((said, found.node)))
