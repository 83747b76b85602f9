"""What a tool makes of all dates together is made of all, whichever of them is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.core.policies.planner.running import evaluate
from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster
from treeline.core.query.expression import Aggregate, Variable, When


def _standardised(sums: np.ndarray, wanted: int) -> float:
    """Return the deviation of one of some sums under the gamma distribution that fits them best."""
    shape, _, scale = stats.gamma.fit(sums, floc=0)
    return float(stats.norm.ppf(stats.gamma.cdf(sums[wanted], shape, scale=scale)))


def test_an_index_of_one_month_is_standardised_by_all_years(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    depths = rng.gamma(2.0, 30.0, (6, 12))
    for year, months in enumerate(depths, start=2016):
        for month, depth in enumerate(months, start=1):
            write_raster(
                tmp_path / f"precipitation_{year}-{month:02d}.tif", np.full((4, 4), depth, "float32")
            )
    answer = ask_folder("What is the mean SPI in July 2021?", tmp_path, tmp_path / "home").answer
    assert answer.value == pytest.approx(_standardised(depths[:, 4:7].sum(axis=1), 5), abs=0.01)


@pytest.fixture
def summers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, np.ndarray, np.ndarray]:
    """A folder of NDVI and temperatures in June and July of six years, and those of July by year."""
    folder = tmp_path_factory.mktemp("summers")
    rng = np.random.default_rng(2)
    values: dict[str, list[np.ndarray]] = {"ndvi": [], "lst": []}
    for year in range(2016, 2022):
        for role, low, high in (("ndvi", 0.2, 0.8), ("lst", 290, 310)):
            july = rng.uniform(low, high, (6, 6)).astype("float32")
            values[role].append(july)
            write_raster(folder / f"{role}_{year}-07-22.tif", july)
            # Another month is no part of the base, whose range it would widen.
            write_raster(folder / f"{role}_{year}-06-20.tif", np.full((6, 6), low - low / 10, "float32"))
    return folder, np.array(values["ndvi"]), np.array(values["lst"])


def test_the_condition_of_a_date_is_held_against_the_month_of_all_years(summers, tmp_path: Path) -> None:
    folder, green, heat = summers
    vegetation = 100 * (green[-1] - green.min(0)) / np.ptp(green, axis=0)
    temperature = 100 * (heat.max(0) - heat[-1]) / np.ptp(heat, axis=0)
    for question, expected in (
        ("mean VCI on 2021-07-22", vegetation),
        ("mean TCI on 2021-07-22", temperature),
        ("mean VHI in July 2021", (vegetation + temperature) / 2),
    ):
        finished = ask_folder(question, folder, tmp_path / question)
        assert finished.status == "answered"
        assert finished.answer.value == pytest.approx(float(expected.mean()), abs=0.01)
        assert "all images of the same month, 2016 to 2021" in finished.answer.text


def test_images_of_one_month_are_made_in_one_step(summers, tmp_path: Path) -> None:
    folder, green, _ = summers
    # One step for each image would be more than a run has, where there are some years of every month.
    found = evaluate(
        Aggregate("mean", Variable("vci", When(months=(7,))), "pixel"), folder, tmp_path / "home"
    )
    expected = 100 * (green - green.min(0)) / np.ptp(green, axis=0)
    assert found.values == pytest.approx(expected.mean(axis=(1, 2)), abs=0.01)
    assert found.tools.count("vegetation_condition_index") == 1


def test_a_condition_needs_other_years(tmp_path: Path) -> None:
    rasters = tmp_path / "rasters"
    rasters.mkdir()
    for month in (5, 6, 7):
        write_raster(rasters / f"ndvi_2021-{month:02d}-22.tif", np.full((4, 4), 0.1 * month, "float32"))
    text = ask_folder("mean VCI on 2021-07-22", rasters, tmp_path / "home").answer.text
    assert "ndvi of the same month in other years" in text
