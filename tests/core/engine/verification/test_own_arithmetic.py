"""What an answer works out of its own numbers follows; what these do not come to is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.engine.verification.test_cheats import Told, result, series
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


def why(text: str, *results, question: str = "What was found, such as of two components?") -> str:
    return Told(question, text, results, context=CATALOGUE).why()


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("7,822 of the 100,000 pixels, nearly 8 %, are warmer than 310 K.", (HOT,)),
        ("7,822 pixels are warmer than 310 K, or about 7.8 % of the scene.", (HOT,)),
        ("7,822 pixels are warmer than 310 K; at 400 m2 each that is some 313 ha.", (HOT,)),
        ("12.4 % of the ground is warmer than 310 K, roughly 12,400 of the 100,000 pixels.", (SHARE,)),
        ("The season lasted 140 days, exactly 20 weeks.", (SEASON,)),
        ("Two components carry 99.3 % of the variance of 4 bands.", (PARTS,)),
        ("Classes 4 to 6 have 9.9 km2 together.", (BURNT,)),
        (
            "The hottest scene has 305.86 K (32.7 \u00b0C), about 6 K above that of 2021, with 299.83 K.",
            (HEAT,),
        ),
        ("About 9.1 ha face north and 9.5 ha west, so west is ahead by less than half a hectare.", FACES),
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
        ("Two components carry 97.3 % of the variance of 4 bands.", (PARTS,)),
        ("Classes 4 to 6 have 12.9 km2 together.", (BURNT,)),
        (
            "The hottest scene has 305.86 K (35.7 \u00b0C), about 6 K above that of 2021, with 299.83 K.",
            (HEAT,),
        ),
        ("About 9.1 ha face north and 9.5 ha west, so west is ahead by more than half a hectare.", FACES),
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
