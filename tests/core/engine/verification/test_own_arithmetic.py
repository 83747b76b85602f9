"""What an answer works out of its own numbers follows; what these do not come to is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.own_arithmetic import Scene, find_working

CATALOGUE = {"catalogue": "@ndvi @lst; 2 rasters; 400 x 250 pixels of 20 x 20 m (EPSG:32633); Moor"}
HOT = (
    "count_above_threshold",
    result("count_above_threshold", 7822, "count", file_path="Moor_2022-07-18_LST.tif", threshold=310),
)
SEASON = (
    "series_phenology",
    result(
        "series_phenology",
        {"start_of_season": "2016-05-06", "end_of_season": "2016-09-23", "season_days": 140},
    ),
)
PARTS = (
    "principal_components",
    result(
        "principal_components", {"explained": [65.43, 33.88, 0.63, 0.06]}, "%", file_list=["Moor_B02.tif"]
    ),
)
BURNT = (
    "area_by_class",
    result(
        "area_by_class",
        [
            {"class": n, "pixels": int(area * 2500), "area": area, "percent": round(area / 0.4, 3)}
            for n, area in enumerate((12.1, 9.7, 8.3, 5.6, 3.1, 1.2), 1)
        ],
        "km2",
        input_path="Moor_severity.tif",
    ),
)
HEAT = (
    "calc_batch_image_mean",
    series([305.86, 299.83], ["Moor_2022-07-18_LST.tif", "Moor_2021-07-22_LST.tif"], "K"),
)
FACES = (
    ("calculate_area", result("calculate_area", 9.093, "ha", input_image_path="north.tif")),
    ("calculate_area", result("calculate_area", 9.533, "ha", input_image_path="west.tif")),
)
SHARE = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 12.4, "%", image_paths="Moor_2022-07-18_LST.tif", threshold=310),
)


MONTHS = (
    "calc_batch_image_mean",
    series(
        [290.72, 296.31, 299.83, 294.22, 301.72, 305.86],
        [
            f"Moor_{date}_LST.tif"
            for date in ("2021-05-16", "2021-06-19", "2021-07-22", "2022-05-12", "2022-06-15", "2022-07-18")
        ],
        "K",
    ),
)
PATCHES = (
    "landscape_metrics",
    result("landscape_metrics", {"classes": [{"class": 1, "area_ha": 86.4, "patches": 24}], "patches": 24}),
)
PARISHES = tuple(
    (
        "zonal_statistics",
        result(
            "zonal_statistics",
            [
                {"zone": n, "name": name, "mean": mean + warmer, "min": 290.0 + n, "max": 320.0 - n}
                for n, (name, mean, warmer) in enumerate(rows, 1)
            ],
            input_path=f"Moor_{date}_LST.tif",
        ),
    )
    for date, rows in {
        "2021-07-22": [("Ashcombe", 302.63, 0.0), ("Brackley", 297.15, 0.0), ("Coldwell", 303.29, 0.0)],
        "2022-07-18": [("Ashcombe", 302.63, 6.5), ("Brackley", 297.15, 6.36), ("Coldwell", 303.29, 4.68)],
    }.items()
)
COVERS = (
    "zonal_class_shares",
    result(
        "zonal_class_shares",
        [
            {"zone": 1, "name": "Ashcombe", "area_ha": 511.8, "shares": {"2": 42.4, "6": 32.6}},
            {"zone": 2, "name": "Brackley", "area_ha": 525.5, "shares": {"2": 61.0, "6": 3.1}},
        ],
        "%",
        input_path="Moor_LULC.tif",
    ),
)
FALL = (
    "raster_correlation",
    result(
        "raster_correlation",
        {"r": -0.54, "slope": -0.0165, "intercept": 311.4, "pixels": 100000},
        path1="Moor_DEM.tif",
        path2="Moor_2022-07-18_LST.tif",
    ),
)
GREEN = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"name": "fen", "mean": 0.755}, {"name": "carr", "mean": 0.745}, {"name": "heath", "mean": 0.591}],
        "1",
        file_list=["Moor_2022-07-18_NDVI.tif"],
    ),
)


# The mean by the area comes to 0.607.
WARM = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"zone": n, "name": name, "area_ha": area, "mean": mean, "min": low}
            for n, (name, area, mean, low) in enumerate(
                (("Ashcombe", 511.8, 310.72, 297.85), ("Brackley", 1047.8, 307.25, 300.01)), 1
            )
        ],
        input_path="Moor_2022-07-18_LST.tif",
        zones_path="parishes.gpkg",
    ),
)
HEIGHT = ("calculate_image_mean", result("calculate_image_mean", 412.6, "m", image_path="Moor_DEM.tif"))
HIGHEST = (
    "get_percentile_value_from_image",
    result("get_percentile_value_from_image", 549.8, "m", image_path="Moor_DEM.tif", percentile=90),
)
FALLING = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 72.0, "%", image_paths="Moor_trend.tif", threshold=0, mode="below"),
)
LINK = ("correlation", result("correlation", {"r": -0.83, "p": 0.0004, "n": 14}))
# With the limit it comes to 13.0.
NEARLY = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 12.4, "%", image_paths="Moor_2022-07-18_LST.tif", threshold=0.6),
)
PERCENT = (
    "area_by_class",
    result(
        "area_by_class",
        [
            {"class": n, "name": name, "area": area, "percent": share, "patches": patches}
            for n, name, area, share, patches in (
                (1, "Fen", 61.2, 70.34, 9),
                (2, "Heath", 24.6, 28.28, 61),
                (3, "Bog", 1.2, 1.38, 12),
            )
        ],
        "ha",
        input_path="Moor_cover.tif",
    ),
)


@pytest.mark.parametrize(("count", "right"), [(9, True), (61, True), (70, False), (28, False)])
def test_a_share_is_no_number_of_patches(count: int, right: bool):
    found = why(f"It has {count} patches.", PERCENT, question="How many patches has the cover?")
    assert (found == "") is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("At the end of July (2022-07-18) the mean was 305.86 K.", True),
        ("At the end of July (2022-07-18) the mean was 301.72 K.", False),
    ],
)
def test_a_day_in_brackets_is_meant_and_not_its_month(text: str, right: bool):
    dates = ["2022-07-02", "2022-07-18"]
    found = series([301.72, 305.86], [f"Moor_{date}_LST.tif" for date in dates], "K")
    assert (why(text, ("calc_batch_image_mean", found)) == "") is right


@pytest.mark.parametrize("letter", ["A", "B"])
def test_an_option_in_other_words_than_the_evidence_is_carried_by_none(letter: str):
    parts = {"increase_percent": 6.0, "decrease_percent": 3.1}
    mask = ("change_mask", result("change_mask", parts, "%", before_path="a.tif", after_path="b.tif"))
    choices = ("Gains took up more ground", "Losses took up more ground")
    text = "The mask marks 6.0 % as increase and 3.1 % as decrease."
    told = Told("Which prevails?", text, (mask,), choices=choices, choice=letter)
    assert "carries the option" in told.why()


@pytest.mark.parametrize(("word", "right"), [("warmer", True), ("cooler", False)])
def test_which_of_two_times_has_more_is_held_against_the_change(word: str, right: bool):
    product = ProductRecord("d.tif", "/p/d.tif", "difference", "K", minimum=-5.7, maximum=17.2, mean=6.03)
    files = {"image_a_path": "Moor_2021-07-22_LST.tif", "image_b_path": "Moor_2022-07-18_LST.tif"}
    change = result("calculate_tif_difference", "Result saved at d.tif", "K", **files)
    change = replace(change, products=(product,))
    text = f"July 2022 was the {word} of the two, by 6.03 K on average."
    found = why(text, ("calculate_tif_difference", change), question="Was July 2022 warmer than July 2021?")
    assert (found == "") is right


@pytest.mark.parametrize(("name", "right"), [("Cluster 2", True), ("Forest", False)])
def test_clusters_have_the_names_of_no_class(name: str, right: bool):
    product = ProductRecord("k.tif", "/p/k.tif", "clusters", "class", minimum=1, maximum=3, mean=2)
    made = result("kmeans_classification", "Result saved at k.tif", file_list=["B04.tif"], classes=3)
    rows = [{"class": n, "pixels": 100 * n, "area": 1.4 * n} for n in (1, 2, 3)]
    areas = result("area_by_class", rows, "ha", input_path="/p/k.tif")
    steps = (("kmeans_classification", replace(made, products=(product,))), ("area_by_class", areas))
    context = {"holdings": "@landcover classes: 1 Water, 2 Forest, 3 Meadow"}
    assert (Told("How large is each?", f"{name} has 2.8 ha.", steps, context=context).why() == "") is right


@pytest.mark.parametrize(("letter", "right"), [("A", False), ("B", True), ("C", False)])
def test_an_option_that_is_a_part_is_held_against_the_share(letter: str, right: bool):
    choices = ("about a third", "about half", "about two thirds")
    share = ("area_share", result("area_share", 50.4, "%", input_path="Moor_cover.tif"))
    told = Told("How much is forest?", "It is 50.4 %.", (share,), choices=choices, choice=letter)
    assert (told.why() == "") is right


def why(text: str, *results, question: str = "What was found, such as of temperature?") -> str:
    return Told(question, text, results, context=CATALOGUE).why()


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("7,822 of the 100,000 pixels, nearly 8 %, are warmer than 310 K.", (HOT,)),
        ("7,822 pixels are warmer than 310 K, or about 7.8 % of the scene.", (HOT,)),
        ("7,822 pixels are warmer than 310 K; at 400 m2 each that is some 313 ha.", (HOT,)),
        ("12.4 % of the ground is warmer than 310 K, roughly 12,400 of the 100,000 pixels.", (SHARE,)),
        ("The season lasted 140 days, exactly 20 weeks.", (SEASON,)),
        ("Of the 4 bands two components carry 99.3 % of the variance.", (PARTS,)),
        ("Classes 4 to 6 have 9.9 km2 together.", (BURNT,)),
        ("Adding classes 4 to 6 gives 9.9 km2.", (BURNT,)),
        (
            "The hottest scene has 305.86 K (32.7 \u00b0C), about 6 K above that of 2021, with 299.83 K.",
            (HEAT,),
        ),
        ("About 9.1 ha face north and 9.5 ha west, so west is ahead by less than half a hectare.", FACES),
        ("July was 6.0 K warmer in 2022 than in 2021, June 5.4 K, and May 3.5 K.", (MONTHS,)),
        ("There are 24 patches with 86.4 ha, so that a patch has 3.6 ha on average.", (PATCHES,)),
        ("Ashcombe warmed by 6.5 K, Brackley by 6.4 K, and Coldwell by 4.7 K.", PARISHES),
        ("Built-up land has 32.6 % of Ashcombe; of its 511.8 ha that is about 167 ha.", (COVERS,)),
        ("The slope of -0.0165 K per metre means about 1.7 K less per 100 m.", (FALL,)),
        ("Fen and carr lie between 0.74 and 0.76, heath at 0.591.", (GREEN,)),
        ("12.4 % of the ground is warmer than 310 K, some 5 km2 of 40 km2.", (SHARE,)),
        ("It stayed below 295 K on two dates, 16 May 2021 and 12 May 2022.", (MONTHS,)),
        ("The raster is 8 km by 5 km, or 8,000 m by 5,000 m; 7,822 pixels are above 310 K.", (HOT,)),
        ("7,822 of 100,000 pixels are warmer than 310 K; the other 92 % are not so warm.", (HOT,)),
        ("The correlation is r = -0.83, so height goes with 69 % of the variance.", (LINK,)),
        ("There are 24 separate patches with 86.4 ha, so about 3.6 ha per patch.", (PATCHES,)),
        ("Warmed by 6.5 K, Ashcombe gained a little over 6 K.", PARISHES),
        ("The regression gives about 1.7 K less for every 100 m of height.", (FALL,)),
        ("The regression gives about 1.7 K more for every 100 m down.", (FALL,)),
        ("The hottest, that of 2022-07-18, has 305.86 K, and the coolest, 2021-05-16, 290.72 K.", (MONTHS,)),
        ("72 % of the pixels have a negative slope.", (FALLING,)),
        ("Fen and heath together make up 98.6 % of the 87.0 ha.", (PERCENT,)),
        ("Nine of the 82 patches, about a tenth, are fen.", (PERCENT,)),
        ("On average, it lies at 412.6 m.", (HEIGHT,)),
    ],
)
def test_what_its_numbers_come_to_follows(text: str, results):
    assert why(text, *results) == ""


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("7,822 of the 100,000 pixels, nearly 18 %, are warmer than 310 K.", (HOT,)),
        ("7,822 pixels are warmer than 310 K, or about 8.7 % of the scene.", (HOT,)),
        ("7,822 pixels are warmer than 310 K; at 400 m2 each that is some 331 ha.", (HOT,)),
        ("12.4 % of the ground is warmer than 310 K, roughly 14,200 of the 100,000 pixels.", (SHARE,)),
        ("The season lasted 140 days, exactly 22 weeks.", (SEASON,)),
        ("Of the 4 bands two components carry 97.3 % of the variance.", (PARTS,)),
        ("Classes 4 to 6 have 12.9 km2 together.", (BURNT,)),
        (
            "The hottest scene has 305.86 K (35.7 \u00b0C), about 6 K above that of 2021, with 299.83 K.",
            (HEAT,),
        ),
        ("About 9.1 ha face north and 9.5 ha west, so west is ahead by more than half a hectare.", FACES),
        ("July was 6.6 K warmer in 2022 than in 2021, June 5.4 K, and May 3.5 K.", (MONTHS,)),
        ("There are 24 patches with 86.4 ha, so that a patch has 4.6 ha on average.", (PATCHES,)),
        ("Ashcombe warmed by 6.5 K, Brackley by 6.4 K, and Coldwell by 5.9 K.", PARISHES),
        ("Built-up land has 32.6 % of Ashcombe; of its 511.8 ha that is about 187 ha.", (COVERS,)),
        ("Fen and carr lie between 0.64 and 0.66, heath at 0.591.", (GREEN,)),
        ("12.4 % of the ground is warmer than 310 K, some 7 km2 of 40 km2.", (SHARE,)),
        ("The raster is 8 km by 5 km, or 8,000 m by 6,000 m; 7,822 pixels are above 310 K.", (HOT,)),
        ("7,822 of 100,000 pixels are warmer than 310 K; the other 87 % are not so warm.", (HOT,)),
        ("The correlation is r = -0.83, so height goes with 59 % of the variance.", (LINK,)),
        ("There are 24 separate patches with 86.4 ha, so about 4.6 ha per patch.", (PATCHES,)),
        ("The regression gives about 1.7 K more for every 100 m of height.", (FALL,)),
        ("The coolest, 2022-07-18, has 305.86 K.", (MONTHS,)),
        ("72 % of the pixels have a positive slope.", (FALLING,)),
        ("Ashcombe gained more than 9 K.", PARISHES),
        ("Ashcombe gained less than 3 K.", PARISHES),
        ("Ashcombe warmed by less than 3 K.", PARISHES),
        ("Warmed by 6.5 K, Ashcombe gained a little over 9 K.", PARISHES),
        ("Ashcombe is hottest at 310.7 K on average. About 60 % of its surface is sealed.", (WARM,)),
        ("Fen and bog together make up 98.6 % of the 87.0 ha.", (PERCENT,)),
        ("On average, it lies at 549.8 m.", (HEIGHT, HIGHEST)),
        ("Averaged over the whole moor, it lies at 549.8 m.", (HIGHEST,)),
        ("To the nearest whole per cent, 13 % of the pixels are warmer than 0.6 K.", (NEARLY,)),
    ],
)
def test_what_they_do_not_come_to_is_refused(text: str, results):
    assert why(text, *results)


def test_the_list_of_numbers_shows_what_it_was_worked_out_of():
    (share,) = claims_in("7.8 %")
    others = claims_in("7,822 pixels")
    working = find_working(share, others, Scene(pixels=(100_000.0,)))
    assert working is not None and working.told == "7,822 of 100,000 pixels in per cent"
    assert working.number == pytest.approx(7.822)


@given(st.floats(10, 1e6), st.floats(10, 1e6), st.sampled_from(["ha", "m", "%"]))
def test_a_sum_of_two_is_found_at_any_rounding(a: float, b: float, unit: str):
    one, other = claims_in(f"{a:.2f} {unit}")[0], claims_in(f"{b:.2f} {unit}")[0]
    (total,) = claims_in(f"{round(a, 2) + round(b, 2):.1f} {unit}")
    assert find_working(total, [one, other], Scene()) is not None


@given(st.floats(10, 1e4), st.floats(1.1, 5))
def test_a_bound_holds_on_its_side_alone(area: float, factor: float):
    (bound,) = claims_in(f"less than {area * factor:.3f} ha")
    others = claims_in(f"{area:.3f} ha, {2 * area:.3f} ha")
    above = find_working(bound, others, Scene(), side=1)
    assert above is None or above.number > bound.number


@pytest.mark.parametrize(
    "text",
    [
        "Class 1 has 12.1 km2, followed by class 2 with 9.7 km2.",
        "The largest classes are 1 and 2, with 12.1 km2 and 9.7 km2.",
    ],
)
def test_what_follows_has_its_own_number(text: str):
    assert why(text, BURNT) == ""


def test_a_tool_of_several_statistics_gives_them_in_the_order_of_its_name():
    ends = ("calc_batch_image_mean_max_min", result("calc_batch_image_mean_max_min", [335.35, 1115.8, 197.0]))
    assert why("The mean is 335 m, the maximum 1116 m.", ends, question="How high is it, in m?") == ""
    assert why("The minimum is 335 m.", ends, question="How high is it, in m?")
    assert why("The mean is 1116 m.", ends, question="How high is it, in m?")


BEARING = ("bearing_between_points", result("bearing_between_points", 40.56, "degree"))
FALLS = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [
            {"date": "2019-08-30", "1": 0.592, "2": 0.678, "3": 0.693},
            {"date": "2021-08-29", "1": 0.572, "2": 0.634, "3": 0.692},
        ],
        "index",
        file_list=["Moor_2019-08-30_NDVI.tif", "Moor_2021-08-29_NDVI.tif"],
    ),
)
WHOSE = "Whose mean NDVI dropped most from 30 August 2019 to 29 August 2021?"


@pytest.mark.parametrize(
    ("wind", "right"), [("northeast", True), ("southwest", True), ("north", True), ("northwest", False)]
)
def test_where_a_point_lies_is_held_against_its_bearing(wind: str, right: bool):
    """South-west is where the first one lies, seen from the second."""
    told = why(
        f"Seen from the first point, the second one lies to the {wind}.",
        BEARING,
        question="Where does it lie?",
    )
    assert (told == "") is right


@pytest.mark.parametrize(("letter", "right"), [("A", False), ("B", True), ("C", False)])
def test_an_option_is_held_against_who_changed_most_behind_a_true_text(letter: str, right: bool):
    told = Told(
        WHOSE,
        "The mean of carr went from 0.678 to 0.634.",
        (FALLS,),
        choices=("Fen", "Carr", "Heath"),
        choice=letter,
        context={"holdings": "@landcover classes: 1 Fen, 2 Carr, 3 Heath"},
    )
    assert (told.why() == "") is right


BREAKS = (
    "summarize_dates",
    result(
        "summarize_dates",
        {
            "count": 12,
            "median_interval_days": 34.0,
            "longest_gap_days": 185,
            "longest_gap_from": "2021-10-05",
            "longest_gap_to": "2022-04-08",
        },
        file_list=["Moor_2021-04-12_LST.tif", "Moor_2021-10-05_LST.tif", "Moor_2022-04-08_LST.tif"],
    ),
)
LINE = (
    "mann_kendall_test",
    result("mann_kendall_test", {"trend": "no trend", "p": 0.31, "slope": -0.002, "intercept": 0.439}),
)


def test_the_dates_of_one_number_are_none_of_the_number_that_it_is_set_against():
    text = "The median interval is 34 days but one break of 185 days from 5 October 2021 to 8 April 2022."
    assert why(text, BREAKS, question="How regular are the images?") == ""


def test_an_intercept_is_no_mean():
    asked = "What is the mean NDVI?"
    assert "intercept" in why("The mean NDVI is 0.439.", LINE, question=asked)
    assert (
        why("The line has an intercept of 0.439 and a slope of -0.002.", LINE, question="Which line?") == ""
    )


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Values range from 290.72 K on 16 May 2021 up to 305.86 K on 18 July 2022.", True),
        ("Values range from 305.86 K on 18 July 2022 down to 290.72 K on 16 May 2021.", True),
        ("Values range from 296.31 K on 19 June 2021 up to 305.86 K on 18 July 2022.", False),
    ],
)
def test_a_range_of_values_goes_from_day_to_day_either_way(text: str, right: bool):
    assert (why(text, MONTHS) == "") is right
