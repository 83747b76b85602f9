"""Numbers of images as the benchmark computes them."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.execution import each
from treeline.toolkit.profiles.earth_bench.stored_values import (
    Values,
    band_of,
    bands_of,
    finite_or_nan,
    same_size,
    stretch,
)
from treeline.toolkit.statistics.conditional_statistics import calc_threshold_value_mean as mean_by_date
from treeline.toolkit.statistics.conditions import COMPARE, files_of
from treeline.toolkit.tool import variant

TIME_STAMP = re.compile(r"\d{4}_\d{2}_\d{2}_\d{4}")


def _skew(values: Values) -> float:
    from scipy import stats

    return float(stats.skew(values, bias=False))


def _kurtosis(values: Values) -> float:
    from scipy import stats

    return float(stats.kurtosis(values, fisher=False))


OPERATIONS: Mapping[str, Callable[[Values], Any]] = {
    "mean": np.nanmean,
    "std": lambda values: np.nanstd(values, ddof=1),
    "median": np.nanmedian,
    "min": np.nanmin,
    "max": np.nanmax,
    "skewness": _skew,
    "kurtosis": _kurtosis,
    "sum": np.nansum,
}


def _measure(address: str, name: str, uint8: bool) -> float:
    values = finite_or_nan(bands_of(address)).ravel()
    values = stretch(values) if uint8 else values
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return float(OPERATIONS[name](values))


def _series(name: str) -> Callable[..., list[float]]:
    def of_images(file_list: list[str], uint8: bool = False) -> list[float]:
        return each(partial(_measure, name=name, uint8=uint8), files_of(file_list, "file_list"), label=name)

    return of_images


for _name in OPERATIONS:
    variant(f"calc_batch_image_{_name}", "earth_bench")(_series(_name))


@variant("calc_batch_image_mean_mean", "earth_bench")
def calc_batch_image_mean_mean(file_list: list[str], uint8: bool = False) -> float:
    """Average the means of all bands."""
    return float(np.mean(_series("mean")(file_list, uint8)))


@variant("calc_batch_image_mean_max", "earth_bench")
def calc_batch_image_mean_max(file_list: list[str], uint8: bool = False) -> float:
    """Take the largest mean of all bands."""
    return max(_series("mean")(file_list, uint8))


@variant("calc_batch_image_mean_max_min", "earth_bench")
def calc_batch_image_mean_max_min(file_list: list[str], uint8: bool = False) -> list[float]:
    """Take band 1; a stretch clips to 0..1 and multiplies by 255."""
    means, highs, lows = [], [], []
    for address in files_of(file_list, "file_list"):
        values = band_of(address).astype(np.float64)
        values = values[np.isfinite(values)]
        if not values.size:
            raise InputError(f"{address} has no finite pixel.", "Leave it out.")
        values = np.clip(values, 0, 1) * 255 if uint8 else values
        means.append(values.mean())
        highs.append(values.max())
        lows.append(values.min())
    return [float(np.mean(means)), float(max(highs)), float(min(lows))]


@variant("calc_batch_image_mean_threshold", "earth_bench")
def calc_batch_image_mean_threshold(
    file_list: list[str],
    threshold: float,
    above: bool = True,
    uint8: bool = False,
    band_index: int = 0,
    return_type: str = "ratio",
) -> float | int:
    """Honour nodata, unlike the means themselves."""
    files = files_of(file_list, "file_list")
    bands = [band_of(address, band_index, honour_nodata=True) for address in files]
    means = [_mean(stretch(band) if uint8 else band) for band in bands]
    count = sum(bool(COMPARE["above" if above else "below"](mean, threshold)) for mean in means)
    return 100.0 * count / len(means) if return_type == "ratio" else count


@variant("count_images_exceeding_mean_multiplier", "earth_bench")
def count_images_exceeding_mean_multiplier(
    image_paths: str | list[str], mean_multiplier: float = 1.1, mode: str = "above", verbose: bool = True
) -> int:
    """Compare with a multiple of the mean of means, whatever its sign."""
    files = files_of(image_paths, "image_paths")
    means = [_mean(band_of(address, honour_nodata=True)) for address in files]
    limit = mean_multiplier * float(np.mean(means))
    return sum(bool(COMPARE["below" if mode == "below" else "above"](mean, limit)) for mean in means)


@variant("calculate_threshold_ratio", "earth_bench")
def calculate_threshold_ratio(
    image_paths: str | list[str], threshold: float = 0.75, mode: str = "above", band_index: int = 0
) -> float:
    """Count nodata as valid; 0 where nothing is valid."""
    bands = (band_of(address, band_index) for address in files_of(image_paths, "image_paths"))
    return float(np.mean([_percent(band, threshold, mode) for band in bands]))


@variant("count_images_exceeding_threshold_ratio", "earth_bench")
def count_images_exceeding_threshold_ratio(
    image_paths: str | list[str],
    value_threshold: float = 0.7,
    ratio_threshold: float = 20.0,
    mode: str = "above",
    verbose: bool = True,
) -> int:
    """Honour nodata."""
    return sum(p > ratio_threshold for p in _percents(image_paths, value_threshold, mode))


@variant("average_ratio_exceeding_threshold", "earth_bench")
def average_ratio_exceeding_threshold(
    image_paths: str | list[str],
    value_threshold: float = 0.7,
    ratio_threshold: float = 20.0,
    mode: str = "above",
    verbose: bool = True,
) -> float:
    """Honour nodata."""
    exceeding = [p for p in _percents(image_paths, value_threshold, mode) if p > ratio_threshold]
    return float(np.mean(exceeding)) if exceeding else 0.0


@variant("calc_batch_image_hotspot_percentage", "earth_bench")
def calc_batch_image_hotspot_percentage(
    file_list: list[str], threshold: float, uint8: bool = False
) -> list[float]:
    """Take all bands and nodata together."""
    found = []
    for address in files_of(file_list, "file_list"):
        values = finite_or_nan(bands_of(address))
        found.append(_percent(stretch(values) if uint8 else values, threshold, "above") / 100)
    return found


@variant("calc_batch_fire_pixels", "earth_bench")
def calc_batch_fire_pixels(file_list: list[str], fire_threshold: float = 0) -> list[int]:
    """Take all bands and nodata together."""
    return [int((bands_of(address) > fire_threshold).sum()) for address in files_of(file_list, "file_list")]


@variant("calculate_multi_band_threshold_ratio", "earth_bench")
def calculate_multi_band_threshold_ratio(image_path: str, band_conditions: list) -> float:
    """Divide by the valid pixels of the first band asked."""
    met, valid = _count_matches(image_path, band_conditions)
    return 100.0 * met / valid if valid else 0.0


@variant("count_pixels_satisfying_conditions", "earth_bench")
def count_pixels_satisfying_conditions(image_path: str, band_conditions: list) -> int:
    """Honour nodata in each band."""
    return _count_matches(image_path, band_conditions)[0]


@variant("get_percentile_value_from_image", "earth_bench")
def get_percentile_value_from_image(image_path: str, percentile: float) -> float | int:
    """Round the percentile of an integer raster; count nodata."""
    values = band_of(image_path)
    if not 1 <= percentile <= 100:
        raise InputError(f"The argument 'percentile' is {percentile:g}.", "Give a number from 1 to 100.")
    values = values[np.isfinite(values)]
    if not values.size:
        raise NoValidPixels(f"No pixel of {image_path} is finite.", "Check nodata and clouds.")
    found = float(np.percentile(values, percentile))
    return round(found) if values.dtype.kind in "iu" else found


@variant("image_division_mean", "earth_bench")
def image_division_mean(
    image_path1: str, image_path2: str | None = None, band1: int = 1, band2: int = 2
) -> float:
    """Count nodata; of two files take band 1 of each."""
    if image_path2 is None:
        first, second = band_of(image_path1, band1 - 1), band_of(image_path1, band2 - 1)
    else:
        first, second = band_of(image_path1), band_of(image_path2)
        same_size(first, second, "The two rasters")
    with np.errstate(all="ignore"):
        ratios = np.where(second != 0, first.astype(np.float64) / second.astype(np.float64), np.nan)
    return _mean(ratios)


@variant("calculate_intersection_percentage", "earth_bench")
def calculate_intersection_percentage(
    path1: str, threshold1: float, path2: str, threshold2: float, mode1: str = "above", mode2: str = "above"
) -> float:
    """Compare stored values pixel by pixel."""
    first, second = band_of(path1, honour_nodata=True), band_of(path2, honour_nodata=True)
    same_size(first, second, "The two rasters")
    valid = ~np.isnan(first) & ~np.isnan(second)
    met = COMPARE[mode1](first, threshold1) & COMPARE[mode2](second, threshold2) & valid
    return 100.0 * int(met.sum()) / int(valid.sum()) if valid.any() else 0.0


@variant("calculate_band_mean_by_condition", "earth_bench")
def calculate_band_mean_by_condition(
    image_path: str,
    condition_band_index: int,
    condition_threshold: float,
    condition_mode: str = "above",
    target_band_index: int = 0,
) -> float:
    """Give NaN where the condition is met nowhere."""
    tested = band_of(image_path, condition_band_index, honour_nodata=True)
    target = band_of(image_path, target_band_index, honour_nodata=True)
    compare = COMPARE["above_equal" if condition_mode == "above" else "below"]
    return _mean(target[compare(tested, condition_threshold)])


@variant("calc_threshold_value_mean", "earth_bench")
def calc_threshold_value_mean(
    path1: str | list[str], path2: str | list[str], threshold: float = 300.0
) -> float:
    """Pair by the time stamp in the names and keep values of 0 to 1.

    Names without a stamp, which the benchmark never pairs, are paired by date.
    """
    first, second = (_by_stamp(files_of(path, name)) for path, name in ((path1, "path1"), (path2, "path2")))
    if not first or not second:
        return mean_by_date(path1, path2, threshold)
    chosen = [_select_exceeded(first[stamp], second[stamp], threshold) for stamp in first if stamp in second]
    return _mean(np.concatenate(chosen)) if chosen else math.nan


def _select_exceeded(tested: str, target: str, threshold: float) -> Values:
    one, other = band_of(tested), band_of(target)
    same_size(one, other, "The two rasters")
    return other[(one > threshold) & (one > 0) & (other >= 0) & (other <= 1)].astype(np.float64)


def _by_stamp(addresses: list[str]) -> dict[str, str]:
    found = ((TIME_STAMP.search(Path(address).name), address) for address in addresses)
    return {match.group(): address for match, address in found if match}


def _count_matches(address: str, conditions: list) -> tuple[int, int]:
    if not conditions:
        raise InputError("The argument 'band_conditions' is empty.", "Give such as [[0, 0.5, 'above']].")
    met, valid = True, None
    for index, threshold, comparison in conditions:
        band = band_of(address, int(index), honour_nodata=True)
        valid = int((~np.isnan(band)).sum()) if valid is None else valid
        met = met & COMPARE[comparison](band, threshold) & ~np.isnan(band)
    return int(np.sum(met)), int(valid or 0)


def _percents(image_paths: str | list[str], threshold: float, mode: str) -> list[float]:
    bands = (band_of(address, honour_nodata=True) for address in files_of(image_paths, "image_paths"))
    return [_percent(band, threshold, mode) for band in bands]


def _percent(values: Values, threshold: float, mode: str) -> float:
    valid = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(values.shape, bool)
    met = COMPARE[mode](values, threshold) & valid
    return 100.0 * int(met.sum()) / int(valid.sum()) if valid.any() else 0.0


def _mean(values: Values) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return float(np.nanmean(values))
