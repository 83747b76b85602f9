"""Facts of the data: each rests on a step that tells it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.rasters import write_raster


@pytest.mark.parametrize(
    ("question", "value", "text"),
    [
        ("Which files are there?", None, "Demo_DEM.tif"),
        ("Which variables are there?", 11.0, "land cover"),
        ("Which bands are there?", 7.0, "red reflectance (red)"),
        ("How many rows and columns?", 14400.0, "120 rows and 120 columns"),
        ("What is the extent?", None, "EPSG:32633"),
        ("Which satellite took the images?", None, "simulated"),
        ("How many features are there?", 10.0, "10 features"),
        ("How many days lie between 14 August 2016 and 5 July 2017?", 325.0, "325 days"),
    ],
)
def test_a_fact_of_the_data_rests_on_a_step(
    ask: Ask, demo: Path, question: str, value: float | None, text: str
) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.evidence and answer.value == value
    assert text in answer.text


def test_a_band_is_what_a_sensor_measured(ask: Ask, demo: Path) -> None:
    told = answer_of(ask("Which bands are there?", demo)).text
    assert "elevation" not in told and "land cover" not in told


def test_rasters_without_dates_are_told_as_such(ask: Ask, demo: Path) -> None:
    found = answer_of(ask("How many images are there?", demo / "Demo_DEM.tif"))
    assert found.value is None and "1 raster of elevation, without a date" in found.text
    files = answer_of(ask("How many files are there?", demo / "Demo_DEM.tif"))
    assert files.text.startswith("There is 1 raster file: Demo_DEM.tif")


def test_a_date_at_two_places_is_said_to_count_once(ask: Ask, tmp_path: Path) -> None:
    for place in ("east", "west"):
        write_raster(tmp_path / f"LST_20210601_{place}.tif", np.full((4, 4), 290.5, "float32"))
    found = answer_of(ask("How many images are there?", tmp_path))
    assert found.value == 1.0 and "counted once for 2 places: east and west" in found.text
