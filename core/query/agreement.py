"""Whether a reading agrees with the words of its question, where words that join others bear on the whole.

A word such as "which", "all", "but" or "their" rules out some kinds of answers wherever it stands. Each of
these is one entry of ``_DISAGREEMENTS``: what words demand, and the expressions that do not meet it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product

from treeline.core.query.alike import keep_best_of_alike
from treeline.core.query.checks import (
    lacks_antecedent,
    limits_shares_of_zones,
    measures_by_default,
    ranks_pixels_of_a_ground,
    shares_another_base,
)
from treeline.core.query.contradictions import (
    answers_in,
    averages_no_dates,
    changes_either_way,
    chooses_pixels_by_a_statistic,
    chooses_pixels_by_their_mean_over_time,
    claims_a_limit,
    claims_a_mean,
    claims_first,
    compares_grounds_of_one_period,
    correlates_in_each_zone,
    correlates_nothing,
    counts_images,
    counts_images_beside,
    counts_others,
    counts_pixels,
    counts_pixels_of_some_date,
    counts_pixels_under_clouds,
    denies_one_of_two,
    draws_a_default,
    drops_the_ground_before,
    finds,
    finds_a_class_by_its_area,
    finds_no_date,
    finds_or_measures,
    finds_the_highest_ground,
    groups_months_of_all_years,
    has_several_statistics_of_periods,
    is_about_dates,
    is_area,
    is_at_no,
    is_at_the_other_end,
    is_between_extremes,
    is_claim,
    is_measured_under_cloud,
    is_no_change_forwards,
    is_no_claim,
    is_not_of_one,
    is_not_throughout,
    is_number,
    is_of_a_mean,
    is_of_all_dates,
    is_of_all_pixels_at_once,
    is_of_all_polygons,
    is_of_autumn,
    is_of_clear_pixels_then,
    is_of_elevation,
    is_of_found_ground,
    is_of_mean_pixels,
    is_of_one_time,
    is_on_dates_found,
    is_one_number,
    is_or_more,
    is_over_another_axis,
    is_range_of_values,
    is_share_of_a_ground_in_what_passes,
    is_share_of_dates,
    is_share_of_the_rest,
    is_size,
    is_statistic,
    is_time_between,
    is_told_in,
    is_trend,
    is_trend_of_a_statistic,
    limits_one_of_two_grounds,
    limits_values,
    looks_for_an_end_of_periods,
    masks_clouds,
    measures_against,
    measures_ground,
    measures_its_limit,
    passes_a_level,
    passes_by_default,
    pools,
    pools_dates_by_default,
    pools_times,
    shares_the_scene,
    slopes_per_other_than,
    swaps_times,
    takes_no_statistic_of_dates,
    tells_a_time_without_its_year,
    tells_an_end_of_the_archive,
    tells_availability,
    tells_each_date,
    tells_pixels_after_means,
    tells_the_archive_beside,
    turns_the_base,
)
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
    asks_when,
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
    looks_for_what_has_the_most,
    names_another_temperature,
    numbers_apart,
    numbers_of_units,
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
    asks_for_a_share_in_a_ground,
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
    counts_dates_of_each_pixel,
    counts_pixels_for_all_dates,
    counts_what_is_left_out,
    crosses_last,
    drops,
    falls,
    follows_a_course,
    looks_for_an_end_of_the_images,
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
    subtracts_times,
    takes_a_statistic_of_all_dates,
    takes_from_a_rank,
    tells_times_apart,
    tells_when_clouds_are,
    times_around_a_condition,
)
from treeline.core.query.directions import ranks_trends
from treeline.core.query.expression import (
    Centroid,
    Combine,
    Dates,
    Distance,
    Node,
    Not,
    Rank,
    Several,
    Steps,
    Trend,
    Which,
    Zones,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.phrases.phrase import Word
from treeline.core.query.slots import leaves
from treeline.core.query.tokens import Token


def keep_agreeing(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return the readings that no word of the question rules out."""
    wrong = [is_wrong for demand, is_wrong in _DISAGREEMENTS if demand(tokens)]
    pairs = [*grounds_between(tokens), *charted_grounds(tokens)]
    shared = list(shared_grounds(tokens))
    bases = list(whole_grounds(tokens))
    numbers = numbers_apart(tokens)
    counted = frozenset(counted_numbers(tokens))
    limited = frozenset(numbers_of_units(tokens))
    changed = frozenset(amounts_of_changes(tokens))
    around = times_around_a_condition(tokens)
    units = list(units_asked_for(tokens))
    over_time = statistics_over_time(tokens)
    denied = bool(numbers) and any(Word("not") in token.meanings for token in tokens)
    agreeing = [
        node
        for node in found
        if not any(is_wrong(node) for is_wrong in wrong)
        and not any(pools(node, pair) for pair in pairs)
        and not any(turns_the_base(node, ground) for ground in shared)
        and not any(is_share_of_the_rest(node, ground) for ground in bases)
        and not (around and swaps_times(node, *around))
        and not (numbers and is_or_more(node, numbers))
        and not (counted and measures_against(node, counted))
        and not (limited and counts_others(node, limited))
        and not (changed and limits_values(node, changed))
        and all(is_told_in(node, each) for each in units)
        and not (denied and denies_one_of_two(node))
        and not (over_time and is_over_another_axis(node, over_time))
    ]
    return keep_best_of_alike(agreeing, tokens)


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
_HOW_HIGH = tuple(product(("", ", "), ("high", "low")))
# Several things are one where they are counted together.
_ALTOGETHER = ("altogether", "in total", "all told")

_DISAGREEMENTS: tuple[tuple[Callable[[Sequence[Token]], bool], Callable[[Node], bool]], ...] = (
    (names_an_edge, lambda node: True),
    (speaks_of_dates_alone, chooses_pixels_by_their_mean_over_time),
    (asks_from_when_to_when, tells_the_archive_beside),
    (says("total area"), lambda node: isinstance(node, Dates)),
    (names_that("year"), lambda node: not finds(node, "year")),
    (names_that("season"), lambda node: not finds(node, "season")),
    (names_that("month"), lambda node: not finds(node, "month", "calendar_month")),
    (asks_for_the_largest, lambda node: not any(map(is_area, node.walk()))),
    (begins_with_a_total_area, lambda node: not any(map(is_size, node.walk()))),
    (says("on average"), groups_months_of_all_years),
    (speaks_of_zones_by_a_statistic, chooses_pixels_by_a_statistic),
    (speaks_of_one_zone_by_a_limit, is_of_all_polygons),
    (says("across", "among", "over"), correlates_in_each_zone),
    (sets_against_the_scene, lambda node: passes_a_level(node, of_all=False)),
    (lambda tokens: not sets_against_the_scene(tokens), lambda node: passes_a_level(node, of_all=True)),
    (says("their"), lacks_antecedent),
    (says("its", "their"), drops_the_ground_before),
    (says("use", "using"), tells_a_time_without_its_year),
    (begins_with_a_mask, lambda node: isinstance(node, Several)),
    (tells_times_apart, pools_times),
    (asks_for_a_statistic_of_periods, has_several_statistics_of_periods),
    (asks_whether_two_differ, lambda _: True),
    (averages_each_date, is_of_all_dates),
    (says_all, is_of_a_mean),
    (says_when_it_was, is_of_clear_pixels_then),
    (asks_how_long, counts_images),
    (says_but, is_about_dates),
    (says_throughout, is_not_throughout),
    (says(*_ALTOGETHER), lambda node: isinstance(node, Several)),
    (asks_which, claims_a_limit),
    (asks_which_has, is_number),
    (asks_which_dates, lambda node: is_number(node) and is_on_dates_found(node)),
    (asks_which_one, is_number),
    (speaks_of_one, lambda node: any(isinstance(part, Which) and part.top > 1 for part in node.walk())),
    (begins_with_a_date, is_number),
    (crosses_last, lambda node: any(isinstance(part, Dates) for part in node.walk())),
    (
        names_another_temperature,
        lambda node: any(getattr(leaf, "role", "") == "lst" for leaf in leaves(node)),
    ),
    (asks_which_within, lambda node: is_number(node) and is_of_found_ground(node)),
    (is_unled, is_of_found_ground),
    (ranks_pixels, ranks_pixels_of_a_ground),
    (is_part_of_a_ground, limits_shares_of_zones),
    (bool, shares_another_base),
    (bool, lambda node: any(map(measures_its_limit, node.walk()))),
    (chooses_among, finds_or_measures),
    (asks_whether, is_no_claim),
    (begins_with_a_verb, is_statistic),
    (asks_how, is_claim),
    (says_what_is_higher, finds_the_highest_ground),
    (asks_how, lambda node: isinstance(node, Centroid)),
    (groups_by_zone, lambda node: not any(isinstance(part, Zones) for part in node.walk())),
    (counts_crossings, lambda node: getattr(node, "statistic", "") != "crossings"),
    (counts_pixels_for_all_dates, tells_each_date),
    (looks_for_an_end_of_the_images, looks_for_an_end_of_periods),
    (counts_dates_of_each_pixel, is_of_all_pixels_at_once),
    (speaks_of_all_images, lambda node: isinstance(node, Which) and kind_of(node).value == "date"),
    (asks_for_a_share_of_an_area, shares_the_scene),
    (asks_for_a_share_in_a_ground, is_share_of_a_ground_in_what_passes),
    (asks_for_an_area, is_claim),
    (asks_for_trends_of_pixels, is_trend_of_a_statistic),
    (asks_for_a_share, lambda node: isinstance(node, Trend | Dates)),
    (speaks_of_no_spot, is_between_extremes),
    (says_when_it_passes, counts_pixels_of_some_date),
    (limits_before_two_grounds, limits_one_of_two_grounds),
    (compares_areas, lambda node: not any(map(measures_ground, node.walk()))),
    (asks_how_long_after, lambda node: not is_time_between(node)),
    (averages_a_statistic, averages_no_dates),
    (takes_a_statistic_of_all_dates, takes_no_statistic_of_dates),
    (skips_dates_without_clear_pixels, lambda node: not any(map(masks_clouds, leaves(node)))),
    (asks_how_far_spots_are_apart, is_range_of_values),
    (asks_how_far_apart_in_time, is_range_of_values),
    (asks_for_a_polygon, lambda node: any(map(finds_a_class_by_its_area, node.walk()))),
    (asks_in_which_ground, lambda node: not any(isinstance(part, Which | Dates) for part in node.walk())),
    (begins("between"), counts_images_beside),
    (asks_how_high_ground_lies, lambda node: not is_of_elevation(node)),
    (counts_clouds, counts_pixels),
    (counts_what_is_left_out, counts_pixels_under_clouds),
    (lists_an_area, lambda node: not any(is_area(part) for part in node.walk())),
    (measures_from_ground, lambda node: not any(isinstance(part, Distance) for part in node.walk())),
    (asks_yes_or_no, lambda node: any(map(measures_by_default, answers_in(node)))),
    (asks_yes_or_no, lambda node: is_of_all_dates(node) and pools_dates_by_default(node)),
    (asks_if_anywhere, claims_a_mean),
    (speaks_of_some_pixel, lambda node: any(map(passes_by_default, node.walk()))),
    (asks_what_it_means, lambda node: True),
    (asks_yes_or_no, draws_a_default),
    (follows_a_course, draws_a_default),
    (says_each_date, pools_dates_by_default),
    (asks_no_availability, tells_availability),
    (asks_what_it_is, claims_first),
    (asks_several_of_one, is_not_of_one),
    (names_each_season, is_of_one_time),
    (
        groups_by_area,
        lambda node: not any(isinstance(part, Zones) or is_size(part) for part in node.walk()),
    ),
    # The least rise may be a fall, and so may the trend that is nearest to none.
    (says("weakest", "flattest"), lambda node: any(map(ranks_trends, node.walk()))),
    (names_the_days_of_a_change, compares_grounds_of_one_period),
    (says("above or below", "below or above"), lambda node: all(map(is_no_claim, answers_in(node)))),
    (speaks_of_cloudy_dates, is_measured_under_cloud),
    (says(*_FORWARDS), is_no_change_forwards),
    (falls, is_of_autumn),
    (speaks_of_signed_changes, changes_either_way),
    (subtracts_times, changes_either_way),
    (asks_when, is_claim),
    (
        looks_for_what_has_the_most,
        lambda node: not any(isinstance(part, Which | Dates | Rank) for part in node.walk()),
    ),
    (asks_for_the_end_of_a_rank, tells_an_end_of_the_archive),
    (takes_from_a_rank("first", "second", "third"), partial(is_at_the_other_end, end=False)),
    (takes_from_a_rank("last"), partial(is_at_the_other_end, end=True)),
    (asks_for_a_value_found, tells_pixels_after_means),
    (speaks_of_a_rise, lambda node: not any(isinstance(part, Combine | Steps) for part in node.walk())),
    (asks_how_much, is_trend),
    (begins(*_HOW_CLOSELY), correlates_nothing),
    (drops, lambda node: any(isinstance(part, Not) for part in node.walk())),
    (asks_how_high_it_gets, lambda node: is_at_no("highest", "max")(node) and not is_of_elevation(node)),
    (begins("and how low"), is_at_no("lowest", "min")),
    (begins("and how high"), is_at_no("highest", "max")),
    # Of a region it is rather asked how high it lies.
    (says(*(f"{comma}and how {end} was it" for comma, end in _HOW_HIGH)), finds_no_date),
    (tells_when_clouds_are, is_share_of_dates),
    (
        says("cloud frequency", "cloudiness frequency", "frequency of clouds"),
        is_one_number,
    ),
    (says("it reached", "that it reached", "it attained", "it took"), is_of_mean_pixels),
    *OF_STATISTICS,
    *((says_per(unit), slopes_per_other_than(unit)) for unit in ("day", "month", "year", "decade")),
)
