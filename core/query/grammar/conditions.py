"""Conditions: limits on rasters and on series, ranges, quantified ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from treeline.core.query.canonical import both, either
from treeline.core.query.closing import kind_or_none, series
from treeline.core.query.expression import Aggregate, And, Compare, Node, Not, Number, Place, Variable
from treeline.core.query.grammar.registry import rule
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import Comparative
from treeline.core.query.phrases.conditions import (
    Claim,
    Condition,
    Limit,
    Limits,
    Operator,
    OperatorOf,
    Tolerance,
)
from treeline.core.query.phrases.counts import Quantifier, Unit
from treeline.core.query.phrases.phrase import Half, Join, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.values import Amount, Each, Measure, Raw, Series, Value
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import fill_clouds, fill_place, leaves
from treeline.toolkit.variables import CLOUD_ROLES, VARIABLES

_SIGNS = {"gt", "ge", "lt", "le", "eq", "ne", "between"}
_HEIGHT_UNITS = ("m", "ft", "km")
_TEMPERATURE_UNITS = ("K", "degC", "degF")


def compare(node: Node, limit: Limit) -> Node | None:
    """Return a condition on a node; ``None`` where the units do not fit."""
    number = limit.number
    if number.unit == "%" and _pure(node):
        return None
    # Of a share of ground by its slope it is the share that is limited, and not the slope.
    if number.unit == "%" and getattr(kind_or_none(node), "unit", "") == VARIABLES["terrain_slope"].unit:
        node = rewrite(node, Variable, _in_per_cent)
    made = Compare(node, limit.sign, number, limit.upper)  # type: ignore[arg-type]
    return made if kind_or_none(made) is not None else None


def _in_per_cent(leaf: Variable) -> Variable:
    """Return a variable as it is limited in per cent: the slope, which is in degrees elsewhere."""
    return replace(leaf, role="terrain_slope_percent", unit="%") if leaf.role == "terrain_slope" else leaf


def _pure(node: Node) -> bool:
    """Return whether a node is a pure number that nobody writes in per cent, such as an index."""
    kind = kind_or_none(node)
    shares = ("fvc", "snow_fraction", "cloud_probability", "sea_ice", "soil_moisture")
    return (
        kind is not None
        and kind.unit in ("", "1")
        and not any(isinstance(leaf, Variable) and leaf.role in shares for leaf in leaves(node))
    )


@rule(Operator, Amount)
def limit_of(operator: Operator, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Above + 0.7."""
    if operator.sign in ("gt", "ge", "lt", "le", "eq", "ne"):
        yield from _limits(Limit(operator.sign, amount.number), names)


@rule(Operator, Amount, cost=1)  # beside a variable, "above 300 K" is rather said of that one
def temperature_limit(operator: Operator, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Exceeds + 300 K, of which nothing else is said: the land surface temperature does."""
    surface = names.variable("lst")
    if amount.number.unit in _TEMPERATURE_UNITS and surface is not None:
        made = compare(surface, Limit(operator.sign, amount.number)) if operator.sign in _SIGNS else None
        yield from (Mask(made),) if made is not None else ()


REFLECTANCES = {role for role, variable in VARIABLES.items() if variable.kind == "reflectance"}


@rule(Operator, Amount)
def greenness_limit(operator: Operator, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Above + 0.7, of which nothing else is said: NDVI, where it is the only index that there is."""
    greenness, number = sole_greenness(names), amount.number
    if (
        names.bare_limits
        and greenness is not None
        and not number.unit
        and abs(number.value) <= 1
        and operator.sign in _SIGNS
    ):
        yield Mask(Compare(greenness, operator.sign, number))  # type: ignore[arg-type]


def sole_greenness(names: Names) -> Variable | None:
    """Return NDVI as what is meant where no variable is named; ``None`` where it is not the only index."""
    greenness = names.variable("ndvi")
    if greenness is None:
        return None
    held = [holding for holding in names.inventory.holdings if holding.dates and not holding.made]
    others = {holding.role for holding in held if holding.unit == greenness.unit} - {"ndvi"}
    if others <= REFLECTANCES | set(CLOUD_ROLES) and any(holding.role == "ndvi" for holding in held):
        return replace(greenness, assumed=(*greenness.assumed, "variable"))
    return None


@rule(Half, (Operator, Comparative))
def or_more(half: Half, more: Operator | Comparative, names: Names) -> Iterable[Phrase]:
    """0.6 or + more; 0.6 or + above."""
    plain = isinstance(more, Operator) or more.node is None
    if isinstance(half.left, Amount) and half.by == "or" and plain and more.sign in ("gt", "lt"):
        yield from _limits(Limit("ge" if more.sign == "gt" else "le", half.left.number), names)


def _limits(limit: Limit, names: Names) -> Iterable[Phrase]:
    yield limit
    height = names.variable("dem")
    if limit.number.unit in _HEIGHT_UNITS and height is not None and limit.sign in _SIGNS:
        yield Mask(Compare(height, limit.sign, limit.number, limit.upper))  # type: ignore[arg-type]


@rule(Word, Amount)
def within_so_much(word: Word, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Within + 0.05, of a number to come."""
    if word.name == "within" and amount.number.value > 0:
        yield Tolerance(amount.number)


@rule(Tolerance, Amount)
def within_so_much_of(width: Tolerance, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Within 0.05 of + 0.7: between 0.65 and 0.75."""
    middle, unit = amount.number.value, amount.number.unit
    if width.number.unit == unit:
        ends = (round(middle + step, 12) for step in (-width.number.value, width.number.value))
        yield Limit("between", *(Number(end, unit) for end in ends))


@rule(Amount, Join)
def first_of_numbers(amount: Amount, join: Join, names: Names) -> Iterable[Phrase]:
    """0.4 + and."""
    yield Half(amount, join.by)


@rule(Half, Amount)
def two_numbers(half: Half, right: Amount, names: Names) -> Iterable[Phrase]:
    """0.4 and + 0.6."""
    if isinstance(half.left, Amount):
        left = half.left
        if not left.number.unit and right.number.unit:
            left = Amount(replace(left.number, unit=right.number.unit))
        yield Pair(left, right, half.by)


@rule(Word, Pair)
def range_of(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Between + 0.4 and 0.6; from + 0.4 to 0.6."""
    if not isinstance(pair.left, Amount) or not isinstance(pair.right, Amount):
        return
    if (word.name, pair.by) in (("between", "and"), ("from", "to"), ("between", "to"), ("in", "to")):
        low, high = pair.left.number, pair.right.number
        if low.value < high.value:
            yield from _limits(Limit("between", low, high), names)


@rule(Raw, Pair, cost=1)
def range_of_a_variable(item: Raw, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Slopes of + 10 to 20 degrees."""
    if pair.by == "to":
        for limit in range_of(Word("from"), pair, names):
            made = compare(item.node, limit) if isinstance(limit, Limit) else None
            yield from (Mask(made),) if made is not None else ()


@rule((Limit, Limits), Join)
def first_of_limits(limit: Limit, join: Join, names: Names) -> Iterable[Phrase]:
    """Above 0.4 + and."""
    if join.by in ("and", "or"):
        yield Half(limit, join.by)


@rule(Half, Limit)
def two_limits(half: Half, right: Limit, names: Names) -> Iterable[Phrase]:
    """Above 0.4 and + below 0.6."""
    if isinstance(half.left, Limit) and half.left.sign != right.sign:
        yield Limits((half.left, right), half.by)


@rule(Raw, Limit)
def pixels_that_pass(raw: Raw, limit: Limit, names: Names) -> Iterable[Phrase]:
    """NDVI + above 0.7."""
    made = compare(raw.node, limit)
    if made is not None:
        yield Mask(made)


@rule(Raw, Limits)
def pixels_that_pass_both(raw: Raw, limits: Limits, names: Names) -> Iterable[Phrase]:
    """NDVI + above 0.4 and below 0.6."""
    made = [compare(raw.node, limit) for limit in limits.of]
    if all(one is not None for one in made):
        parts = [one for one in made if one is not None]
        yield Mask(both(*parts) if limits.by == "and" else either(*parts))


@rule((Measure, Series), Limit)
def dates_that_pass(item: Measure | Series, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + above 0.7."""
    made = compare(item.node, limit)
    if made is not None:
        yield Condition(made)


@rule((Measure, Series), Limits)
def dates_that_pass_both(item: Measure | Series, limits: Limits, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + above 0.4 and below 0.6."""
    made = [compare(item.node, limit) for limit in limits.of]
    parts = [one for one in made if one is not None]
    if len(parts) == len(made):
        yield Condition(both(*parts) if limits.by == "and" else either(*parts))


@rule(Value, Limit)
def value_that_passes(item: Value, limit: Limit, names: Names) -> Iterable[Phrase]:
    """The maximum of the mean NDVI + above 0.7."""
    kind = kind_or_none(item.node)
    made = compare(item.node, limit) if kind is not None and not kind.axes else None
    if made is not None:
        yield Condition(made)


@rule(Limit, Raw)
def limit_before(limit: Limit, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Above 0.7 + NDVI."""
    yield from pixels_that_pass(raw, limit, names)


@rule(Operator, (Raw, Measure))
def operator_of(operator: Operator, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Above + NDVI, a threshold of + mean NDVI, with the number to come."""
    if operator.sign in _SIGNS:
        yield OperatorOf(operator.sign, item.node)


@rule(Word, Raw)
def between_of(word: Word, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Between + NDVI, with the numbers to come."""
    if word.name == "between":
        yield OperatorOf("between", raw.node)


@rule(OperatorOf, Pair)
def operator_and_range(operator: OperatorOf, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Between NDVI + 0.4 and 0.6."""
    if operator.sign != "between" or pair.by != "and":
        return
    if isinstance(pair.left, Amount) and isinstance(pair.right, Amount):
        low, high = pair.left.number, pair.right.number
        made = compare(operator.node, Limit("between", low, high)) if low.value < high.value else None
        if made is not None:
            yield Mask(made)


@rule(Measure, Limit, cost=1)
def pixels_by_their_statistic(item: Measure, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Where the maximum NDVI of 2017 + is below 0.5: at each pixel over its dates."""
    match item.node:
        case Aggregate(of=Variable() as raster, over="pixel", by=None, weight=None) as each:
            if kind_of(raster).axes == {"pixel", "date"}:
                made = compare(replace(each, over="date", assumed=()), limit)
                yield from (Mask(made),) if made is not None and kind_or_none(made) is not None else ()


@rule(Limit, Measure)
def limit_before_measure(limit: Limit, measure: Measure, names: Names) -> Iterable[Phrase]:
    """More than 50 % + cloud cover."""
    yield from dates_that_pass(measure, limit, names)


@rule(OperatorOf, Amount)
def operator_and_number(operator: OperatorOf, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Above an NDVI of + 0.7; above a mean NDVI of + 0.7."""
    made = compare(operator.node, Limit(operator.sign, amount.number))
    kind = kind_or_none(made) if made is not None else None
    if made is not None and kind is not None:
        yield Mask(made) if "pixel" in kind.axes else Condition(made)


@rule(Comparative, Join)
def comparative_than(word: Comparative, join: Join, names: Names) -> Iterable[Phrase]:
    """Hotter + than."""
    if join.by == "than" and word.node is not None:
        yield OperatorOf(word.sign, word.node)


@rule(Word, Condition)
def whether(word: Word, held: Condition, names: Names) -> Iterable[Phrase]:
    """Is + mean NDVI above 0.7."""
    if word.name == "did":
        yield Claim(held.node)


@rule(Mask, Mask)
def ground_that_passes(ground: Mask, passed: Mask, names: Names) -> Iterable[Phrase]:
    """The forest + is warmer than 300 K, above 700 m: a condition on its mean."""
    node = passed.node
    if not isinstance(ground.node, Place) or ground.joined or not isinstance(node, Compare):
        return
    if not isinstance(node.limit, Number) or not isinstance(node.of, Variable):
        return
    placed, mean = fill_place(node.of, ground.node), None
    if isinstance(placed, Variable):
        mean = series(placed)
    if mean is not None:
        yield Condition(replace(node, of=mean))


@rule(Word, Mask)
def whether_on_average(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Is + NDVI above 0.7: its mean."""
    node = mask.node
    if word.name == "did" and isinstance(node, Aggregate) and node.over == "date":
        held = _of_means(node)
        if held is not None and node.statistic in ("all", "any"):
            yield Claim(held)
    if word.name != "did" or not isinstance(node, Compare) or not isinstance(node.limit, Number):
        return
    of = _of_means(node.of)
    if of is not None:
        yield Claim(replace(node, of=of))


def _of_means(node: Node) -> Node | None:
    """Return what a claim is on: the mean of the pixels, how many dates of such a mean pass a limit."""
    if isinstance(node, Aggregate) and node.over == "date" and isinstance(node.of, Compare):
        mean = series(node.of.of)
        return None if mean is None else replace(node, of=replace(node.of, of=mean))
    return series(node)


# --- And, or, not between conditions --------------------------------------------------------------


@rule(Condition, Join)
def first_of_conditions(held: Condition, join: Join, names: Names) -> Iterable[Phrase]:
    """Mean NDVI above 0.7 + and."""
    if join.by in ("and", "or"):
        yield Half(held, join.by)


@rule(Half, Condition)
def two_conditions(half: Half, right: Condition, names: Names) -> Iterable[Phrase]:
    """Mean NDVI above 0.7 and + mean LST below 300."""
    if isinstance(half.left, Condition):
        yield Condition(
            both(half.left.node, right.node) if half.by == "and" else either(half.left.node, right.node)
        )


# --- Quantified -----------------------------------------------------------------------------------


@rule(Limit, Unit)
def at_least_so_much(limit: Limit, unit: Unit, names: Names) -> Iterable[Phrase]:
    """At least 80 % + of the pixels; at least three + of the dates."""
    number = limit.number
    if limit.upper is not None:
        return
    of_dates = unit.of in ("date", "image")
    if number.unit == "%" and (of_dates or unit.of == "pixel"):
        yield Quantifier("date" if of_dates else "pixel", limit.sign, number, unit.clear)
    elif not number.unit and of_dates and number.value == int(number.value):
        yield Quantifier("date", limit.sign, number, unit.clear)


@rule(Quantifier, (Mask, Location))
def so_much_of_it(quantified: Quantifier, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """At least 80 % of the pixels + NDVI above 0.6."""
    statistic = "share" if quantified.number.unit == "%" else "count"
    over = "pixel" if quantified.unit == "pixel" else "date"
    node = mask.node
    if quantified.clear:
        node = fill_clouds(node, "clear_dates") or node
    limit = Compare(Aggregate(statistic, node, over), quantified.sign, quantified.number)  # type: ignore[arg-type]
    if kind_or_none(limit) is None:
        return
    if quantified.majority and over == "pixel":
        yield Claim(limit)
        return
    yield Condition(limit) if over == "pixel" else Mask(limit)


@rule(Mask, Quantifier)
def of_so_much(mask: Mask, quantified: Quantifier, names: Names) -> Iterable[Phrase]:
    """NDVI above 0.6 + on at least three dates."""
    yield from so_much_of_it(quantified, mask, names)


@rule(Mask, Each)
def on_each_date(mask: Mask, each: Each, names: Names) -> Iterable[Phrase]:
    """NDVI above 0.6 + on every date."""
    quantifier, _, of = each.axis.partition(" ")
    if quantifier in ("every", "any", "no") and of in ("date", "clear date"):
        node = fill_clouds(mask.node, "clear_dates") if of != "date" else mask.node
        made = Aggregate("all" if quantifier == "every" else "any", node, "date") if node else None
        if made is not None and kind_or_none(made) is not None:
            yield Mask(Not(made) if quantifier == "no" else made)


@rule(Each, Mask)
def each_date_before(each: Each, mask: Mask, names: Names) -> Iterable[Phrase]:
    """On every date + NDVI above 0.6."""
    yield from on_each_date(mask, each, names)


@rule(Limit, Mask, either=True)
def at_least_so_many(limit: Limit, mask: Mask, names: Names) -> Iterable[Phrase]:
    """At least two + of A, B and C: where A and B hold, or A and C, or B and C."""
    count, conditions = limit.number.value, mask.node.of if isinstance(mask.node, And) else ()
    if limit.sign == "ge" and not limit.number.unit and count in range(2, len(conditions)):
        yield Mask(either(*(both(*some) for some in combinations(conditions, int(count)))))
