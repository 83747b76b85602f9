"""Several statistics at once: told beside one another, or one set against the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.expression import Combine
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.statistics import fits, of_measure, of_raster, of_series
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import Change, ChangeOf
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.times import Ordinal
from treeline.core.query.phrases.values import Measure, Raw, Raws, Series, Stat, StatPair, Stats, Vague, Value


@rule(Ordinal, Join)
def first_of_percentiles(ordinal: Ordinal, join: Join, names: Names) -> Iterable[Phrase]:
    """10th + and; 90th + to."""
    if join.by in ("and", "to"):
        yield Half(ordinal, join.by)


@rule(Half, (Stat, Stats))
def more_percentiles(half: Half, right: Stat | Stats, names: Names) -> Iterable[Phrase]:
    """10th and + 90th percentile; 5th, + 50th and 95th percentile."""
    later = (right,) if isinstance(right, Stat) else right.of
    if half.by != "and" or later[0].statistic != "percentile":
        return
    if isinstance(half.left, Ordinal) and 0 < half.left.nth < 100:
        yield Stats((replace(later[0], parameter=float(half.left.nth)), *later))


@rule(Raw, Stats, cost=1)
def statistics_after(raw: Raw, stats: Stats, names: Names) -> Iterable[Phrase]:
    """NDVI + 10th and 90th percentile."""
    yield from statistics_of(stats, raw, names)


@rule((Stat, Stats), Join)
def first_of_statistics(left: Stat | Stats, join: Join, names: Names) -> Iterable[Phrase]:
    """Minimum + and; maximum + minus; maximum + to, of a ratio."""
    if join.by == "and" or (join.by in ("minus", "to") and isinstance(left, Stat)):
        yield Half(left, join.by)


@rule((Stat, Stats), Word)
def first_of_sum_of_statistics(left: Stat | Stats, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean + "+", another to be told beside it."""
    if word.name == "plus":
        yield Half(left, "and")


@rule(Half, Stat)
def statistic_less_another(half: Half, right: Stat, names: Names) -> Iterable[Phrase]:
    """Maximum minus + minimum."""
    if half.by == "minus" and isinstance(half.left, Stat) and half.left != right:
        yield StatPair("difference", Stats((half.left, right)))


@rule(Half, Stat)
def statistic_to_another(half: Half, right: Stat, names: Names) -> Iterable[Phrase]:
    """Maximum to + minimum; 90th to + 10th percentile."""
    left = half.left
    if isinstance(left, Ordinal) and right.statistic == "percentile" and 0 < left.nth < 100:
        left = replace(right, parameter=float(left.nth))
    if half.by == "to" and isinstance(left, Stat) and left != right:
        yield StatPair("to", Stats((left, right)))


@rule(Change, StatPair)
def ratio_of_statistics(change: Change, pair: StatPair, names: Names) -> Iterable[Phrase]:
    """Ratio of + the maximum to the minimum."""
    if pair.how == "to" and not change.sign:
        yield replace(pair, how=change.how)


@rule(Half, (Stat, Stats))
def more_statistics(half: Half, right: Stat | Stats, names: Names) -> Iterable[Phrase]:
    """Minimum, + mean; median and + quartiles."""
    if isinstance(half.left, Stat | Stats) and half.by == "and":
        sides = (side.of if isinstance(side, Stats) else (side,) for side in (half.left, right))
        yield Stats(tuple(dict.fromkeys(stat for side in sides for stat in side)))


@rule(Half, Join)
def comma_and(half: Half, join: Join, names: Names) -> Iterable[Phrase]:
    """Minimum, + and."""
    if join.by in ("and", "or") and half.by == "and":
        yield Half(half.left, join.by)


@rule(Stats, Raw)
def statistics_of(stats: Stats, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Minimum and maximum + NDVI."""
    measures = [found for stat in stats.of for found in of_raster(stat, raw, names)]
    if len(measures) == len(stats.of):
        yield Many(tuple(measures))


@rule(Stats, Measure)
def statistics_of_measure(stats: Stats, measure: Measure, names: Names) -> Iterable[Phrase]:
    """Mean and maximum + cloud cover: over the dates."""
    found = [one for stat in stats.of for one in of_measure(stat, measure, names)]
    if len(found) == len(stats.of):
        yield Many(tuple(found))


@rule(Measure, Stats, cost=1)
def statistics_after_measure(measure: Measure, stats: Stats, names: Names) -> Iterable[Phrase]:
    """Cloud cover + mean and maximum."""
    yield from statistics_of_measure(stats, measure, names)


@rule(Stat, Pair)
def statistic_of_both(stat: Stat, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Mean + LST and NDVI: of each."""
    if pair.by == "and" and isinstance(pair.left, Raw) and isinstance(pair.right, Raw):
        found = [one for side in (pair.left, pair.right) for one in of_raster(stat, side, names)]
        if len(found) == 2:
            yield Many(tuple(found))


@rule(Half, (Pair, Raws))
def variables_in_a_list(half: Half, right: Pair | Raws, names: Names) -> Iterable[Phrase]:
    """Blue, + green and red."""
    rest = right.of if isinstance(right, Raws) else (right.left, right.right)
    if half.by != "and" or (isinstance(right, Pair) and right.by != "and"):
        return
    if isinstance(half.left, Raw) and all(isinstance(each, Raw) for each in rest) and half.left not in rest:
        yield Raws((half.left, *rest))


@rule(Stat, Raws)
def statistic_of_all(stat: Stat, listed: Raws, names: Names) -> Iterable[Phrase]:
    """Mean + blue, green and red reflectance: of each."""
    found = [one for side in listed.of for one in of_raster(stat, side, names)]
    if len(found) == len(listed.of):
        yield Many(tuple(found))


@rule(Change, Stats, either=True)
def between_statistics(change: Change, stats: Stats, names: Names) -> Iterable[Phrase]:
    """Ratio between + the upper and the lower quartile; a difference of percentiles is their range."""
    if len(stats.of) != 2 or change.sign:
        return
    percentiles = {stat.statistic for stat in stats.of} == {"percentile"}
    yield (
        _range_of_percentiles(stats)
        if percentiles and change.how == "difference"
        else StatPair(change.how, stats)
    )


@rule(ChangeOf, Stats)
def difference_of_percentiles(change: ChangeOf, stats: Stats, names: Names) -> Iterable[Phrase]:
    """Elevation difference between + the 5th and the 95th percentile."""
    percentiles = len(stats.of) == 2 and {stat.statistic for stat in stats.of} == {"percentile"}
    if percentiles and (change.how, change.sign, change.measured) == ("difference", 0, False):
        yield from statistics_against(_range_of_percentiles(stats), Raw(change.node), names)


@rule(StatPair, Raw)
def statistics_against(pair: StatPair, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Ratio of the upper to the lower quartile + NDVI."""
    found = [one for stat in pair.stats.of for one in of_raster(stat, raw, names)]
    if pair.how != "to" and len(found) == 2 and all(isinstance(one, Measure) for one in found):
        left, right = (one.node for one in found)  # type: ignore[attr-defined]
        node = Combine(pair.how, left, right)  # type: ignore[arg-type]
        if fits(node):
            yield Measure(node)


@rule(StatPair, Series)
def statistics_of_series_against(pair: StatPair, found: Series, names: Names) -> Iterable[Phrase]:
    """Difference between the maximum and the minimum + monthly mean NDVI."""
    each = [one for stat in pair.stats.of for one in of_series(stat, found, names) if isinstance(one, Value)]
    if pair.how != "to" and len(each) == len(pair.stats.of) == 2:
        node = Combine(pair.how, each[0].node, each[1].node)  # type: ignore[arg-type]
        if fits(node):
            yield Value(node)


@rule(Vague, Stats)
def spread_between(vague: Vague, stats: Stats, names: Names) -> Iterable[Phrase]:
    """Spread between + the 10th and the 90th percentile."""
    if (
        "range" in vague.statistics
        and len(stats.of) == 2
        and {s.statistic for s in stats.of} == {"percentile"}
    ):
        yield _range_of_percentiles(stats)


@rule(StatPair, Stat)
def percentile_range(pair: StatPair, stat: Stat, names: Names) -> Iterable[Phrase]:
    """10th to 90th percentile + range."""
    if pair.how == "to" and stat == Stat("range") and {s.statistic for s in pair.stats.of} == {"percentile"}:
        yield _range_of_percentiles(pair.stats)


def _range_of_percentiles(stats: Stats) -> StatPair:
    low, high = sorted(stats.of, key=lambda stat: stat.parameter or 0.0)
    return StatPair("difference", Stats((high, low)))
