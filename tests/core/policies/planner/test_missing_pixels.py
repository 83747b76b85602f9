"""How many pixels have a value, and how many have none, by numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.rasters import write_raster

DATES = ("2016-06-05", "2016-08-14", "2017-06-10")


@pytest.fixture(scope="module")
def gaps(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    """NDVI of three dates, the last without a gap, and how many pixels each lacks."""
    folder, rng, missing = tmp_path_factory.mktemp("gaps"), np.random.default_rng(5), {}
    for date, share in zip(DATES, (0.1, 0.4, 0.0), strict=True):
        values = rng.uniform(0.1, 0.8, (20, 30)).astype("float32")
        values[rng.random(values.shape) < share] = -9999
        write_raster(folder / f"Meadow_NDVI_{date}.tif", values, nodata=-9999)
        missing[date] = int((values == -9999).sum())
    return folder, missing


def test_missing_pixels_are_counted(ask: Ask, gaps: tuple[Path, dict[str, int]]) -> None:
    folder, missing = gaps
    assert answer_of(ask("how many pixels are missing on 2016-08-14?", folder)).value == missing["2016-08-14"]
    most = answer_of(ask("Which date has the most nodata pixels?", folder))
    assert most.text.startswith("2016-08-14") and most.value == missing["2016-08-14"]
    dates = answer_of(ask("Which dates have missing data?", folder)).text
    assert [date in dates for date in DATES] == [True, True, False]
    share = answer_of(ask("What share of the pixels is valid on 2016-06-05?", folder)).value
    assert share == pytest.approx(100 - missing["2016-06-05"] / 6)
