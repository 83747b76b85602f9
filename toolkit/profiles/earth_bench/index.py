"""The index tools as the benchmark computes them: on stored numbers, with 1e-6 in denominators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from treeline.toolkit.batches import each_of
from treeline.toolkit.profiles.earth_bench.stored_values import (
    Values,
    band_of,
    bands_of,
    read,
    same_size,
    write,
)
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import variant

EPSILON = np.float32(1e-6)
NDVI_BINS = 100
FEWEST_PIXELS = 100


def normalise(first: Values, second: Values) -> Values:
    """Return ``(first - second) / (first + second + 1e-6)``."""
    return (first - second) / (first + second + EPSILON)


def _one(function: Callable[..., Values], role: str, *addresses: str) -> str:
    *rasters, output = addresses
    bands = [read(raster) for raster in rasters]
    for raster, band in zip(rasters, bands, strict=True):
        same_size(bands[0], band, f"{rasters[0]} and {raster}")
    with np.errstate(all="ignore"):
        return report_saved(write(function(*bands), rasters[0], output, role))


def _evi(g: float, c1: float, c2: float, soil: float, nir: Values, red: Values, blue: Values) -> Values:
    return g * (nir - red) / (nir + c1 * red - c2 * blue + soil + EPSILON)


def _fvc(low: float, high: float, exponent: float, nir: Values, red: Values) -> Values:
    return np.clip(100 * (normalise(nir, red) - low) / (high - low), 0, 100)


def _wri(green: Values, red: Values, nir: Values, swir: Values) -> Values:
    return (green + red) / (nir + swir + EPSILON)


# Of stored numbers, fill too, the bands in the order given whatever they are; options come first.
FORMULAS: Mapping[str, Callable[..., Values]] = {
    "ndvi": normalise,
    "ndwi": normalise,
    "ndbi": normalise,
    "nbr": normalise,
    "ndti": normalise,
    "evi": _evi,
    "fvc": _fvc,
    "wri": _wri,
}


def _batch(role: str) -> Callable[..., list[str]]:
    def write(**arguments: Any) -> list[str]:
        lists = {name: value for name, value in arguments.items() if isinstance(value, list)}
        options = [value for name, value in arguments.items() if name not in lists]
        return each_of(partial(_one, partial(FORMULAS[role], *options), role), lists, label=role)

    return write


for _role in FORMULAS:
    variant(f"calculate_batch_{_role}", "earth_bench")(_batch(_role))


@variant("calculate_batch_frp", "earth_bench")
def calculate_batch_frp(
    input_frp_paths: list[str], output_paths: list[str], fire_threshold: float = 0
) -> list[str]:
    """Mark fire by 255."""
    lists = {"input_frp_paths": input_frp_paths, "output_paths": output_paths}
    return each_of(partial(_fire, fire_threshold), lists, label="fire mask")


def _fire(threshold: float, frp: str, output: str) -> str:
    # int16, because in a uint8 file 255 would mean "no data".
    return report_saved(write(255 * (band_of(frp) > threshold), frp, output, "fire_mask", "int16"))


@variant("calculate_batch_ndsi", "earth_bench")
def calculate_batch_ndsi(
    green_file_list: list[str], swir_file_list: list[str], output_path_list: list[str]
) -> list[str]:
    """Scale by 0.0001 whatever the data, clip, and resize by index to the smaller raster."""
    lists = {
        "green_file_list": green_file_list,
        "swir_file_list": swir_file_list,
        "output_path_list": output_path_list,
    }
    return each_of(_ndsi, lists, label="ndsi")


def _ndsi(green_path: str, swir_path: str, output: str) -> str:
    bands = [read(path) * np.float32(0.0001) for path in (green_path, swir_path)]
    bands = [np.where((band < 0) | (band > 1), np.float32(np.nan), band) for band in bands]
    shape = tuple(np.minimum(bands[0].shape, bands[1].shape))
    like = green_path if bands[0].shape == shape else swir_path
    green, swir = (_zoom(band, shape) for band in bands)
    return report_saved(write(np.clip(normalise(green, swir), -1, 1), like, output, "ndsi"))


def _zoom(values: Values, shape: tuple[int, ...]) -> Values:
    from scipy import ndimage

    if values.shape == shape:
        return values
    return ndimage.zoom(values, [new / old for new, old in zip(shape, values.shape, strict=True)], order=1)


@variant("calc_extreme_snow_loss_percentage_from_binary_map", "earth_bench")
def calc_extreme_snow_loss_percentage_from_binary_map(binary_map_path: str) -> float:
    """Count values of exactly 1 among the finite ones, nodata too."""
    values = bands_of(binary_map_path).astype(np.float64)
    finite = values[np.isfinite(values)]
    return float(np.count_nonzero(finite == 1) / finite.size) if finite.size else 0.0


@variant("compute_tvdi", "earth_bench")
def compute_tvdi(ndvi_path: str, lst_path: str, output_path: str, **others: Any) -> str:
    """Fit both edges to the extreme pixels of 100 equal NDVI bins and clip to 0..1."""
    ndvi, lst = read(ndvi_path) * np.float32(0.0001), read(lst_path) * np.float32(0.02)
    same_size(ndvi, lst, f"{ndvi_path} and {lst_path}")
    return report_saved(write(dryness(ndvi, lst), ndvi_path, output_path, "tvdi"))


def dryness(ndvi: Values, lst: Values) -> Values:
    """Return TVDI of scaled NDVI and LST; all NaN where there are too few pixels or bins."""
    valid = (ndvi >= 0) & (ndvi <= 1) & (lst > 0)
    nothing = np.full(ndvi.shape, np.float32(np.nan))
    if valid.sum() < FEWEST_PIXELS:
        return nothing
    centres, highest, lowest = _extremes(ndvi[valid], lst[valid])
    if centres.size < 2:
        return nothing
    dry = np.polyval(np.polyfit(centres, highest, 1), ndvi)
    wet = np.polyval(np.polyfit(centres, lowest, 1), ndvi)
    span = np.where(dry - wet == 0, 1e-6, dry - wet)
    return np.where(valid, np.clip((lst - wet) / span, 0, 1), np.nan)


def _extremes(ndvi: Values, lst: Values) -> tuple[Values, Values, Values]:
    edges = np.linspace(float(ndvi.min()), float(ndvi.max()), NDVI_BINS + 1)
    place = np.searchsorted(edges, ndvi, side="right") - 1
    inside = place < NDVI_BINS  # the highest NDVI falls out of the last bin
    highest, lowest = np.full(NDVI_BINS, -np.inf), np.full(NDVI_BINS, np.inf)
    np.maximum.at(highest, place[inside], lst[inside])
    np.minimum.at(lowest, place[inside], lst[inside])
    filled = np.isfinite(highest)
    return ((edges[:-1] + edges[1:]) / 2)[filled], highest[filled], lowest[filled]
