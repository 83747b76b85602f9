"""Ground that is looked for: the largest class, the greenest region, the pixel of an extreme; and trends."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.core.policies.planner.arrays import read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_extents import ndvi
from tests.core.policies.planner.test_relations import DATES_2022
from tests.core.policies.planner.test_zones import cover, lst

DAY = "2022-06-15"


def test_the_mean_of_the_largest_class_is_that_of_its_pixels(ask: Ask, demo: Path) -> None:
    classes = cover(demo)
    numbers, counts = np.unique(classes[np.isfinite(classes)], return_counts=True)
    largest = numbers[counts.argmax()]
    expected = np.nanmean(ndvi(demo, DAY)[classes == largest])
    for question in (
        f"mean NDVI of the largest land cover class on {DAY}",
        f"Which land cover class is the largest and what is its mean NDVI on {DAY}?",
    ):
        answer = answer_of(ask(question, demo))
        found = [answer.value, *(part.value for part in answer.parts)]
        assert any(value == pytest.approx(expected, abs=1e-4) for value in found if value is not None)


def test_another_variable_in_the_class_that_one_is_highest_in(ask: Ask, demo: Path) -> None:
    classes, green, warm = cover(demo), ndvi(demo, DAY), lst(demo, DAY)
    numbers = np.unique(classes[np.isfinite(classes)])
    greenest = max(numbers, key=lambda number: np.nanmean(green[classes == number]))
    answer = answer_of(ask(f"mean LST of the greenest land cover class on {DAY}", demo))
    assert answer.value == pytest.approx(np.nanmean(warm[classes == greenest]), abs=0.01)
    assert "forest" in answer.text, "the class that was found is named"


def test_an_extreme_lies_where_its_pixel_is(ask: Ask, demo: Path) -> None:
    with rasterio.open(demo / "Demo_DEM.tif") as raster:
        heights = raster.read(1).astype(float)
        row, column = np.unravel_index(heights.argmax(), heights.shape)
        x, y = raster.xy(row, column)
    for question in ("Where is the highest elevation?", "What are the coordinates of the highest point?"):
        answer = answer_of(ask(question, demo))
        told = [float(number.replace(",", "")) for number in re.findall(r"[xy] = ([\d,.]+\d)", answer.text)]
        assert told == pytest.approx([x, y], abs=0.06)
        assert answer.map, "the map shows where it is"


def test_a_value_at_the_extreme_of_another(ask: Ask, demo: Path) -> None:
    hottest = lst(demo, "2022-07-18")
    expected = read(demo / "Demo_DEM.tif")[hottest == np.nanmax(hottest)].mean()
    answer = answer_of(ask("elevation at the pixel with the highest LST on 2022-07-18", demo))
    assert answer.value == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("wording", ["Is NDVI declining over the archive?", "Has NDVI declined over time?"])
def test_a_slope_that_chance_gives_as_well_shows_no_trend(ask: Ask, demo: Path, wording: str) -> None:
    answer = answer_of(ask(wording, demo, choices=("yes", "no")))
    assert not answer.text.startswith("Yes")
    assert answer.choice == "B"


def test_when_is_answered_by_dates_and_not_by_yes_or_no(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("In 2022, when was mean LST above 300 K?", demo))
    means = {day: np.nanmean(lst(demo, day)) for day in DATES_2022}
    wanted = {day for day, mean in means.items() if mean > 300}
    assert wanted and set(re.findall(r"\d{4}-\d\d-\d\d", answer.text.partition("Cloudy")[0])) == wanted


def test_a_slope_that_was_not_tested_says_so(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("Is the Theil-Sen slope of mean LST above 0?", demo))
    assert answer.text.startswith("Yes") and "was not tested" in answer.text
