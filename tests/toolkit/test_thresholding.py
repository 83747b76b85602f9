"""Otsu's threshold: between two classes, in the middle of the gap."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.toolkit.errors import InputError
from treeline.toolkit.thresholding import BINS, histogram, otsu, otsu_of_histogram


def test_the_threshold_is_the_middle_of_the_gap():
    counts = np.array([5, 5, 0, 0, 0, 5, 5])
    assert otsu_of_histogram(counts, np.arange(8.0)) == pytest.approx(3.5)  # between 2 and 5
    assert otsu(np.array([0.0] * 9 + [1.0] * 5), bins=4) == pytest.approx(0.5)


def test_two_counts_are_enough_and_one_is_not():
    assert otsu_of_histogram(np.array([3, 4]), np.arange(3.0)) == pytest.approx(1.0)
    with pytest.raises(InputError, match="one value only"):
        otsu_of_histogram(np.array([0, 7, 0]), np.arange(4.0))


def test_the_resolution_is_a_thousandth_of_the_range():
    """More than the 256 of eight bits, so that float rasters with a few outliers keep their threshold."""
    assert BINS == 1024
    values = np.concatenate([np.full(50, 0.1), np.full(50, 0.102), [1.1]])
    assert 0.1 < otsu(values[:-1]) < 0.102


def test_a_histogram_of_a_raster_has_the_valid_pixels_between_the_least_and_the_greatest(tmp_path: Path):
    nan = np.nan
    path = write_raster(tmp_path / "a.tif", np.array([[0.0, 1.0, 1.9], [4.0, nan, nan]], np.float32))
    counts, edges = histogram(str(path), bins=4)
    assert counts.tolist() == [1, 2, 0, 1] and edges.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
