"""Which tools the planner calls in which order, by file names alone."""

from __future__ import annotations

from itertools import groupby

import pytest

from treeline.core.lab.earth_bench import BenchOptions, work_on
from treeline.core.lab.records import Question

pytestmark = pytest.mark.sample(2)

MONTHS = [f"2021-{month:02d}-01" for month in range(1, 13)]


def question_of(text: str, *files: str) -> Question:
    return Question(
        id=1,
        auto_planning=text,
        instruction_following=text,
        files=list(files),
        data_dir="benchmark/data/question1",
        ground_truth=[],
    )


def tools(question: str, *files: str) -> list[str]:
    """Return the tools that are called, a run of one tool as ``name x3``."""
    calls = work_on(question_of(question, *files), BenchOptions())["calls"]
    runs = ((name, len(list(run))) for name, run in groupby(call["tool"] for call in calls))
    return [name if count == 1 else f"{name} x{count}" for name, count in runs][1:]


def series(place: str, variable: str, *dates: str) -> list[str]:
    return [f"{place}_{variable}_{date}.tif" for date in dates]


def landsat(place: str, *dates: str) -> list[str]:
    return [f"{place}_{date}_{band}.tif" for date in dates for band in ("b4", "b5", "BT10")]


LIGHTS = [*series("Graz", "avg_rad", *MONTHS), *series("Linz", "avg_rad", *MONTHS)]
SNOW = [
    f"Tatra_sur_refl_{band}_{year}-{month:02d}-01.tif"
    for band in ("b04", "b06")
    for year in (2018, 2021)
    for month in (1, 2, 3)
]


@pytest.mark.parametrize(
    ("question", "files", "expected"),
    [
        (
            "By how much did the average night light of Graz differ from that of Linz in 2021?",
            LIGHTS,
            ["calc_batch_image_mean x2", "mean x2", "difference"],
        ),
        (
            "How did the coefficient of variation of NDSI in the Tatra change from 2018 to 2021?",
            SNOW,
            ["calculate_ndsi x6", "calc_batch_image_mean x2", "coefficient_of_variation x2", "difference"],
        ),
        (
            "What is the highest LST where NDVI is above 0.6 near Brno on 2020-08-09?",
            landsat("Brno", "2020-08-09"),
            ["lst_single_channel", "calculate_max_lst_by_ndvi"],
        ),
        (
            "List the files first, then derive the surface temperature for each date, and finally give "
            "the mean LST of Brno over all of them.",
            landsat("Brno", "2020-08-09", "2020-08-25"),
            ["lst_single_channel", "calc_batch_image_mean_mean"],
        ),
        (
            "Work out LST from band 10 and the red and NIR bands of Landsat 8; on how many days was more "
            "than 20 % of Brno hotter than 303 K?",
            landsat("Brno", "2020-08-09", "2020-08-25"),
            ["lst_single_channel", "count_images_exceeding_threshold_ratio"],
        ),
        (
            "For the warm months June to August 2020 count the days with more than 35 % of Brno above 301 K.",
            landsat("Brno", "2020-06-09", "2020-07-09", "2020-08-25"),
            ["lst_single_channel", "count_images_exceeding_threshold_ratio"],
        ),
        (
            "Make TVDI from NDVI and LST. Which share of the pixels lies above 0.5?",
            ["Brno_2020-08-09_NDVI.tif", "Brno_2020-08-09_LST.tif"],
            ["compute_tvdi", "calculate_threshold_ratio"],
        ),
        (
            "Did the mean night light of Ireland fall from 2014 to 2020?",
            series("Ireland", "avg_rad", "2014-03-01", "2014-05-01", "2020-03-01", "2020-05-01"),
            ["calc_batch_image_mean x2", "mean x2", "difference"],
        ),
        (
            "Which share of hot spots, 40 % above the mean, do the night lights of Graz have in 2021?",
            series("Graz", "avg_rad", *MONTHS),
            ["calculate_tif_average", "calc_batch_image_mean", "calc_batch_image_hotspot_percentage"],
        ),
        (
            "Output the average map of the night lights of Graz and of Linz in 2021; what is the difference "
            "of the means of the two?",
            LIGHTS,
            ["calculate_tif_average x2", "calc_batch_image_mean x2", "difference"],
        ),
        (
            "Which day had the highest turbidity in the Mondsee?",
            series("Mondsee", "sur_refl_b01", "2021-07-01", "2021-07-02", "2021-07-03"),
            ["calculate_water_turbidity_ntu x3", "calc_batch_image_mean", "max_value_and_index"],
        ),
        (
            "Do the fires of Evia spread? Pixels with MaxFRP above 0 burn; fit a linear trend.",
            series("Evia", "MaxFRP", "2021-08-01", "2021-08-02", "2021-08-03", "2021-08-04"),
            ["calc_batch_fire_pixels", "compute_linear_trend"],
        ),
        (
            "In which direction from the centre do most hotspots with NBR below -0.2 lie in Evia?",
            [f"Evia_sur_refl_{b}_2021-08-{d}.tif" for b in ("b02", "b07") for d in ("05", "13")],
            [
                "calculate_nbr x2",
                "calc_batch_image_hotspot_tif",
                "calculate_composite",
                "analyze_hotspot_direction",
            ],
        ),
        (
            "Pixels with NDSI above 0.4 are snow. What percentage of the Tatra is snow (sur_refl_b04, b06)?",
            SNOW,
            ["calculate_ndsi x6", "calculate_tif_average", "calc_batch_image_hotspot_percentage"],
        ),
        (
            "Mask clouds (QA_PIXEL) and find the date of the highest NDWI of Neusiedl from SR_B3 and SR_B5.",
            [f"Neusiedl_{b}_2020-0{m}-05.tif" for m in (5, 6) for b in ("SR_B3", "SR_B5", "QA_PIXEL")],
            [*["apply_cloud_mask x2", "calculate_ndwi"] * 2, "calc_batch_image_mean", "max_value_and_index"],
        ),
        (
            "Identify the fire-prone areas of Evia by MaxFRP.",
            series("Evia", "MaxFRP", "2021-08-01", "2021-08-02"),
            ["calc_batch_image_hotspot_tif", "summarize_stack", "identify_fire_prone_areas"],
        ),
        (
            "Retrieve LST near Brno and report its highest daily mean.",
            landsat("Brno", "2020-08-09", "2020-08-25"),
            ["lst_single_channel", "calc_batch_image_mean_max"],
        ),
        (
            "Fit a linear trend to the yearly mean night lights of Graz.",
            series("Graz", "avg_rad", *(f"{year}-06-01" for year in range(2014, 2022))),
            ["calc_batch_image_mean", "compute_linear_trend"],
        ),
        (
            "Give Sen's slope of the night lights of Graz.",
            series("Graz", "avg_rad", *MONTHS),
            ["calc_batch_image_mean", "sens_slope"],
        ),
        (
            "Is there a trend in the night lights of Graz?",
            series("Graz", "avg_rad", *MONTHS),
            ["calc_batch_image_mean", "compute_linear_trend", "mann_kendall_test"],
        ),
    ],
)
def test_the_way_to_a_number(question: str, files: list[str], expected: list[str]) -> None:
    called = tools(question, *files)
    assert called[: len(expected)] == expected


def test_a_trend_is_one_of_all_dates_with_its_significance() -> None:
    dates = [f"{year}-{month:02d}-01" for year in range(2013, 2019) for month in (2, 5, 8)]
    called = tools(
        "How do the night lights of Graz develop: is there a trend?", *series("Graz", "avg_rad", *dates)
    )
    assert called == ["calc_batch_image_mean", "compute_linear_trend", "mann_kendall_test"]


@pytest.mark.parametrize("day", ["2021-06-12", "2020-06-09", "2021-07-30"])
def test_a_day_that_is_not_there_is_left_out_and_said(day: str) -> None:
    asked = question_of(f"What was the mean NDVI on {day}?", "Enns_2021-06-09_NDVI.tif")
    row = work_on(asked, BenchOptions())
    assert row["status"] == "unverified" and row["reason"].startswith("Only a part of the question was read")
    assert row["answer"] is None and row["choice"] is None, "no pixel was read"


def test_the_options_tell_the_unit() -> None:
    asked = question_of("What was the mean temperature on 2021-01-04?", *series("Enns", "B10", "2021-01-04"))
    row = work_on(asked.model_copy(update={"choices": ("-3 °C", "-5 °C")}), BenchOptions())
    assert row["calls"][-1]["tool"] == "kelvin_to_celsius"


PAIR = ["north_pre.png", "north_post.png", "south_pre.png", "south_post.png"]


@pytest.mark.parametrize(
    ("question", "files", "expected"),
    [
        (
            "Where were more buildings lost after the flood, north or south?",
            PAIR,
            ["ChangeOS x2", "calculate_area x2"],
        ),
        (
            "Count the buildings that collapsed in the earthquake.",
            PAIR[:2],
            ["ChangeOS", "count_skeleton_contours"],
        ),
        ("Detect all tennis courts and give their centroids.", ["town.png"], ["SM3Det", "bboxes2centroids"]),
        (
            "Segment every roundabout: which picture has the largest area of all roundabouts?",
            ["A.png", "B.png"],
            ["SM3Det x2", "SAM2 x2", "calculate_area x2"],
        ),
        (
            "How far is it between the two planes that are farthest from each other (GSD = 0.3 m/px)?",
            ["apron.png"],
            ["SM3Det", "bboxes2centroids", "centroid_distance_extremes", "multiply"],
        ),
        (
            "What is the total area of all harbors by their bounding boxes (GSD = 0.5 m/px)?",
            ["port.png"],
            ["SM3Det", "calculate_bbox_area"],
        ),
    ],
)
def test_the_way_through_pictures(question: str, files: list[str], expected: list[str]) -> None:
    assert tools(question, *files) == expected
