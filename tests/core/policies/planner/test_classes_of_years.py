"""Maps of classes of several years: a time that is said of a class chooses its map."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.rasters import write_raster

WATER, FOREST = 1, 2
LEGEND = {"TREELINE_ROLE": "landcover", "TREELINE_CLASSES": '{"1": "Water", "2": "Forest"}'}
FOREST_ROWS = {2018: 12, 2022: 5}


@pytest.fixture
def maps(tmp_path: Path) -> Path:
    for year, rows in FOREST_ROWS.items():
        classes = np.full((20, 20), WATER, "uint8")
        classes[:rows] = FOREST
        write_raster(tmp_path / f"Field_land_cover_{year}.tif", classes, tags=LEGEND)
    return tmp_path


def hectares(year: int) -> float:
    return FOREST_ROWS[year] * 20 * 0.01


def test_the_area_of_a_class_in_a_year(ask: Ask, maps: Path) -> None:
    for year in FOREST_ROWS:
        answer = answer_of(ask(f"area of forest in {year}", maps))
        assert answer.value == pytest.approx(hectares(year), rel=2e-3) and f"in {year}" in answer.text


def test_each_class_is_counted_on_the_map_of_its_year(ask: Ask, maps: Path) -> None:
    text = answer_of(ask("Area of each class in 2018 and 2022", maps)).text
    for year in FOREST_ROWS:
        assert f"{year} Forest {hectares(year):.2f} ha" in text.replace(" 1 ha", " 1.00 ha")


def test_how_a_class_changed(ask: Ask, maps: Path) -> None:
    lost = hectares(2018) - hectares(2022)
    assert answer_of(ask("Did forest shrink between 2018 and 2022?", maps)).text.startswith("Yes")
    answer = answer_of(ask("How many hectares of forest were lost between 2018 and 2022?", maps))
    assert answer.value == pytest.approx(-lost, rel=2e-3)
    share = answer_of(ask("How much of the forest of 2018 was water in 2022?", maps)).value
    assert share == pytest.approx(100 * lost / hectares(2018))


def test_which_class_changed_most(ask: Ask, maps: Path) -> None:
    gained = hectares(2018) - hectares(2022)
    for question, name, change in (
        ("Which class grew most from 2018 to 2022?", "Water", gained),
        ("Which class lost the most area between 2018 and 2022?", "Forest", -gained),
    ):
        answer = answer_of(ask(question, maps))
        assert answer.text.startswith(name) and answer.value == pytest.approx(change, rel=2e-3)
    table = answer_of(ask("Change in area of each class, 2018 to 2022", maps))
    assert "change in area by class from 2018 to 2022" in table.text
    assert answer_of(ask("Has the forest shrunk since 2018?", maps)).text.startswith("Yes")


def test_what_became_another_class(ask: Ask, maps: Path) -> None:
    turned = answer_of(ask("How many hectares of forest became water between 2018 and 2022?", maps))
    assert turned.value == pytest.approx(hectares(2018) - hectares(2022), rel=2e-3)


def test_a_year_without_a_map_is_declined(ask: Ask, maps: Path) -> None:
    finished = ask("How much forest was there in 2020?", maps)
    assert finished.status == "declined" and finished.answer is not None
    assert "no map of classes in 2020" in finished.answer.text
