"""The numbers of a sample are those that NumPy gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.toolkit.recognition.sample import Sample, statistics


def test_percentiles_are_numpys_to_the_last_digit() -> None:
    rng = np.random.default_rng(3)
    for size in (1, 2, 3, 50, 101, 1000):
        for values in (rng.normal(0, 40, size), rng.integers(0, 9000, size).astype("uint16")):
            found = statistics(values, (), None)
            assert found is not None
            low, median = np.percentile(values.astype("float64"), (1, 50))
            assert (found.low, found.median) == (low, median)
            assert found.magnitude99 == np.percentile(np.abs(values.astype("float64")), 99)


@pytest.mark.parametrize("side", [1400, 2050, 3333])
def test_windows_inside_lie_in_one_block_each(tmp_path: Path, side: int) -> None:
    """Each block holds its own number, so that a window in two of them would hold two."""
    blocks = np.indices((side, side)) // 256
    numbers = (blocks[0] * 100 + blocks[1]).astype("uint16")
    layout = {"tiled": True, "blockxsize": 256, "blockysize": 256}
    with rasterio.open(write_raster(tmp_path / "a.tif", numbers, **layout)) as dataset:
        parts = Sample(dataset).windows(1)
    assert [part.shape for part in parts] == [(128, 128)] * 9
    inside = [set(np.unique(part).tolist()) for part in parts[:5]]
    assert all(len(values) == 1 for values in inside)
    # They lie in different places all the same, and the corners are those of the raster.
    assert len(set().union(*inside)) == 5
    assert [int(part.max()) for part in parts[5:]] == [
        int(numbers[rows, columns].max())
        for columns in (slice(128), slice(-128, None))
        for rows in (slice(128), slice(-128, None))
    ]
