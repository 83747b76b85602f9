"""Ranges told one after the other: groups of the ground by them, and maps of classes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Classified, Compare, Node, Number, Show, Variable
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import BinCount, Display, Form
from treeline.core.query.phrases.conditions import Limit, OrElse, Ranges, ToClassify
from treeline.core.query.phrases.counts import CountOf
from treeline.core.query.phrases.phrase import Half, Join, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.values import Amount, Bands, BandWidth, Raw, Value

_FEWEST = 2


def _range(item: Phrase) -> tuple[Limit, ...]:
    """Return what a phrase says as ranges: above 0.7; 0.6 to 0.7; several."""
    match item:
        case Ranges(of):
            return of
        case Limit(sign) if sign in ("gt", "ge", "lt", "le", "between"):
            return (item,)
        case Pair(Amount(low), Amount(high), "to") if low.value < high.value:
            return (Limit("between", low, high),)
    return ()


def _ends(limit: Limit) -> tuple[float, float]:
    value = limit.number.value
    if limit.sign in ("gt", "ge"):
        return value, math.inf
    if limit.sign in ("lt", "le"):
        return -math.inf, value
    return value, limit.upper.value if limit.upper is not None else value


def _follow(limits: tuple[Limit, ...]) -> bool:
    """Return whether each range begins where the one before it ends, up or down, in one unit."""
    ends = [_ends(limit) for limit in limits]
    up = all(one[1] == other[0] for one, other in itertools.pairwise(ends))
    down = all(one[0] == other[1] for one, other in itertools.pairwise(ends))
    units = {number.unit for limit in limits for number in (limit.number, limit.upper) if number}
    return (up or down) and len(units - {""}) <= 1


def _in_one_unit(limits: tuple[Limit, ...]) -> tuple[Limit, ...]:
    """Return ranges of which each has the unit that one of them says: "under 300, 300 to 600 m"."""
    told = {limit.number.unit for limit in limits} | {limit.upper.unit for limit in limits if limit.upper}
    unit = next(iter(told - {""}), "")

    def with_unit(number: Number) -> Number:
        return replace(number, unit=unit)

    return tuple(
        replace(limit, number=with_unit(limit.number), upper=with_unit(limit.upper) if limit.upper else None)
        for limit in limits
    )


@rule((Ranges, Pair, Limit), Join)
def first_ranges(item: Ranges | Pair | Limit, join: Join, names: Names) -> Iterable[Phrase]:
    """Under 300 m, + 300 to 600 m."""
    if (
        join.by in ("and", ";", "each")
        and _range(item)
        and not (isinstance(item, Limit) and join.by == "and")
    ):
        yield Half(item, "and")


@rule(Half, (Limit, Pair, Ranges))
def ranges_in_a_row(half: Half, item: Limit | Pair | Ranges, names: Names) -> Iterable[Phrase]:
    """Under 300 m, 300 to 600 m and + over 600 m."""
    limits = (*_range(half.left), *_range(item))
    if half.by != "and" or len(limits) < _FEWEST or not (_range(item) and _range(half.left)):
        return
    plain = isinstance(half.left, Limit) and isinstance(item, Limit)
    if _follow(limits) and not (plain and "between" not in (limits[0].sign, limits[1].sign)):
        yield Ranges(_in_one_unit(limits))


@rule(Word, (Limit, Pair))
def named_range(word: Word, item: Limit | Pair, names: Names) -> Iterable[Phrase]:
    """Low + (under 0.6): a name of a range is told by the range."""
    if word.name == "range_name" and (limits := _range(item)):
        yield Ranges(limits)


@rule((Limit, Pair), Word)
def range_with_a_name(item: Limit | Pair, word: Word, names: Names) -> Iterable[Phrase]:
    """Under 0.6 + (low)."""
    yield from named_range(word, item, names)


@rule((Raw, Bands), Ranges)
def ground_in_ranges(item: Raw | Bands, ranges: Ranges, names: Names) -> Iterable[Phrase]:
    """Elevation + under 300 m, 300 to 600 m, over 600 m: each by itself."""
    made = _conditions(item.node, ranges)
    if made and (not isinstance(item, Bands) or item.count in (0, len(made))):
        yield Mask(both(*made))


def _conditions(node: Node, ranges: Ranges) -> list[Compare]:
    made = [compare(node, limit) for limit in ranges.of if len(ranges.of) >= _FEWEST]
    found = [one for one in made if isinstance(one, Compare)]
    return found if len(found) == len(ranges.of) else []


# --- Maps of classes ------------------------------------------------------------------------------


@rule(Word, Raw)
def classify(word: Word, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Classify + the NDVI."""
    if word.name == "classify":
        yield ToClassify(raw.node)


@rule((Raw, ToClassify), Word)
def into_classes(item: Raw | ToClassify, word: Word, names: Names) -> Iterable[Phrase]:
    """The NDVI + in classes, into."""
    if word.name == "in_classes" or word.name == "into" and isinstance(item, ToClassify):
        yield ToClassify(item.node)


@rule((Raw, ToClassify), BinCount)
def into_so_many(item: Raw | ToClassify, count: BinCount, names: Names) -> Iterable[Phrase]:
    """Classify the NDVI into + three classes."""
    if isinstance(item, ToClassify) and not item.count:
        yield replace(item, count=count.bins)


@rule(Form, ToClassify)
def map_in_classes(form: Form, item: ToClassify, names: Names) -> Iterable[Phrase]:
    """Map + the elevation in classes."""
    if form.form == "map":
        yield item


@rule(Display, BinCount)
def shown_in_classes(item: Display, count: BinCount, names: Names) -> Iterable[Phrase]:
    """A map of the elevation + in three classes."""
    if item.form == "map" and isinstance(item.of, Raw):
        yield ToClassify(item.of.node, count.bins)


@rule(ToClassify, Ranges)
def classify_by_ranges(item: ToClassify, told: Ranges, names: Names) -> Iterable[Phrase]:
    """Classify the NDVI + below 0.6, 0.6 to 0.7, above 0.7: from the lowest class on."""
    if item.count not in (0, len(told.of)):
        return
    made = Classified(tuple(_conditions(item.node, Ranges(tuple(sorted(told.of, key=_ends))))))
    if kind_or_none(made) is not None:
        yield Value(Show(made, "map"))


@rule(Half, Form)
def and_shown(half: Half, form: Form, names: Names) -> Iterable[Phrase]:
    """Classify the NDVI, + and map it: which it is anyway."""
    node = half.left.node if isinstance(half.left, Value) else None
    if half.by in ("and", "clause") and isinstance(node, Show) and node.form == form.form:
        yield half.left


@rule(Word, (Mask, OrElse))
def or_else(word: Word, item: Mask | OrElse, names: Names) -> Iterable[Phrase]:
    """Or else + NDVI above 0.7."""
    if word.name == "or_else":
        yield item if isinstance(item, OrElse) else OrElse((item.node,))


@rule(Mask, OrElse)
def chain(mask: Mask, rest: OrElse, names: Names) -> Iterable[Phrase]:
    """NDVI below 0.6 + or else NDVI above 0.7."""
    yield OrElse((mask.node, *rest.of))


@rule(Word, OrElse)
def classes_of(word: Word, chained: OrElse, names: Names) -> Iterable[Phrase]:
    """Classes of + one condition or else another."""
    made = Classified(chained.of)
    if word.name == "classes_of" and len(chained.of) >= _FEWEST:
        yield Raw(made)


# --- Histograms -----------------------------------------------------------------------------------


@rule(Display, BandWidth)
def histogram_of_width(item: Display, width: BandWidth, names: Names) -> Iterable[Phrase]:
    """Histogram of the NDVI + with bins of 0.1."""
    kind = kind_or_none(item.of.node) if isinstance(item.of, Raw | Mask) else None
    fits = kind is not None and (not width.number.unit or width.number.unit == kind.unit)
    if item.form == "histogram" and not item.bins and not item.width and fits and width.number.value > 0:
        yield replace(item, width=width.number.value)


@rule(Word, BandWidth)
def in_wide_bins(word: Word, width: BandWidth, names: Names) -> Iterable[Phrase]:
    """In + 50 m classes."""
    if word.name in ("in", "into", "bands", "bins"):
        yield width


@rule(Display, (Mask, Limit))
def histogram_between(item: Display, told: Mask | Limit, names: Names) -> Iterable[Phrase]:
    """Elevation histogram + from 650 to 850 m; NDVI histogram + between 0.4 and 0.9."""
    raw = item.of.node if item.form == "histogram" and isinstance(item.of, Raw) else None
    held = told.node if isinstance(told, Mask) else compare(raw, told) if raw is not None else None
    fits = isinstance(held, Compare) and held.operator == "between" and held.of == raw
    if isinstance(raw, Variable) and raw.where is None and fits:
        yield replace(item, of=Raw(replace(raw, where=held)))


@rule(Display, CountOf)
def counts_told(item: Display, asked: CountOf, names: Names) -> Iterable[Phrase]:
    """Histogram of the NDVI with bins of 0.1: + how many pixels, which is told for each."""
    if item.form == "histogram" and (item.bins or item.width) and asked.unit.of == "pixel":
        yield item


@rule(Display, Ranges)
def bins_named(item: Display, ranges: Ranges, names: Names) -> Iterable[Phrase]:
    """Histogram with bins of 0.1: how many pixels fall in + 0.5 to 0.6, 0.6 to 0.7: two of its bins."""
    steps = [end / item.width for limit in ranges.of for end in _ends(limit)] if item.width else []
    finite = bool(steps) and all(map(math.isfinite, steps))
    if item.form == "histogram" and finite and all(abs(step - round(step)) < _NEAR for step in steps):
        yield item


_NEAR = 1e-6


@rule(Display, Word)
def counts_of_wide_bins(item: Display, word: Word, names: Names) -> Iterable[Phrase]:
    """Histogram of the NDVI with bins of 0.1, + give the counts."""
    if word.name == "bin_counts" and item.width:
        yield item
