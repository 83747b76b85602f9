"""Trends: their method, level and unit of time, and claims that something rises or falls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import by_zones, kind_or_none, series
from treeline.core.query.expression import (
    Aggregate,
    Compare,
    Dates,
    Node,
    Number,
    Seasonal,
    Span,
    Trend,
    When,
)
from treeline.core.query.grammar.change import one_thing
from treeline.core.query.grammar.counting import ground_asked
from treeline.core.query.grammar.course import course_of
from treeline.core.query.grammar.groups import zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import ChangeOf, Changes, Comparative, HowMuch, HowMuchPer, Rate
from treeline.core.query.phrases.conditions import Claim, Condition, Limit
from treeline.core.query.phrases.counts import Area, CountOf, ShareOf, Unit
from treeline.core.query.phrases.courses import (
    Course,
    CourseOf,
    LeveledMethod,
    Method,
    Relation,
    RelationSide,
    SignedCourse,
    SlopeOf,
    TrendOfPixels,
)
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Along, Amount, Each, Measure, Raw, Series, Value
from treeline.core.query.slots import fill_time, leaves, set_time
from treeline.toolkit.series import SIGNIFICANCE


@rule(CourseOf, Method, either=True)
def by_method(found: CourseOf, method: Method, names: Names) -> Iterable[Phrase]:
    """Trend in mean NDVI + Mann-Kendall."""
    node = found.node
    if isinstance(node, Trend) and not node.method:
        yield CourseOf(replace(node, method=method.name, assumed=()))  # type: ignore[arg-type]


@rule((Raw, Mask), Method)
def trend_of_pixels_by_method(found: Raw | Mask, method: Method, names: Names) -> Iterable[Phrase]:
    """Trend per pixel of NDVI + by Mann-Kendall."""
    if isinstance(found.node, Trend) and not found.node.method:
        yield replace(found, node=replace(found.node, method=method.name, assumed=()))  # type: ignore[arg-type]


@rule(CourseOf, Amount)
def at_level(found: CourseOf, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Significant trend + 5 %."""
    node, level = found.node, _level(amount.number)
    if isinstance(node, Trend) and level is not None and _is_tested(node):
        yield CourseOf(replace(node, level=level))


def _is_tested(node: Trend) -> bool:
    """Return whether a trend has a level: it is one of significance, or Mann and Kendall's."""
    return node.gives == "significance" or node.gives == "slope" and node.method == "mann_kendall"


def _level(number: Number) -> float | None:
    """Return a number as a level of significance; none where it can be none."""
    level = round(number.value / 100 if number.unit == "%" else number.value, 6)
    return level if number.unit in ("%", "") and 0 < level <= _HIGHEST_LEVEL else None


_HIGHEST_LEVEL = 0.2


@rule(Word, (Amount, Limit))
def named_level(word: Word, told: Amount | Limit, names: Names) -> Iterable[Phrase]:
    """Significance level + 5 %; at p + < 0.05."""
    if word.name == "level" and (isinstance(told, Amount) or told.sign in ("lt", "le", "eq")):
        yield Amount(told.number)


@rule(Amount, Word)
def level_of_confidence(amount: Amount, word: Word, names: Names) -> Iterable[Phrase]:
    """95 % + confidence: a level of 5 %."""
    number = amount.number
    if word.name == "confidence" and number.unit == "%" and _LEAST_CONFIDENCE <= number.value < 100:
        yield Amount(Number(round(100 - number.value, 6), "%"))


_LEAST_CONFIDENCE = 80


@rule(Course, Amount)
def course_at_the_usual_level(course: Course, amount: Amount, names: Names) -> Iterable[Phrase]:
    """The trend significant + at the 5 % level, which is meant anyway."""
    if course.gives == "significance" and amount.number == Number(SIGNIFICANCE * 100, "%"):
        yield course


@rule(Method, Amount)
def method_and_level(method: Method, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Mann-Kendall + 5 %, alpha = 0.05."""
    level = _level(amount.number)
    if level is not None:
        yield LeveledMethod(method.name, level)


@rule(CourseOf, LeveledMethod)
def by_method_at_level(found: CourseOf, method: LeveledMethod, names: Names) -> Iterable[Phrase]:
    """Significant trend in mean NDVI + (Mann-Kendall, 5 %)."""
    if isinstance(found.node, Trend) and not found.node.method:
        node = replace(found.node, method=method.name, level=method.level, assumed=())  # type: ignore[arg-type]
        if _is_tested(node):
            yield CourseOf(node)


@rule((Claim, Condition), (Method, LeveledMethod))
def whether_it_goes_that_way_by_method(
    found: Claim | Condition, method: Method | LeveledMethod, names: Names
) -> Iterable[Phrase]:
    """Did mean NDVI decline significantly + (Mann-Kendall): a slope that the test of that name bears out."""
    match found.node:
        case Compare(Trend(gives="slope", method="") as trend, "gt" | "lt", Number(0.0)):
            level = getattr(method, "level", trend.level)
            tested = replace(trend, method=method.name, level=level, assumed=())  # type: ignore[arg-type]
            yield replace(found, node=replace(found.node, of=tested))


@rule(CourseOf, Word)
def whether_significant(found: CourseOf, word: Word, names: Names) -> Iterable[Phrase]:
    """Trend of NDVI + significant."""
    trend = found.node
    if word.name == "significant" and isinstance(trend, Trend) and trend.gives in ("slope", "significance"):
        yield CourseOf(replace(trend, gives="significance"))


@rule(Method, Changes, either=True)
def change_by_a_method(method: Method, found: Changes, names: Names) -> Iterable[Phrase]:
    """How much did mean NDVI change from A to B + by least squares: the slope of its trend from A to B."""
    later, earlier = series(found.left), series(found.right)
    whens = [{leaf.when for leaf in leaves(side)} for side in (found.right, found.left)]
    if later is None or earlier is None or found.sign or found.how != "difference" or not one_thing(found):
        return
    if any(len(told) != 1 for told in whens):
        return
    first, last = (told.pop() for told in whens)
    if first.single and last.single and first.spans and last.spans:
        span = When((Span(first.spans[0].first, last.spans[-1].last),))
        yield CourseOf(Trend(set_time(later, span), method=method.name))  # type: ignore[arg-type]


@rule(ChangeOf, Each)
def change_per_period(changed: ChangeOf, each: Each, names: Names) -> Iterable[Phrase]:
    """How much does mean NDVI change + per year: the slope of its trend."""
    found = series(changed.node)
    relative = changed.how == "percent_change"
    if changed.how not in _GIVES or changed.sign or found is None:
        return
    if not (relative and kind_of(found).unit == "%"):
        trend = Trend(found, gives=_GIVES[changed.how], assumed=("method",))  # type: ignore[arg-type]
        yield from per_period(CourseOf(trend), each, names)


_GIVES = {"difference": "slope", "percent_change": "relative"}


@rule(HowMuch, Each)
def how_much_per_period(word: HowMuch, each: Each, names: Names) -> Iterable[Phrase]:
    """By how much, by how many per cent + per year."""
    if word.how in _GIVES and each.axis in _PER:
        yield HowMuchPer(word.how, each.axis)


@rule(HowMuchPer, ChangeOf)
def change_by_so_much(rate: HowMuchPer, changed: ChangeOf, names: Names) -> Iterable[Phrase]:
    """By how many per cent per year + does mean NDVI change."""
    if changed.how == "difference":
        yield from change_per_period(replace(changed, how=rate.how), Each(rate.per), names)


@rule(CourseOf, Word)
def trend_in_per_cent(found: CourseOf, word: Word, names: Names) -> Iterable[Phrase]:
    """Trend in mean NDVI + in per cent: of the mean of its values."""
    node = found.node
    if word.name == "as_share" and isinstance(node, Trend) and node.gives == "slope":
        of_shares = kind_of(node.of).unit == "%"
        yield found if of_shares else CourseOf(replace(node, gives="relative"))


@rule(Rate, CourseOf)
def rate_of_change(rate: Rate, found: CourseOf, names: Names) -> Iterable[Phrase]:
    """At what rate per day + did mean NDVI change by least squares."""
    yield from per_period(found, Each(rate.per), names)


@rule(Course, Each)
def trend_per_period(course: Course, each: Each, names: Names) -> Iterable[Phrase]:
    """Linear trend + per year, in what follows."""
    slope = course.name == "Trend" and course.gives in ("slope", "relative") and not course.per
    if slope and each.axis in _PER and not each.before:
        yield replace(course, per=each.axis)


_PER = ("year", "month", "decade", "day")


@rule(CourseOf, Each)
def per_period(found: CourseOf, each: Each, names: Names) -> Iterable[Phrase]:
    """Trend + per year, per decade."""
    node = found.node
    if isinstance(node, Trend) and node.gives in ("slope", "relative") and each.axis in _PER:
        yield CourseOf(replace(node, per=each.axis))  # type: ignore[arg-type]


@rule(Word, (Measure, Raw, Series))
def slope_of_a_series(word: Word, item: Measure | Raw | Series, names: Names) -> Iterable[Phrase]:
    """Slope of + the mean NDVI: of its trend, once it is said that it goes over time."""
    found = series(item.node)
    if word.name == "slope_of" and found is not None:
        yield SlopeOf(found)


@rule(SlopeOf, (Along, Each), either=True)
def slope_over_time(slope: SlopeOf, told: Along | Each, names: Names) -> Iterable[Phrase]:
    """Slope of the mean NDVI + over time, per year."""
    per = told.axis if told.axis in _PER else "year"
    if told.axis in ("date", "time", *_PER) and (isinstance(told, Along) or told.axis != "date"):
        yield CourseOf(Trend(slope.node, per=per, assumed=("method",)))  # type: ignore[arg-type]


@rule(CourseOf, (Word, Rate))
def its_slope(found: CourseOf, told: Word | Rate, names: Names) -> Iterable[Phrase]:
    """A line through the mean NDVI + and its slope: that is what is told of it; per day."""
    if isinstance(told, Rate):
        yield from per_period(found, Each(told.per), names)
    elif told.name == "its_slope" and isinstance(found.node, Trend) and found.node.gives == "slope":
        yield found


@rule(Word, Each)
def its_slope_per_period(word: Word, each: Each, names: Names) -> Iterable[Phrase]:
    """Its slope + per day."""
    if word.name == "its_slope" and each.axis in _PER:
        yield Rate(each.axis)


@rule(CourseOf, Word)
def direction_of_a_trend(found: CourseOf, word: Word, names: Names) -> Iterable[Phrase]:
    """Is the trend in mean NDVI + positive or negative."""
    node = found.node
    if word.name == "up_or_down" and isinstance(node, Trend) and node.gives == "slope":
        yield CourseOf(replace(node, gives="direction"))


@rule(Relation, Course)
def fit_of_a_trend(relation: Relation, course: Course, names: Names) -> Iterable[Phrase]:
    """R2 + of the linear trend."""
    if relation.gives == "r2" and course.name == "Trend" and course.gives == "slope":
        yield replace(course, gives="r2")


@rule(Method, Relation)
def regression_on_a_line(method: Method, relation: Relation, names: Names) -> Iterable[Phrase]:
    """Linear + regression, which is on a line anyway."""
    if method.name == "linear" and relation.gives in ("slope", "r2"):
        yield relation


# --- Upward and downward --------------------------------------------------------------------------


@rule(CourseOf, Word)
def course_over_its_dates(found: CourseOf, word: Word, names: Names) -> Iterable[Phrase]:
    """A straight line fitted to mean NDVI + on date; its autocorrelation + at lag 1, from image to image."""
    match found.node:
        case Trend() if word.name == "over_dates":
            yield found
        case Seasonal(gives="autocorrelation") if word.name in ("lag_one", "consecutive"):
            yield found


@rule(RelationSide, Word)
def related_to_time(found: RelationSide, word: Word, names: Names) -> Iterable[Phrase]:
    """Correlation of mean NDVI + with time."""
    each = series(found.left.node) if isinstance(found.left, Measure | Raw | Series) else None
    if word.name == "over_dates" and each is not None and found.over in ("", "date") and not found.sign:
        made = Trend(each, gives=found.gives) if found.gives in ("pearson", "spearman") else None  # type: ignore[arg-type]
        if made is not None and kind_or_none(made) is not None:
            yield CourseOf(made)


@rule(SignedCourse, (Measure, Raw, Series), either=True)
def trend_with_a_sign(found: SignedCourse, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Downward trend + in mean NDVI: whether its slope is below 0. Of one series it is tested anyway."""
    for course in course_of(replace(found.course, gives="slope"), item, names):
        if isinstance(course, CourseOf):
            yield Claim(Compare(course.node, found.sign, Number(0.0)))


@rule((SignedCourse, Claim), Along)
def sign_over_time(found: SignedCourse | Claim, along: Along, names: Names) -> Iterable[Phrase]:
    """Rising + over the years, as each trend is."""
    trend = isinstance(found, SignedCourse) or isinstance(getattr(found.node, "of", None), Trend)
    if trend and along.axis == "period":
        yield found


_OVER_TIME = ("date", "period")


@rule(Limit, Course)
def course_with_a_sign(limit: Limit, course: Course, names: Names) -> Iterable[Phrase]:
    """Negative + linear trend."""
    zero = limit.number.value == 0 and not limit.number.unit
    if zero and limit.sign in ("gt", "lt") and course.name == "Trend" and course.gives == "slope":
        yield SignedCourse(course, limit.sign)  # type: ignore[arg-type]


@rule(Limit, CourseOf)
def pixels_whose_trend(limit: Limit, found: CourseOf, names: Names) -> Iterable[Phrase]:
    """Pixels with a negative + linear NDVI trend."""
    node = found.node
    zero = limit.number.value == 0 and not limit.number.unit
    if not zero or not isinstance(node, Trend) or node.gives != "slope" or limit.sign not in ("gt", "lt"):
        return
    if (of := _of_pixels(node)) is not None:
        yield Mask(Compare(replace(node, of=of), limit.sign, Number(0.0)))  # type: ignore[arg-type]


def _of_pixels(node: Trend) -> Node | None:
    """Return what the trend of each pixel is of, where no statistic over the pixels was asked for."""
    of = node.of.of if isinstance(node.of, Aggregate) and "statistic" in node.of.assumed else node.of
    kind = kind_or_none(Compare(replace(node, of=of, gives="slope"), "gt", Number(0.0)))
    return of if kind is not None and kind.axes == {"pixel"} else None


@rule(Along, CourseOf)
def trend_of_each_pixel(along: Along, found: CourseOf, names: Names) -> Iterable[Phrase]:
    """Per-pixel + NDVI trend."""
    node = found.node
    if along == Along("date", "both") and isinstance(node, Trend) and (of := _of_pixels(node)) is not None:
        yield Raw(replace(node, of=of))


@rule((ShareOf, CountOf, Area), SignedCourse)
def pixels_with_a_trend(asked: Phrase, found: SignedCourse, names: Names) -> Iterable[Phrase]:
    """What share of the pixels has + a falling trend."""
    yield TrendOfPixels(asked, found)


@rule(TrendOfPixels, Raw)
def pixels_with_a_trend_in(item: TrendOfPixels, raw: Raw, names: Names) -> Iterable[Phrase]:
    """What share of the pixels has a falling trend + of NDVI; one that is significant is so at each pixel."""
    course = item.found.course
    tested = course.gives == "significance"
    method = course.method or ("mann_kendall" if tested else "")
    assumed = () if course.method else ("method",)
    slope = Trend(raw.node, method, assumed=() if tested else assumed)  # type: ignore[arg-type]
    signed = Compare(slope, item.found.sign, Number(0.0))
    test = replace(slope, gives="significance", assumed=assumed)
    yield from ground_asked(item.asked, both(test, signed) if tested else signed)


@rule((ShareOf, CountOf, Area), CourseOf)
def pixels_with_a_significant_trend(asked: Phrase, found: CourseOf, names: Names) -> Iterable[Phrase]:
    """What share of the pixels shows + a significant trend in NDVI."""
    node = found.node
    if isinstance(node, Trend) and node.gives == "significance" and (of := _of_pixels(node)) is not None:
        yield from ground_asked(asked, replace(node, of=of))


@rule(Word, Comparative)
def becomes(word: Word, more: Comparative, names: Names) -> Iterable[Phrase]:
    """Getting + higher, greener."""
    if word.name != "becoming" or more.sign not in ("gt", "lt"):
        return
    sign = "gt" if more.sign == "gt" else "lt"
    if more.node is None:
        yield SignedCourse(Course("Trend", "slope"), sign)  # type: ignore[arg-type]
    elif (mean := series(more.node)) is not None:
        yield Claim(Compare(Trend(mean, assumed=("method",)), sign, Number(0.0)))  # type: ignore[arg-type]


@rule(Unit, Claim)
def zones_that_become(unit: Unit, found: Claim, names: Names) -> Iterable[Phrase]:
    """Which regions + are getting warmer: of which the trend goes that way."""
    zones = zones_of(unit, names)
    match found.node:
        case Compare(Trend(Aggregate() as mean) as trend, sign, Number(0.0)) if zones is not None:
            each = by_zones(mean, zones)
            held = Compare(replace(trend, of=each), sign, Number(0.0)) if each is not None else None
            if held is not None and kind_or_none(held) is not None:
                yield Value(Dates(held))


@rule(ChangeOf, Along)
def change_over_time(changed: ChangeOf, along: Along, names: Names) -> Iterable[Phrase]:
    """NDVI has declined + over time, over the years: by its trend."""
    found = series(changed.node) if along.stands != "both" else None  # "per pixel" is of no course of time
    if along.axis in _OVER_TIME and changed.how == "difference" and changed.sign and found is not None:
        sign = "gt" if changed.sign > 0 else "lt"
        yield Claim(Compare(Trend(found, assumed=("method",)), sign, Number(0.0)))  # type: ignore[arg-type]


@rule(ChangeOf, Time)
def change_since(changed: ChangeOf, time: Time, names: Names) -> Iterable[Phrase]:
    """NDVI has increased + since 2016: no second time is said to set against it, so by its trend."""
    spans = time.when.spans
    if time.when == When(spans) and len(spans) == 1 and spans[0].first and spans[0].last is None:
        dated = fill_time(changed, time.when)
        yield from () if dated is None else change_over_time(dated, Along("date"), names)


@rule(SignedCourse, Word, either=True)
def significant_trend_with_a_sign(found: SignedCourse, word: Word, names: Names) -> Iterable[Phrase]:
    """Significant + downward trend."""
    if word.name == "significant":
        yield replace(found, course=replace(found.course, gives="significance"))


@rule(Word, Mask)
def significant_trend_of_pixels(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Pixels with a significant + positive NDVI trend: each by itself."""
    match mask.node:
        case Compare(Trend(gives="slope") as slope, ("gt" | "lt") as sign, Number(0.0)) if (
            word.name == "significant"
        ):
            slope = replace(slope, method=slope.method or "mann_kendall")
            test = replace(slope, gives="significance")
            signed = Compare(replace(slope, assumed=()), sign, Number(0.0))
            yield Mask(both(test, signed))


@rule(CourseOf, Limit)
def trend_above(found: CourseOf, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Trend of the mean NDVI + above 0; pixels whose NDVI trend is + positive."""
    yield from pixels_whose_trend(limit, found, names)
    if isinstance(found.node, Trend) and found.node.gives == "slope":
        made = Compare(found.node, limit.sign, limit.number, limit.upper)  # type: ignore[arg-type]
        if kind_or_none(made) is not None:
            yield Condition(made)
