"""Misstatements of results in other words, tools and notations, and honest statements of the same results."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.reasons import reasons
from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import Observation, ProductRecord

LST_FILES = [f"Sava_2019-0{month}-14_LST.tif" for month in (4, 5, 6, 7, 8)]
LST = ("calc_batch_image_mean", series([288.412, 293.655, 299.128, 303.871, 301.046], LST_FILES, "K"))
MINIMA = ("calc_batch_image_min", series([271.35, 275.88, 281.4, 286.02, 284.77], LST_FILES, "K"))
HOTTEST = ("calc_batch_image_max", series([311.902], LST_FILES[3:4], "K"))
COVER = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [
            {"class": 11, "name": "Vineyard", "pixels": 18_200, "area": 182.0, "percent": 6.5},
            {"class": 12, "name": "Orchard", "pixels": 44_310, "area": 443.1, "percent": 15.8},
            {"class": 13, "name": "Arable", "pixels": 217_490, "area": 2174.9, "percent": 77.7},
        ],
        "ha",
        input_path="Sava_LULC.tif",
    ),
)
BURNT = ("calculate_area", result("calculate_area", 1_234.5, "ha", input_path="Sava_2019-08-14_dNBR.tif"))
WET = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 3.75, "%", image_path="Sava_2019-06-14_NDWI.tif", threshold=0.3),
)
CHANGE = ("difference", result("difference", -0.0834, "1", first="Sava_2018_NDVI.tif"))
FLAT = (
    "mann_kendall_test",
    result("mann_kendall_test", {"trend": "increasing", "p": 0.004, "z": 2.9, "tau": 0.61, "slope": 0.0147}),
)
SHIPS = ("count_objects", result("count_objects", 17, "", image_path="Koper_2020-05-01_RGB.tif"))
SLOPE = ("calc_batch_image_mean", result("calc_batch_image_mean", 14.37, "deg", image_path="Sava_slope.tif"))
CHILLED = (
    "calc_batch_image_mean",
    result("calc_batch_image_mean", [-4.18], "degC", file_list=["Sava_2019-01-14_LST.tif"]),
)
FAULTY = (
    "calc_batch_image_mean",
    Observation("result", "[29886.0]", value=[29886.0], unit="K", doubts=("29886 K is no temperature.",)),
)
FAILED = ("calc_batch_image_mean", Observation("failure", "No file Sava_2022.tif; the limit is 0.7711."))
INDEX = (
    "calculate_ndvi",
    Observation(
        "result",
        "saved",
        value="ndvi.tif",
        unit="1",
        products=(ProductRecord("ndvi.tif", "n", "ndvi", "1", minimum=-0.21, maximum=0.88, mean=0.4417),),
    ),
)
NDVI_FILES = ["Sava_2018-06-14_NDVI.tif", "Sava_2020-06-14_NDVI.tif"]
GREENER = ("calc_batch_image_mean", series([0.31, 0.36], NDVI_FILES, "1"))
ZONES = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"zone": 1, "name": "Krško", "mean": 0.512, "min": 0.11, "max": 0.83},
            {"zone": 2, "name": "Brežice", "mean": 0.448, "min": 0.09, "max": 0.79},
            {"zone": 3, "name": "Sevnica", "mean": 0.607, "min": 0.2, "max": 0.86},
        ],
        "1",
        input_path="Sava_2019-06-14_NDVI.tif",
    ),
)
ON_JUNE = "What was the mean surface temperature on 14 June 2019?"

CHEATS = {
    # dates
    "the mean of the month after": Told(ON_JUNE, "It was 303.87 K.", (LST,), 303.87, "K"),
    "the month after in celsius": Told(ON_JUNE, "It was 30.72 °C.", (LST,), 30.72, "degC"),
    "the right number of a wrong month": Told(ON_JUNE, "In July 2019 it was 299.13 K.", (LST,)),
    "the hottest month": Told("In which month was it hottest?", "August 2019 was the hottest month.", (LST,)),
    "the coldest month": Told("When was it coldest?", "The coldest date was 14.05.2019.", (LST,)),
    "a year that was not looked at": Told("How warm was it in summer?", "In 2021 it was 303.87 K.", (LST,)),
    "a season that was not looked at": Told("How was it?", "In January 2019 it was 288.4 K.", (LST,)),
    "the number and the date of another month": Told(
        ON_JUNE, "On 2019-05-14 it was 293.66 K.", (LST,), 293.66, "K"
    ),
    "the number and the name of another class": Told(
        "How large is orchard?", "Vineyard has 182.0 ha.", (COVER,), 182.0
    ),
    # units
    "kelvin with a sign of celsius": Told(ON_JUNE, "299.1 °C", (LST,), 299.1, "degC"),
    "celsius shifted the wrong way": Told(ON_JUNE, "It was 572.28 K.", (LST,), 572.28, "K"),
    "celsius shifted by 273": Told(ON_JUNE, "It was 26.13 °C.", (LST,), 26.13, "degC"),
    "per cent as a share of one": Told(
        "Which share is wet?", "A share of 3.75 of it is wet.", (WET,), 3.75, "1"
    ),
    "per cent thousandfold": Told("Which share is wet?", "37.5 % is wet.", (WET,), 37.5, "%"),
    "hectares as square kilometres": Told("How much burnt?", "1,234.5 km² burnt.", (BURNT,)),
    "hectares as a tenth": Told("How much burnt?", "123.45 ha burnt.", (BURNT,)),
    "pixels called hectares": Told("How large is arable land?", "217,490 ha are arable.", (COVER,)),
    "hectares called pixels": Told("How many pixels are arable?", "2174.9 pixels.", (COVER,)),
    "degrees of slope as per cent": Told("How steep is it?", "The slope is 14.37 %.", (SLOPE,), 14.37, "%"),
    "degrees of slope as a temperature": Told("How is it?", "It is 14.37 °C.", (SLOPE,), 14.37, "degC"),
    # signs and rounding
    "the sign left out": Told("What is the mean temperature?", "It is 4.18 °C.", (CHILLED,), 4.18, "degC"),
    "the sign turned": Told("What is the difference?", "The difference is +0.0834.", (CHANGE,), 0.0834),
    "a loss called gain": Told("How did NDVI change?", "NDVI gained 0.0834.", (CHANGE,)),
    "an increase called decrease": Told(
        "How did NDVI go?", "NDVI declined by 0.05 from 2018 to 2020.", (GREENER,)
    ),
    "digits that were not computed": Told("How much burnt?", "1,234.5678 ha burnt.", (BURNT,)),
    "rounded up": Told("What is the slope?", "About 14.4 degrees; precisely 14.38.", (SLOPE,)),
    "a truncation": Told("What is the difference?", "It is -0.08399.", (CHANGE,), -0.08399),
    # classes, zones, columns
    "the row of another class": Told("How large are orchards?", "Orchards cover 182.0 ha.", (COVER,)),
    "the row of another class, as a number": Told("How large are orchards?", "182.0", (COVER,), 182.0, "ha"),
    "the per cent of another class": Told("What share is vineyard?", "Vineyard: 15.8 %", (COVER,), 15.8, "%"),
    "the number of another class": Told("How large is class 12?", "Class 12: 2174.9 ha.", (COVER,)),
    "the least for the largest": Told("Which class is largest?", "Vineyard.", (COVER,)),
    "the zone with the most": Told("Which zone is greenest?", "Krško is the greenest zone.", (ZONES,)),
    "the zone with the least": Told(
        "Which zone has the lowest mean?", "Krško has the lowest mean.", (ZONES,)
    ),
    "a zone that does not exist": Told("Which zone is greenest?", "Ljubljana is the greenest.", (ZONES,)),
    "the minimum of a zone as its mean": Told(
        "What is the mean NDVI of Sevnica?", "Its mean is 0.2.", (ZONES,), 0.2
    ),
    "the maximum of a zone as its mean": Told(
        "What is the mean NDVI of Brežice?", "The mean of Brežice is 0.79.", (ZONES,)
    ),
    "a minimum as a maximum": Told(
        "What was the maximum temperature on 14 July 2019?",
        "The maximum was 286.02 K.",
        (MINIMA,),
        286.02,
        "K",
    ),
    "a maximum as a mean": Told(
        "What was the mean on 14 July 2019?", "The mean was 311.9 K.", (HOTTEST,), 311.9, "K"
    ),
    "another index": Told("What is the mean EVI?", "The mean EVI is 0.4417.", (INDEX,), 0.4417),
    # counts
    "one too many": Told("How many ships are there?", "There are 18 ships.", (SHIPS,), 18),
    "one too few in words": Told("How many ships are there?", "Sixteen ships.", (SHIPS,)),
    "dates above a limit, off by one": Told(
        "On how many dates was it above 300 K?", "On 3 dates.", (LST,), 3
    ),
    "dates below a limit, turned": Told("On how many dates was it below 300 K?", "On 2 dates.", (LST,), 2),
    "a count for a share": Told(
        "On which share of the dates was it above 300 K?", "On 60 % of the dates.", (LST,), 60, "%"
    ),
    # changes, quantifiers, yes and no
    "no change where there is one": Told(
        "Did NDVI change from 2018 to 2020?", "No, NDVI did not change.", (GREENER,)
    ),
    "stable where it is not": Told(
        "How did it develop?", "NDVI stayed stable between 2018 and 2020.", (GREENER,)
    ),
    "no trend where there is one": Told("Is there a trend?", "There is no significant trend.", (FLAT,)),
    "significant at a level in per cent": Told(
        "Is the trend significant at the 0.1 % level?", "Yes, it is significant.", (FLAT,)
    ),
    "never above": Told("How warm was it?", "The mean never exceeded 300 K.", (LST,)),
    "always above": Told("How warm was it?", "The mean was always above 290 K.", (LST,)),
    "on every date": Told("Was it above 290 K on every date?", "Yes, on every date.", (LST,)),
    "in all months": Told("How warm was it?", "In all months the mean stayed below 302 K.", (LST,)),
    "on no date": Told("How warm was it?", "On no date was it above 303 K.", (LST,)),
    "each class": Told("How large are classes?", "Each class covers more than 200 ha.", (COVER,)),
    "yes for no": Told("Is vineyard larger than orchard?", "Yes, it is.", (COVER,)),
    "no for yes": Told("Was it warmer on 2019-07-14 than on 2019-06-14?", "No, it was not.", (LST,)),
    "warmer for cooler": Told("Compare.", "May 2019 was warmer than June 2019.", (LST,)),
    # citations and sources
    "a step that failed": Told("What is the mean?", "It is 0.7711.", (FAILED, LST), 0.7711, evidence=(1,)),
    "nothing but a step that failed": Told("What is the mean?", "It is 0.7711.", (FAILED,), 0.7711),
    "what no sensor measures": Told("How warm is it?", "It is 29886 K.", (FAULTY,), 29886.0, "K"),
    "a number of the question": Told("Is 0.65 the mean NDVI?", "The mean NDVI is 0.65.", (ZONES,), 0.65),
    "a number of an option": Told(
        "What is the mean NDVI?", "It is 0.65.", (INDEX,), 0.65, choices=("0.44", "0.65"), choice="B"
    ),
    "a limit as a result": Told("Which share is wet?", "The share is 0.3.", (WET,), 0.3),
    "a choice beside its text": Told(
        ON_JUNE, "It was 299.13 K.", (LST,), 299.13, "K", choices=("293.66 K", "299.13 K"), choice="A"
    ),
    "a choice in words beside its text": Told(
        "Which class is the largest?",
        "Arable is the largest.",
        (COVER,),
        choices=("Orchard", "Arable"),
        choice="A",
    ),
    "a choice that nothing carries": Told(
        "Why did it burn?", "See the option.", (BURNT,), choices=("Lightning", "Arson"), choice="B"
    ),
    # arithmetic
    "a sum in the head": Told(
        "How large are vineyards and orchards?", "Together 182.0 + 443.1 = 635.1 ha.", (COVER,)
    ),
    "a difference in the head": Told("How much warmer is July than June?", "By 5.743 K.", (LST,), 5.743, "K"),
    "a mean in the head": Told(
        "What is the mean of all dates?", "On average 298.222 K.", (LST,), 298.222, "K"
    ),
    "a ratio in the head": Told(
        "How many times larger?", "Arable is 5.9 times as large as orchards.", (COVER,)
    ),
    "a rate in the head": Told("How did it grow?", "NDVI grew by 18.1 % from 2018 to 2020.", (GREENER,)),
    # notations
    "a table": Told(
        "List the means.",
        "| date | mean |\n|---|---|\n| 2019-04 | 288.4 |\n| 2019-05-14 | 299.13 |\n| 2019-06-14 | 293.66 |",
        (LST,),
    ),
    "a list": Told("List the areas.", "- Vineyard: 443.1 ha\n- Orchard: 182.0 ha", (COVER,)),
    "json": Told("Give areas as JSON.", '{"Vineyard": 443.1, "Orchard": 182.0}', (COVER,)),
    "a point for thousands": Told("How much burnt?", "1.235,4 ha burnt.", (BURNT,)),
    "a comma for thousands": Told("How much burnt?", "1,243.5 ha burnt.", (BURNT,)),
    "powers of ten": Told("How much burnt?", "1.2345e4 ha burnt.", (BURNT,)),
    "powers of ten with a times": Told("How much burnt?", "1.2345 × 10^4 ha burnt.", (BURNT,)),
    "thousands in words": Told("How much burnt?", "Two thousand hectares burnt.", (BURNT,)),
    "a range": Told("In which range was the mean?", "Between 284.4 and 303.9 K.", (LST,)),
    "a range with a dash": Told("In which range was the mean?", "288.4–313.9 K", (LST,)),
    "a minus of typography": Told("What is the mean?", "It is \u22124.81 °C.", (CHILLED,), -4.81, "degC"),
    "an uncertainty": Told("How much burnt?", "1,234.5 ± 12.7 ha burnt.", (BURNT,)),
    "a negation of the class": Told(
        "Which class is the largest?", "Not arable, but orchard is the largest.", (COVER,)
    ),
}

HONEST = {
    "not significant at a level in per cent": Told(
        "Is the trend significant at the 0.1 % level?", "No, at that level it is not significant.", (FLAT,)
    ),
    "significant at another level in per cent": Told(
        "Is the trend significant at the 1 % level?", "Yes, it is significant.", (FLAT,)
    ),
    "the mean that was asked": Told(ON_JUNE, "It was 299.13 K.", (LST,), 299.13, "K"),
    "a date after another": Told(
        "Which is the first date after 2019-05-14?",
        "The first after it is 2019-06-14, with 299.13 K.",
        (LST,),
    ),
    "the nearest to a date that is not there": Told(
        "What was it on 2019-06-20?", "On 2019-06-14, the nearest date, it was 299.13 K.", (LST,)
    ),
    "a class and what it is compared with": Told(
        "How large is orchard?", "443.1 ha, more than vineyard (182.0 ha).", (COVER,), 443.1, "ha"
    ),
    "in celsius": Told(ON_JUNE, "It was about 26 °C (299.1 K).", (LST,), 25.98, "degC"),
    "in fahrenheit": Told(ON_JUNE, "It was 78.8 °F.", (LST,), 78.8, "degF"),
    "a date in words": Told("When was it hottest?", "It was hottest on the 14th of July 2019.", (LST,)),
    "a month in words": Told(
        "In which month was it hottest?", "July 2019 was the hottest, at 303.9 K.", (LST,)
    ),
    "ordinals": Told("Which was the third date?", "The third of the five dates is 2019-06-14.", (LST,)),
    "a rank": Told("Where does August rank?", "August 2019 ranks 2nd of 5 with 301.05 K.", (LST,)),
    "per cent as it is": Told("Which share is wet?", "3.75 % is wet.", (WET,), 3.75, "%"),
    "per cent rounded": Told("Which share is wet?", "Nearly 4 % is wet.", (WET,), 4, "%"),
    "a share of one": Told("Which share is wet?", "A share of 0.0375 is wet.", (WET,), 0.0375),
    "a limit told": Told("Which share is wet?", "3.75 % lies above 0.3.", (WET,), 3.75, "%"),
    "hectares": Told("How much burnt?", "1,234.5 ha burnt.", (BURNT,), 1234.5, "ha"),
    "square kilometres": Told("How much burnt?", "About 12.3 km² burnt.", (BURNT,), 12.345, "km2"),
    "a point for thousands": Told("How much burnt?", "1.234,5 ha burnt.", (BURNT,)),
    "a space for thousands": Told("How much burnt?", "1 234.5 ha burnt.", (BURNT,)),
    "a thin space for thousands": Told("How much burnt?", "1\u202f234.5 ha burnt.", (BURNT,)),
    "powers of ten": Told("How much burnt?", "1.2345e3 ha burnt.", (BURNT,)),
    "powers of ten with a times": Told("How much burnt?", "1.2345 × 10^3 ha burnt.", (BURNT,)),
    "a minus of typography": Told("What is the mean?", "It is \u22124.18 °C.", (CHILLED,), -4.18, "degC"),
    "below zero": Told("What is the mean?", "It is 4.18 degrees below zero.", (CHILLED,), -4.18, "degC"),
    "a loss": Told("How did NDVI change?", "NDVI fell by 0.083.", (CHANGE,), -0.083),
    "a difference with its sign": Told("What is the difference?", "-0.0834", (CHANGE,), -0.0834),
    "a trend": Told("Is there a trend?", "Yes: it increases by 0.0147 a year (p = 0.004).", (FLAT,)),
    "a trend per decade": Told("How steep is the trend?", "It rises by 0.147 per decade.", (FLAT,)),
    "a class": Told("How large are orchards?", "Orchard covers 443.1 ha, or 15.8 %.", (COVER,), 443.1, "ha"),
    "a sum": Told("How large are vineyards and orchards?", "182.0 + 443.1 = 625.1 ha", (COVER,), 625.1, "ha"),
    "a ratio": Told("How many times larger?", "Arable is 4.9 times as large as orchard.", (COVER,)),
    "all classes": Told("How large is all?", "2,800 ha together.", (COVER,), 2800, "ha"),
    "each class": Told("How large are classes?", "Each class covers more than 180 ha.", (COVER,)),
    "a list": Told(
        "List the areas.", "- Vineyard: 182.0 ha\n- Orchard: 443.1 ha\n- Arable: 2174.9 ha", (COVER,)
    ),
    "a table": Told(
        "List the means.",
        "| date | mean |\n|---|---|\n| 2019-04 | 288.4 |\n| 2019-05-14 | 293.66 |\n| 2019-06-14 | 299.13 |",
        (LST,),
    ),
    "json": Told("Give areas as JSON.", '{"Vineyard": 182.0, "Orchard": 443.1, "Arable": 2174.9}', (COVER,)),
    "a range": Told("In which range was the mean?", "Between 288.4 and 303.9 K.", (LST,)),
    "a range with a dash": Told("In which range was the mean?", "288.4–303.9 K", (LST,)),
    "never above": Told("How warm was it?", "The mean never exceeded 304 K.", (LST,)),
    "not always above": Told("How warm was it?", "The mean was not always above 290 K.", (LST,)),
    "always above": Told("How warm was it?", "The mean was always above 288 K.", (LST,)),
    "on every date": Told("Was it above 280 K on every date?", "Yes, on every date.", (LST,)),
    "not on every date": Told(
        "Was it above 290 K on every date?", "No, on 2019-04-14 it was 288.4 K.", (LST,)
    ),
    "all but one": Told("How warm was it?", "On all dates but one the mean was above 290 K.", (LST,)),
    "no change of a kind": Told(
        "Did it change?", "NDVI rose from 0.31 to 0.36; no step was left out.", (GREENER,)
    ),
    "a rate": Told("How did it grow?", "NDVI grew by 16.1 % from 2018 to 2020.", (GREENER,)),
    "a warmer month": Told("Compare.", "June 2019 was warmer than May 2019, by 5.47 K.", (LST,)),
    "dates above a limit": Told(
        "On how many dates was it above 300 K?", "On 2 of the 5 dates (40 %).", (LST,), 2
    ),
    "a zone": Told("Which zone is greenest?", "Sevnica, with a mean NDVI of 0.607.", (ZONES,), 0.607),
    "zones in order": Told(
        "Rank the zones.", "1. Sevnica (0.607), 2. Krško (0.512), 3. Brežice (0.448)", (ZONES,)
    ),
    "the span of a zone": Told("How does Krško vary?", "Krško has 0.11 to 0.83, 0.512 on average.", (ZONES,)),
    "a mean of a product": Told(
        "What is the mean NDVI?", "Its mean is 0.442 (-0.21 to 0.88).", (INDEX,), 0.442
    ),
    "a count": Told("How many ships are there?", "Seventeen ships are visible.", (SHIPS,), 17),
    "a count in another language": Told("Koliko ladij je?", "Vidnih je 17 ladij.", (SHIPS,), 17),
    "a choice": Told(
        ON_JUNE, "It was 299.13 K, so B.", (LST,), 299.13, "K", choices=("293.66 K", "299.13 K"), choice="B"
    ),
    "a choice in words": Told(
        "Which class is the largest?",
        "Arable, with 77.7 %.",
        (COVER,),
        choices=("Orchard", "Arable"),
        choice="B",
    ),
    "yes": Told("Is vineyard smaller than orchard?", "Yes: 182.0 ha against 443.1 ha.", (COVER,)),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_misstatement_is_unverified(cheat: str):
    assert CHEATS[cheat].why() == reasons()["misstatements"][cheat] != ""


@pytest.mark.parametrize("honest", HONEST)
def test_an_honest_statement_is_answered(honest: str):
    assert HONEST[honest].why() == ""
