"""Any statistic of the pixels of rasters with holes, against numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.rasters import write_raster
from tests.workplace import Workplace

RANDOM = np.random.default_rng(3)
FIRST = np.round(RANDOM.normal(0.4, 0.3, (30, 40)), 3).astype("float32")
SECOND = np.round(RANDOM.normal(0.1, 0.2, (30, 40)), 3).astype("float32")
FIRST[RANDOM.random(FIRST.shape) < 0.2] = -9999
SECOND[:, :7] = -9999
CLASSES = RANDOM.integers(1, 4, FIRST.shape).astype("uint8")


def _bins(v: np.ndarray) -> float:
    counts = np.histogram(v, 256, (v.min(), v.max()))[0] / v.size
    return float(-np.sum(counts[counts > 0] * np.log2(counts[counts > 0])))


STATISTICS = {
    "mean": np.mean,
    "median": np.median,
    "std": lambda v: np.std(v, ddof=1),
    "variance": lambda v: np.var(v, ddof=1),
    "range": np.ptp,
    "iqr": stats.iqr,
    "mad": stats.median_abs_deviation,
    "rms": lambda v: np.linalg.norm(v) / np.sqrt(np.size(v)),
    "skewness": lambda v: stats.skew(v, bias=False),
    "kurtosis": stats.kurtosis,
    "trimmed_mean": lambda v: stats.trim_mean(v, 0.1),
    "entropy": _bins,
    "cv": lambda v: np.std(v, ddof=1) / np.mean(v),
}


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    found = Workplace(tmp_path)
    write_raster(tmp_path / "first.tif", FIRST, nodata=-9999)
    write_raster(tmp_path / "second.tif", SECOND, nodata=-9999)
    write_raster(tmp_path / "classes.tif", CLASSES, nodata=0)
    write_raster(tmp_path / "empty.tif", np.full(FIRST.shape, -9999, "float32"), nodata=-9999)
    return found


def _valid(array: np.ndarray) -> np.ndarray:
    return array[array != -9999].astype(float)


@pytest.mark.parametrize("statistic", sorted(STATISTICS))
def test_each_image_and_all_together(place: Workplace, statistic: str) -> None:
    files = ["first.tif", "second.tif"]
    each = place.run("image_statistics", file_list=[*files, "empty.tif"], statistic=statistic)
    expected = [float(STATISTICS[statistic](_valid(array))) for array in (FIRST, SECOND)]
    assert each == [pytest.approx(expected[0], rel=1e-5), pytest.approx(expected[1], rel=1e-5), None]
    together = np.concatenate([_valid(FIRST), _valid(SECOND)])
    pooled = place.run("pooled_image_statistic", file_list=files, statistic=statistic)
    assert pooled == pytest.approx(float(STATISTICS[statistic](together)), rel=1e-5)


@pytest.mark.parametrize("statistic", ["median", "iqr", "mad", "trimmed_mean"])
def test_more_than_is_sorted_in_memory_is_counted_to_the_same_value(
    place: Workplace, statistic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ["first.tif", "second.tif"]
    ordered = place.run("pooled_image_statistic", file_list=files, statistic=statistic)
    monkeypatch.setattr("treeline.toolkit.statistics.pixels.MOST_SORTED", 0)
    assert place.run("pooled_image_statistic", file_list=files, statistic=statistic) == ordered


@pytest.mark.parametrize("statistic", ["mean", "median", "std", "iqr"])
def test_by_class(place: Workplace, statistic: str) -> None:
    rows = place.run(
        "statistics_by_class", file_list=["first.tif"], classes_path="classes.tif", statistic=statistic
    )
    for number in (1, 2, 3):
        expected = STATISTICS[statistic](FIRST[(number == CLASSES) & (FIRST != -9999)].astype(float))
        assert rows[0][f"{number}"] == pytest.approx(float(expected), rel=1e-5)


def test_the_most_frequent_class(place: Workplace) -> None:
    values, counts = np.unique(CLASSES, return_counts=True)
    found = place.run("image_statistics", file_list=["classes.tif"], statistic="mode")
    assert found == [float(values[counts.argmax()])]


def test_a_weighted_mean(place: Workplace) -> None:
    there = FIRST != -9999
    weights = CLASSES[there].astype(float)
    found = place.run("image_weighted_mean", file_list=["first.tif"], weight_path="classes.tif")
    assert found == [pytest.approx(float((FIRST[there] * weights).sum() / weights.sum()), rel=1e-5)]


def test_the_share_of_what_is_no_mask_is_told_with_a_warning(place: Workplace) -> None:
    mask = place.raster("mask.tif", (CLASSES == 1).astype("uint8"))
    shares = place.run("image_statistics", file_list=[mask], statistic="share")
    assert shares == [pytest.approx(100 * np.mean(CLASSES == 1))]
    assert place.context.warnings == []
    shares = place.run("image_statistics", file_list=["first.tif"], statistic="share")
    assert shares == [pytest.approx(100 * np.mean(_valid(FIRST) != 0))]
    assert "first.tif is no mask of 0 and 1" in place.context.warnings[0]
