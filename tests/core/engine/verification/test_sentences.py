"""Sentences on series, groups and relations: what no number in them shows to be wrong, and honest ones."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.reasons import reasons
from tests.core.engine.verification.test_cheats import Told, result, series
from tests.core.engine.verification.test_misstatements import (
    BURNT,
    CHILLED,
    COVER,
    FLAT,
    LST,
    SHIPS,
    WET,
    ZONES,
)
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.courses import _of_so_many
from treeline.core.engine.verification.sentence_grounds import Grounds, ends_of

YEARS = [f"Sava_{year}-07-01_NDVI.tif" for year in range(2016, 2022)]
YEARLY = ("calc_batch_image_mean", series([0.52, 0.55, 0.49, 0.61, 0.58, 0.66], YEARS, "1"))
BY_DATE = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [
            {"date": "2019-06-14", "class": "Forest", "mean": 0.81},
            {"date": "2019-06-14", "class": "Water", "mean": 0.05},
            {"date": "2020-06-14", "class": "Forest", "mean": 0.78},
            {"date": "2020-06-14", "class": "Water", "mean": 0.07},
        ],
        "1",
    ),
)
OVER_TWO_YEARS = (
    "calc_batch_image_mean",
    series(
        [0.9, 0.5, 0.6, 0.4, 0.8],
        [
            f"Sava_{d}_NDVI.tif"
            for d in ("2020-01-01", "2020-07-01", "2021-01-10", "2021-02-01", "2021-09-01")
        ],
        "1",
    ),
)
BETWEEN = "On which date between 2020-06-01 and 2021-06-30 was the mean NDVI highest?"
RECORD = (
    "calc_statistics",
    result(
        "calc_statistics",
        {"mean": 0.44, "min": 0.11, "max": 0.83, "std": 0.12},
        "1",
        image_path="Sava_2019-06-14_NDVI.tif",
    ),
)
LOSS = ("percentage_change", result("percentage_change", -12.34, "%"))
BEFORE = ("calculate_area", result("calculate_area", {"before": 120.0, "after": 90.0}, "ha"))
RELATION = ("correlation", result("correlation", {"r": -0.72, "p": 0.03, "n": 24}))
CHEATS = {
    "not the highest of a span": Told(BETWEEN, "It was highest on 2020-07-01.", (OVER_TWO_YEARS,)),
    "the maximum of a record as its mean": Told(
        "What is the mean NDVI?", "The mean NDVI is 0.83.", (RECORD,), 0.83
    ),
    "the deviation of a record as its mean": Told("What is the mean NDVI?", "0.12", (RECORD,), 0.12),
    "the minimum of a record as its maximum": Told(
        "What is the maximum?", "The maximum is 0.11.", (RECORD,), 0.11
    ),
    "another class of the date": Told(
        "What was NDVI of water in June 2020?", "Water had 0.78 in June 2020.", (BY_DATE,), 0.78
    ),
    "another date of the class": Told(
        "What was forest NDVI on 2020-06-14?", "Forest had 0.81 on 2020-06-14.", (BY_DATE,), 0.81
    ),
    "the best year": Told("In which year was NDVI highest?", "2019 was the greenest year.", (YEARLY,)),
    "the best year with its value": Told("In which year was NDVI highest?", "In 2019, with 0.61.", (YEARLY,)),
    "yes to every year": Told("Was NDVI above 0.5 in every year?", "Yes.", (YEARLY,)),
    "in every year": Told("How was NDVI?", "In every year NDVI exceeded 0.5.", (YEARLY,)),
    "never below": Told("How was NDVI?", "NDVI never fell below 0.5.", (YEARLY,)),
    "a count of years": Told("In how many years was NDVI above 0.55?", "In four years.", (YEARLY,)),
    "a count of years as the value": Told("In how many years was NDVI above 0.55?", "4", (YEARLY,), 4),
    "every year up": Told("How did it go?", "NDVI rose every year.", (YEARLY,)),
    "steadily": Told("How did it go?", "NDVI declined steadily from 2016 to 2021.", (YEARLY,)),
    "a change without its sign": Told(
        "How did the area change?", "The area changed by 12.34 %.", (LOSS,), 12.34, "%"
    ),
    "an increase that is a loss": Told(
        "How did the area change?", "It increased by 12.34 %.", (LOSS,), -12.34, "%"
    ),
    "digits of a loss": Told("How did the area change?", "It shrank by 13.24 %.", (LOSS,)),
    "doubled": Told("How did it change?", "The area doubled.", (BEFORE,)),
    "halved": Told("How did it change?", "The area halved.", (BEFORE,)),
    "three times": Told("How?", "Arable is three times orchard.", (COVER,)),
    "a third": Told("What share is arable?", "A third of the area is arable.", (COVER,)),
    "a positive correlation": Told(
        "How do they relate?", "They are positively correlated (r = 0.72).", (RELATION,)
    ),
    "a positive correlation in words": Told(
        "How do they relate?", "There is a positive correlation.", (RELATION,)
    ),
    "a correlation that is significant": Told(
        "Is it significant?", "The correlation is not significant.", (RELATION,)
    ),
    "the lower end of a range": Told("Range?", "NDVI ranged from 0.52 to 0.66 over the years.", (YEARLY,)),
    "both ends of a range": Told("Range?", "The yearly mean lay between 0.55 and 0.61.", (YEARLY,)),
    "at least": Told("How?", "The mean was at least 0.52 in all years.", (YEARLY,)),
    "the lowest year": Told("When lowest?", "NDVI was lowest in 2016 (0.52).", (YEARLY,)),
    "the second highest": Told(
        "Which year is second highest?", "The second highest is 2020 with 0.58.", (YEARLY,)
    ),
    "a ranking": Told("Rank years", "1. 2021, 2. 2020, 3. 2019", (YEARLY,)),
    "an order": Told("Order", "From highest to lowest: Vineyard, Orchard, Arable.", (COVER,)),
    "a slope that is negative": Told("Sign?", "The slope is negative.", (FLAT,)),
    "per decade": Told("Trend?", "It rises by 0.0147 per decade.", (FLAT,)),
    "another p": Told("p?", "p = 0.04", (FLAT,)),
    "no to greener": Told("Is Sevnica greener than Krško?", "No.", (ZONES,)),
    "yes to the greenest": Told("Is Krško the greenest zone?", "Yes, it is.", (ZONES,)),
    "the option of another zone": Told(
        "Which zone is greenest?", "B", (ZONES,), choices=("Sevnica", "Krško"), choice="B"
    ),
    "a sum of another": Told("Total?", "In total 2617.0 ha.", (COVER,), 2617.0, "ha"),
    "thousands of another class": Told(
        "How many pixels arable?", "About 217 thousand pixels are orchard.", (COVER,)
    ),
    "a unit in the value alone": Told("How large is arable?", "See value.", (COVER,), 2174.9, "km2"),
    "a fraction as a sign": Told("Share?", "½ of the area is arable.", (COVER,)),
    "digits of full width": Told("How much burnt?", "１２３５.５ ha", (BURNT,)),
    "none of what is there": Told("Are there ships?", "No ships are visible.", (SHIPS,)),
    "no to whether there are": Told("Are there any ships?", "No.", (SHIPS,)),
    "more than there are": Told("How many ships?", "More than 20 ships.", (SHIPS,)),
    "fewer than there are": Told("How many ships?", "Fewer than ten ships are there.", (SHIPS,)),
    "about as many": Told("How many ships?", "About 30 ships.", (SHIPS,)),
    "dozens": Told("How many ships?", "There are dozens of ships.", (SHIPS,)),
    "no to more than": Told("Are there more than 10 ships?", "No.", (SHIPS,)),
    "the rest of another": Told("What percentage is not arable?", "23.2 %.", (COVER,), 23.2, "%"),
}
HONEST = {
    "the highest of a span": Told(BETWEEN, "It was highest on 2021-01-10.", (OVER_TWO_YEARS,)),
    "the mean": Told("What is the mean NDVI?", "The mean NDVI is 0.44, from 0.11 to 0.83.", (RECORD,), 0.44),
    "the deviation": Told("spread?", "The standard deviation is 0.12.", (RECORD,), 0.12),
    "a class of a date": Told(
        "What was NDVI of water in June 2020?", "Water had 0.07 in June 2020.", (BY_DATE,), 0.07
    ),
    "a date of a class": Told(
        "What was forest NDVI on 2020-06-14?", "Forest had 0.78 on 2020-06-14.", (BY_DATE,), 0.78
    ),
    "forest fell": Told(
        "How did forest change?", "Forest fell from 0.81 to 0.78 between 2019 and 2020.", (BY_DATE,)
    ),
    "the best year, told": Told("In which year was NDVI highest?", "In 2021 (0.66).", (YEARLY,)),
    "the second highest": Told(
        "Which year is second highest?", "The second highest is 2019 with 0.61.", (YEARLY,)
    ),
    "no to every year": Told("Was NDVI above 0.5 in every year?", "No: in 2018 it was 0.49.", (YEARLY,)),
    "all except a year": Told("How was NDVI?", "It was above 0.5 in all years except 2018.", (YEARLY,)),
    "five of the six": Told("How was NDVI?", "In five of the six years it exceeded 0.5.", (YEARLY,)),
    "most": Told("How was NDVI?", "In most years it was above 0.5.", (YEARLY,)),
    "never above": Told("How was NDVI?", "It never exceeded 0.7.", (YEARLY,)),
    "rose": Told(
        "How did it go?", "NDVI rose from 0.52 in 2016 to 0.66 in 2021, with a dip in 2018.", (YEARLY,)
    ),
    "by per cent": Told("How did it go?", "It increased by 27 % from 2016 to 2021.", (YEARLY,)),
    "a count with its years": Told(
        "In how many years was NDVI above 0.55?", "In 3 years (2019, 2020 and 2021).", (YEARLY,), 3
    ),
    "a loss in per cent": Told("How did the area change?", "It shrank by 12.3 %.", (LOSS,), -12.34, "%"),
    "a fall from and to": Told("How did it change?", "It fell from 120 to 90 ha, a quarter less.", (BEFORE,)),
    "a fall by": Told("How did it change?", "It decreased by 30 ha (25 %).", (BEFORE,), -30, "ha"),
    "majority": Told("What covers most?", "Arable makes up the majority, 77.7 %.", (COVER,)),
    "a negative correlation": Told(
        "How do they relate?", "They are negatively correlated, r = -0.72 (p = 0.03, n = 24).", (RELATION,)
    ),
    "range": Told("Range?", "NDVI ranged from 0.49 to 0.66.", (YEARLY,)),
    "both ends of a range": Told("Range?", "It lay between 0.49 and 0.66.", (YEARLY,)),
    "order": Told("Order", "From largest to smallest: Arable, Orchard, Vineyard.", (COVER,)),
    "yes to greener": Told("Is Sevnica greener than Krško?", "Yes, 0.607 against 0.512.", (ZONES,)),
    "no to the greenest": Told("Is Krško the greenest zone?", "No, Sevnica is.", (ZONES,)),
    "ships": Told("Are there ships?", "Yes, there are 17 ships.", (SHIPS,)),
    "more than ten": Told("How many ships?", "More than ten, namely 17 ships.", (SHIPS,)),
    "about": Told("How many ships?", "About 17.", (SHIPS,), 17),
    "roughly": Told("How much burnt?", "Roughly 1,200 ha burnt.", (BURNT,)),
    "square metres": Told("How much burnt?", "12,345,000 m² burnt.", (BURNT,)),
    "up and down again": Told(
        "How warm was it?",
        "It warmed from 15.3 °C in April to 30.7 °C in July 2019, then cooled to 27.9 °C.",
        (LST,),
    ),
    "a difference of degrees": Told(
        "How much warmer is July than June 2019?", "By 4.7 °C.", (LST,), 4.743, "degC"
    ),
    "german": Told("Wie viel ist verbrannt?", "Es sind 1.234,5 ha verbrannt.", (BURNT,)),
    "french": Told("Combien?", "3,75 % de la surface.", (WET,), 3.75, "%"),
    "with a threshold": Told(
        "Which share is wet?", "With a threshold of 0.3, 3.75 % are wet.", (WET,), 3.75, "%"
    ),
    "steps named": Told("Mean?", "Step 1 gave 0.44; [1].", (RECORD,), 0.44),
    "two sentences": Told(
        "Is July warmer than June 2019?", "Yes. July 2019 had 303.87 K and June 2019 299.13 K.", (LST,)
    ),
    "markdown": Told("Mean?", "**0.44** (NDVI, 1 scene)", (RECORD,), 0.44),
    "slightly up": Told("How did water change?", "Water rose slightly from 0.05 to 0.07.", (BY_DATE,)),
    "all years below": Told("How was NDVI?", "All years stayed below 0.7.", (YEARLY,)),
    "three zones of a date": Told(
        "What is the mean NDVI of the area in 2019-06-14?",
        "The mean NDVI on 14 June 2019 was 0.512 in Krško, 0.448 in Brežice and 0.607 in Sevnica.",
        (ZONES,),
    ),
    "two dates respectively": Told(
        "How warm was it on 2019-06-14 and 2019-07-14?", "299.1 K and 303.9 K respectively.", (LST,)
    ),
    "up and down with degrees": Told(
        "How did the temperature develop in 2019?",
        "It rose from 288.4 K (15.3 °C) in April to 303.9 K in July and fell to 301.0 K in August.",
        (LST,),
    ),
    "months above": Told(
        "Which months exceeded 300 K?",
        "July 2019 (303.9 K) and August 2019 (301.0 K) exceeded 300 K.",
        (LST,),
    ),
    "two of five": Told("Which months exceeded 300 K?", "Two of five: July and August.", (LST,)),
    "yes above": Told("Is orchard larger than 400 ha?", "Yes, orchards cover 443.1 ha.", (COVER,)),
    "classes below": Told(
        "Which classes cover less than 500 ha?", "Vineyard (182 ha) and orchard (443 ha).", (COVER,)
    ),
    "a sum of per cent": Told(
        "What share do vineyards and orchards have together?", "22.3 % (6.5 % + 15.8 %).", (COVER,), 22.3, "%"
    ),
    "a count of classes": Told("How many classes are there?", "There are three classes.", (COVER,), 3),
    "a summary": Told(
        "Summarise.",
        "Arable land dominates with 2,174.9 ha (77.7 %), before orchard (443.1 ha) and vineyard (182.0 ha).",
        (COVER,),
    ),
    "hectares and square kilometres": Told(
        "How much has burnt?",
        "An area of 1234.5 hectares (12.345 square kilometres) burnt.",
        (BURNT,),
        1234.5,
        "ha",
    ),
    "a trend with a test": Told(
        "What is the trend?", "NDVI increases significantly (Mann-Kendall, p < 0.01, slope 0.0147).", (FLAT,)
    ),
    "a level of confidence": Told(
        "What is the trend?", "A significant positive trend with tau = 0.61 at the 95 % level.", (FLAT,)
    ),
    "below zero with kelvin": Told(
        "What is the mean temperature?",
        "On 14 January 2019 it was −4.2 °C, i.e. about 269 K.",
        (CHILLED,),
        -4.18,
        "degC",
    ),
    "highest and lowest": Told(
        "What's the highest and lowest yearly NDVI?",
        "The highest is 0.66 (2021), the lowest 0.49 (2018).",
        (YEARLY,),
    ),
    "an average of years": Told(
        "What's the average of all years?", "Averaged over 2016-2021 it is 0.568.", (YEARLY,), 0.568
    ),
    "a rise with per cent": Told(
        "How did NDVI change between 2018 and 2021?",
        "It rose by 0.17, from 0.49 to 0.66 (+34.7 %).",
        (YEARLY,),
    ),
    "years below": Told("In which years was NDVI below 0.55?", "In 2016 (0.52) and 2018 (0.49).", (YEARLY,)),
    "yes with p": Told(
        "Is there an upward trend?", "Yes. The slope is 0.0147 per year, p = 0.004 < 0.05.", (FLAT,)
    ),
    "no, the other": Told(
        "Was 2020 greener than 2019?", "No, 2019 was greener (0.61 versus 0.58).", (YEARLY,)
    ),
    "yes by": Told("Was it greener in 2021 than in 2016?", "Yes, by 0.14.", (YEARLY,)),
    "yes in two years": Told("Did NDVI exceed 0.6?", "Yes, in 2019 and 2021.", (YEARLY,)),
    "ever, once": Told("Did NDVI ever fall below 0.5?", "Yes, once, in 2018.", (YEARLY,)),
    "not always": Told("Did NDVI always exceed 0.5?", "No. It was 0.49 in 2018.", (YEARLY,)),
    "changed by": Told("Has the area of water changed?", "It changed by -12.34 %.", (LOSS,), -12.34, "%"),
    "yes to more than": Told("Are there more than 10 ships?", "Yes, 17.", (SHIPS,)),
    "counted on a date": Told("Count ships", "I count 17 ships in the harbour on 1 May 2020.", (SHIPS,), 17),
    "German date and comma": Told(
        "Wie warm war es am 14.06.2019?", "Am 14.06.2019 waren es 25,98 °C.", (LST,)
    ),
    "a list of means": Told(
        "How warm was it?", "The five means are 288.4, 293.7, 299.1, 303.9 and 301.0 K.", (LST,)
    ),
    "a median": Told(
        "What is the median of the monthly means?", "The median is 299.1 K.", (LST,), 299.128, "K"
    ),
    "a range as one number": Told("What is the range?", "15.5 K (from 288.4 K to 303.9 K).", (LST,)),
    "most different": Told(
        "Which zone differs most from the mean?", "Sevnica: 0.607 against a mean of 0.522.", (ZONES,)
    ),
    "warmest and coldest": Told(
        "Which date is warmest and which coldest?",
        "The warmest is 2019-07-14, the coldest 2019-04-14.",
        (LST,),
    ),
    "warmer by": Told(
        "How does June compare with May 2019?", "June 2019 was 5.5 K warmer than May 2019.", (LST,)
    ),
    "yes below": Told("Was June 2019 below 300 K?", "Yes, it was 299.1 K.", (LST,)),
    "dates from and to": Told(
        "How many dates are there?", "There are 5 dates, from April to August 2019.", (LST,), 5
    ),
    "a class and its number": Told("How large is class 12 (orchard)?", "Class 12 covers 443.1 ha.", (COVER,)),
    "the rest": Told("What percentage is not arable?", "22.3 %.", (COVER,), 22.3, "%"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_false_sentence_is_unverified(cheat: str):
    assert CHEATS[cheat].why() == reasons()["sentences"][cheat] != ""


@pytest.mark.parametrize("honest", HONEST)
def test_a_true_sentence_is_answered(honest: str):
    assert HONEST[honest].why() == ""


def test_one_of_two_dates_of_the_question_is_told_against_the_other():
    days = Column({"2021-05-03": 0.2, "2021-06-12": 0.5, "2021-07-20": 0.6}, dated=True)

    def told(*dates: str) -> list[tuple[str, str]]:
        grounds = Grounds([days], {}, dates=dates)
        return [ends.dates for ends in ends_of(grounds, "On 2021-07-20 it was higher.")]

    assert told("2021-05-03", "2021-07-20") == [("2021-05-03", "2021-07-20")]
    assert told("2021-07-20") == [], "of one date nothing changes"


@pytest.mark.parametrize(("said", "count", "told"), [(1, 1, "1 of 3 rise"), (-1, 1, "1 of 3 fall")])
def test_a_class_that_stays_the_same_neither_rises_nor_falls(said: int, count: int, told: str):
    values = {"forest": (0.81, 0.78), "water": (0.05, 0.07), "town": (0.2, 0.2)}
    columns = [
        Column({"2019-06-14": first, "2020-06-14": last}, dated=True, of=name)
        for name, (first, last) in values.items()
    ]
    (verdict,) = _of_so_many(Grounds(columns, {}), "", said, lambda found, of: (found, of) == (count, 3))
    assert (verdict.true, verdict.held) == (True, told)
