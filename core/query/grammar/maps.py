"""Maps, charts, tables, and the unit of the answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none, raster_of_mean, where_changed
from treeline.core.query.expression import (
    ALWAYS,
    DAY_OF_YEAR,
    Aggregate,
    Anomaly,
    Cloud,
    Combine,
    Compare,
    Composite,
    Node,
    Number,
    Show,
    Variable,
    When,
    Which,
)
from treeline.core.query.grammar.registry import RULES, rule
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import BinCount, Display, Form, InUnit, RoundedTo, Rounding, Target
from treeline.core.query.phrases.comparisons import (
    Change,
    ChangedBy,
    ChangeOf,
    Changes,
    Delta,
    PixelChange,
    Versus,
)
from treeline.core.query.phrases.conditions import Claim, Limit
from treeline.core.query.phrases.counts import AreaOf
from treeline.core.query.phrases.courses import CourseOf, RelationOf
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import WhichZone
from treeline.core.query.phrases.values import Amount, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import leaves, set_time


@rule(
    Form,
    (Raw, Measure, Mask, Series, Value, Changes, ChangeOf, CourseOf, ChangedBy, Delta, InUnit),
    either=True,
)
def show(form: Form, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Map + areas with NDVI below 0.6; histogram of + NDVI between 0.4 and 0.9, of those pixels."""
    node = item.node if form.form == "histogram" and isinstance(item, Mask) else None
    if isinstance(node, Compare) and isinstance(node.of, Variable) and node.of.where is None:
        item = Raw(replace(node.of, where=node))
    if form.where and isinstance(item, Changes | ChangeOf) and item.sign:
        # "Where did it fall": that ground, of which it has to be known from when to when.
        fell = where_changed(item, Limit("gt", Number(0.0))) if isinstance(item, Changes) else None
        yield from (Display(Mask(fell), "map"),) if fell is not None else ()
    elif form.form == "table" and _is_order(item):
        yield item
    elif form.form != "series":
        yield Display(item, form.form)
    elif isinstance(item, Raw | Measure | Series) and _has_dates(item.node):
        yield Display(Series(item.node) if isinstance(item, Measure) else item, "chart")


@rule(Form, PixelChange, either=True)
def display_of_pixel_change(form: Form, change: PixelChange, names: Names) -> Iterable[Phrase]:
    """Map of + the change of each pixel from A to B."""
    if isinstance(change.of, Changes) and form.form == "map":
        yield Display(change.of, form.form)


def _is_order(item: Phrase) -> bool:
    """Return whether all of something are told in order, which is a list anyway."""
    node = item.node if isinstance(item, Value) else None
    order = item.extreme.top if isinstance(item, WhichZone) else getattr(node, "top", 1)
    return order == 0


@rule(Form, Many)
def show_each(form: Form, several: Many, names: Names) -> Iterable[Phrase]:
    """Table of + the mean and the maximum NDVI by class; map of + the NDVI on A and on B."""
    if several.apart or several.clauses or not all(isinstance(part, _SHOWN_TOGETHER) for part in several.of):
        return
    places = {leaf.where for part in several.of for leaf in leaves(part)}
    if form.form == "map" and len(places) > 1:  # one map of both of them
        return
    shown = [list(show(form, part, names)) for part in several.of]
    if all(len(ways) == 1 for ways in shown):
        yield Many(tuple(way for (way,) in shown))


@rule(Form, (Measure, Many), cost=1)
def list_of_numbers(form: Form, item: Measure | Many, names: Names) -> Iterable[Phrase]:
    """List + the mean and the median NDVI, of one date to come: single numbers, of which no table is made."""
    parts = item.of if isinstance(item, Many) else (item,)
    if form.form == "table" and all(
        isinstance(part, Measure) and _is_one_number(part.node) for part in parts
    ):
        yield item


def _is_one_number(part: Phrase | Node) -> bool:
    """Return whether something is a single number, or one as soon as it is said of which date."""
    kind = kind_or_none(part.node) if isinstance(part, Measure) else None
    undated = all(leaf.when == ALWAYS for leaf in leaves(part))
    return kind is not None and (not kind.axes or kind.axes == {"date"} and undated)


@rule(Form, ChangeOf, cost=2)  # "from A to B" rather asks for a difference
def course_of_a_change(form: Form, found: ChangeOf, names: Names) -> Iterable[Phrase]:
    """How did + mean NDVI change, in a year that is still to come: its course."""
    if form.form == "series" and (found.how, found.sign, found.asked) == ("difference", 0, False):
        yield Display(Measure(found.node) if found.measured else Raw(found.node), "chart")


def _has_dates(node: Node) -> bool:
    kind = kind_or_none(node)
    return kind is not None and "date" in kind.axes


@rule(Form, Claim)
def map_of_a_claim(form: Form, claim: Claim, names: Names) -> Iterable[Phrase]:
    """Map where + the grassland is greener than 0.7: pixel by pixel, not by its mean."""
    node = claim.node
    if not isinstance(node, Compare) or not isinstance(node.limit, Number):
        return
    mean = node.of
    if form.form == "map" and isinstance(mean, Aggregate) and "statistic" in mean.assumed:
        yield Display(Mask(replace(node, of=mean.of)), "map")


@rule(Form, Value)
def map_of_a_departure(form: Form, found: Value, names: Names) -> Iterable[Phrase]:
    """Map + the NDVI anomaly of 4 August against that of all Augusts: at each pixel."""
    node = found.node
    if form.form != "map" or not isinstance(node, Anomaly):
        return
    of, base = raster_of_mean(node.of), raster_of_mean(node.base)
    made = replace(node, of=of, base=base)
    if of != node.of and base != node.base and kind_or_none(made) is not None:
        yield Value(Show(made, "map"))


@rule(Form, Value, either=True)
def map_of_each_pixel(form: Form, found: Value, names: Names) -> Iterable[Phrase]:
    """Map + the number of cloudy dates; how much hotter it was on A than on B: at each pixel."""
    made = _at_each_pixel(found.node) if form.form == "map" else None
    kind = kind_or_none(made) if made is not None else None
    if made is not None and kind is not None and kind.axes == {"pixel"}:
        yield Value(Show(made, "map"))


def map_of_the_measured(former: Node) -> Iterable[Phrase]:
    """Yield the map of the raster that was measured, on the date that was found."""
    shown: Node | None = None
    if isinstance(former, Which) and former.top == 1 and kind_of(former).value == "date":
        variables = {set_time(leaf, When(at=former)) for leaf in leaves(former)}
        shown = variables.pop() if len(variables) == 1 else None
    elif isinstance(former, Aggregate) and former.over == "pixel" and former.by is former.within is None:
        shown = former.of
    elif isinstance(former, Aggregate) and former.over == "date" and former.by is None:
        shown = replace(former, of=raster_of_mean(former.of))
    kind = kind_or_none(shown) if shown is not None else None
    if shown is not None and kind is not None and kind.axes == {"pixel"}:
        yield Value(Show(shown, "map"))


def _at_each_pixel(node: Node) -> Node | None:
    """Return a number of dates, or a difference of two means, at each pixel."""
    match node:
        case Aggregate("count" | "share", Aggregate("any", Cloud() as clouds, "pixel"), "date"):
            return replace(node, of=clouds)
        case Combine(
            "difference", Aggregate("mean", one, "pixel") as left, Aggregate("mean", other, "pixel")
        ):
            return replace(node, left=one, right=other) if "statistic" in left.assumed else None
    return None


@rule(Raw, Word)
def raster_itself(item: Raw, word: Word, names: Names) -> Iterable[Phrase]:
    """Slope + raster: the values themselves, where no statistic of them is asked for."""
    if word.name == "raster":
        yield Display(item, "map")


@rule(Measure, Word, cost=1)  # "mean of the NDVI time series" is rather one number
@rule((Raw, Series, Display), Word)
def its_time_series(item: Raw | Measure | Series | Display, word: Word, names: Names) -> Iterable[Phrase]:
    """NDVI + time series: a chart over the dates; draw the NDVI + time series."""
    if word.name != "time_series":
        return
    if not isinstance(item, Display) and _has_dates(item.node):
        yield Display(Series(item.node) if isinstance(item, Measure) else item, "chart")
    elif isinstance(item, Display) and item.form == "map" and isinstance(item.of, Raw | Measure | Series):
        yield replace(item, form="chart")


_SHOWN_TOGETHER = (Raw, Measure, Series)


# --- Histograms -----------------------------------------------------------------------------------


@rule(Amount, Word)
def so_many_bins(amount: Amount, word: Word, names: Names) -> Iterable[Phrase]:
    """Five + equal bins."""
    number = amount.number
    if word.name == "bins" and not number.unit and number.value == int(number.value) and number.value > 1:
        yield BinCount(int(number.value))


@rule(Display, BinCount)
def histogram_with_bins(item: Display, count: BinCount, names: Names) -> Iterable[Phrase]:
    """Histogram of the NDVI + with ten bins."""
    if item.form == "histogram" and not item.bins:
        yield replace(item, bins=count.bins)


@rule(BinCount, Display)
def histogram_of_bins(count: BinCount, item: Display, names: Names) -> Iterable[Phrase]:
    """Ten-bin + histogram of the NDVI."""
    yield from histogram_with_bins(item, count, names)


@rule(Display, Word)
def counts_of_bins(item: Display, word: Word, names: Names) -> Iterable[Phrase]:
    """Histogram of the NDVI with ten bins, + give the counts: they are told anyway."""
    if word.name == "bin_counts" and item.bins:
        yield item


# --- Colours --------------------------------------------------------------------------------------


@rule(Pair, Join)
def list_of_bands(pair: Pair, join: Join, names: Names) -> Iterable[Phrase]:
    """NIR, red + and."""
    if pair.by == join.by == "and" and isinstance(pair.left, Raw) and isinstance(pair.right, Raw):
        yield Half(Many((pair.left, pair.right)), "and")


@rule(Half, Raw)
def three_bands(half: Half, band: Raw, names: Names) -> Iterable[Phrase]:
    """NIR, red and + green."""
    if isinstance(half.left, Many) and half.by == "and" and all(isinstance(b, Raw) for b in half.left.of):
        yield Many((*half.left.of, band))


@rule(Word, Many)
def picture_of_bands(word: Word, bands: Many, names: Names) -> Iterable[Phrase]:
    """RGB composite of + NIR, red and green."""
    colours = tuple(band.node for band in bands.of if isinstance(band, Raw))
    if word.name == "picture" and len(colours) == len(bands.of) == _COLOURS:
        yield Value(Show(Composite(colours), "map"))


_COLOURS = 3


@rule(Stat, Display)
def statistic_shown(stat: Stat, item: Display, names: Names) -> Iterable[Phrase]:
    """Mean + map of NDVI: of each pixel over the dates."""
    if isinstance(item.of, Raw) and stat.over in (None, "date") and item.form == "map":
        made = Aggregate(stat.statistic, item.of.node, "date", parameter=stat.parameter)  # type: ignore[arg-type]
        if kind_or_none(made) is not None:
            yield Display(Raw(made), item.form)


@rule(Stat, Display)
def statistic_of_a_histogram(stat: Stat, item: Display, names: Names) -> Iterable[Phrase]:
    """Skewness + of the NDVI histogram: of the pixels."""
    if item.form == "histogram" and not item.bins and stat.over is None and isinstance(item.of, Raw):
        made = Aggregate(stat.statistic, item.of.node, "pixel", parameter=stat.parameter)  # type: ignore[arg-type]
        yield from (Measure(made),) if kind_or_none(made) is not None else ()


@rule(Form, Display, either=True)
def show_once(form: Form, item: Display, names: Names) -> Iterable[Phrase]:
    """Show + a map of NDVI."""
    if form.form == item.form:
        yield item


@rule(Change, Display)
def difference_shown(change: Change, item: Display, names: Names) -> Iterable[Phrase]:
    """Difference + map of NDVI."""
    if isinstance(item.of, Raw) and not item.bins:
        yield Display(ChangeOf(change.how, change.sign, item.of.node), item.form)


@rule(Display, Pair)
def show_change(item: Display, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI change map + from 2015 to 2017."""
    for join, _ in RULES.get((type(item.of), Pair), ()):
        for found in join(item.of, pair, names):
            if not isinstance(found, Many):
                yield Display(found, item.form)


@rule(Amount, Word)
def to_decimals(amount: Amount, word: Word, names: Names) -> Iterable[Phrase]:
    """Two + decimals."""
    number = amount.number
    if word.name == "decimals" and not number.unit and number.value in range(10):
        yield Rounding(int(number.value))


@rule((Word, Join), Rounding)
def round_to(word: Word | Join, rounding: Rounding, names: Names) -> Iterable[Phrase]:
    """Rounded to + two decimals; to + two decimals."""
    if (isinstance(word, Word) and word.name == "rounded") or (isinstance(word, Join) and word.by == "to"):
        yield rounding


@rule((Raw, Measure, Series, Value, AreaOf, Changes, InUnit, Many, CourseOf, RelationOf), Rounding)
def to_so_many_decimals(item: Phrase, rounding: Rounding, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + to two decimals."""
    yield RoundedTo(item, rounding.decimals)


@rule(Target, (Raw, Measure, Series, Value, Changes, Versus), either=True)
def in_unit(target: Target, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Mean LST + in degrees Celsius."""
    yield InUnit(item, target.unit)


@rule(Target, CourseOf, either=True)
def day_of_a_course(target: Target, item: CourseOf, names: Names) -> Iterable[Phrase]:
    """Start of the growing season + as day of year."""
    if target.unit == DAY_OF_YEAR:
        yield InUnit(item, target.unit)


@rule(Target, Many, either=True)
def each_in_unit(target: Target, several: Many, names: Names) -> Iterable[Phrase]:
    """Mean LST of forest and of water + in degrees Celsius: each of them."""
    if not several.clauses and all(isinstance(part, Measure | Series | Value) for part in several.of):
        yield replace(several, of=tuple(InUnit(part, target.unit) for part in several.of))


@rule(Target, Display, either=True)
def show_in_unit(target: Target, item: Display, names: Names) -> Iterable[Phrase]:
    """Slope map + in degrees."""
    yield Display(InUnit(item.of, target.unit), item.form)
