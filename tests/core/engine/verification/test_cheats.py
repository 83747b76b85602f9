"""Answers that say other than their evidence in ways that are easily missed, and honest ones beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.core.engine.verification.reasons import reasons
from treeline.core.engine.actions import Answer, Call, Observation
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import verify

MEANS, SHARE, AREAS = "calc_batch_image_mean", "calculate_threshold_ratio", "area_by_class"
NDVI_FILES = ["Lake_2021-05-03_NDVI.tif", "Lake_2021-07-12_NDVI.tif", "Lake_2021-08-20_NDVI.tif"]
LEGEND = {"holdings": "@landcover classes: 1 Forest, 2 Meadow, 3 Water"}
AREA_ROWS = [
    {"class": 1, "name": "Forest", "pixels": 41260, "area": 412.6, "percent": 61.3},
    {"class": 2, "name": "Meadow", "pixels": 20470, "area": 204.7, "percent": 30.4},
    {"class": 3, "name": "Water", "pixels": 5590, "area": 55.9, "percent": 8.3},
]
ZONES = [{"zone": 1, "name": "Bled", "mean": 0.41}, {"zone": 2, "name": "Bohinj", "mean": 0.58}]
NO_TREND = {"trend": "no trend", "p": 0.31, "z": -1.02, "tau": -0.2, "slope": -0.0021, "intercept": 0.5}


def result(tool: str, value: Any, unit: str = "", text: str = "", **arguments: Any) -> Observation:
    return Observation("result", text or str(value), value=value, arguments=arguments, unit=unit)


def series(values: list[float], files: list[str], unit: str = "") -> Observation:
    dates = [name.split("_")[1] for name in files]
    text = "; ".join(f"{date} {value:.6g}" for date, value in zip(dates, values, strict=True))
    return Observation("result", text, value=values, arguments={"file_list": files}, unit=unit)


NDVI = (MEANS, series([0.2512, 0.6134, 0.4327], NDVI_FILES, "1"))
LST = (MEANS, series([301.42], ["Lake_2022-07-19_LST.tif"], "K"))
CELSIUS = (MEANS, series([28.27], ["Lake_2022-07-19_LST.tif"], "degC"))
TWO = (MEANS, series([0.6134, 0.2512], ["Lake_2021-05-03_NDVI.tif", "Lake_2021-07-12_NDVI.tif"], "1"))
LITTLE = (SHARE, result(SHARE, 0.42, "%", image_paths="Lake_2021-07-12_NDVI.tif", threshold=0.8))
RATIO = ("ratio", result("ratio", 0.6134, "1"))
FOREST = (AREAS, result(AREAS, AREA_ROWS, "ha", input_path="Lake_LULC.tif"))
SLOPES = ("zonal_statistics", result("zonal_statistics", ZONES, "1", input_path="Lake_2021-07-12_NDVI.tif"))
TREND = ("mann_kendall_test", result("mann_kendall_test", NO_TREND))
CLASSES = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"1": 0.7121, "2": 0.5433, "3": 0.0312}],
        "1",
        classes_path="Lake_LULC.tif",
        file_list=["Lake_2021-07-12_NDVI.tif"],
    ),
)
LOSS = ("percentage_change", result("percentage_change", -12.34, "%"))
EMPTY = (MEANS, Observation("result", "[null]", value=[None], arguments={"file_list": NDVI_FILES[:1]}))
SPREAD = ("calc_batch_image_std", series([4.6104], ["Lake_2022-07-19_LST.tif"], "K"))
TOP = series([0.6134, 0.4127], [NDVI_FILES[1], NDVI_FILES[0]], "1")
YEARS = (
    MEANS,
    series(
        [0.25, 0.61, 0.43, 0.28], [f"Lake_{year}-0{n}-10_NDVI.tif" for year in (2021, 2022) for n in (6, 8)]
    ),
)
SUMMERS = (
    MEANS,
    series(
        [300.10, 301.50, 305.85, 302.80],
        [f"Lake_{year}-{day}_LST.tif" for year in (2021, 2022) for day in ("07-12", "08-20")],
        "K",
    ),
)
IN_AUGUST = "How much warmer was it in August 2022 than in August 2021?"
INTERVALS = {"count": 12, "mean_interval_days": 13.6, "median_interval_days": 10.0, "longest_gap_days": 40}
GAPS = ("summarize_dates", result("summarize_dates", INTERVALS))
PATCHES = (
    "landscape_metrics",
    result(
        "landscape_metrics",
        {
            "classes": [{"class": 1, "area_ha": 18.8, "patches": 14, "mean_patch_ha": 18.8 / 14}],
            "patches": 31,
        },
    ),
)
NOTHING = ("get_rows", result("get_rows", [], rows="@result1"))


@dataclass(frozen=True)
class Told:
    """An answer to a question, and the results that it cites."""

    question: str
    text: str
    results: tuple[tuple[str, Observation], ...]
    value: float | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()
    choice: str | None = None
    context: dict[str, str] = field(default_factory=dict)
    evidence: tuple[int, ...] = ()

    def why(self) -> str:
        """Return why it is unverified; empty where it is answered."""
        steps = tuple(
            Step(n, Call(tool, seen.arguments or {}), seen) for n, (tool, seen) in enumerate(self.results, 1)
        )
        answer = Answer(self.text, self.value, self.unit, self.choice, self.evidence)
        return verify(answer, State(self.question, self.choices, self.context, steps)).unverified


CHEATS = {
    "the change of another month": Told(IN_AUGUST, "It was warmer by 5.75 K in August.", (SUMMERS,)),
    "a median as the mean": Told("How often?", "There is an image every 10 days on average.", (GAPS,)),
    "a total as that of each": Told("How is it cut up?", "There are 14 patches of 18.8 ha each.", (PATCHES,)),
    "hectares as acres": Told("How large is forest?", "Forest has 412.6 acres.", (FOREST,)),
    "kelvin called Fahrenheit": Told("How warm is it?", "It is 301.42 F.", (LST,)),
    "so many times": Told("How much larger is it?", "Forest is five times as large as meadow.", (FOREST,)),
    "the most": Told("Which class covers most?", "Water covers the most.", (FOREST,)),
    "the greener of two": Told("Which is greener?", "Bled is greener than Bohinj.", (SLOPES,)),
    "celsius called kelvin": Told("How warm is it?", "The mean is 28.27 K.", (CELSIUS,), 28.27, "K"),
    "kelvin called degrees": Told("How warm is it?", "It is 301.42 degrees Celsius.", (LST,), 301.42, "degC"),
    "a temperature as a length": Told("How high is it?", "It lies at 301.4 m.", (LST,), 301.4, "m"),
    "hectares as square kilometres": Told("How large is forest?", "Forest covers 412.6 km2.", (FOREST,)),
    "hectares as square metres": Told("How large is forest?", "It has 412.6 m2.", (FOREST,), 412.6, "m2"),
    "a share as per cent": Told("How large is the ratio?", "It is 0.6134 %.", (RATIO,), 0.6134, "%"),
    "per cent a hundredfold": Told("Which share is above 0.8?", "42 % of it are.", (LITTLE,), 42.0, "%"),
    "pixels as hectares": Told("How large is water?", "Water covers 5590 ha.", (FOREST,), 5590, "ha"),
    "another date than asked": Told("What is the mean NDVI on 2021-07-12?", "It is 0.2512.", (NDVI,), 0.2512),
    "evidence of no asked date": Told(
        "What is the mean NDVI on 2021-07-12?",
        "It is 0.2512.",
        ((MEANS, series([0.2512], NDVI_FILES[:1])),),
        0.2512,
    ),
    "not the highest": Told("What is the highest mean NDVI?", "The highest is 0.4327.", (NDVI,), 0.4327),
    "highest for lowest": Told("What is the lowest mean NDVI?", "It is 0.6134.", (NDVI,), 0.6134),
    "the date of another extreme": Told("When is the NDVI highest?", "It is highest on 3 May 2021.", (NDVI,)),
    "dates respectively": Told(
        "What are the means?",
        "On 2021-05-03 and 2021-07-12 they are 0.6134 and 0.2512 respectively.",
        (NDVI,),
    ),
    "the last for the first": Told(
        "What is the mean NDVI of the first date?", "It is 0.4327.", (NDVI,), 0.4327
    ),
    "the first for the last": Told("What is the mean NDVI on the latest date?", "0.2512", (NDVI,), 0.2512),
    "a rise that is a fall": Told(
        "How did NDVI change from 2021-05-03 to 2021-07-12?", "It increased by 0.3622.", (TWO,), 0.3622
    ),
    "a rise told by both ends": Told("How did it change?", "It rose from 0.6134 to 0.2512.", (TWO,)),
    "a gain that is a loss": Told("By how much did it change?", "It grew by 12.34 %.", (LOSS,), 12.34, "%"),
    "a trend that is none": Told("Is there a trend?", "NDVI increases significantly.", (TREND,)),
    "significance that is none": Told("Is the trend significant?", "Yes, p is 0.31.", (TREND,)),
    "the wrong sign of a slope": Told("Which way does it go?", "It goes up, by 0.0021 a step.", (TREND,)),
    "yes against the evidence": Told(
        "Is the mean NDVI above 0.5 on 2021-08-20?", "Yes.", (NDVI,), choices=("Yes", "No"), choice="A"
    ),
    "no against the evidence": Told(
        "Does the mean NDVI exceed 0.5 on 2021-07-12?", "No, it does not.", (NDVI,)
    ),
    "the name of another class": Told(
        "What is the mean NDVI of water?", "Water has 0.7121.", (CLASSES,), 0.7121, context=LEGEND
    ),
    "the number of another class": Told("What is the NDVI of class 2?", "Class 2 has 0.0312.", (CLASSES,)),
    "another class without its name": Told(
        "What is the mean NDVI of meadow?", "It is 0.7121.", (CLASSES,), 0.7121, context=LEGEND
    ),
    "the smaller called the larger": Told("Which is larger?", "Meadow is larger than forest.", (FOREST,)),
    "the largest that is not": Told("Which class is the largest?", "The largest class is water.", (FOREST,)),
    "a zone for another": Told("Which zone has the highest NDVI?", "Bled has the highest mean.", (SLOPES,)),
    "a letter against the text": Told(
        "What is the mean NDVI on 2021-07-12?",
        "It is 0.6134.",
        (NDVI,),
        0.6134,
        choices=("0.2512", "0.6134"),
        choice="A",
    ),
    "a letter of another date": Told(
        "On which date is the mean NDVI highest?",
        "See the option.",
        (NDVI,),
        choices=("2021-05-03", "2021-07-12"),
        choice="A",
    ),
    "a letter of another class": Told(
        "Which class is the largest?", "See the option.", (FOREST,), choices=("Forest", "Water"), choice="B"
    ),
    "a letter the other way": Told(
        "How does NDVI change from 2021-05-03 to 2021-07-12?",
        "See the option.",
        (TWO,),
        choices=("It increases", "It decreases"),
        choice="A",
    ),
    "the other side of a limit": Told(
        "On how many dates is the mean NDVI above 0.4?", "On 1 date.", (NDVI,), 1.0
    ),
    "all of them": Told("On how many dates is the mean NDVI above 0.4?", "On 3 dates.", (NDVI,), 3.0),
    "a number in words": Told("Which share is above 0.8?", "Forty-two per cent of it are.", (LITTLE,)),
    "a count in words": Told("On how many dates is the NDVI above 0.4?", "On three dates.", (NDVI,)),
    "a fraction in words": Told("Which share is water?", "Half of the area is water.", (FOREST,)),
    "words alone": Told("What is the mean NDVI?", "The vegetation is dense and healthy.", (NDVI,)),
    "a mean called a maximum": Told(
        "What is the maximum LST?", "The maximum is 301.42 K.", (LST,), 301.42, "K"
    ),
    "a deviation that is a mean": Told(
        "What is the standard deviation of LST?", "The standard deviation is 301.42 K.", (LST,), 301.42, "K"
    ),
    "another variable": Told("What is the mean LST?", "The mean LST is 0.4327.", (NDVI,), 0.4327),
    "nothing was found": Told("What is the mean NDVI?", "It is 0.45.", (EMPTY,), 0.45),
    "nothing was listed": Told("Which fields are dry?", "The fields Zgornje and Spodnje.", (NOTHING,)),
    "steps that do not exist": Told("What is the mean?", "It is 0.45.", (NDVI,), 0.45, evidence=(7, 9)),
    "a right number beside a wrong one": Told(
        "How was it?", "It was 0.6134, against 0.5512 before.", (NDVI,)
    ),
    "digits in another order": Told("What is the mean?", "It is 0.6143.", (NDVI,), 0.6143),
    "a day and a month exchanged": Told("When is it highest?", "It is highest on 2021-12-07.", (NDVI,)),
    "an unfounded date in another notation": Told(
        "When is it highest?", "It is highest on 13.07.2021.", (NDVI,)
    ),
    "the smallest of a class list": Told("Which class is the smallest?", "Meadow, with 204.7 ha.", (FOREST,)),
    "value and text apart": Told("What is the mean NDVI on 2021-07-12?", "It is 0.6134.", (NDVI,), 0.2512),
    "more than tripled, with both": Told(
        "How did it change?", "It more than tripled: 0.2512 on 2021-05-03, 0.6134 on 2021-07-12.", (NDVI,)
    ),
    "both the same, and they are not": Told(
        "Was it greener on 2021-05-03 or on 2021-07-12?", "Both were equally green, about 0.4.", (NDVI,)
    ),
    "what is not known": Told("How green is it?", "I do not know how green it is.", (NDVI,)),
    "what cannot be said": Told("What is the mean NDVI on 2021-07-12?", "Nothing can be said.", (NDVI,)),
    "a variance as a temperature": Told("How far do they spread?", "They span 21.3 K.", (SPREAD,)),
    "an order in plain adjectives": Told(
        "Which is greenest?", "The ranking from large to small starts with Forest, Water, Meadow.", (FOREST,)
    ),
    "dates that follow before": Told(
        "When is NDVI above 0.3?", "It is first above 0.3 on 2021-08-20, then on 2021-07-12.", (NDVI,)
    ),
    "a part in words of what is asked": Told(
        "Does forest cover more than half?",
        "It is less than half.",
        (FOREST,),
        choices=("less than half", "more than half"),
        choice="A",
    ),
    "a part in words before another one": Told(
        "How much is meadow, how much forest?",
        "Meadow makes a tenth of the area and forest most of it.",
        (FOREST,),
    ),
    "another class in another language": Told(
        "\u00bfCu\u00e1nta superficie?", "El agua ocupa 412,6 ha y el bosque 55,9 ha.", (FOREST,)
    ),
    "the number of the question, near that of another date": Told(
        "Is the mean NDVI of 2021-05-03 0.6 or more, and what is it?", "The mean NDVI is 0.6.", (NDVI,)
    ),
    "another day in French": Told(
        "Quel jour?", "Le maximum de 2021, 0,613, est atteint le 20 ao\u00fbt 2021.", (NDVI,)
    ),
}

HONEST = {
    "the change of a month": Told(IN_AUGUST, "It was warmer by 1.30 K in August.", (SUMMERS,)),
    "a mean as such": Told("How often?", "There is an image every 13.6 days on average.", (GAPS,)),
    "a median as such": Told("How often?", "The median interval is 10 days.", (GAPS,)),
    "a total as such": Told("How is it cut up?", "14 patches have 18.8 ha in total.", (PATCHES,)),
    "what each has": Told("How is it cut up?", "There are 14 patches of 1.3 ha each.", (PATCHES,)),
    "nothing beyond a limit": Told(
        "On how many dates is the mean NDVI above 0.9?", "Nothing exceeds 0.9.", (NDVI,)
    ),
    "a variance": Told("What is the variance?", "The variance is 21.3.", (SPREAD,)),
    "the change with its sign": Told(
        "What is the change from 2021-05-03 to 2021-07-12?", "The change is -0.3622.", (TWO,)
    ),
    "an order in plain adjectives": Told(
        "Which is largest?", "The ranking from large to small starts with Forest, Meadow, Water.", (FOREST,)
    ),
    "a ranking of dates that goes on with then": Told(
        "Which dates are greenest?",
        "The greenest is first 2021-07-12, then 2021-05-03.",
        (NDVI[0:1] + (TOP,),),
    ),
    "more than doubled, with both": Told(
        "How did it change?", "It more than doubled: 0.2512 on 2021-05-03, 0.6134 on 2021-07-12.", (NDVI,)
    ),
    "a day in French": Told("Quel jour?", "Le maximum est atteint le 12 juillet 2021 (0,613).", (NDVI,)),
    "a day in Spanish": Told("\u00bfQu\u00e9 valor?", "El 3 de mayo de 2021 el valor era 0,2512.", (NDVI,)),
    "how large in German": Told("Wie gro\u00df ist der Wald?", "Der Wald ist 412,6 ha gro\u00df.", (FOREST,)),
    "hectares as acres": Told("How large is forest?", "Forest has 1019.6 acres.", (FOREST,)),
    "so many times": Told(
        "How much larger is it?", "Forest is about seven times as large as water.", (FOREST,)
    ),
    "kelvin as celsius": Told("How warm is it?", "The mean is 28.27 \u00b0C.", (LST,), 28.27, "degC"),
    "celsius as kelvin": Told("How warm is it?", "The mean is 301.42 K.", (CELSIUS,), 301.42, "K"),
    "hectares as square kilometres": Told("How large is forest?", "Forest covers 4.126 km2.", (FOREST,)),
    "hectares as they are": Told(
        "How large is water?", "Water covers 55.9 ha (8.3 %).", (FOREST,), 55.9, "ha"
    ),
    "pixels as they are": Told("How many pixels are water?", "5,590 pixels are water.", (FOREST,), 5590),
    "a ratio in per cent": Told("How large is the ratio?", "It is 61.3 %.", (RATIO,), 61.34, "%"),
    "per cent as a share": Told("Which share is above 0.8?", "A share of 0.0042.", (LITTLE,), 0.0042),
    "per cent as it is": Told("Which share is above 0.8?", "0.42 % of it are.", (LITTLE,), 0.42, "%"),
    "the date that is asked": Told("What is the mean NDVI on 2021-07-12?", "It is 0.613.", (NDVI,), 0.613),
    "the highest": Told(
        "What is the highest mean NDVI?", "The highest is 0.6134, on 12 July 2021.", (NDVI,), 0.6134
    ),
    "the lowest without a word": Told("What is the lowest mean NDVI?", "It is 0.25.", (NDVI,), 0.25),
    "a date with points": Told("When is it highest?", "It is highest on 12.07.2021.", (NDVI,)),
    "a date with strokes": Told("When is it highest?", "On 12/07/2021.", (NDVI,)),
    "a date the American way": Told("When is it highest?", "On 07/12/2021.", (NDVI,)),
    "a date in words": Told("When is it highest?", "On July 12th, 2021, with 0.61.", (NDVI,)),
    "a date without marks": Told("When is it highest?", "On 20210712.", (NDVI,)),
    "respectively": Told(
        "What are the means?",
        "On 2021-05-03 and 2021-07-12 they are 0.2512 and 0.6134 respectively.",
        (NDVI,),
    ),
    "the second highest": Told(
        "What is the second highest mean?", "The second highest is 0.4327.", (NDVI,), 0.4327
    ),
    "the first": Told("What is the mean NDVI of the first date?", "It is 0.2512.", (NDVI,), 0.2512),
    "a condition on the first": Told(
        "Which is the first date above 0.4?", "The first date above 0.4 is 2021-07-12.", (NDVI,)
    ),
    "a fall by its size": Told(
        "How did NDVI change from 2021-05-03 to 2021-07-12?", "It fell by 0.3622.", (TWO,), -0.3622
    ),
    "a change by its size": Told("By how much did it change?", "It changed by -12.3 %.", (LOSS,), -12.3, "%"),
    "a loss by its size": Told("By how much did it decrease?", "It shrank by 12.3 %.", (LOSS,), 12.34, "%"),
    "no trend": Told("Is there a trend?", "No, there is no significant trend (p = 0.31).", (TREND,)),
    "a slope that is not significant": Told(
        "Is there a trend?", "NDVI decreases slightly, by 0.0021 a step, but not significantly.", (TREND,)
    ),
    "yes": Told(
        "Is the mean NDVI above 0.5 on 2021-07-12?",
        "Yes, it is 0.61.",
        (NDVI,),
        choices=("Yes", "No"),
        choice="A",
    ),
    "no": Told("Does the mean NDVI exceed 0.5 on 2021-08-20?", "No, it is 0.4327.", (NDVI,)),
    "a class by its name": Told(
        "What is the mean NDVI of water?", "Water has 0.03.", (CLASSES,), 0.03, context=LEGEND
    ),
    "classes compared": Told(
        "Which is larger?", "Forest is larger than meadow, by 207.9 ha.", (FOREST,), 207.9, "ha"
    ),
    "the largest": Told("Which class is the largest?", "Forest, with 61.3 % of the area.", (FOREST,)),
    "the letter of the text": Told(
        "What is the mean NDVI on 2021-07-12?",
        "It is 0.6134.",
        (NDVI,),
        0.6134,
        choices=("0.25", "0.61"),
        choice="B",
    ),
    "the letter of a date": Told(
        "On which date is the mean NDVI highest?",
        "See the option.",
        (NDVI,),
        choices=("2021-05-03", "2021-07-12"),
        choice="B",
    ),
    "a range that holds the change": Told(
        "By how much is it higher on 2021-07-12 than on 2021-05-03?",
        "By 0.362.",
        (NDVI,),
        0.362,
        choices=("rose by 0.1 to 0.3", "rose by 0.3 to 0.5", "fell by 0.3 to 0.5"),
        choice="B",
    ),
    "counted": Told("On how many dates is the mean NDVI above 0.4?", "On 2 of 3 dates.", (NDVI,), 2.0),
    "counted in words": Told("On how many dates is the mean NDVI above 0.4?", "On two dates.", (NDVI,)),
    "a fraction in words": Told(
        "Which share is forest?", "Almost two thirds of the area, 61.3 %.", (FOREST,)
    ),
    "a difference": Told(
        "By how much is it higher on 2021-07-12 than on 2021-05-03?", "By 0.362.", (NDVI,), 0.362
    ),
    "a ratio of two": Told(
        "How many times is forest larger than water?", "7.38 times (412.6 / 55.9).", (FOREST,), 7.38
    ),
    "a mean of means": Told("What is the mean of all dates?", "On average 0.4324.", (NDVI,), 0.4324),
    "the nearest date, told": Told(
        "What is the mean NDVI on 2021-07-15?",
        "There is none of that day; on 2021-07-12 it is 0.6134.",
        (NDVI,),
        0.6134,
    ),
    "the highest mean": Told(
        "What is the maximum of the mean NDVI?", "The maximum is 0.6134.", (NDVI,), 0.6134
    ),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_what_the_evidence_does_not_say_is_unverified(cheat: str):
    assert CHEATS[cheat].why() == reasons()["cheats"][cheat] != ""


@pytest.mark.parametrize("honest", HONEST)
def test_what_the_evidence_says_is_answered(honest: str):
    assert HONEST[honest].why() == ""


def test_the_planner_may_say_how_many_dates_it_left_out_and_a_model_may_not():
    text = "2021-07-12 has the highest mean NDVI: 0.6134. 47 dates have no cloud mask and were left out."
    told = Told("When is the NDVI highest?", text, (NDVI,))
    assert "gives 47" in told.why()
    steps = tuple(Step(1, Call(tool, seen.arguments or {}), seen) for tool, seen in told.results)
    planned = Answer(text, expression={"node": "Aggregate"})
    assert verify(planned, State(told.question, (), {}, steps)).unverified == ""


ENDS = (
    "calc_statistics",
    result("calc_statistics", {"mean": 0.44, "min": 0.11, "max": 0.83}, "1", image_path=NDVI_FILES[0]),
)


@pytest.mark.parametrize(
    ("numbers", "is_right"), [("0.11, 0.44 and 0.83", True), ("0.11, 0.83 and 0.44", False)]
)
def test_statistics_and_numbers_are_listed_in_one_order(numbers: str, is_right: bool):
    told = Told("How green is it?", f"Minimum, mean and maximum are {numbers}.", (ENDS,))
    assert (told.why() == "") is is_right


@pytest.mark.parametrize(("choice", "right"), [("A", False), ("B", True), ("C", False)])
def test_a_range_of_changes_holds_the_change(choice: str, right: bool):
    told = Told(
        "By how much did it change from 2021-05-03 to 2021-07-12?",
        "It rose by 0.362.",
        (NDVI,),
        0.362,
        choices=("rose by 0.1 to 0.3", "rose by 0.3 to 0.5", "fell by 0.3 to 0.5"),
        choice=choice,
    )
    assert (told.why() == "") == right
