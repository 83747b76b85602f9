"""Tools that no question reaches are named by the refusal; flow and tasseled cap are reached."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster
from treeline.core.policies.planner.named_tools import BY_HAND

# Baig et al. 2014, of Landsat 8: blue, green, red, near infrared, both short-wave infrared bands.
WETNESS = (0.1511, 0.1973, 0.3283, 0.3407, -0.7117, -0.4559)


@pytest.fixture
def series(tmp_path: Path) -> Path:
    """A folder of NDVI of a summer and of heights."""
    folder = tmp_path / "series"
    folder.mkdir()
    for month in range(4, 10):
        write_raster(folder / f"ndvi_2021-{month:02d}-22.tif", np.full((4, 4), 0.1 * month, "float32"))
    rows, columns = np.mgrid[:9, :9]
    write_raster(folder / "dem.tif", (500 - 10 * columns + abs(rows - 4)).astype("float32"))
    return folder


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("Smooth NDVI with Whittaker", "smooth_series"),
        ("Shannon diversity of the NDVI map", "landscape_metrics"),
        ("watersheds", "watershed_of_point"),
        ("seasonal Mann-Kendall trend of NDVI", "calculate_seasonal_trend_map"),
        ("map of harmonic amplitude of NDVI", "calculate_harmonic_map"),
        ("map of NDVI breaks", "calculate_break_map"),
        ("map of season length in 2021", "calculate_phenology_map"),
        ("mean flow direction", "calculate_flow_direction"),
    ],
)
def test_a_refusal_names_the_tool_that_does_it(
    series: Path, tmp_path: Path, question: str, tool: str
) -> None:
    finished = ask_folder(question, series, tmp_path / "home")
    assert finished.status == "declined"
    assert tool in finished.answer.text
    assert BY_HAND in finished.answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many cars are there?",
        "mean NDVI of bananas in 2021",
        "weather tomorrow",
        "How many days from 2021-07-22 to 2022-07-18 inclusive?",
        "wheat yield",
        "best of NDVI",
    ],
)
def test_no_tool_is_named_for_what_none_does(series: Path, tmp_path: Path, question: str) -> None:
    assert BY_HAND not in ask_folder(question, series, tmp_path / "home").answer.text


def test_flow_follows_from_heights(series: Path, tmp_path: Path) -> None:
    assert ask_folder("map of flow direction", series, tmp_path / "home").status == "answered"
    answer = ask_folder("What is the maximum flow accumulation?", series, tmp_path / "home").answer
    # All of the middle row's neighbours drain into it: 81 pixels of 100 m2.
    assert answer.value == pytest.approx(8100)


def test_tasseled_cap_is_had_of_the_bands_by_their_sensor(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    bands = rng.integers(8000, 20000, (6, 8, 8)).astype("uint16")
    folder = tmp_path / "scene"
    folder.mkdir()
    for number, band in enumerate(bands, start=2):
        write_raster(folder / f"LC08_L2SP_190028_20210712_20210720_02_T1_SR_B{number}.TIF", band)
    answer = ask_folder("mean tasseled cap wetness on 2021-07-12", folder, tmp_path / "home").answer
    expected = np.tensordot(WETNESS, bands * 2.75e-5 - 0.2, 1).mean()
    assert answer.value == pytest.approx(expected, abs=1e-4)
