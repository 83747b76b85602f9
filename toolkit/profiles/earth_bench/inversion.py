"""The surface temperature tools as the benchmark computes them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from treeline.toolkit.batches import each_of
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.profiles.earth_bench.stored_values import Values, read, same_size, write
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import variant

# The second radiation constant h c / k in um K, as the benchmark rounds it.
PLANCK = 14387.7


def read_equal_sizes(*addresses: str) -> list[Values]:
    """Return the first bands of files of one size."""
    bands = [read(address) for address in addresses]
    for address, band in zip(addresses, bands, strict=True):
        same_size(bands[0], band, f"{addresses[0]} and {address}")
    return bands


def mask_outside(values: Values, low: float, high: float) -> Values:
    """Return the values with NaN outside a range."""
    return np.where((values >= low) & (values <= high), values, np.float32(np.nan))


def correct(temperature: Values, emissivity: Values, wavelength: float) -> Values:
    """Return the emissivity-corrected temperature with the benchmark's constant."""
    return temperature / (1 + (wavelength * temperature / PLANCK) * np.log(emissivity))


@variant("lst_single_channel", "earth_bench")
def lst_single_channel(bt_path: str, red_path: str, nir_path: str, output_path: str, **others: Any) -> str:
    """Take the emissivity in three steps of NDVI."""
    bt, red, nir = (
        np.where(band < 0, np.float32(np.nan), band) for band in read_equal_sizes(bt_path, red_path, nir_path)
    )
    with np.errstate(all="ignore"):
        ndvi = (nir - red) / (nir + red + np.float32(1e-6))
        emissivity = np.where(ndvi > 0.7, 0.99, np.where(ndvi < 0.2, 0.96, 0.97 + 0.003 * ndvi))
        return report_saved(write(correct(bt, emissivity, 10.9), bt_path, output_path, "lst"))


@variant("lst_multi_channel", "earth_bench")
def lst_multi_channel(band31_path: str, band32_path: str, output_path: str, **others: Any) -> str:
    """Apply the coefficients in kelvin."""
    first, second = read_equal_sizes(band31_path, band32_path)
    return report_saved(
        write(1.022 * first + 0.47 * (first - second) + 0.43, band31_path, output_path, "lst")
    )


@variant("split_window", "earth_bench")
def split_window(
    band31_path: str,
    band32_path: str,
    emissivity31_path: str,
    emissivity32_path: str,
    parameter: str,
    output_path: str,
    **others: Any,
) -> str:
    """Scale the emissivities always and multiply the temperature in Celsius."""
    paths = (band31_path, band32_path, emissivity31_path, emissivity32_path)
    first, second, e31, e32 = read_equal_sizes(*paths)
    # Scale and offset of MOD11's emissivities, whether the file states them or not.
    e31, e32 = e31 * np.float32(0.002) + np.float32(0.49), e32 * np.float32(0.002) + np.float32(0.49)
    span, mean = first - second, np.clip((e31 + e32) / 2, 0.8, 1.0)
    wanted = parameter.upper()
    with np.errstate(all="ignore"):
        if wanted == "LST":
            return report_saved(
                write(_split_window_lst(first, span, mean, e31 - e32), band31_path, output_path, "lst")
            )
        if wanted == "PWV":
            return report_saved(write(span / (first * mean) * 100, band31_path, output_path, "pwv"))
    raise InputError(f"parameter: {parameter!r} is not known.", "Use LST or PWV.")


def _split_window_lst(first: Values, span: Values, mean: Values, difference: Values) -> Values:
    celsius, factor = first - 273.15, 54.3 - 2.238 * span
    found = (
        0.268
        + 1.378 * celsius
        + 0.183 * celsius**2 / 1000
        + factor * (1 - mean)
        + factor * difference
        + 273.15
    )
    return mask_outside(found, 200, 350)


@variant("temperature_emissivity_separation", "earth_bench")
def temperature_emissivity_separation(
    tir_band_paths: list[str], representative_band_index: int, output_path: str, **others: Any
) -> str:
    """Take the spread of brightness temperatures for the spread of emissivity."""
    if not tir_band_paths:
        raise InputError("tir_band_paths: the list is empty.", "Give the thermal bands.")
    bands = np.stack(read_equal_sizes(*tir_band_paths))
    if not -len(bands) <= representative_band_index < len(bands):
        raise InputError(
            f"representative_band_index: {representative_band_index} is no place in a list of {len(bands)} "
            "rasters.",
            "Count from 0.",
        )
    chosen = bands[representative_band_index]
    stack = np.where((chosen > 0) & (chosen < 1000), bands, np.float32(np.nan))
    with np.errstate(all="ignore"):
        spread = stack.max(axis=0) - stack.min(axis=0)
        emissivity = np.clip(0.982 - 0.072 * spread, 0.85, 0.999)
        lst = correct(stack[representative_band_index], emissivity, 10.6)
    return report_saved(write(np.stack([lst, emissivity, spread]), tir_band_paths[0], output_path, "lst"))


@variant("ttm_lst", "earth_bench")
def ttm_lst(tir_band_paths: list[str], output_path: str, **others: Any) -> str:
    """Take a weighted mean plus 2 K, and an emissivity of 0.95."""
    if len(tir_band_paths) != 3:
        raise InputError(f"tir_band_paths: {len(tir_band_paths)} rasters; three are needed.")
    bands = np.stack(read_equal_sizes(*tir_band_paths))
    valid = ((bands > 240) & (bands < 340)).all(axis=0)
    lst = np.where(valid, 0.3 * bands[0] + 0.3 * bands[1] + 0.4 * bands[2] + 2.0, np.nan)
    emissivity = np.where(valid, 0.95, np.nan)
    return report_saved(write(np.stack([lst, emissivity, emissivity]), tir_band_paths[0], output_path, "lst"))


@variant("modis_day_night_lst", "earth_bench")
def modis_day_night_lst(
    BT_day_path: str, BT_night_path: str, Emis_day_path: str, Emis_night_path: str, output_path: str
) -> str:
    """Keep 270 to 325 K and lay the rasters onto the day's by index."""
    day = read(BT_day_path)
    night, e_day, e_night = (
        _by_index(read(p), day.shape) for p in (BT_night_path, Emis_day_path, Emis_night_path)
    )
    day, night = mask_outside(day, 270, 325), mask_outside(night, 270, 325)
    e_day, e_night = (
        e_day * np.float32(0.002) + np.float32(0.49),
        e_night * np.float32(0.002) + np.float32(0.49),
    )
    surface = [
        mask_outside(correct(bt, np.clip(e, 0.5, 1), 11.0), 270, 325)
        for bt, e in ((day, e_day), (night, e_night))
    ]
    return report_saved(
        write(np.stack([*surface, day, night, e_day, e_night]), BT_day_path, output_path, "lst_day")
    )


def _by_index(values: Values, shape: tuple[int, ...]) -> Values:
    rows = np.arange(shape[0]) * values.shape[0] // shape[0]
    columns = np.arange(shape[1]) * values.shape[1] // shape[1]
    return values[np.ix_(rows, columns)]


@variant("ATI", "earth_bench")
def ATI(day_temp_path: str, night_temp_path: str, albedo_path: str, output_path: str, **others: Any) -> str:
    """Lay the rasters onto the day's by their corners and clip to 0..10."""
    day = read(day_temp_path)
    night, albedo = (
        _stretch_to(read(night_temp_path), day.shape),
        _stretch_to(read(albedo_path), day.shape),
    )
    span = day - night
    with np.errstate(all="ignore"):
        found = np.clip((1 - albedo) / np.where(span == 0, np.nan, span), 0, 10)
    return report_saved(write(found, day_temp_path, output_path, "thermal_inertia"))


def _stretch_to(values: Values, shape: tuple[int, ...]) -> Values:
    if values.shape == shape:
        return values
    from affine import Affine
    from rasterio.warp import Resampling, reproject

    target = np.zeros(shape, np.float32)
    scale = Affine.scale(values.shape[1] / shape[1], values.shape[0] / shape[0])
    # Any one CRS on both sides: pixels are stretched, and nothing is moved on the ground.
    grid = {"src_crs": "EPSG:32633", "dst_crs": "EPSG:32633"}
    reproject(
        values,
        target,
        src_transform=Affine.identity(),
        dst_transform=scale,
        resampling=Resampling.bilinear,
        **grid,
    )
    return target


@variant("calculate_mean_lst_by_ndvi", "earth_bench")
def calculate_mean_lst_by_ndvi(
    red_paths: str | list[str],
    nir_paths: str | list[str],
    lst_paths: str | list[str],
    ndvi_threshold: float,
    mode: str = "above",
) -> float:
    """Pool the finite pixels of all images; NaN where none is selected."""
    given = {"red_paths": red_paths, "nir_paths": nir_paths, "lst_paths": lst_paths}
    lists = {name: [paths] if isinstance(paths, str) else paths for name, paths in given.items()}
    pooled = each_of(partial(_select, ndvi_threshold, mode), lists, label="LST by NDVI")
    values = np.concatenate(pooled)
    return float(values.mean(dtype=np.float64)) if values.size else float("nan")


@variant("calculate_max_lst_by_ndvi", "earth_bench")
def calculate_max_lst_by_ndvi(
    red_path: str, nir_path: str, lst_path: str, ndvi_threshold: float, mode: str = "above"
) -> float:
    """Take the maximum of the finite pixels."""
    values = _select(ndvi_threshold, mode, red_path, nir_path, lst_path)
    if not values.size:
        raise NoValidPixels(
            f"No pixel of {lst_path} has NDVI {mode} {ndvi_threshold:g}.", "Use another threshold."
        )
    return float(values.max())


def _select(threshold: float, mode: str, red_path: str, nir_path: str, lst_path: str) -> Values:
    red, nir, lst = read_equal_sizes(red_path, nir_path, lst_path)
    with np.errstate(all="ignore"):
        ndvi = (nir - red) / np.where(nir + red == 0, np.float32(np.nan), nir + red)
        chosen = ndvi < threshold if mode == "below" else ndvi >= threshold
    return lst[chosen & np.isfinite(lst)]
