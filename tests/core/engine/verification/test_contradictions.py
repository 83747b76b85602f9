"""Ranks, groups, causes and parts that an answer tells beside a right number, and honest ones."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import Observation

DATES = ("2021-05-03", "2021-07-12", "2021-09-01", "2022-05-04", "2022-07-10", "2022-09-02")
FILES = [f"Drava_{date}_LST.tif" for date in DATES]
SERIES = ("image_statistics", series([291.2, 300.4, 297.5, 294.6, 306.5, 290.4], FILES, "K"))
PAIR = ("image_statistics", series([94.3, 53.2], FILES[:2], "%"))
BY_CLASS = (
    "statistics_by_class",
    result("statistics_by_class", {"Town": 312.5, "Water": 300.2, "Wood": 303.6}, "K"),
)
AREAS = [
    ("calculate_area", Observation("result", str(area), value=area, unit="ha", arguments={"value": number}))
    for number, area in enumerate((78.0, 643.6, 763.5), 1)
]
LEGEND = {"holdings": "@landcover classes: 1 Water, 2 Arable, 3 Wood"}
ZONES = [{"name": "Town", "mean": 312.5, "max": 320.1}, {"name": "Water", "mean": 300.2, "max": 305.7}]
BY_ZONE = ("zonal_statistics", result("zonal_statistics", ZONES, "K"))
ROWS = "| zone | mean | max |\n|---|---|---|\n| Town | 312.5 K | {} K |\n| Water | 300.2 K | 305.7 K |"
HOTTEST = "On which date was it hottest?"
WARM = "Which class was hottest?"


def of_areas(text: str, value: float | None = None) -> Told:
    """Return what is told of the areas of classes, of which each call gave one."""
    return Told("Which class is the largest?", text, tuple(AREAS), value, context=LEGEND)


CHEATS = {
    "a rank": Told(HOTTEST, "On 2022-07-10 (306.5 K), the second highest being 2021-09-01.", (SERIES,)),
    "a row of a table": Told("How hot are the zones?", ROWS.format("305.7"), (BY_ZONE,)),
    "all of a year": Told(
        HOTTEST, "On 2022-07-10. Every date of 2022 was hotter than any of 2021.", (SERIES,)
    ),
    "at least so much": Told(
        WARM, "Town, 312.5 K, more than fifteen degrees hotter than water.", (BY_CLASS,)
    ),
    "a part of itself": Told(
        "How did it change?",
        "94.3 % on 2021-05-03, 53.2 % on 2021-07-12: it fell by more than half.",
        (PAIR,),
    ),
    "a cause": Told(HOTTEST, "On 2022-07-10 (306.5 K); the dates explain the difference.", (SERIES,)),
    "a date without result": Told(
        "How warm was it on 2021-07-19?",
        "On 2021-07-19 it was 300.4 K.",
        (("image_statistics", series([300.4], FILES[1:2], "K")),),
    ),
    "the class of another call": of_areas("Arable land is the largest, 763.5 ha.", 763.5),
    "times another call": of_areas("Wood is the largest, 763.5 ha, twice the area of arable land."),
    "the highest of a year": Told(
        "What is the highest of 2021?", "The highest of 2021 was 297.5 K, on 2021-09-01.", (SERIES,)
    ),
    "one of two dates": Told(
        "Is it warmer on 2021-07-12 than on 2021-07-19?",
        "Yes, 300.4 K is warmer.",
        (("image_statistics", series([300.4], FILES[1:2], "K")),),
    ),
    "a relation denied": Told(
        "Are they related?",
        "No, they are unrelated.",
        (("raster_correlation", result("raster_correlation", {"r": -0.53, "pixels": 57600})),),
    ),
    "a ratio of two dates": Told("When was it hottest in 2021?", "On 2021-07-12, at 1.03.", (SERIES,), 1.03),
}
HONEST = {
    "a rank": Told(HOTTEST, "On 2022-07-10 (306.5 K), the second highest being 2021-07-12.", (SERIES,)),
    "a row of a table": Told("How hot are the zones?", ROWS.format("320.1"), (BY_ZONE,)),
    "of a year": Told(HOTTEST, "On 2022-07-10. No date of 2021 was hotter than 300.4 K.", (SERIES,)),
    "at least so much": Told(WARM, "Town, 312.5 K, more than twelve degrees hotter than water.", (BY_CLASS,)),
    "a part of itself": Told(
        "How did it change?",
        "94.3 % on 2021-05-03, 53.2 % on 2021-07-12: it fell by less than half.",
        (PAIR,),
    ),
    "what may be": Told(HOTTEST, "On 2022-07-10 (306.5 K); low values may be due to clouds.", (SERIES,)),
    "the nearest date": Told(
        "How warm was it on 2021-07-19?",
        "There is no image of 2021-07-19; on 2021-07-12 it was 300.4 K.",
        (("image_statistics", series([300.4], FILES[1:2], "K")),),
    ),
    "the class of its call": of_areas(
        "Wood is the largest, 763.5 ha, ahead of arable land with 643.6 ha.", 763.5
    ),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_what_contradicts_the_results_is_unverified(cheat: str):
    assert CHEATS[cheat].why()


@pytest.mark.parametrize("honest", HONEST)
def test_what_follows_from_them_is_answered(honest: str):
    assert HONEST[honest].why() == ""


def test_of_several_numbers_of_another_class_the_first_is_named():
    why = Told(WARM, "Town has 300.2 K or 303.6 K.", (BY_CLASS,)).why()
    assert "300.2" in why and "303.6" not in why
