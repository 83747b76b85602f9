"""What a tool makes of all dates together is made of all, whichever of them is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster


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
