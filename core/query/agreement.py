"""Whether a reading agrees with the words of its question, where words that join others bear on the whole.

A word such as "which", "all", "but" or "their" rules out some kinds of answers wherever it stands. Each of
these is one entry of ``_DISAGREEMENTS``: what words demand, and the expressions that do not meet it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product

from treeline.core.query.alike import keep_best_of_alike
from treeline.core.query.checks import (
    claims_by_default,
    lacks_antecedent,
    limits_shares_of_zones,
    measures_by_default,
    ranks_pixels_of_a_ground,
    shares_another_base,
)
from treeline.core.query.closing import kind_or_none
from treeline.core.query.demands import (
    amounts_of_changes,
    asks_for_a_statistic_of_periods,
    asks_how,
    asks_how_high_it_gets,
    asks_how_much,
    asks_if_anywhere,
    asks_in_which_ground,
    asks_no_availability,
    asks_several_of_one,
    asks_what_it_is,
    asks_what_it_means,
    asks_whether,
    asks_whether_two_differ,
    asks_which,
    asks_which_dates,
    asks_which_has,
    asks_which_one,
    asks_which_within,
    asks_yes_or_no,
    begins,
    begins_with_a_date,
    begins_with_a_mask,
    begins_with_a_verb,
    chooses_among,
    counted_numbers,
    names_another_temperature,
    numbers_apart,
    says,
    says_all,
    says_but,
    speaks_of_one,
    speaks_of_some_pixel,
    units_asked_for,
)
from treeline.core.query.demands_of_grounds import (
    asks_for_a_polygon,
    asks_for_a_share,
    asks_for_a_share_of_an_area,
    asks_for_an_area,
    asks_for_the_largest,
    asks_how_far_apart_in_time,
    asks_how_far_spots_are_apart,
    asks_how_high_ground_lies,
    begins_with_a_total_area,
    charted_grounds,
    compares_areas,
    grounds_between,
    groups_by_area,
    groups_by_zone,
    is_part_of_a_ground,
    is_unled,
    limits_before_two_grounds,
    lists_an_area,
    measures_from_ground,
    names_an_edge,
    ranks_pixels,
    says_what_is_higher,
    sets_against_the_scene,
    shared_grounds,
    speaks_of_no_spot,
    speaks_of_one_zone_by_a_limit,
    speaks_of_zones_by_a_statistic,
    whole_grounds,
)
from treeline.core.query.demands_of_statistics import OF_STATISTICS
from treeline.core.query.demands_of_times import (
    asks_for_a_value_found,
    asks_for_the_end_of_a_rank,
    asks_for_trends_of_pixels,
    asks_from_when_to_when,
    asks_how_long,
    asks_how_long_after,
    averages_a_statistic,
    averages_each_date,
    counts_clouds,
    counts_crossings,
    counts_pixels_for_all_dates,
    counts_what_is_left_out,
    crosses_last,
    drops,
    falls,
    follows_a_course,
    names_each_season,
    names_that,
    names_the_days_of_a_change,
    says_each_date,
    says_per,
    says_throughout,
    says_when_it_passes,
    says_when_it_was,
    skips_dates_without_clear_pixels,
    speaks_of_a_rise,
    speaks_of_all_images,
    speaks_of_cloudy_dates,
    speaks_of_dates_alone,
    speaks_of_signed_changes,
    statistics_over_time,
    takes_a_statistic_of_all_dates,
    tells_times_apart,
    tells_when_clouds_are,
    times_around_a_condition,
)
from treeline.core.query.directions import ranks_trends
from treeline.core.query.expression import (
    ALWAYS,
    TRUTH_STATISTICS,
    Aggregate,
    And,
    Centroid,
    Cloud,
    Combine,
    Compare,
    Correlation,
    Dates,
    Distance,
    Facts,
    Node,
    Not,
    Number,
    Or,
    Place,
    Several,
    Show,
    Steps,
    Trend,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.phrases.phrase import Word
from treeline.core.query.phrases.values import Stat
from treeline.core.query.slots import leaves, set_time
from treeline.core.query.tokens import Token


def keep_agreeing(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return the readings that no word of the question rules out."""
    wrong = [is_wrong for demand, is_wrong in _DISAGREEMENTS if demand(tokens)]
    pairs = [*grounds_between(tokens), *charted_grounds(tokens)]
    shared = list(shared_grounds(tokens))
    bases = list(whole_grounds(tokens))
    numbers = numbers_apart(tokens)
    counted = frozenset(counted_numbers(tokens))
    changed = frozenset(amounts_of_changes(tokens))
    around = times_around_a_condition(tokens)
    units = list(units_asked_for(tokens))
    over_time = statistics_over_time(tokens)
    denied = bool(numbers) and any(Word("not") in token.meanings for token in tokens)
    agreeing = [
        node
        for node in found
        if not any(is_wrong(node) for is_wrong in wrong)
        and not any(_pools(node, pair) for pair in pairs)
        and not any(_turns_the_base(node, ground) for ground in shared)
        and not any(_is_share_of_the_rest(node, ground) for ground in bases)
        and not (around and _swaps_times(node, *around))
        and not (numbers and _is_or_more(node, numbers))
        and not (counted and _measures_against(node, counted))
        and not (changed and _limits_values(node, changed))
        and all(_is_told_in(node, each) for each in units)
        and not (denied and _denies_one_of_two(node))
        and not (over_time and _is_over_another_axis(node, over_time))
    ]
    return keep_best_of_alike(agreeing, tokens)


def _chooses_pixels_by_their_mean_over_time(node: Node) -> bool:
    """Return whether something counts only where the mean over the dates passes a limit.

    "Dates with a mean NDVI above 0.5" are chosen by the mean of their own pixels.
    """
    return any(
        isinstance(part, Compare) and isinstance(part.of, Aggregate) and part.of.over == "date"
        for leaf in leaves(node)
        if leaf.where is not None
        for part in leaf.where.walk()
    )


def _is_time_between(node: Node) -> bool:
    """Return whether it is the days from one date that is found to another."""
    sides = (node.left, node.right) if isinstance(node, Combine) else ()
    return bool(sides) and all(isinstance(side, Which | Dates) for side in sides)


def _swaps_times(node: Node, measured: When, held: When) -> bool:
    """Return whether something is measured at the time of its condition, and limited at its own."""
    return any(
        leaf.when == held
        and leaf.where is not None
        and any(each.when == measured for each in leaves(leaf.where))
        for leaf in leaves(node)
    )


def _turns_the_base(node: Node, ground: Place) -> bool:
    """Return whether something else is a share of a ground that is to be the share."""
    shares = [p for p in node.walk() if isinstance(p, Aggregate) and p.statistic == "share"]
    grounds = [leaf.where for share in shares for leaf in leaves(share.of)]
    return any(where is not None and ground in where.walk() for where in grounds)


def _is_share_of_the_rest(node: Node, ground: Place) -> bool:
    """Return whether a ground is the share of something else, which is to be a share of that ground."""
    shares = [p for p in node.walk() if isinstance(p, Aggregate) and p.statistic == "share"]
    return any(share.of == ground and share.within is not None for share in shares)


def _shares_the_scene(node: Node) -> bool:
    """Return whether a part is the share that a ground has of all there is."""
    parts = node.of if isinstance(node, Several) else ()
    shares = (part for part in parts if isinstance(part, Aggregate) and part.statistic == "share")
    return any(share.within is None and isinstance(share.of, Place) for share in shares)


def _is_of_all_polygons(node: Node) -> bool:
    """Return whether something is taken of polygons that nobody named, or of all of them with a limit."""
    grounds = (part for part in node.walk() if isinstance(part, Place | Zones) and part.by == "feature")
    chosen = any(isinstance(part, Which) for part in node.walk())
    return not chosen and any(not ground.names for ground in grounds)


def _measures_against(node: Node, numbers: frozenset[float]) -> bool:
    """Return whether what is measured is held against the number of things."""
    return any(
        isinstance(part, Compare)
        and isinstance(part.limit, Number)
        and part.limit.value in numbers
        and not (isinstance(part.of, Aggregate) and part.of.statistic in TRUTH_STATISTICS)
        for part in node.walk()
    )


def _limits_values(node: Node, numbers: frozenset[float]) -> bool:
    """Return whether one of some numbers is a limit of values, and of no change."""
    limits = (part for part in node.walk() if isinstance(part, Compare) and isinstance(part.of, Variable))
    return any(isinstance(part.limit, Number) and part.limit.value in numbers for part in limits)


def _is_or_more(node: Node, numbers: frozenset[float]) -> bool:
    """Return whether one of some numbers is a limit that counts itself."""
    limits = [part for part in node.walk() if isinstance(part, Compare) and part.operator in ("ge", "le")]
    return any(isinstance(part.limit, Number) and part.limit.value in numbers for part in limits)


def _denies_one_of_two(node: Node) -> bool:
    """Return whether one of two conditions is denied: "not above 720 m or above 0.7" may deny both."""
    return any(isinstance(part, Or) and any(isinstance(one, Not) for one in part.of) for part in node.walk())


def _counts_images(node: Node) -> bool:
    """Return whether images are counted, whose dates are days as well."""
    return any(isinstance(part, Facts) and part.about in ("images", "dates") for part in node.walk())


def _is_of_clear_pixels_then(node: Node) -> bool:
    """Return whether clear pixels of a first or last date are meant, whether or not it was clear."""
    return any(getattr(leaf, "clouds", "") == "masked" and leaf.when.pick for leaf in leaves(node))


def _claims_a_mean(node: Node) -> bool:
    """Return whether a part is yes or no of a mean that nobody said."""
    return any(isinstance(part, Compare) and measures_by_default(part.of) for part in _parts(node))


def _passes_by_default(node: Node) -> bool:
    """Return whether a limit is set to a mean that nobody said."""
    return isinstance(node, Compare) and measures_by_default(node.of)


def _pools_dates_by_default(node: Node) -> bool:
    return any("dates" in getattr(part, "assumed", ()) for part in node.walk())


def _draws_a_default(node: Node) -> bool:
    """Return whether a map of the mean of dates is drawn, which nobody asked for."""
    return isinstance(node, Show) and _pools_dates_by_default(node)


def _tells_availability(node: Node) -> bool:
    return any(isinstance(part, Facts) and part.about == "available" for part in node.walk())


def _is_of_all_dates(node: Node) -> bool:
    """Return whether the shares of clouds of all dates give one number: "mean cloud cover by image"."""
    return any(
        isinstance(part, Aggregate)
        and (part.over, part.by) == ("date", None)
        and isinstance(part.of, Aggregate)
        and isinstance(part.of.of, Cloud)
        for part in _parts(node)
    )


def _parts(node: Node) -> tuple[Node, ...]:
    return node.of if isinstance(node, Several) else (node,)


def _is_not_throughout(node: Node) -> bool:
    """Return whether a part is yes or no of a mean over the dates that nobody said, or told of each date."""
    return any(
        isinstance(part, Aggregate)
        and part.over == "pixel"
        and "date" in kind_of(part).axes
        or kind_of(part).value == "truth"
        and any("dates" in getattr(one, "assumed", ()) for one in part.walk())
        for part in _parts(node)
    )


def _finds(node: Node, *periods: str) -> bool:
    """Return whether one of some periods is looked for."""
    return any(isinstance(part, Which) and part.period in periods for part in node.walk())


def _tells_the_archive_beside(node: Node) -> bool:
    """Return whether the time of all images is told beside something of its own time: a run of dates."""
    parts = _parts(node)
    spans = any(isinstance(part, Facts) and part.about == "span" for part in parts)
    return spans and not all(isinstance(part, Facts) for part in parts)


def _is_about_dates(node: Node) -> bool:
    """Return whether a node is yes or no, or counts dates, on ground that another ground is cut out of.

    What holds of one ground "but not" of another is not one thing on the first without the second.
    """
    if isinstance(node, Several):
        return False
    truth = kind_of(node).value == "truth" or isinstance(node, Dates)
    truth = truth or isinstance(node, Aggregate) and node.over == "date"
    return truth and any(isinstance(getattr(leaf, "where", None), And) for leaf in leaves(node))


def _is_of_found_ground(node: Node) -> bool:
    return any(isinstance(part, Place) and part.at is not None for part in node.walk())


def _is_on_dates_found(node: Node) -> bool:
    """Return whether something is taken on the dates on which a condition holds, which were to be told."""
    return any(isinstance(part, When) and isinstance(part.at, Dates) for part in node.walk())


def _is_of_a_mean(node: Node) -> bool:
    """Return whether a part is yes or no of a mean that nobody said: "all" is not that of a mean."""
    return any(map(claims_by_default, _parts(node)))


def _claims_a_limit(node: Node) -> bool:
    """Return whether a node is yes or no of one number; "which is higher, A or B" is told with yes or no."""
    if isinstance(node, Several):
        return False
    kind = kind_of(node)
    limits = [part.limit for part in node.walk() if isinstance(part, Compare)]
    return kind.value == "truth" and not kind.axes and any(isinstance(limit, Number) for limit in limits)


def _pools(node: Node, grounds: tuple[Place, Place]) -> bool:
    """Return whether two grounds are one in an expression."""
    names = {name for ground in grounds for name in ground.names}
    return any(isinstance(part, Place) and names <= set(part.names) for part in node.walk())


def _finds_or_measures(node: Node) -> bool:
    """Return whether a node is several of what there is, or a number: neither is one of those named."""
    several = any(isinstance(part, Which) and part.top != 1 for part in node.walk())
    return several or not isinstance(node, Several) and kind_of(node).value == "number"


def _is_number(node: Node) -> bool:
    return not isinstance(node, Several) and kind_of(node).value == "number"


def _is_no_claim(node: Node) -> bool:
    return not isinstance(node, Several) and kind_of(node).value in ("date", "name")


def _is_claim(node: Node) -> bool:
    """Return whether yes or no is told, and no number."""
    return not isinstance(node, Several | Show) and kind_of(node).value == "truth" and not kind_of(node).axes


def _is_area(node: Node) -> bool:
    return isinstance(node, Aggregate) and node.statistic == "area"


def _counts_pixels(node: Node) -> bool:
    return any(
        isinstance(part, Aggregate) and part.statistic == "count" and part.over == "pixel"
        for part in _parts(node)
    )


def _counts_pixels_under_clouds(node: Node) -> bool:
    """Return whether cloudy or clear pixels are counted: of images, cloud-free ones are rather meant."""
    return any(
        isinstance(part, Aggregate)
        and (part.statistic, part.over) == ("count", "pixel")
        and all(isinstance(leaf, Cloud) for leaf in leaves(part))
        for part in node.walk()
    )


def _is_statistic(node: Node) -> bool:
    """Return whether a number of a raster is told, which says of nothing that it is so."""
    return isinstance(node, Aggregate) and kind_of(node).value == "number"


def _is_of_one_time(node: Node) -> bool:
    return not isinstance(node, Several) and any(len(leaf.when.spans) == 1 for leaf in leaves(node))


def _is_not_of_one(node: Node) -> bool:
    """Return whether one thing is asked for alone, or parts are of other grounds."""
    grounds = {frozenset(leaf.where for leaf in leaves(part)) for part in _parts(node)}
    return not isinstance(node, Several) or len(grounds) > 1


def _claims_first(node: Node) -> bool:
    return kind_of(_parts(node)[0]).value == "truth"


def _is_measured_under_cloud(node: Node) -> bool:
    grounds = [leaf.where for leaf in leaves(node) if isinstance(leaf, Variable) and leaf.where is not None]
    parts = [ground.of if isinstance(ground, And) else (ground,) for ground in grounds]
    return any(isinstance(part, Cloud) for each in parts for part in each)


def _correlates_nothing(node: Node) -> bool:
    return not any(isinstance(part, Correlation) for part in node.walk())


def _is_at_no(*ends: str) -> Callable[[Node], bool]:
    """Return whether a node is of no lowest, or no highest, value: what it got to is not told with it."""

    def is_wrong(node: Node) -> bool:
        found: set[str] = {part.direction for part in node.walk() if isinstance(part, Which)}
        found |= {part.statistic for part in node.walk() if isinstance(part, Aggregate)}
        return not found & set(ends)

    return is_wrong


def _pools_times(node: Node) -> bool:
    """Return whether several times count together as one."""
    grouped = any(isinstance(part, Aggregate) and isinstance(part.by, str) for part in node.walk())
    counted = (part.of for part in node.walk() if isinstance(part, Facts) and part.by is None)
    if any(isinstance(time, When) and len(time.spans) > 1 for time in counted):
        return True
    return not grouped and any(len(leaf.when.spans) > 1 for leaf in leaves(node))


def _has_several_statistics_of_periods(node: Node) -> bool:
    """Return whether two statistics of each period are told, and none of the periods."""
    parts = [part for part in _parts(node) if isinstance(part, Aggregate) and isinstance(part.by, str)]
    return len(parts) > 1 and len({part.statistic for part in parts}) > 1


def _is_of_elevation(node: Node) -> bool:
    return any(getattr(leaf, "role", "") == "dem" for leaf in leaves(node))


def _is_trend_of_a_statistic(node: Node) -> bool:
    """Return whether a trend is that of one number for each date, and not of each pixel."""
    return any(isinstance(part, Trend) and "pixel" not in kind_of(part).axes for part in node.walk())


def _takes_no_statistic_of_dates(node: Node) -> bool:
    """Return whether a claim holds nothing against several dates."""
    several = any(isinstance(part, Aggregate) and part.over in ("date", "all") for part in node.walk())
    return _is_claim(node) and not several


def _limits_one_of_two_grounds(node: Node) -> bool:
    """Return whether of two grounds that are set against each other one has a limit alone."""
    for part in node.walk():
        match part:
            case Combine(left=one, right=other) | Compare(of=one, limit=other):
                limited = [any(map(_is_limit, side.walk())) for side in (one, other)]
                placed = [any(isinstance(leaf, Place) for leaf in side.walk()) for side in (one, other)]
                if all(placed) and limited[0] != limited[1]:
                    return True
    return False


def _is_limit(node: Node) -> bool:
    return isinstance(node, Compare) and isinstance(node.limit, Number)


def _measures_ground(node: Node) -> bool:
    """Return whether a node is an area, or the pixels that it is made of."""
    return (
        isinstance(node, Aggregate) and node.over == "pixel" and node.statistic in ("area", "count", "share")
    )


def _averages_no_dates(node: Node) -> bool:
    """Return whether something else than the mean is taken over the dates."""
    return any(
        isinstance(part, Aggregate) and part.over == "date" and part.statistic != "mean"
        for part in node.walk()
    )


def _counts_pixels_of_some_date(node: Node) -> bool:
    """Return whether pixels count that pass a limit on any, or on every, date."""
    return any(
        isinstance(part, Aggregate)
        and part.over == "pixel"
        and any(isinstance(one, Aggregate) and one.over == "date" for one in part.of.walk())
        for part in node.walk()
    )


def _masks_clouds(leaf: Node) -> bool:
    """Return whether a variable is of clear pixels, so that a date without any has no value."""
    return getattr(leaf, "clouds", "") == "masked"


def _is_range_of_values(node: Node) -> bool:
    """Return whether a highest value less a lowest one is told."""
    match node:
        case Combine("difference", Aggregate(statistic="max" | "min"), Aggregate(statistic="max" | "min")):
            return True
    return False


def _tells_a_time_without_its_year(node: Node) -> bool:
    """Return whether how to measure is read as a question: "how green was summer 2017? Use June"."""
    parts = [(set_time(part, ALWAYS), [leaf.when for leaf in leaves(part)]) for part in _parts(node)]
    dated = [bare for bare, whens in parts if any(when.spans for when in whens)]
    return any(bare in dated and all(w.months and not w.spans for w in whens) for bare, whens in parts)


def _drops_the_ground_before(node: Node) -> bool:
    """Return whether ground is named as if a mean of it were asked for, and what follows is of everything.

    "Take only forest above 600 m altitude. What is its mean NDVI" asks for no mean altitude.
    """
    if not isinstance(node, Several) or not measures_by_default(node.of[0]):
        return False
    grounds = [{leaf.where for leaf in leaves(part)} for part in node.of]
    return grounds[0] != {None} and any(ground == {None} for ground in grounds[1:])


def _changes_either_way(node: Node) -> bool:
    """Return whether changes are taken without their sign."""
    return any(
        isinstance(part, Steps | Combine) and part.how == "absolute_difference" for part in node.walk()
    )


def _tells_an_end_of_the_archive(node: Node) -> bool:
    return any(isinstance(part, Facts) and part.about in ("first_date", "last_date") for part in node.walk())


def _tells_pixels_after_means(node: Node) -> bool:
    """Return whether the extreme of all pixels is told beside means, of which it was asked."""
    if not isinstance(node, Several):
        return False
    means = any(getattr(part, "statistic", "") == "mean" for one in node.of[:-1] for part in one.walk())
    last = node.of[-1]
    if not isinstance(last, Aggregate) or last.statistic not in ("max", "min"):
        return False
    return means and isinstance(last.of, Variable)


def _is_over_another_axis(node: Node, stats: Sequence[Stat]) -> bool:
    """Return whether no statistic that is said to be over time is one over dates."""
    over_dates = {
        part.statistic for part in node.walk() if isinstance(part, Aggregate) and part.over == "date"
    }
    return any(stat.statistic not in over_dates for stat in stats)


def _finds_a_class_by_its_area(node: Node) -> bool:
    """Return whether the largest or smallest class is looked for, all its polygons together."""
    match node:
        case Which(of=Aggregate("area", by=Zones(by="class"))):
            return True
        case Which(of=Aggregate("area", by=Zones(by="feature", attribute=attribute))):
            return bool(attribute)
    return False


def _measures_its_limit(node: Node) -> bool:
    """Return whether something is measured where another date passes its own mean.

    "Mean NDVI on A > mean NDVI on B" sets one against the other, and is no mean of B where A is higher.
    """
    match node:
        case Aggregate(
            of=Variable(where=Compare(of=Variable() as held, limit=Aggregate(of=limit))) as measured
        ):
            return replace(measured, where=None) == limit != held
    return False


def _counts_images_beside(node: Node) -> bool:
    """Return whether the number of images is told beside something: of days between two, not of all."""
    return isinstance(node, Several) and any(part == Facts("images") for part in node.of)


def _is_between_extremes(node: Node) -> bool:
    """Return whether a distance on the ground is that between a highest and a lowest pixel."""
    return any(
        isinstance(part, Distance) and isinstance(part.of, Compare) and isinstance(part.to, Compare)
        for part in node.walk()
    )


def _is_trend(node: Node) -> bool:
    return any(isinstance(part, Trend) and part.gives == "slope" for part in node.walk())


def _finds_the_highest_ground(node: Node) -> bool:
    found = (leaf for part in node.walk() if isinstance(part, Which) for leaf in leaves(part))
    return any(isinstance(leaf, Variable) and leaf.role == "dem" for leaf in found)


def _is_told_in(node: Node, units: frozenset[str]) -> bool:
    """Return whether a part of a reading is of one of some units; a zone is told with its value."""
    told = (part.of if isinstance(part, Which) else part for part in _parts(node))
    kinds = map(kind_or_none, told)
    return any(kind is not None and kind.unit.split("/")[0] in units for kind in kinds)


def _is_share_of_dates(node: Node) -> bool:
    return any(
        isinstance(part, Aggregate) and (part.statistic, part.over) == ("share", "date")
        for part in node.walk()
    )


def _tells_each_date(node: Node) -> bool:
    """Return whether a value is told for each date, or drawn."""
    return isinstance(node, Show) or not isinstance(node, Several) and "date" in kind_of(node).axes


def _is_one_number(node: Node) -> bool:
    return not isinstance(node, Several) and not kind_of(node).axes


def _slopes_per_other_than(unit: str) -> Callable[[Node], bool]:
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


def _is_of_mean_pixels(node: Node) -> bool:
    """Return whether no pixel is asked of by itself, of which "it" would tell what it reached."""
    return not any("pixel" in kind_of(part).axes for part in node.walk() if isinstance(part, Aggregate))


_HOW_CLOSELY = (
    "how closely",
    "how tightly",
    "how well",
    "and how closely",
    "and how tightly",
    "and how strongly",
)


_FORWARDS = tuple(
    f"{later} minus {earlier}"
    for later, earlier in (
        ("later", "earlier"),
        *(("second", first) for first in ("first", "start")),
        *(("last", first) for first in ("first", "start")),
        *(("end", first) for first in ("first", "start")),
        ("after", "before"),
    )
)


def _is_no_change_forwards(node: Node) -> bool:
    """Return whether no difference is of a later time from an earlier one, or one is the other way round."""
    changes = [part for part in node.walk() if isinstance(part, Combine) and part.how == "difference"]
    spans = [
        [leaf.when.spans for leaf in leaves(side)] for part in changes for side in (part.left, part.right)
    ]
    firsts = [min((s.first for one in side for s in one if s.first), default=None) for side in spans]
    pairs = list(zip(firsts[::2], firsts[1::2], strict=True))
    return not pairs or any(left is None or right is None or left <= right for left, right in pairs)


def _is_of_autumn(node: Node) -> bool:
    whens = [leaf.when for leaf in leaves(node)]
    ends = [(span.first, span.last) for when in whens for span in when.spans if span.first and span.last]
    autumns = [(first.month, first.day, last.month, last.day) == (9, 1, 11, 30) for first, last in ends]
    return any(autumns) or any(when.months == (9, 10, 11) for when in whens)


_HOW_HIGH = tuple(product(("", ", "), ("high", "low")))


def _finds_no_date(node: Node) -> bool:
    """Return whether no date or period is looked for."""
    found = [part for part in node.walk() if isinstance(part, Which)]
    return not any(kind_of(part).value == "date" for part in found)


def _is_size(part: Node) -> bool:
    """Return whether a part is an area or share, or tells of the ground that the images cover."""
    sized = isinstance(part, Aggregate) and part.statistic in ("area", "share", "count", "sum")
    return sized or isinstance(part, Facts)


def _groups_months_of_all_years(node: Node) -> bool:
    """Return whether single months are looked for, where those of all years are averaged: "on average"."""
    monthly = [part for part in node.walk() if isinstance(part, Aggregate) and part.by == "month"]
    return any({leaf.when for leaf in leaves(part)} == {ALWAYS} for part in monthly)


def _chooses_pixels_by_a_statistic(node: Node) -> bool:
    """Return whether pixels count whose own statistic over the dates passes a limit."""
    held = [part.of for part in node.walk() if isinstance(part, Compare)]
    return any(isinstance(of, Aggregate) and of.over == "date" and isinstance(of.of, Variable) for of in held)


def _passes_a_level(node: Node, *, of_all: bool) -> bool:
    """Return whether pixels of a ground are set against their own statistic, or that of all ground."""
    for part in node.walk():
        match part:
            case Compare(Variable() as of, _, Aggregate(of=level, over="pixel")) if of.where is not None:
                if level == (replace(of, where=None) if of_all else of):
                    return True
    return False


def _correlates_in_each_zone(node: Node) -> bool:
    """Return whether pixels are correlated zone by zone: "across the regions" is rather of their means."""
    return any(isinstance(part, Correlation) and part.by is not None for part in node.walk())


# Several things are one where they are counted together.
_ALTOGETHER = ("altogether", "in total", "all told")


def _compares_grounds_of_one_period(node: Node) -> bool:
    """Return whether two grounds are set against each other of all dates between two days."""
    dated = [leaf for leaf in leaves(node) if not getattr(leaf, "timeless", False)]
    differs = any(isinstance(part, Combine) for part in node.walk())
    return differs and len({leaf.where for leaf in dated}) > 1 and not any(leaf.when.single for leaf in dated)


_DISAGREEMENTS: tuple[tuple[Callable[[Sequence[Token]], bool], Callable[[Node], bool]], ...] = (
    (names_an_edge, lambda node: True),
    (speaks_of_dates_alone, _chooses_pixels_by_their_mean_over_time),
    (asks_from_when_to_when, _tells_the_archive_beside),
    (says("total area"), lambda node: isinstance(node, Dates)),
    (names_that("year"), lambda node: not _finds(node, "year")),
    (names_that("season"), lambda node: not _finds(node, "season")),
    (names_that("month"), lambda node: not _finds(node, "month", "calendar_month")),
    (asks_for_the_largest, lambda node: not any(map(_is_area, node.walk()))),
    (begins_with_a_total_area, lambda node: not any(map(_is_size, node.walk()))),
    (says("on average"), _groups_months_of_all_years),
    (speaks_of_zones_by_a_statistic, _chooses_pixels_by_a_statistic),
    (speaks_of_one_zone_by_a_limit, _is_of_all_polygons),
    (says("across", "among", "over"), _correlates_in_each_zone),
    (sets_against_the_scene, lambda node: _passes_a_level(node, of_all=False)),
    (lambda tokens: not sets_against_the_scene(tokens), lambda node: _passes_a_level(node, of_all=True)),
    (says("their"), lacks_antecedent),
    (says("its", "their"), _drops_the_ground_before),
    (says("use", "using"), _tells_a_time_without_its_year),
    (begins_with_a_mask, lambda node: isinstance(node, Several)),
    (tells_times_apart, _pools_times),
    (asks_for_a_statistic_of_periods, _has_several_statistics_of_periods),
    (asks_whether_two_differ, lambda _: True),
    (averages_each_date, _is_of_all_dates),
    (says_all, _is_of_a_mean),
    (says_when_it_was, _is_of_clear_pixels_then),
    (asks_how_long, _counts_images),
    (says_but, _is_about_dates),
    (says_throughout, _is_not_throughout),
    (says(*_ALTOGETHER), lambda node: isinstance(node, Several)),
    (asks_which, _claims_a_limit),
    (asks_which_has, _is_number),
    (asks_which_dates, lambda node: _is_number(node) and _is_on_dates_found(node)),
    (asks_which_one, _is_number),
    (speaks_of_one, lambda node: any(isinstance(part, Which) and part.top > 1 for part in node.walk())),
    (begins_with_a_date, _is_number),
    (crosses_last, lambda node: any(isinstance(part, Dates) for part in node.walk())),
    (
        names_another_temperature,
        lambda node: any(getattr(leaf, "role", "") == "lst" for leaf in leaves(node)),
    ),
    (asks_which_within, lambda node: _is_number(node) and _is_of_found_ground(node)),
    (is_unled, _is_of_found_ground),
    (ranks_pixels, ranks_pixels_of_a_ground),
    (is_part_of_a_ground, limits_shares_of_zones),
    (bool, shares_another_base),
    (bool, lambda node: any(map(_measures_its_limit, node.walk()))),
    (chooses_among, _finds_or_measures),
    (asks_whether, _is_no_claim),
    (begins_with_a_verb, _is_statistic),
    (asks_how, _is_claim),
    (says_what_is_higher, _finds_the_highest_ground),
    (asks_how, lambda node: isinstance(node, Centroid)),
    (groups_by_zone, lambda node: not any(isinstance(part, Zones) for part in node.walk())),
    (counts_crossings, lambda node: getattr(node, "statistic", "") != "crossings"),
    (counts_pixels_for_all_dates, _tells_each_date),
    (speaks_of_all_images, lambda node: isinstance(node, Which) and kind_of(node).value == "date"),
    (asks_for_a_share_of_an_area, _shares_the_scene),
    (asks_for_an_area, _is_claim),
    (asks_for_trends_of_pixels, _is_trend_of_a_statistic),
    (asks_for_a_share, lambda node: isinstance(node, Trend | Dates)),
    (speaks_of_no_spot, _is_between_extremes),
    (says_when_it_passes, _counts_pixels_of_some_date),
    (limits_before_two_grounds, _limits_one_of_two_grounds),
    (compares_areas, lambda node: not any(map(_measures_ground, node.walk()))),
    (asks_how_long_after, lambda node: not _is_time_between(node)),
    (averages_a_statistic, _averages_no_dates),
    (takes_a_statistic_of_all_dates, _takes_no_statistic_of_dates),
    (skips_dates_without_clear_pixels, lambda node: not any(map(_masks_clouds, leaves(node)))),
    (asks_how_far_spots_are_apart, _is_range_of_values),
    (asks_how_far_apart_in_time, _is_range_of_values),
    (asks_for_a_polygon, lambda node: any(map(_finds_a_class_by_its_area, node.walk()))),
    (asks_in_which_ground, lambda node: not any(isinstance(part, Which | Dates) for part in node.walk())),
    (begins("between"), _counts_images_beside),
    (asks_how_high_ground_lies, lambda node: not _is_of_elevation(node)),
    (counts_clouds, _counts_pixels),
    (counts_what_is_left_out, _counts_pixels_under_clouds),
    (lists_an_area, lambda node: not any(_is_area(part) for part in node.walk())),
    (measures_from_ground, lambda node: not any(isinstance(part, Distance) for part in node.walk())),
    (asks_yes_or_no, lambda node: any(map(measures_by_default, _parts(node)))),
    (asks_yes_or_no, lambda node: _is_of_all_dates(node) and _pools_dates_by_default(node)),
    (asks_if_anywhere, _claims_a_mean),
    (speaks_of_some_pixel, lambda node: any(map(_passes_by_default, node.walk()))),
    (asks_what_it_means, lambda node: True),
    (asks_yes_or_no, _draws_a_default),
    (follows_a_course, _draws_a_default),
    (says_each_date, _pools_dates_by_default),
    (asks_no_availability, _tells_availability),
    (asks_what_it_is, _claims_first),
    (asks_several_of_one, _is_not_of_one),
    (names_each_season, _is_of_one_time),
    (
        groups_by_area,
        lambda node: not any(isinstance(part, Zones) or _is_size(part) for part in node.walk()),
    ),
    # The least rise may be a fall, and so may the trend that is nearest to none.
    (says("weakest", "flattest"), lambda node: any(map(ranks_trends, node.walk()))),
    (names_the_days_of_a_change, _compares_grounds_of_one_period),
    (says("above or below", "below or above"), lambda node: all(map(_is_no_claim, _parts(node)))),
    (speaks_of_cloudy_dates, _is_measured_under_cloud),
    (says(*_FORWARDS), _is_no_change_forwards),
    (falls, _is_of_autumn),
    (speaks_of_signed_changes, _changes_either_way),
    (asks_for_the_end_of_a_rank, _tells_an_end_of_the_archive),
    (asks_for_a_value_found, _tells_pixels_after_means),
    (speaks_of_a_rise, lambda node: not any(isinstance(part, Combine | Steps) for part in node.walk())),
    (asks_how_much, _is_trend),
    (begins(*_HOW_CLOSELY), _correlates_nothing),
    (drops, lambda node: any(isinstance(part, Not) for part in node.walk())),
    (asks_how_high_it_gets, lambda node: _is_at_no("highest", "max")(node) and not _is_of_elevation(node)),
    (begins("and how low"), _is_at_no("lowest", "min")),
    (begins("and how high"), _is_at_no("highest", "max")),
    # Of a region it is rather asked how high it lies.
    (says(*(f"{comma}and how {end} was it" for comma, end in _HOW_HIGH)), _finds_no_date),
    (tells_when_clouds_are, _is_share_of_dates),
    (
        says("cloud frequency", "cloudiness frequency", "frequency of clouds"),
        _is_one_number,
    ),
    (says("it reached", "that it reached", "it attained", "it took"), _is_of_mean_pixels),
    *OF_STATISTICS,
    *((says_per(unit), _slopes_per_other_than(unit)) for unit in ("day", "month", "year", "decade")),
)
