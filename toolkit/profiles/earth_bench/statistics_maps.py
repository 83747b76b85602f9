"""Rasters that the benchmark's statistics tools write."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.execution import each
from treeline.toolkit.profiles.earth_bench.stored_values import (
    Values,
    band_of,
    bands_of,
    same_size,
    stretch,
    write,
)
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.conditions import COMPARE, files_of
from treeline.toolkit.tool import variant

# Fill, dilated cloud, cirrus, cloud and cloud shadow (bits 0 to 4 of QA_PIXEL).
CLOUDS_OF_QA_PIXEL = 0b11111


@variant("calculate_tif_average", "earth_bench")
def calculate_tif_average(file_list: list[str], output_path: str, uint8: bool = False) -> str:
    """Average all bands with their nodata; NaN in one image makes the pixel NaN."""
    files = files_of(file_list, "file_list")
    total: Any = 0.0
    for address in files:
        bands = bands_of(address).astype(np.float64)
        if np.ndim(total):
            same_size(total, bands, "The rasters")
        total = total + bands
    return _write(total / len(files), files[0], output_path, "", uint8)


@variant("calculate_tif_difference", "earth_bench")
def calculate_tif_difference(
    image_a_path: str, image_b_path: str, output_path: str, uint8: bool = False
) -> str:
    """Subtract all bands of a from those of b."""
    first, second = bands_of(image_a_path).astype(np.float64), bands_of(image_b_path).astype(np.float64)
    same_size(first, second, "The two rasters")
    return _write(second - first, image_a_path, output_path, "difference", uint8)


@variant("subtract", "earth_bench")
def subtract(img1_path: str, img2_path: str, output_path: str) -> str:
    """Subtract stored values, nodata too."""
    first, second = band_of(img1_path).astype(np.float64), band_of(img2_path).astype(np.float64)
    same_size(first, second, "The two rasters")
    return _write(first - second, img1_path, output_path, "difference", False)


@variant("calc_batch_image_hotspot_tif", "earth_bench")
def calc_batch_image_hotspot_tif(
    file_list: list[str],
    threshold: float,
    output_path_list: list[str],
    uint8: bool = False,
    mode: str = "below",
) -> list[str]:
    """Mark what lies below, as floats; NaN stays."""
    one = partial(_mark, threshold=threshold, uint8=uint8, mode=mode)
    return each(one, files_of(file_list, "file_list"), files_of(output_path_list, "output_path_list"))


@variant("create_fire_increase_map", "earth_bench")
def create_fire_increase_map(change_image_path: str, output_path: str, threshold: float = 20.0) -> str:
    """Mark stored values; NaN is not marked."""
    marked = band_of(change_image_path) >= threshold
    return report_saved(write(marked, change_image_path, output_path, "mask", "uint8"))


@variant("identify_fire_prone_areas", "earth_bench")
def identify_fire_prone_areas(
    file_path: str, output_path: str, threshold_percentile: float = 75, uint8: bool = False
) -> list[str | float]:
    """Mark nothing, with the threshold 0, where no value is above 0."""
    values = band_of(file_path)
    values = stretch(values) if uint8 else values
    positive = values[values > 0]
    threshold = float(np.percentile(positive, threshold_percentile)) if positive.size else 0.0
    marked = (values >= threshold) & bool(positive.size)
    return [report_saved(write(marked, file_path, output_path, "mask", "uint8")), threshold]


@variant("calculate_area", "earth_bench")
def calculate_area(
    input_image_path: str, gsd: float | None, unit: str = "m2", value: float | None = None
) -> float:
    """Count every value of every band that is not 0, nodata too."""
    count = float(np.count_nonzero(bands_of(input_image_path)))
    return count if gsd is None else count * gsd**2


@variant("radiometric_correction_sr", "earth_bench")
def radiometric_correction_sr(input_band_path: str, output_path: str) -> str:
    """Scale the fill value too."""
    values = band_of(input_band_path).astype(np.float32) * np.float32(0.0000275) - np.float32(0.2)
    return report_saved(write(values, input_band_path, output_path, ""))


@variant("apply_cloud_mask", "earth_bench")
def apply_cloud_mask(sr_band_path: str, qa_pixel_path: str, output_path: str) -> str:
    """Test the low five bits and keep digital numbers."""
    values, quality = band_of(sr_band_path), band_of(qa_pixel_path)
    same_size(values, quality, "The band and its quality band")
    if quality.dtype.kind not in "iu":
        quality = np.nan_to_num(quality).astype(np.int64)
    return report_saved(
        write(np.where(quality & CLOUDS_OF_QA_PIXEL == 0, values, np.nan), sr_band_path, output_path, "")
    )


@variant("getis_ord_gi_star", "earth_bench")
def getis_ord_gi_star(image_path: str, weight_matrix: list[list[float]], output_path: str) -> str:
    """Pad with 0 beyond the edges and keep the full sum of weights; NaN counts as 0."""
    from scipy import ndimage

    values = np.nan_to_num(band_of(image_path).astype(np.float64), nan=0.0)
    weights = np.array(weight_matrix, dtype=np.float64)
    if weights.ndim != 2:
        raise InputError("The argument 'weight_matrix' is no matrix.", "Give rows of one length.")
    n, total, squares = values.size, weights.sum(), (weights**2).sum()
    spread = values.std() * np.sqrt((n * squares - total**2) / (n - 1)) if n > 1 else 0.0
    with np.errstate(all="ignore"):
        score = (ndimage.convolve(values, weights, mode="constant") - values.mean() * total) / spread
    return report_saved(write(score, image_path, output_path, "gi_star"))


@variant("analyze_hotspot_direction", "earth_bench")
def analyze_hotspot_direction(hotspot_map_path: str) -> str:
    """Take values of 1; ties on a diagonal go to west and east."""
    values = band_of(hotspot_map_path)
    rows, columns = np.nonzero(values == 1)
    down, across = rows - values.shape[0] // 2, columns - values.shape[1] // 2
    upright = np.abs(down) > np.abs(across)
    counts = {
        "north": int((upright & (down < 0)).sum()),
        "south": int((upright & (down >= 0)).sum()),
        "east": int((~upright & (across > 0)).sum()),
        "west": int((~upright & (across <= 0)).sum()),
    }
    return max(counts, key=lambda name: counts[name]) if rows.size else "no hotspots found"


def _write(values: Values, like: str, output: str, role: str, uint8: bool) -> str:
    if uint8:
        return report_saved(write(stretch(values), like, output, role, "uint8"))
    return report_saved(write(values, like, output, role))


def _mark(address: str, output: str, threshold: float, uint8: bool, mode: str) -> str:
    values = stretch(band_of(address)) if uint8 else band_of(address)
    marked = np.where(_is_missing(values), np.nan, COMPARE[mode](values, threshold))
    return report_saved(write(marked, address, output, "mask"))


def _is_missing(values: Values) -> Values:
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.shape, bool)
