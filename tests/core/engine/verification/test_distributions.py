"""What is said of how values are distributed, of times of records and of shares, held against the results."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result

HIGH = (
    "get_percentile_value_from_image",
    result("get_percentile_value_from_image", 612.4, "m", percentile=80),
)
SKEWED = (
    "image_statistics",
    result("image_statistics", [1.37], "", file_list=["Mura_2021-05-11_EVI.tif"], statistic="skewness"),
)
LINK = ("correlation", result("correlation", {"r": 0.41, "p": 0.02, "n": 31}))
GAPS = (
    "summarize_dates",
    result(
        "summarize_dates",
        {
            "count": 40,
            "dates": 40,
            "first": "2018-03-02",
            "last": "2019-11-17",
            "span_days": 625,
            "longest_gap_days": 48,
            "longest_gap_from": "2018-12-01",
            "longest_gap_to": "2019-01-18",
        },
    ),
)
APART = ("days_between", result("days_between", 640, "days", earlier="2019-01-05", later="2020-10-06"))
SEASONS = (
    "phenology_of_zones",
    result(
        "phenology_of_zones",
        [
            {"zone": 1, "name": "Kras", "start": "2021-04-20", "end": "2021-09-12", "length": 145.2},
            {"zone": 2, "name": "Brda", "start": "2021-03-30", "end": "2021-10-01", "length": 185.4},
        ],
        file_list=[f"Kras_2021-{month:02}-04_NDVI.tif" for month in range(1, 13)],
        zones_path="zones.gpkg",
    ),
)
CHANGED = (
    "change_mask",
    result("change_mask", {"result": "saved", "increase_percent": 2.1, "decrease_percent": 11.6}),
)
COVER = (
    "area_by_class",
    result(
        "area_by_class",
        [
            {"class": 1, "name": "Moor", "pixels": 4100, "area": 41.0, "percent": 41.0},
            {"class": 2, "name": "Heath", "pixels": 3300, "area": 33.0, "percent": 33.0},
            {"class": 3, "name": "Water", "pixels": 2600, "area": 26.0, "percent": 26.0},
        ],
        "ha",
        input_path="Pohorje_cover.tif",
    ),
)
RELIEF = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"zone": 1, "name": "Kras", "min": 220.0, "max": 640.0, "range": 420.0},
            {"zone": 2, "name": "Brda", "min": 90.0, "max": 310.0, "range": 220.0},
        ],
        "m",
        input_path="DEM.tif",
    ),
)
CLOUDY = (
    "image_statistics",
    result(
        "image_statistics",
        [0.0, 41.5, 0.0, 12.0],
        "",
        file_list=[f"Mura_2021-0{n}-11_cloud_mask.tif" for n in (4, 5, 6, 7)],
        statistic="share",
    ),
)
MEANS = (
    "calc_batch_image_mean",
    result(
        "calc_batch_image_mean",
        [0.31, 0.68, 0.44],
        "1",
        file_list=[f"Mura_2021-{day}_EVI.tif" for day in ("04-09", "06-28", "09-30")],
    ),
)
BEARING = ("bearing_between_points", result("bearing_between_points", 214.6, "degree"))
COUNTED = ("count_above_threshold", result("count_above_threshold", 3480, "count", threshold=0.4))
LAND = ("calculate_threshold_ratio", result("calculate_threshold_ratio", 6.4, "%", threshold=500.0))
WRONG = [
    (BEARING, "Go north-west, on a bearing of 214.6°."),
    (COUNTED, "A majority of the pixels, 3,480 out of 8,100, lies above 0.4."),
    (LAND, "Correct: about 11 % of the land, 6.4 km2 in all."),
    (MEANS, "Its bottom was 0.68, on 28 June."),
    (HIGH, "20 % of the pixels lie above 612.4 m, the remaining 80 % lie above it, too."),
    (
        MEANS,
        "It fell from 0.31 on 9 April to its maximum of 0.68 on 28 June and rose to 0.44 by 30 September.",
    ),
    (MEANS, "June was lowest and April highest."),
    (HIGH, "Four fifths of the land lie above 612.4 m."),
    (HIGH, "612.4 m: 80 % of the pixels are higher."),
    (SKEWED, "EVI is skewed to the left (skewness 1.37)."),
    (SKEWED, "With a skewness of 1.37 its tail is on the side of the low values."),
    (LINK, "They are closely linked, r being above 0.7."),
    (GAPS, "From 18 June 2019 on nothing was acquired for 48 days, the longest gap of all."),
    (APART, "The scenes are almost three years apart (640 days)."),
    (SEASONS, "In Brda the season lasted 145 days."),
    (CHANGED, "NDVI increased significantly on 11.6 % of the ground."),
    (COVER, "Moor takes most of the map, i.e. more than 50 %."),
    (RELIEF, "The relief of Kras amounts to 640 m."),
    (RELIEF, "Brda rises to 310 m, which nobody else reaches."),
    (CLOUDY, "Three of the four images contain clouds."),
]
RIGHT = [
    (BEARING, "Go south-west, on a bearing of 214.6°."),
    (MEANS, "Its bottom was 0.31, on 9 April."),
    (LAND, "6.4 % of the land, and not the 11 % that were named."),
    (HIGH, "20 % of the pixels lie above 612.4 m, the remaining 80 % at or below it."),
    (
        MEANS,
        "It rose from 0.31 on 9 April to its maximum of 0.68 on 28 June and fell to 0.44 by 30 September.",
    ),
    (MEANS, "June was highest and April lowest."),
    (HIGH, "One fifth of the land lies above 612.4 m."),
    (HIGH, "612.4 m: 20 % of the pixels are higher."),
    (SKEWED, "EVI is skewed to the right (skewness 1.37)."),
    (GAPS, "The series runs from 2 March 2018 to 17 November 2019. The longest gap lasts 48 days."),
    (APART, "The scenes are 640 days, that is 21 months, apart."),
    (SEASONS, "| Zone | Start | End | Days |\n|---|---|---|---|\n| Brda | 2021-03-30 | 2021-10-01 | 185 |"),
    (CHANGED, "11.6 % of the pixels show a significant decrease, and 2.1 % an increase."),
    (COVER, "Moor takes the largest part, 41 % of the map."),
    (RELIEF, "The relief of Kras amounts to 420 m."),
    (RELIEF, "The single highest point, at 640 m, is in Kras."),
    (CLOUDY, "Two of the four images contain clouds."),
    (CLOUDY, "Of the four images two are free of clouds."),
    (CLOUDY, "On 11 May 2021 41.5 % of the scene was cloudy."),
]


@pytest.mark.parametrize(("found", "text"), WRONG)
def test_what_the_result_does_not_tell_is_unverified(found, text: str):
    assert Told("What was found: is it about 11 %?", text, (found,)).why() != ""


@pytest.mark.parametrize(("found", "text"), RIGHT)
def test_what_the_result_tells_is_answered(found, text: str):
    assert Told("What was found: is it about 11 %?", text, (found,)).why() == ""
