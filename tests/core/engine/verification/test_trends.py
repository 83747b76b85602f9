"""Which way something goes, how surely and how strongly: what is said against what was found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.engine.verification.test_cheats import LEGEND, MEANS, Told, result, series
from treeline.core.engine.actions import Observation, ProductRecord

FILES = [f"Lake_{year}-07-01_NDVI.tif" for year in (2019, 2020, 2021)]
NDVI = (MEANS, series([0.2512, 0.4327, 0.6134], FILES, "1"))


def record(**numbers: float) -> tuple:
    return ("a_test", result("a_test", numbers, "1"))


def is_right(question: str, text: str, *results: tuple) -> bool:
    return Told(question, text, results).why() == ""


@pytest.mark.parametrize(
    ("slope", "text", "right"),
    [
        (0.02, "Yes, the NDVI rises.", True),
        (0.02, "Yes, the NDVI falls.", False),
        (-0.02, "Yes, the NDVI falls.", True),
        (-0.02, "Yes, the NDVI rises.", False),
        (0.02, "The slope is positive.", True),
        (0.02, "The slope is negative.", False),
        (-0.02, "The slope is positive.", False),
    ],
)
def test_a_trend_goes_the_way_of_its_slope(slope: float, text: str, right: bool):
    assert is_right("Is there a trend?", text, record(slope=slope, p=0.001)) is right


@pytest.mark.parametrize(
    ("p", "question", "text", "right"),
    [
        (0.049, "Is it significant?", "Yes, it is significant.", True),
        (0.051, "Is it significant?", "Yes, it is significant.", False),
        (0.05, "Is it significant?", "Yes, it is significant.", False),  # below the level, and not at it
        (0.051, "Is it significant?", "No, it is not significant.", True),
        (0.049, "Is it significant?", "No, it is not significant.", False),
        (0.09, "Is it significant at the 10 % level?", "Yes, it is significant.", True),
        (0.11, "Is it significant at the 10 % level?", "Yes, it is significant.", False),
        (0.009, "Is it significant at the 0.01 level?", "Yes, it is significant.", True),
        (0.011, "Is it significant at the 0.01 level?", "Yes, it is significant.", False),
        (0.0009, "Is it significant at the 0.1 % level?", "Yes, it is significant.", True),
        (0.0011, "Is it significant at the 0.1 % level?", "Yes, it is significant.", False),
        (0.03, "Is it significant?", "It is significant at the 95 % level.", True),
        (0.03, "Is it significant?", "It is significant at the 99 % level.", False),
        (0.03, "Is it significant?", "It is not significant at the 1 % level.", True),
        (0.003, "Is it significant?", "It is not significant at the 1 % level.", False),
    ],
)
def test_what_is_significant_lies_below_the_level_that_is_told(
    p: float, question: str, text: str, right: bool
):
    assert is_right(question, text, record(slope=0.02, p=p)) is right


@pytest.mark.parametrize(
    ("r", "text", "right"),
    [
        (0.5, "There is a strong correlation.", True),
        (0.49, "There is a strong correlation.", False),
        (-0.51, "There is a strong correlation.", True),
        (0.5, "There is a weak correlation.", True),
        (-0.51, "There is a weak correlation.", False),
        (0.3, "There is a positive correlation.", True),
        (0.3, "There is a negative correlation.", False),
    ],
)
def test_a_relation_is_as_strong_as_it_is_called_and_goes_that_way(r: float, text: str, right: bool):
    assert is_right("Are the two related?", text, record(r=r)) is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It rose from 0.2512 to 0.6134.", True),
        ("It fell from 0.2512 to 0.6134.", False),
        ("It fell from 0.6134 to 0.2512.", False),  # that is the way back in time
        ("It went from 0.2512 to 0.4327.", True),
        ("It went from 0.4327 to 0.2512.", False),
        ("It ranges from 0.2512 to 0.6134.", True),
    ],
)
def test_what_goes_from_one_number_to_another_goes_on_in_time(text: str, right: bool):
    assert is_right("How did the NDVI develop?", text, NDVI) is right


@pytest.mark.parametrize(
    ("change", "text", "right"),
    [
        (-12.34, "It decreased by 12.34 %.", True),
        (-12.34, "It increased.", False),
        (12.34, "It increased by 12.34 %.", True),
        (12.34, "It decreased.", False),
    ],
)
def test_a_change_goes_the_way_of_its_sign(change: float, text: str, right: bool):
    step = ("percentage_change", result("percentage_change", change, "%"))
    assert is_right("How did it change?", text, step) is right


@pytest.mark.parametrize(
    ("p", "text", "right"),
    [
        (0.05, "It is significant at the 5 % level.", False),  # at the level is not below it
        (0.05, "It is not significant at the 5 % level.", True),
        (0.01, "It is significant at the 1 % level.", False),
        (0.0099, "It is significant at the 1 % level.", True),
    ],
)
def test_what_lies_at_a_level_that_the_answer_names_is_not_significant(p: float, text: str, right: bool):
    assert is_right("Is it significant?", text, record(slope=0.02, p=p)) is right


def _difference(first: str, last: str, values: dict[str, float]) -> tuple[tuple[str, Observation], ...]:
    """Return the steps that took one raster from another, and measured what they differ by in each class."""
    files = {"image_a_path": f"Lake_{first}_LST.tif", "image_b_path": f"Lake_{last}_LST.tif"}
    made = ProductRecord("d.tif", "d.tif", "difference", unit="K", minimum=-9.0, maximum=9.0, mean=6.0)
    wrote = replace(result("calculate_tif_difference", None, "", "wrote d.tif", **files), products=(made,))
    of_class = result("statistics_by_class", [values], "K", classes_path="Lake_LULC.tif", file_list=["d.tif"])
    return ("calculate_tif_difference", wrote), ("statistics_by_class", of_class)


@pytest.mark.parametrize(
    ("first", "last", "text", "right"),
    [
        ("2021-07-22", "2022-07-18", "It warmed in all classes, most in Meadow (7.3 K).", True),
        ("2021-07-22", "2022-07-18", "It cooled in all classes, most in Meadow (7.3 K).", False),
        ("2022-07-18", "2021-07-22", "It cooled in all classes, most in Meadow (7.3 K).", True),
        ("2022-07-18", "2021-07-22", "It warmed in all classes, most in Meadow (7.3 K).", False),
    ],
)
def test_a_difference_of_two_rasters_goes_the_way_of_their_dates(first, last, text: str, right: bool):
    found = _difference(first, last, {"1": 2.6, "2": 7.3, "3": 6.1})
    why = Told("How did it change?", text, found, context=LEGEND).why()
    assert ("The change is" in why) != right


DATES = [f"2021-0{month}-01" for month in range(3, 8)]
GREEN = (MEANS, series([0.2, 0.3, 0.5, 0.6, 0.7], [f"Lake_{date}_NDVI.tif" for date in DATES], "1"))
CLOUDY = (MEANS, series([0.9, 0.7, 0.4, 0.2, 0.1], [f"Lake_{date}_cloud_mask.tif" for date in DATES], "1"))


def test_of_few_dates_or_of_none_in_common_no_relation_is_known() -> None:
    text = "The cloudier the image, the higher its NDVI."
    few = (MEANS, series([0.9, 0.1], [f"Lake_{date}_cloud_mask.tif" for date in DATES[:2]], "1"))
    why = Told("Do NDVI and clouds go together?", text, (GREEN, few)).why()
    assert "correlation" not in why and "No cited step gives the two series" in why
