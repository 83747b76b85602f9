"""The amplitude of a season is told by its peak and lows, never by the highest and lowest pixel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster

# The mean of each month; a second low that is not as low.
MEANS = (0.20, 0.22, 0.30, 0.45, 0.60, 0.72, 0.80, 0.74, 0.60, 0.48, 0.40, 0.36)


@pytest.fixture
def year(tmp_path: Path) -> Path:
    """A folder of NDVI of twelve months, whose pixels differ by more than the months do."""
    folder = tmp_path / "year"
    folder.mkdir()
    spread = np.linspace(-0.19, 0.19, 64).reshape(8, 8)
    for month, mean in enumerate(MEANS, start=1):
        write_raster(folder / f"ndvi_2020-{month:02d}-15.tif", (mean + spread).astype("float32"))
    return folder


@pytest.mark.parametrize(
    "question",
    ["Amplitude in 2020", "amplitude of NDVI in 2020", "What is the seasonal amplitude of NDVI in 2020?"],
)
def test_an_amplitude_is_that_of_the_season(question: str, year: Path, tmp_path: Path) -> None:
    answer = ask_folder(question, year, tmp_path / "home").answer
    assert answer.value == pytest.approx(0.80 - (0.20 + 0.36) / 2, abs=1e-4)


def test_one_date_has_no_amplitude(year: Path, tmp_path: Path) -> None:
    assert ask_folder("amplitude of NDVI on 2020-07-15", year, tmp_path / "home").status == "declined"
