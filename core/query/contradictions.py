"""Answers that words of a question contradict: each function tells whether an expression is one of a kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from treeline.core.query.checks import (
    claims_by_default,
    measures_by_default,
)
from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import (
    ALWAYS,
    TRUTH_STATISTICS,
    Aggregate,
    And,
    Anomaly,
    Cloud,
    Combine,
    Compare,
    Correlation,
    Dates,
    Facts,
    Node,
    Not,
    Number,
    Or,
    Several,
    Show,
    Steps,
    Trend,
    Variable,
    When,
    Which,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.phrases.values import Stat
from treeline.core.query.slots import leaves, set_time


def chooses_pixels_by_their_mean_over_time(node: Node) -> bool:
    """Return whether something counts only where the mean over the dates passes a limit.

    "Dates with a mean NDVI above 0.5" are chosen by the mean of their own pixels.
    """
    return any(
        isinstance(part, Compare) and isinstance(part.of, Aggregate) and part.of.over == "date"
        for leaf in leaves(node)
        if leaf.where is not None
        for part in leaf.where.walk()
    )


def is_time_between(node: Node) -> bool:
    """Return whether it is the days from one date that is found to another."""
    sides = (node.left, node.right) if isinstance(node, Combine) else ()
    return bool(sides) and all(isinstance(side, Which | Dates) for side in sides)


def is_length_of_time(node: Node) -> bool:
    """Return whether it is the days from one date to another, which does not count the first of them."""
    return is_time_between(node) or isinstance(node, Facts) and node.about == "days_between"


def swaps_times(node: Node, measured: When, held: When) -> bool:
    """Return whether something is measured at the time of its condition, and limited at its own."""
    return any(
        leaf.when == held
        and leaf.where is not None
        and any(each.when == measured for each in leaves(leaf.where))
        for leaf in leaves(node)
    )


def finds_so_many(node: Node, numbers: frozenset[float]) -> bool:
    """Return whether as many dates or grounds are looked for as one of some numbers tells."""
    return any(isinstance(part, Which) and part.top > 1 and part.top in numbers for part in node.walk())


def ranks_by_value(node: Node) -> bool:
    """Return whether several are told in the order of their values, and not of their dates."""
    return any(isinstance(part, Which) and part.top != 1 for part in node.walk())


def is_at_no_date_found(node: Node) -> bool:
    """Return whether neither a date is found nor the value of an extreme, which is told with its date."""
    return not any(
        isinstance(part, Which | Dates)
        or isinstance(part, Aggregate)
        and part.over == "date"
        and part.statistic in ("max", "min")
        for part in node.walk()
    )


def measures_against(node: Node, numbers: frozenset[float]) -> bool:
    """Return whether what is measured is held against the number of things."""
    return any(
        isinstance(part, Compare)
        and isinstance(part.limit, Number)
        and part.limit.value in numbers
        and not (isinstance(part.of, Aggregate) and part.of.statistic in TRUTH_STATISTICS)
        for part in node.walk()
    )


def counts_others(node: Node, numbers: frozenset[tuple[float, str]]) -> bool:
    """Return whether a number of dates limits how many pixels there are, or a number of pixels the dates."""
    axes = {"date": "pixel", "pixel": "date"}
    return any(
        isinstance(part.of, Aggregate)
        and part.of.statistic == "count"
        and isinstance(part.limit, Number)
        and any(part.limit.value == value and part.of.over == axes[unit] for value, unit in numbers)
        for part in node.walk()
        if isinstance(part, Compare)
    )


def limits_values(node: Node, numbers: frozenset[float]) -> bool:
    """Return whether one of some numbers is a limit of values, and of no change."""
    limits = (part for part in node.walk() if isinstance(part, Compare) and isinstance(part.of, Variable))
    return any(isinstance(part.limit, Number) and part.limit.value in numbers for part in limits)


def is_or_more(node: Node, numbers: frozenset[float]) -> bool:
    """Return whether one of some numbers is a limit that counts itself."""
    limits = [part for part in node.walk() if isinstance(part, Compare) and part.operator in ("ge", "le")]
    return any(isinstance(part.limit, Number) and part.limit.value in numbers for part in limits)


def denies_one_of_two(node: Node) -> bool:
    """Return whether one of two conditions is denied: "not above 720 m or above 0.7" may deny both."""
    return any(isinstance(part, Or) and any(isinstance(one, Not) for one in part.of) for part in node.walk())


def counts_images(node: Node) -> bool:
    """Return whether images are counted, whose dates are days as well."""
    return any(isinstance(part, Facts) and part.about in ("images", "dates") for part in node.walk())


def is_of_clear_pixels_then(node: Node) -> bool:
    """Return whether clear pixels of a first or last date are meant, whether or not it was clear."""
    return any(getattr(leaf, "clouds", "") == "masked" and leaf.when.pick for leaf in leaves(node))


def claims_a_mean(node: Node) -> bool:
    """Return whether a part is yes or no of a mean that nobody said."""
    return any(isinstance(part, Compare) and measures_by_default(part.of) for part in answers_in(node))


def passes_by_default(node: Node) -> bool:
    """Return whether a limit is set to a mean that nobody said."""
    return isinstance(node, Compare) and measures_by_default(node.of)


def pools_dates_by_default(node: Node) -> bool:
    """Return whether the mean of dates is taken, which nobody asked for."""
    return any("dates" in getattr(part, "assumed", ()) for part in node.walk())


def draws_a_default(node: Node) -> bool:
    """Return whether a map of the mean of dates is drawn, which nobody asked for."""
    return isinstance(node, Show) and pools_dates_by_default(node)


def tells_availability(node: Node) -> bool:
    """Return whether it is told if something is there."""
    return any(isinstance(part, Facts) and part.about == "available" for part in node.walk())


def is_of_all_dates(node: Node) -> bool:
    """Return whether the shares of clouds of all dates give one number: "mean cloud cover by image"."""
    return any(
        isinstance(part, Aggregate)
        and (part.over, part.by) == ("date", None)
        and isinstance(part.of, Aggregate)
        and isinstance(part.of.of, Cloud)
        for part in answers_in(node)
    )


def answers_in(node: Node) -> tuple[Node, ...]:
    """Return the answers that are told one beside the other, or the only one."""
    return node.of if isinstance(node, Several) else (node,)


def is_not_throughout(node: Node) -> bool:
    """Return whether a part is yes or no of a mean over the dates that nobody said, or told of each date."""
    return any(
        isinstance(part, Aggregate)
        and part.over == "pixel"
        and "date" in kind_of(part).axes
        or kind_of(part).value == "truth"
        and any("dates" in getattr(one, "assumed", ()) for one in part.walk())
        for part in answers_in(node)
    )


def finds(node: Node, *periods: str) -> bool:
    """Return whether one of some periods is looked for."""
    return any(isinstance(part, Which) and part.period in periods for part in node.walk())


def tells_the_archive_beside(node: Node) -> bool:
    """Return whether the time of all images is told beside something of its own time: a run of dates."""
    parts = answers_in(node)
    spans = any(isinstance(part, Facts) and part.about == "span" for part in parts)
    return spans and not all(isinstance(part, Facts) for part in parts)


def is_about_dates(node: Node) -> bool:
    """Return whether a node is yes or no, or counts dates, on ground that another ground is cut out of.

    What holds of one ground "but not" of another is not one thing on the first without the second.
    """
    if isinstance(node, Several):
        return False
    truth = kind_of(node).value == "truth" or isinstance(node, Dates)
    truth = truth or isinstance(node, Aggregate) and node.over == "date"
    return truth and any(isinstance(getattr(leaf, "where", None), And) for leaf in leaves(node))


def is_on_dates_found(node: Node) -> bool:
    """Return whether something is taken on the dates on which a condition holds, which were to be told."""
    return any(isinstance(part, When) and isinstance(part.at, Dates) for part in node.walk())


def is_of_a_mean(node: Node) -> bool:
    """Return whether a part is yes or no of a mean that nobody said: "all" is not that of a mean."""
    return any(map(claims_by_default, answers_in(node)))


def claims_a_limit(node: Node) -> bool:
    """Return whether a node is yes or no of one number; "which is higher, A or B" is told with yes or no."""
    if isinstance(node, Several):
        return False
    kind = kind_of(node)
    limits = [part.limit for part in node.walk() if isinstance(part, Compare)]
    return kind.value == "truth" and not kind.axes and any(isinstance(limit, Number) for limit in limits)


def finds_or_measures(node: Node) -> bool:
    """Return whether a node is several of what there is, or a number: neither is one of those named."""
    several = any(isinstance(part, Which) and part.top != 1 for part in node.walk())
    return several or not isinstance(node, Several) and kind_of(node).value == "number"


def is_number(node: Node) -> bool:
    """Return whether one thing is told, and that is a number."""
    return not isinstance(node, Several) and kind_of(node).value == "number"


def is_no_claim(node: Node) -> bool:
    """Return whether a date or name is told, which is no yes or no."""
    return not isinstance(node, Several) and kind_of(node).value in ("date", "name")


def is_claim(node: Node) -> bool:
    """Return whether yes or no is told, and no number."""
    return not isinstance(node, Several | Show) and kind_of(node).value == "truth" and not kind_of(node).axes


def tells_a_side(node: Node) -> bool:
    """Return whether it is told on which side of another a value lies, or how far from it."""
    return is_claim(node) or isinstance(node, Combine | Anomaly)


def counts_pixels(node: Node) -> bool:
    """Return whether pixels are counted."""
    return any(
        isinstance(part, Aggregate) and part.statistic == "count" and part.over == "pixel"
        for part in answers_in(node)
    )


def counts_pixels_under_clouds(node: Node) -> bool:
    """Return whether cloudy or clear pixels are counted: of images, cloud-free ones are rather meant."""
    return any(
        isinstance(part, Aggregate)
        and (part.statistic, part.over) == ("count", "pixel")
        and all(isinstance(leaf, Cloud) for leaf in leaves(part))
        for part in node.walk()
    )


def is_statistic(node: Node) -> bool:
    """Return whether a number of a raster is told, which says of nothing that it is so."""
    return isinstance(node, Aggregate) and kind_of(node).value == "number"


def is_of_one_time(node: Node) -> bool:
    """Return whether one thing is told of one stretch of time."""
    return not isinstance(node, Several) and any(len(leaf.when.spans) == 1 for leaf in leaves(node))


def is_not_of_one(node: Node) -> bool:
    """Return whether one thing is asked for alone, or parts are of other grounds."""
    grounds = {frozenset(leaf.where for leaf in leaves(part)) for part in answers_in(node)}
    return not isinstance(node, Several) or len(grounds) > 1


def claims_first(node: Node) -> bool:
    """Return whether the first answer is yes or no."""
    return kind_of(answers_in(node)[0]).value == "truth"


def is_measured_under_cloud(node: Node) -> bool:
    """Return whether something is measured where a cloud hides it."""
    grounds = [leaf.where for leaf in leaves(node) if isinstance(leaf, Variable) and leaf.where is not None]
    parts = [ground.of if isinstance(ground, And) else (ground,) for ground in grounds]
    return any(isinstance(part, Cloud) for each in parts for part in each)


def correlates_nothing(node: Node) -> bool:
    """Return whether no correlation is told."""
    return not any(isinstance(part, Correlation) for part in node.walk())


def is_at_no(*ends: str) -> Callable[[Node], bool]:
    """Return whether a node is of no lowest, or no highest, value: what it got to is not told with it."""

    def is_wrong(node: Node) -> bool:
        found: set[str] = {part.direction for part in node.walk() if isinstance(part, Which)}
        found |= {part.statistic for part in node.walk() if isinstance(part, Aggregate)}
        return not found & set(ends)

    return is_wrong


def pools_times(node: Node) -> bool:
    """Return whether several times count together as one."""
    grouped = any(isinstance(part, Aggregate) and isinstance(part.by, str) for part in node.walk())
    counted = (part.of for part in node.walk() if isinstance(part, Facts) and part.by is None)
    if any(isinstance(time, When) and len(time.spans) > 1 for time in counted):
        return True
    return not grouped and any(len(leaf.when.spans) > 1 for leaf in leaves(node))


def has_several_statistics_of_periods(node: Node) -> bool:
    """Return whether two statistics of each period are told, and none of the periods."""
    parts = [part for part in answers_in(node) if isinstance(part, Aggregate) and isinstance(part.by, str)]
    return len(parts) > 1 and len({part.statistic for part in parts}) > 1


def is_trend_of_a_statistic(node: Node) -> bool:
    """Return whether a trend is that of one number for each date, and not of each pixel."""
    return any(isinstance(part, Trend) and "pixel" not in kind_of(part).axes for part in node.walk())


def takes_no_statistic_of_dates(node: Node) -> bool:
    """Return whether a claim holds nothing against several dates."""
    several = any(isinstance(part, Aggregate) and part.over in ("date", "all") for part in node.walk())
    return is_claim(node) and not several


def averages_no_dates(node: Node) -> bool:
    """Return whether something else than the mean is taken over the dates."""
    return any(
        isinstance(part, Aggregate) and part.over == "date" and part.statistic != "mean"
        for part in node.walk()
    )


def counts_pixels_of_some_date(node: Node) -> bool:
    """Return whether pixels count that pass a limit on any, or on every, date."""
    return any(
        isinstance(part, Aggregate)
        and part.over == "pixel"
        and any(isinstance(one, Aggregate) and one.over == "date" for one in part.of.walk())
        for part in node.walk()
    )


def masks_clouds(leaf: Node) -> bool:
    """Return whether a variable is of clear pixels, so that a date without any has no value."""
    return getattr(leaf, "clouds", "") == "masked"


def is_range_of_values(node: Node) -> bool:
    """Return whether a highest value less a lowest one is told."""
    match node:
        case Combine("difference", Aggregate(statistic="max" | "min"), Aggregate(statistic="max" | "min")):
            return True
    return False


def tells_a_time_without_its_year(node: Node) -> bool:
    """Return whether how to measure is read as a question: "how green was summer 2017? Use June"."""
    parts = [(set_time(part, ALWAYS), [leaf.when for leaf in leaves(part)]) for part in answers_in(node)]
    dated = [bare for bare, whens in parts if any(when.spans for when in whens)]
    return any(bare in dated and all(w.months and not w.spans for w in whens) for bare, whens in parts)


def changes_either_way(node: Node) -> bool:
    """Return whether changes are taken without their sign."""
    return any(
        isinstance(part, Steps | Combine) and part.how == "absolute_difference" for part in node.walk()
    )


def is_at_the_other_end(node: Node, *, end: bool) -> bool:
    """Return whether the one that is picked is not the first (or, with `end`, the last) of those ranked."""
    whiches = [part for part in node.walk() if isinstance(part, Which)]
    orders = [part.direction for part in whiches if part.top == 0]
    return any((part.direction in orders) == end for part in whiches if part.top == 1) and bool(orders)


def tells_an_end_of_the_archive(node: Node) -> bool:
    """Return whether the first or last date of all is told."""
    return any(isinstance(part, Facts) and part.about in ("first_date", "last_date") for part in node.walk())


def tells_pixels_after_means(node: Node) -> bool:
    """Return whether the extreme of all pixels is told beside means, of which it was asked."""
    if not isinstance(node, Several):
        return False
    means = any(getattr(part, "statistic", "") == "mean" for one in node.of[:-1] for part in one.walk())
    last = node.of[-1]
    if not isinstance(last, Aggregate) or last.statistic not in ("max", "min"):
        return False
    return means and isinstance(last.of, Variable)


def is_over_another_axis(node: Node, stats: Sequence[Stat]) -> bool:
    """Return whether no statistic that is said to be over time is one over dates.

    A range over dates is that of a maximum and a minimum.
    """
    over_dates: set[str] = {
        part.statistic for part in node.walk() if isinstance(part, Aggregate) and part.over == "date"
    }
    if "range" in over_dates:
        over_dates |= {"max", "min"}
    return any(stat.statistic not in over_dates for stat in stats)


def measures_its_limit(node: Node) -> bool:
    """Return whether something is measured where another date passes its own mean.

    "Mean NDVI on A > mean NDVI on B" sets one against the other, and is no mean of B where A is higher.
    """
    match node:
        case Aggregate(
            of=Variable(where=Compare(of=Variable() as held, limit=Aggregate(of=limit))) as measured
        ):
            return replace(measured, where=None) == limit != held
    return False


def counts_images_beside(node: Node) -> bool:
    """Return whether the number of images is told beside something: of days between two, not of all."""
    return isinstance(node, Several) and any(
        isinstance(part, Facts) and part.about == "images" for part in node.of
    )


def is_trend(node: Node) -> bool:
    """Return whether the slope of a trend is told."""
    return any(isinstance(part, Trend) and part.gives == "slope" for part in node.walk())


def is_told_in(node: Node, units: frozenset[str]) -> bool:
    """Return whether a part of a reading is of one of some units; a zone is told with its value."""
    told = (part.of if isinstance(part, Which) else part for part in answers_in(node))
    kinds = map(kind_or_none, told)
    return any(kind is not None and kind.unit.split("/")[0] in units for kind in kinds)


def is_share_of_dates(node: Node) -> bool:
    """Return whether a share of dates is told."""
    return any(
        isinstance(part, Aggregate) and (part.statistic, part.over) == ("share", "date")
        for part in node.walk()
    )


def tells_each_date(node: Node) -> bool:
    """Return whether a value is told for each date, or drawn."""
    return isinstance(node, Show) or not isinstance(node, Several) and "date" in kind_of(node).axes


def is_one_number(node: Node) -> bool:
    """Return whether one number is told, and no series or table."""
    return not isinstance(node, Several) and not kind_of(node).axes


def slopes_per_other_than(unit: str) -> Callable[[Node], bool]:
    """Return whether a trend is told per another unit of time than the one that is said."""

    def is_wrong(node: Node) -> bool:
        slopes = [part for part in node.walk() if isinstance(part, Trend) and part.gives == "slope"]
        changes = [part for part in node.walk() if isinstance(part, Combine) and _is_change(part)]
        return any(part.per != unit for part in slopes) or bool(changes) and not slopes

    return is_wrong


def _is_change(node: Combine) -> bool:
    """Return whether a node is a difference between two times."""
    whens = [{leaf.when for leaf in leaves(side)} for side in (node.left, node.right)]
    return node.how in ("difference", "percent_change") and whens[0] != whens[1]


def is_of_mean_pixels(node: Node) -> bool:
    """Return whether no pixel is asked of by itself, of which "it" would tell what it reached."""
    return not any("pixel" in kind_of(part).axes for part in node.walk() if isinstance(part, Aggregate))


def is_no_change_forwards(node: Node) -> bool:
    """Return whether no difference is of a later time from an earlier one, or one is the other way round."""
    changes = [part for part in node.walk() if isinstance(part, Combine) and part.how == "difference"]
    spans = [
        [leaf.when.spans for leaf in leaves(side)] for part in changes for side in (part.left, part.right)
    ]
    firsts = [min((s.first for one in side for s in one if s.first), default=None) for side in spans]
    pairs = list(zip(firsts[::2], firsts[1::2], strict=True))
    return not pairs or any(left is None or right is None or left <= right for left, right in pairs)


def is_of_autumn(node: Node) -> bool:
    """Return whether something is told of an autumn."""
    whens = [leaf.when for leaf in leaves(node)]
    ends = [(span.first, span.last) for when in whens for span in when.spans if span.first and span.last]
    autumns = [(first.month, first.day, last.month, last.day) == (9, 1, 11, 30) for first, last in ends]
    return any(autumns) or any(when.months == (9, 10, 11) for when in whens)


def finds_no_date(node: Node) -> bool:
    """Return whether no date or period is looked for."""
    found = [part for part in node.walk() if isinstance(part, Which)]
    return not any(kind_of(part).value == "date" for part in found)


def groups_months_of_all_years(node: Node) -> bool:
    """Return whether single months are looked for, where those of all years are averaged: "on average"."""
    monthly = [part for part in node.walk() if isinstance(part, Aggregate) and part.by == "month"]
    return any({leaf.when for leaf in leaves(part)} == {ALWAYS} for part in monthly)


def compares_grounds_of_one_period(node: Node) -> bool:
    """Return whether two grounds are set against each other of all dates between two days."""
    dated = [leaf for leaf in leaves(node) if not getattr(leaf, "timeless", False)]
    differs = any(isinstance(part, Combine) for part in node.walk())
    return differs and len({leaf.where for leaf in dated}) > 1 and not any(leaf.when.single for leaf in dated)


def is_of_all_pixels_at_once(node: Node) -> bool:
    """Return whether something has to hold on every pixel."""
    return any(
        isinstance(part, Aggregate) and part.statistic == "all" and part.over == "pixel"
        for part in node.walk()
    )


def looks_for_an_end_of_periods(node: Node) -> bool:
    """Return whether the first or last period is looked for."""
    return any(
        isinstance(part, Dates) and part.pick != "all" and "period" in kind_of(part.of).axes
        for part in node.walk()
    )
