"""A share whose ground is not said is one of all pixels, and the water of a soil is what its moisture is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster


@pytest.fixture
def month(tmp_path: Path) -> tuple[Path, np.ndarray]:
    """A folder of TerraClimate of one month, and its bands: rain, water in the soil."""
    folder = tmp_path / "month"
    folder.mkdir()
    rng = np.random.default_rng(6)
    bands = np.array([rng.integers(0, 40, (9, 9)), rng.integers(100, 1900, (9, 9))]).astype("int16")
    write_raster(folder / "TerraClimate_202107.tif", bands, descriptions=["pr", "soil"])
    return folder, bands


def test_a_share_that_was_is_one_of_the_area(tmp_path: Path) -> None:
    folder = tmp_path / "heat"
    folder.mkdir()
    kelvin = np.linspace(290, 305, 64).reshape(8, 8).astype("float32")
    write_raster(folder / "lst_2021-07-22.tif", kelvin)
    answer = ask_folder("What share is warmer than 25 \u00b0C?", folder, tmp_path / "home").answer
    assert answer.value == pytest.approx(100 * (kelvin > 298.15).mean(), abs=0.01)


def test_a_share_that_had_rain_is_one_of_the_area(month, tmp_path: Path) -> None:
    folder, bands = month
    question = "What share had more than 10 mm of rain in July 2021?"
    answer = ask_folder(question, folder, tmp_path / "home").answer
    assert answer.value == pytest.approx(100 * (bands[0] > 10).mean(), abs=0.01)


def test_soil_moisture_is_the_water_stored_where_that_is_there(month, tmp_path: Path) -> None:
    folder, bands = month
    answer = ask_folder("mean soil moisture in July 2021", folder, tmp_path / "home").answer
    assert answer.value == pytest.approx(bands[1].mean() / 10, abs=0.01)
    assert "water stored in the soil" in answer.text and answer.unit == "mm"
