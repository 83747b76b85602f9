"""Answers as a language model words them by itself: right ones, and such with one false statement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import Observation, ProductRecord

LEGEND = {
    "holdings": "@landcover classes: 1 Water, 2 Cropland, 3 Broadleaf forest, 4 Conifer forest, 5 Bare",
    "catalogue": "@lst; 2 rasters; 600 x 600 pixels of 20 x 20 m (EPSG:32633); Valley",
}
DAYS = ["Valley_2021-06-19_LST.tif", "Valley_2022-06-15_LST.tif"]
ZONES = [
    {"zone": 1, "name": "Bovec", "area_ha": 3600.0, "shares": {"2": 15.9, "3": 32.0, "4": 48.7, "5": 3.4}},
    {"zone": 2, "name": "Tolmin", "area_ha": 3900.0, "shares": {"2": 40.2, "3": 36.9, "4": 20.1, "5": 2.8}},
]
SHARES = ("zonal_class_shares", result("zonal_class_shares", ZONES, "%", input_path="Valley_LULC.tif"))
HEAT = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [
            {"1": 293.3, "2": 299.8, "3": 294.0, "4": 292.8, "5": 302.4},
            {"1": 295.4, "2": 304.9, "3": 299.4, "4": 298.3, "5": 307.7},
        ],
        "K",
        file_list=DAYS,
        classes_path="Valley_LULC.tif",
    ),
)
AREAS = [
    {"class": n, "name": name, "pixels": 25 * area, "area": float(area), "percent": area / 10}
    for n, (name, area) in enumerate(
        (
            ("Water", 60),
            ("Cropland", 300),
            ("Broadleaf forest", 330),
            ("Conifer forest", 250),
            ("Bare", 60),
        ),
        1,
    )
]
COVER = ("area_by_class", result("area_by_class", AREAS, "ha", input_path="Valley_LULC.tif"))
BELTS = (
    (
        "area_by_class",
        result(
            "area_by_class",
            [
                {"class": 1, "name": "bare ground below 700 m", "pixels": 900, "area": 36.0, "percent": 37.5},
                {"class": 2, "name": "bare ground from 700 m", "pixels": 1500, "area": 60.0, "percent": 62.5},
            ],
            "ha",
            input_path="belts.tif",
        ),
    ),
    (
        "statistics_by_class",
        result(
            "statistics_by_class",
            [{"1": 305.2, "2": 311.4}],
            "K",
            file_list=DAYS[1:],
            classes_path="belts.tif",
        ),
    ),
    ("calc_batch_image_min", result("calc_batch_image_min", [231.0], "m", file_list=["Valley_DEM.tif"])),
)
LANDSCAPE = (
    "landscape_metrics",
    result(
        "landscape_metrics",
        {
            "classes": [
                {"class": 1, "area_ha": 60.0, "percent": 0.42, "patches": 2, "largest_patch_index": 0.3},
                {
                    "class": 3,
                    "area_ha": 3976.0,
                    "percent": 27.6,
                    "patches": 1340,
                    "largest_patch_index": 15.0,
                },
                {
                    "class": 4,
                    "area_ha": 3287.1,
                    "percent": 22.8,
                    "patches": 1153,
                    "largest_patch_index": 19.53,
                },
            ],
            "patches": 4390,
        },
        input_path="Valley_LULC.tif",
    ),
)
MEAN = ("calc_batch_image_mean", result("calc_batch_image_mean", [305.8601], "K", file_list=DAYS[1:]))
CELSIUS = ("kelvin_to_celsius", result("kelvin_to_celsius", 32.71, "degC", kelvin=305.86))
NDVI = (
    "calc_batch_image_mean",
    series([0.391, 0.406], ["Valley_2015-07-11_N.tif", "Valley_2015-09-09_N.tif"], "1"),
)
CLOUDS = (
    "calc_batch_image_mean",
    series([0.139, 0.357], ["V_2021-08-24_CLM.tif", "V_2021-10-05_CLM.tif"], "class"),
)
HIGH = (
    "statistics_by_class",
    result("statistics_by_class", [{"3": 7.5, "4": 50.6}], statistic="share", classes_path="c.tif"),
)
GREEN = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"date": "2022-06-15", "2": 79.8, "3": 99.8, "4": 98.1}],
        "",
        file_list=["green_2022-06-15.tif"],
        classes_path="Valley_LULC.tif",
        statistic="share",
    ),
)
MARKED = (
    "calculate_batch_formula",
    result(
        "calculate_batch_formula", "green", formula="a > 0.5", rasters={"a": ["Valley_2022-06-15_NDVI.tif"]}
    ),
)
FITS = (
    "raster_correlation",
    result("raster_correlation", {"r": -0.59, "slope": -0.01872, "intercept": 310.2, "pixels": 360000}),
)
PER_HUNDRED = ("calculate", result("calculate", -1.872, "", formula="100 * s", values={"s": -0.01872}))
FACING = (
    "calc_batch_image_mean",
    result("calc_batch_image_mean", [0.7110], "1", file_list=["south_2022-06-15.tif"]),
)
FACES = ("mask_slopes_facing", result("mask_slopes_facing", "south.tif", directions=["south"]))
DATES_OF_YEAR = [f"Valley_2022-{day}_LST.tif" for day in ("04-08", "07-18", "10-04")]
OF_DATES = tuple(
    (
        "image_statistics",
        Observation(
            "result",
            "; ".join(f"2022-{d} {n}" for d, n in zip(("04-08", "07-18", "10-04"), numbers, strict=True)),
            value=numbers,
            arguments={"file_list": DATES_OF_YEAR, "statistic": statistic},
            unit="K",
        ),
    )
    for statistic, numbers in (("mean", [288.69, 305.86, 289.74]), ("std", [3.36, 4.42, 2.84]))
)
ROSE = ("calculate_area", result("calculate_area", 97.05, "%", input_path="up.tif", statistic="share"))
FELL = ("calculate_area", result("calculate_area", 2.12, "%", input_path="down.tif", statistic="share"))
FRAGMENTS = [
    {"class": 3, "patches": 18, "mean_patch_ha": 0.99, "shannon_diversity": 0.787, "shannon_evenness": 0.44},
    {"class": 4, "patches": 28, "mean_patch_ha": 0.13, "shannon_diversity": 0.787, "shannon_evenness": 0.44},
]
PATCHES = ("landscape_metrics", result("landscape_metrics", FRAGMENTS, "", input_path="Valley_LULC.tif"))
STEEP = ("calc_slope", result("calc_slope", {"broadleaf": 13.9, "conifer": 23.3}, "degree"))
HECTARES = ("calculate", result("calculate", 90.0, "", formula="a * b / 100", values={"a": 300.0, "b": 30.0}))

HOT = ("calculate", result("calculate", 151.8, "", formula="a * b / 100", values={"a": 300.0, "b": 50.6}))
GREEN_MASK = (
    "raster_calculator",
    Observation(
        "result",
        "wrote green.tif (@mask): mask [class], 2022-06-15",
        value="Result saved at green.tif",
        arguments={"formula": "n > 0.6", "rasters": {"n": "Valley_2022-06-15_NDVI.tif"}},
        products=(ProductRecord("green.tif", "green.tif", "mask", "class", date="2022-06-15"),),
    ),
)
BY_ZONE = [
    {"zone": 1, "name": "Bovec", "sum": 38043.0, "count": 90000.0, "mean": 0.4227},
    {"zone": 2, "name": "Tolmin", "sum": 90600.0, "count": 97500.0, "mean": 0.9292},
]
OF_MASK = ("zonal_statistics", result("zonal_statistics", BY_ZONE, "class", input_path="green.tif"))
IN_HECTARES = (
    "calculate",
    result("calculate", [1521.7, 3624.0], "", formula="a * 20 * 20 / 1e4", values={"a": [38043.0, 90600.0]}),
)
OWN_ZONES = (
    "raster_calculator",
    Observation(
        "result",
        "wrote zones.tif (@landcover-made): landcover [class]",
        value="Result saved at zones.tif",
        arguments={"formula": "where(s < 10, 2, 3)", "rasters": {"s": "slope.tif"}},
        products=(ProductRecord("zones.tif", "zones.tif", "landcover", "class"),),
    ),
)
OF_OWN_ZONES = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"2": 0.612, "3": 0.636}],
        "index",
        file_list=["Valley_2022-06-15_NDVI.tif"],
        classes_path="zones.tif",
    ),
)

PART = ("calculate", result("calculate", 75.76, "", formula="100 * a / b", values={"a": 250.0, "b": 330.0}))
NAMED_LATER = (
    "area_by_class",
    result(
        "area_by_class",
        [{"class": 2, "name": "north", "area": 40.0}, {"class": 3, "name": "south", "area": 60.0}],
        "ha",
        input_path="zones.tif",
        class_names={"2": "north", "3": "south"},
    ),
)

YEARS = ("2021-06-19", "2021-07-22", "2022-06-15", "2022-07-18")
LOW = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"date": "2021-06-19", "1": 0.0, "2": 2.4, "3": 1.1, "4": 0.3, "5": 18.2}],
        "%",
        file_list=["low.tif"],
        classes_path="Valley_LULC.tif",
        statistic="share",
    ),
)
HEIGHTS = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"1": 215.0, "2": 722.0, "3": 337.0, "4": 510.0, "5": 228.0}],
        "m",
        file_list=["Valley_DEM.tif"],
        classes_path="Valley_LULC.tif",
    ),
)
CHANGED = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"2": -0.017, "3": -0.051, "4": -0.042}],
        "",
        file_list=["change.tif"],
        classes_path="Valley_LULC.tif",
    ),
)
GREEN_DATES = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"2": 0.715, "3": 0.720, "4": 0.736}, {"2": 0.592, "3": 0.669, "4": 0.694}],
        "1",
        file_list=["Valley_2016-07-11_NDVI.tif", "Valley_2017-08-30_NDVI.tif"],
        classes_path="Valley_LULC.tif",
    ),
)


def _of_years(*numbers: float) -> tuple[str, Observation]:
    files = [f"Valley_{day}_LST.tif" for day in YEARS]
    return "calc_batch_image_mean", series(list(numbers), files, "K")


CLEAR = (
    "summarize_dates",
    result("summarize_dates", {"count": 12, "by_year": {"2021": 5, "2022": 7}}, file_list="@lst"),
)
SOUTH = (
    "mask_slopes_facing",
    Observation(
        "result",
        "wrote so.tif (@mask): mask [class]",
        value="Result saved at so.tif",
        arguments={"dem_path": "Valley_DEM.tif", "directions": ["south"]},
        products=(ProductRecord("so.tif", "so.tif", "mask", "class"),),
    ),
)
OF_SOUTH = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"date": "2022-06-15", "0": 0.409, "1": 0.542}],
        "index",
        file_list=["Valley_2022-06-15_NDVI.tif"],
        classes_path="so.tif",
    ),
)
CROSSED = (
    "class_transitions",
    result(
        "class_transitions",
        {
            "transitions": [
                {"before": "3", "after": "1", "pixels": 1638, "area": 65.5},
                {"before": "4", "after": "1", "pixels": 4484, "area": 179.4},
                {"before": "4", "after": "0", "pixels": 1000, "area": 40.0},
            ]
        },
        "ha",
        before_path="Valley_LULC.tif",
        after_path="so.tif",
    ),
)

RIGHT = {
    "the most by share where pixels tell another": Told(
        "Which class has the largest share of its area below the limit?",
        "Bare ground has the largest share, 18.2 % (of 1,500 pixels), ahead of cropland with 2.4 %.",
        (COVER, LOW),
    ),
    "the most between other dates": Told(
        "Which class changed most?",
        "From 2016 to 2017 broadleaf forest fell most, by 0.051, ahead of conifer forest (0.042).",
        (GREEN_DATES, CHANGED),
    ),
    "margins one after the other": Told(
        "How do the classes compare on 15 June 2022?",
        "On 15 June 2022 bare ground had 307.7 K, cropland 304.9 K, conifer forest 298.3 K, water 295.4 K. "
        "Bare ground is 12.3 K hotter than water and 9.4 K hotter than conifer forest.",
        (HEAT,),
    ),
    "each month against its own": Told(
        "Was 2022 warmer?",
        "Every scene of 2022 was warmer than its counterpart of 2021, by 5.4 K in June.",
        (_of_years(296.3, 302.0, 301.7, 305.9),),
    ),
    "a part of a spread": Told(
        "How far apart are they?",
        "Cropland and bare ground differ by 2.6 K on 19 June 2021, a third of the spread in conifer forest.",
        (COVER, HEAT),
    ),
    "a list that adds up": Told("How many are there?", "12 scenes: 5 in 2021 and 7 in 2022.", (CLEAR,)),
    "the others of a number": Told(
        "How fragmented is it?", "Broadleaf forest has 18 patches; the other 17 are small.", (PATCHES,)
    ),
    "marks are no classes of the map": Told(
        "How green are south slopes?",
        "South-facing slopes have a mean NDVI of 0.542 on 15 June 2022.",
        (SOUTH, OF_SOUTH),
    ),
    "a cross table of the map and a mask": Told(
        "What is on the south slopes?",
        "Of the south slopes 179.4 ha are conifer forest and 65.5 ha broadleaf forest.",
        (SOUTH, CROSSED),
    ),
    "a rank beside the height": Told(
        "How does the temperature of the classes go with their elevation?",
        "Cropland, though the highest at 722 m, is still the second hottest.",
        (HEIGHTS, HEAT),
    ),
    "two numbers behind two classes": Told(
        "How warm was it?",
        "On 19 June 2021 bare ground was warmest, well ahead of cropland (302.4 and 299.8 K).",
        (HEAT,),
    ),
    "as precise as something": Told(
        "How warm was it?", "305.9 K. The number is only as precise as the forest is even.", (MEAN,)
    ),
    "zones that another call named": Told(
        "How green are north and south slopes?",
        "On 15 June 2022 north slopes had a mean NDVI of 0.612 and south slopes 0.636.",
        (OWN_ZONES, OF_OWN_ZONES, NAMED_LATER),
    ),
    "the most by share, with hectares in brackets": Told(
        "Which class leads by its hot share?",
        "By share conifer forest leads with 75.8 % (250 ha).",
        (COVER, PART),
    ),
    "its own largest": Told(
        "How fragmented are the forests?",
        "Conifer forest has 28 patches; its own largest patch is no rarity. Broadleaf forest has 18.",
        (PATCHES,),
    ),
    "a range of changes": Told(
        "How did the surface change from June 2021 to June 2022?",
        "Every class warmed, by 2.1 K over water and by 5.1 to 5.5 K on land.",
        (HEAT,),
    ),
    "the most of changes by what was before and after": Told(
        "How did the surface change from June 2021 to June 2022?",
        "All classes warmed, the most conifer forest (292.8 K to 298.3 K).",
        (HEAT,),
    ),
    "the most of another quantity than the table": Told(
        "Which class has the most hot land?",
        "In hectares cropland leads, with about 152 ha above 300 K.",
        (HEAT, COVER, HIGH, HOT),
    ),
    "what was masked": Told(
        "Which dates are doubtful?", "That of 5 October, as 35.7 % of the area was masked.", (CLOUDS,)
    ),
    "a part of a mask beside the limit of that": Told(
        "How many hectares of each region had an NDVI above 0.6?",
        "Hectares with an NDVI above 0.6 on 15 June 2022: Bovec 1,522, 42 % of it, and Tolmin 3,624.",
        (GREEN_MASK, OF_MASK, IN_HECTARES),
    ),
    "zones that a formula numbered": Told(
        "How green is gentle and steep ground?",
        "On 15 June 2022 gentle ground (zone 2) had a mean NDVI of 0.612, steep ground (zone 3) 0.636.",
        (OWN_ZONES, OF_OWN_ZONES),
    ),
    "dates beside an option": Told(
        "Which class was warmer?",
        "Bare ground was the warmest. The cloudy 24 August 2021 was left out.",
        (HEAT, CLOUDS),
        choices=("cropland", "bare"),
        choice="B",
    ),
    "a count before its list": Told(
        "When was it above 289 K?",
        "Two: 18 July 2022 (305.86 K) and 4 October 2022 (289.74 K).",
        OF_DATES[:1],
    ),
    "an interpretation": Told(
        "How warm was it?", "It was 305.9 K, a hot day for vegetation rather than a catastrophe.", (MEAN,)
    ),
    "a kind of classes": Told(
        "Which has most forest?", "Bovec, with 80.7 % (32.0 % broadleaf and 48.7 % conifer).", (SHARES,)
    ),
    "mostly of a kind": Told(
        "What is Tolmin?", "Tolmin is mostly forest: 36.9 % broadleaf, 20.1 % conifer.", (SHARES,)
    ),
    "another unit of a table": Told(
        "How many regions?", "Bovec has 15.9 % cropland, just under a sixth.", (SHARES,)
    ),
    "a range of several": Told(
        "How warm were the forests in 2021?", "On 19 June 2021 both forests lay at 292.8 to 294.0 K.", (HEAT,)
    ),
    "the warmest behind": Told(
        "Which was coolest on 19 June 2021?",
        "Conifer forest was the coolest on 19 June 2021, at 292.8 K. The warmest, bare ground, had 302.4 K.",
        (HEAT,),
    ),
    "a share of clouds": Told(
        "How cloudy was it?", "24 August 2021 had 13.9 % cloud, 5 October 35.7 %.", (CLOUDS,)
    ),
    "a limit of another quantity": Told(
        "How much of the conifer forest lies above 500 m?",
        "About half: 50.6 % of the conifer forest.",
        (HIGH,),
    ),
    "hectares that were computed": Told("How large is it?", "A part of it covers 90 ha.", (COVER, HECTARES)),
    "an extent": Told(
        "How large is the scene?", "The scene is 12 km by 12 km, 14,400 ha; bare ground is 60 ha.", (COVER,)
    ),
    "a limit that chose pixels": Told(
        "What part of the cropland was green?",
        "79.8 % of the cropland had an NDVI above 0.5 on 15 June 2022.",
        (MARKED, GREEN),
    ),
    "a size of a sample": Told(
        "How are they related?", "The correlation is -0.59 over 360,000 pixels.", (FITS,)
    ),
    "so much per height": Told(
        "Does it fall with height?",
        "It decreases with elevation, by a slope of -1.87 K per 100 m.",
        (FITS, PER_HUNDRED),
    ),
    "what a tool takes of itself": Told(
        "How green are south-facing slopes?",
        "0.711 on 15 June 2022; ground below 8 % counts as level.",
        (FACES, FACING),
    ),
    "what is not there": Told(
        "How warm was it?",
        "305.9 K on 15 June 2022. Precipitation and soil moisture are not stored.",
        (MEAN,),
    ),
    "a day without its year": Told(
        "Which days of 2022 were cool?",
        "In 2022 it had 288.69 K on 8 April and 289.74 K on 4 October.",
        OF_DATES,
    ),
    "a reason of method": Told(
        "How warm was it?", "305.9 K; 12 May was left out because it is fully clouded.", (MEAN,)
    ),
    "what is left of a whole": Told(
        "What part rose?", "97.05 % rose and 2.12 % fell; the remaining 0.83 % did not change.", (ROSE, FELL)
    ),
    "quantities of a table": Told(
        "How fragmented is it?",
        "Shannon diversity is 0.79, evenness 0.44; broadleaf forest has 18 patches with 0.99 ha on average.",
        (PATCHES,),
    ),
    "ranks of a table": Told(
        "Rank the classes.",
        "| Rank | Class | ha |\n|---|---|---|\n| 1 | Broadleaf forest | 330 |\n| 2 | Cropland | 300 |\n"
        "| 3 | Conifer forest | 250 |",
        (COVER,),
    ),
    "a gap": Told(
        "How did the forests compare?",
        "The gap between the forests shrank from 2021 to 2022: 1.2 K against 1.1 K.",
        (HEAT,),
    ),
    "a guess at pixels": Told(
        "Which is warmest?",
        "Bare ground, at 302.4 K on 19 June 2021; single pixels of cropland may well be warmer than it.",
        (HEAT,),
    ),
    "a guess at waters": Told(
        "How large is the water?", "60 ha; ponds smaller than a 20 m pixel may be missed.", (COVER,)
    ),
    "the largest patch, and its area": Told(
        "Which class has the largest patch?",
        "The largest single patch is one of conifer forest: 19.53 % of the scene, or about 2,812 ha.",
        (LANDSCAPE,),
    ),
    "a converted temperature of its date": Told(
        "When was the surface hottest?",
        "The warmest of the three scenes is that of 18 July 2022, with a mean of 305.9 K (32.7 °C).",
        (*OF_DATES, CELSIUS),
    ),
    "a bare majority": Told(
        "Is it mostly forest?", "The two forests take 50.4 %, which is a bare majority.", (LANDSCAPE,)
    ),
    "a class of the run named with a limit": Told(
        "How warm is the land by height?",
        "From 700 m up it is the open ground that is warm: 311.4 K on 60 ha of bare ground. "
        "The lowest pixel lies at 231 m.",
        BELTS,
    ),
    "an order that is not stable": Told(
        "Compare cropland and bare ground.",
        "The order is not stable: cropland was the cooler of the two with 299.8 K on 19 June 2021.",
        (HEAT,),
    ),
    "a lead that shrank": Told(
        "Which class warmed most?",
        "Bare ground warmed by only 5.3 K, so its lead over cropland grew from 2.6 to 2.8 K.",
        (HEAT,),
    ),
    "set against its size": Told(
        "Where is it hot?",
        "Relative to its area bare ground is five times as often hot as cropland.",
        (COVER, HEAT),
    ),
}
FALSE = {
    "a month that was cooler than its own": Told(
        "Was 2022 warmer?",
        "Every scene of 2022 was warmer than its counterpart of 2021.",
        (_of_years(296.3, 302.0, 301.7, 301.9),),
    ),
    "what fell less": Told(
        "Which fell more?", "Conifer forest fell more (0.042) than broadleaf forest (0.051).", (CHANGED,)
    ),
    "a class of a cross table": Told(
        "What is on the south slopes?",
        "Of the south slopes 179.4 ha are broadleaf forest and 65.5 ha conifer forest.",
        (SOUTH, CROSSED),
    ),
    "the most by another share": Told(
        "Which class has the largest share of its area below the limit?",
        "Cropland has the largest share, 2.4 % (of 7,500 pixels), ahead of bare ground.",
        (COVER, LOW),
    ),
    "zones that another call named the other way": Told(
        "How green are north and south slopes?",
        "On 15 June 2022 north slopes had a mean NDVI of 0.636 and south slopes 0.612.",
        (OWN_ZONES, OF_OWN_ZONES, NAMED_LATER),
    ),
    "all of so many that are not": Told(
        "Which classes were warm on 19 June 2021?",
        "All five classes lay above 293 K on 19 June 2021.",
        (HEAT,),
    ),
    "a part of one in per cent": Told(
        "How cloudy was it?", "Only 0.36 % of the scene of 5 October 2021 was cloudy.", (CLOUDS,)
    ),
    "a region with the most of a class": Told(
        "Which region has most conifers?", "Tolmin has the highest share of conifer forest.", (SHARES,)
    ),
    "the largest in two units": Told(
        "Which class is the largest?", "Cropland is the largest class, with 3 km² or 30 %.", (COVER,)
    ),
    "a ratio that is none": Told(
        "How green is the forest?",
        "Conifer forest had an NDVI of 0.58.",
        (ROSE, ("calculate_area", result("calculate_area", 56.3, "%", input_path="a.tif"))),
    ),
    "a row of another class": Told(
        "How much of Tolmin is cropland?", "Cropland covers 15.9 % of Tolmin.", (SHARES,)
    ),
    "no class lies higher": Told(
        "How warm was bare ground?",
        "Cropland had 299.8 K on 19 June 2021. No other class was warmer than cropland.",
        (HEAT,),
    ),
    "warmer than every other": Told(
        "How warm was it?",
        "Cropland, at 299.8 K on 19 June 2021, was warmer than every other class.",
        (HEAT,),
    ),
    "the third of an order": Told(
        "Rank them.", "Cropland is the second largest class and bare ground the third.", (COVER,)
    ),
    "a mean as median": Told(
        "How hot was it?", "The median temperature was 32.7 °C (305.86 K).", (MEAN, CELSIUS)
    ),
    "clouds that nobody took out": Told("How warm was it?", "305.9 K, with cloudy pixels left out.", (MEAN,)),
    "a fall that rose": Told(
        "How did it change?",
        "It went down by 0.015 from 11 July to 9 September 2015; September was drier.",
        (NDVI,),
    ),
    "more than twice": Told(
        "Which is steeper?",
        "Broadleaf stands on 13.9°, conifer on 23.3°, which is more than twice as steep.",
        (STEEP,),
    ),
    "a list in another order": Told(
        "List them.",
        "Largest first:\n- Cropland: 300 ha\n- Broadleaf forest: 330 ha\n- Water: 60 ha",
        (COVER,),
    ),
    "a list beyond a limit": Told(
        "Which are warm?", "Two were warmer than 301 K: bare ground (302.4) and cropland (299.8).", (HEAT,)
    ),
    "the coolest on every date": Told(
        "How warm was water?",
        "Water was the coolest class on every date, with 293.3 K on 19 June 2021.",
        (HEAT,),
    ),
    "the warmest class of its date": Told(
        "When was cropland warm?", "On 19 June 2021 cropland was the warmest class, at 299.8 K.", (HEAT,)
    ),
    "the coldest of a table": Told(
        "Give the mean and the standard deviation of each date.",
        "It was hottest on 2022-07-18 and coldest on 2022-10-04, at 289.74 K.",
        OF_DATES,
    ),
    "a day within its month": Told(
        "When was it hottest in July 2022?",
        "The highest value falls in July 2022: 305.86 K on 4 October 2022.",
        OF_DATES,
    ),
    "another warmed more": Told(
        "How much warmer was June 2022 than June 2021?",
        "Cropland warmed by 5.1 K, broadleaf forest by 5.4 K. "
        "The warming was stronger over cropland than over broadleaf forest.",
        (HEAT,),
    ),
    "more than twice of its own numbers": Told(
        "Which is steeper?", "Conifer (23.3°) is more than twice as steep as broadleaf (13.9°).", (STEEP,)
    ),
    "a converted temperature of another date": Told(
        "When was the surface hottest?",
        "The warmest of the three scenes is that of 4 October 2022, with a mean of 305.9 K (32.7 °C).",
        (*OF_DATES, CELSIUS),
    ),
    "the largest patch of another": Told(
        "Which class has the largest patch?",
        "The largest single patch is one of broadleaf forest: 19.53 % of the scene.",
        (LANDSCAPE,),
    ),
    "an area that is no part of the scene": Told(
        "How large is the largest patch?",
        "The largest patch of conifer forest takes 19.53 % of the scene, or about 2,412 ha.",
        (LANDSCAPE,),
    ),
    "an event": Told("How warm was it?", "It was 305.9 K after a wildfire.", (MEAN,)),
}


def _with_legend(told: Told) -> Told:
    return replace(told, context=LEGEND)


@pytest.mark.parametrize("name", RIGHT)
def test_what_a_model_says_rightly_in_its_own_words_is_answered(name: str):
    assert _with_legend(RIGHT[name]).why() == ""


@pytest.mark.parametrize("name", FALSE)
def test_one_false_statement_beside_right_ones_is_unverified(name: str):
    assert _with_legend(FALSE[name]).why() != ""
