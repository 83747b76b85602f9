"""Sentences on series, groups and relations: what no number in them shows to be wrong, and honest ones."""

from __future__ import annotations

import pytest

from tests.core.engine.test_cheats import Told, result, series
from tests.core.engine.test_misstatements import BURNT, COVER, FLAT, LST, SHIPS, WET, ZONES

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
}
HONEST = {
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
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_false_sentence_is_unverified(cheat: str):
    assert CHEATS[cheat].why()


@pytest.mark.parametrize("honest", HONEST)
def test_a_true_sentence_is_answered(honest: str):
    assert HONEST[honest].why() == ""
