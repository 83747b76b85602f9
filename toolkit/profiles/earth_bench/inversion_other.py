"""Water vapour, turbidity and microwave tools as the benchmark computes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.channels import channel_key
from treeline.toolkit.inversion.polarisation import calibration
from treeline.toolkit.profiles.earth_bench.inversion import read_equal_sizes
from treeline.toolkit.profiles.earth_bench.stored_values import (
    Values,
    band_of,
    finite_or_nan,
    read,
    same_size,
    write,
)
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import variant

FREQUENCY_CONSTANTS = {"SM": ((0.6, 0.4), 0.05), "VWC": ((0.5, 0.5), 0.1), "LAI": ((0.7, 0.3), 0.0)}
CHANG_CONSTANTS = {"SM": ((0.65, 0.3, 0.1), 0.02), "VWC": ((0.5, 0.4, 0.2), 0.05)}
RATIO_CONSTANTS = {"VWC": {"a": 15.0, "b": 5.0}, "SM": {"a": 0.4, "b": 0.1}}


@variant("band_ratio", "earth_bench")
def band_ratio(
    sur_refl_b02_path: str,
    sur_refl_b05_path: str,
    sur_refl_b17_path: str,
    sur_refl_b18_path: str,
    sur_refl_b19_path: str,
    output_path: str,
    **others: Any,
) -> str:
    """Divide the logarithm of the ratio of band 18 by 0.03; four bands of output."""
    paths = (sur_refl_b02_path, sur_refl_b05_path, sur_refl_b17_path, sur_refl_b18_path, sur_refl_b19_path)
    window, second, *absorbing = read_equal_sizes(*paths)
    with np.errstate(all="ignore"):
        ratios = [
            _ratio(band, window, second, w) for band, w in zip(absorbing, (0.905, 0.936, 0.940), strict=True)
        ]
        water = -np.log(ratios[1]) / np.float32(0.03)
    water = np.where(np.isnan(water) | (water < 0), 0, water)
    return report_saved(write(np.stack([water, *ratios]), sur_refl_b02_path, output_path, "pwv"))


def _ratio(band: Values, window: Values, second: Values, wavelength: float) -> Values:
    expected = window + (second - window) * np.float32((wavelength - 0.865) / (1.240 - 0.865))
    return np.where(expected == 0, np.float32(0), band / np.where(expected == 0, 1, expected))


@variant("calculate_water_turbidity_ntu", "earth_bench")
def calculate_water_turbidity_ntu(
    input_red_path: str,
    output_path: str,
    method: str = "linear",
    a: float = 1.0,
    b: float = 0.0,
    n: float = 1.0,
    **others: Any,
) -> str:
    """Apply a and b as given; negative values become 0, nodata too."""
    red = read(input_red_path)
    positive = np.maximum(red, 1e-6)
    found = {"linear": a * red + b, "power": a * positive**n + b, "log": a * np.log(positive) + b}
    if method not in found:
        raise InputError(f"method: {method!r} is not known.", f"Use {', '.join(found)}.")
    return report_saved(write(np.maximum(found[method], 0), input_red_path, output_path, "turbidity"))


@variant("dual_polarization_differential", "earth_bench")
def dual_polarization_differential(
    pol1_path: str,
    pol2_path: str,
    parameter: str,
    output_path: str,
    a: float = 0.3,
    b: float = 0.1,
    input_unit: str = "dB",
) -> str:
    """Take the difference in linear power."""
    first, second = read_equal_sizes(pol1_path, pol2_path)
    if input_unit == "dB":
        first, second = 10 ** (first / 10), 10 ** (second / 10)
    with np.errstate(all="ignore"):
        found = {
            "soil_moisture": a * (first - second) + b,
            "vegetation_index": (first - second) / (first + second),
        }
    if parameter not in found:
        raise InputError(f"parameter: {parameter!r} is not known.", f"Use {', '.join(found)}.")
    valid = (first > 0) & (second > 0)
    return report_saved(write(np.where(valid, found[parameter], np.nan), pol1_path, output_path, parameter))


@variant("dual_frequency_diff", "earth_bench")
def dual_frequency_diff(
    band1_path: str, band2_path: str, parameter: str, alpha: float, beta: float, output_path: str
) -> str:
    """Clip to 0..1; the difference is the first band."""
    _require_known(parameter, ("SM", "VI", "LAI"))
    first, second = _honour_nodata(band1_path, band2_path)
    found = np.stack([first - second, np.clip(alpha * (first - second) + beta, 0, 1)])
    return report_saved(write(found, band1_path, output_path, "frequency_difference"))


@variant("multi_freq_bt", "earth_bench")
def multi_freq_bt(
    bt_paths: list[str], diff_pairs: list[list[int]], parameter: str, output_path: str, **others: Any
) -> str:
    """Use constants of its own and clip to 0..1."""
    return _pairs(bt_paths, diff_pairs, parameter, output_path, FREQUENCY_CONSTANTS)


@variant("chang_single_param_inversion", "earth_bench")
def chang_single_param_inversion(
    bt_paths: list[str], diff_pairs: list[list[int]], parameter: str, output_path: str, **others: Any
) -> str:
    """Retrieve soil moisture or vegetation water, clipped to 0..1."""
    return _pairs(bt_paths, diff_pairs, parameter, output_path, CHANG_CONSTANTS)


@variant("nasa_team_sea_ice_concentration", "earth_bench")
def nasa_team_sea_ice_concentration(
    bt_paths: dict[str, str],
    output_path: str,
    nd_ice: float = 50.0,
    nd_water: float = 0.0,
    s1_ice: float = 20.0,
    s1_water: float = 0.0,
    **others: Any,
) -> str:
    """Take the mean of two polarisation differences."""
    v19, h19, v37, h37 = read_equal_sizes(*_channels(bt_paths, ("19V", "19H", "37V", "37H")))
    valid = (v19 > 0) & (h19 > 0) & (v37 > 0) & (h37 > 0)
    first, second = (v19 - h19 - nd_water) / (nd_ice - nd_water), (v37 - h37 - s1_water) / (s1_ice - s1_water)
    found = np.where(valid, np.clip((first + second) / 2, 0, 1), np.nan)
    return report_saved(write(found, next(iter(bt_paths.values())), output_path, "sea_ice"))


@variant("dual_polarization_ratio", "earth_bench")
def dual_polarization_ratio(
    bt_paths: dict[str, str], parameter: str, output_path: str, coeffs: dict[str, Any] | None = None
) -> str:
    """Use constants of its own where none are given."""
    _require_known(parameter, tuple(RATIO_CONSTANTS))
    v, h = read_equal_sizes(*_channels(bt_paths, ("V", "H")))
    a, b = calibration(coeffs or RATIO_CONSTANTS, parameter)
    with np.errstate(all="ignore"):
        ratio = np.where(v + h > 1e-6, np.clip((v - h) / (v + h), -1, 1), np.nan)
    found = np.stack([a * ratio + b, ratio])
    return report_saved(write(found, next(iter(bt_paths.values())), output_path, parameter.lower()))


def _pairs(
    paths: list[str],
    pairs: list[list[int]],
    parameter: str,
    output: str,
    constants: Mapping[str, tuple[tuple[float, ...], float]],
) -> str:
    _require_known(parameter, tuple(constants))
    alphas, beta = constants[parameter]
    if len(pairs) != len(alphas) or any(not 0 <= i < len(paths) for pair in pairs for i in pair):
        raise InputError(
            f"diff_pairs: {pairs}; {len(alphas)} pairs of places in {len(paths)} rasters are needed."
        )
    bands = _honour_nodata(*paths)
    total = beta + sum(alpha * (bands[i] - bands[j]) for alpha, (i, j) in zip(alphas, pairs, strict=True))
    return report_saved(write(np.clip(total, 0, 1), paths[0], output, parameter.lower()))


def _honour_nodata(*addresses: str) -> list[Values]:
    bands = [finite_or_nan(band_of(address, honour_nodata=True).astype(np.float32)) for address in addresses]
    for address, band in zip(addresses, bands, strict=True):
        same_size(bands[0], band, f"{addresses[0]} and {address}")
    return bands


def _channels(paths: dict[str, str], needed: tuple[str, ...]) -> list[str]:
    by_key = {channel_key(name): path for name, path in paths.items()}
    missing = [name for name in needed if name not in by_key]
    if missing:
        raise InputError(
            f"bt_paths: there is no channel {missing[0]}; given are {', '.join(paths) or 'none'}."
        )
    return [by_key[name] for name in needed]


def _require_known(parameter: str, known: tuple[str, ...]) -> None:
    if parameter not in known:
        raise InputError(f"parameter: {parameter!r} is not known.", f"Use {', '.join(known)}.")
