"""Turbidity of water from its reflectance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import Source, map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

NECHAD: dict[float, tuple[float, float]] = {
    645: (208.41, 0.1641),
    655: (235.32, 0.1686),
    665: (282.95, 0.1728),
    670: (294.24, 0.1747),
    700: (316.38, 0.1864),
    750: (1249.27, 0.1992),
    840: (1810.59, 0.2105),
    860: (2059.37, 0.2113),
    865: (2109.35, 0.2115),
}
"""A (FNU) and C of Nechad, Ruddick & Neukermans 2009 by wavelength in nm, without the offset B."""

NECHAD_2016: dict[float, tuple[float, float]] = {655: (378.46, 0.19905), 665: (366.14, 0.19563)}
"""A (FNU) and C of the recalibration for the red bands of Landsat 8 and Sentinel-2, as ACOLITE has them."""

NECHADS = {"nechad": ("Nechad 2009", NECHAD), "nechad 2016": ("Nechad 2016 (ACOLITE)", NECHAD_2016)}

_RED_WAVELENGTHS = {
    "modis": 645,
    "landsat 8": 655,
    "landsat 9": 655,
    "sentinel-2": 665,
    "planet": 665,
    "landsat 4": 665,
    "landsat 5": 665,
    "landsat 7": 665,
}
# In nm, the red band of MODIS, for which the coefficients were published first.
_DEFAULT_WAVELENGTH = 645


def nechad(reflectance: Any, a: float, c: float) -> Any:
    """Return what ``a rho / (1 - rho / c)`` gives; NaN outside its range, 0 to C / 2.

    Turbidity in FNU or suspended matter in g/m3, by ``a`` and ``c``, of water-leaving reflectance.
    Source: Nechad, Ruddick & Neukermans 2009, Proc. SPIE 7473.
    """
    # Towards C the relation has a pole: from half of it on a small error of reflectance becomes a large one
    # of turbidity.
    usable = (reflectance >= 0) & (reflectance < c / 2)
    return np.where(usable, a * reflectance / (1 - reflectance / c), np.float32(np.nan))


def dogliotti(red: Any, nir: Any) -> Any:
    """Return turbidity in FNU of water-leaving reflectance at 645 and 859 nm, blended between the two.

    Source: Dogliotti et al. 2015, Remote Sens. Environ. 156:157.
    """
    weight = np.clip((red - 0.05) / 0.02, 0, 1)
    low, high = 228.1 * red / (1 - red / 0.1641), 3078.9 * nir / (1 - nir / 0.2112)
    usable = (red >= 0) & (nir >= 0) & ((weight >= 1) | (red < 0.1641)) & ((weight <= 0) | (nir < 0.2112))
    # Beyond the pole of the red relation its value has no meaning, also with a weight of 0, which times
    # infinity is NaN.
    low = np.where(weight >= 1, 0, low)
    return np.where(usable, (1 - weight) * low + weight * high, np.float32(np.nan))


def _linear(red: Any, a: float, b: float, n: float) -> Any:
    return a * red + b


def _power(red: Any, a: float, b: float, n: float) -> Any:
    return a * red**n + b


def _logarithm(red: Any, a: float, b: float, n: float) -> Any:
    return a * np.log(red) + b


_CALIBRATED: dict[str, Callable[..., Any]] = {"linear": _linear, "power": _power, "log": _logarithm}


@tool(
    kit=INVERSION,
    source="Nechad, Ruddick & Neukermans 2009, Proc. SPIE 7473; Dogliotti et al. 2015, Remote Sens. Environ. "
    "156:157",
    gives=Gives("raster", "turbidity", "FNU"),
    formula="A rho / (1 - rho / C), A and C by wavelength; with calibration a rho + b, a rho^n + b or a ln "
    "rho + b",
    difference="earth_bench returns the band itself with its defaults a = 1, b = 0; science then uses the "
    "published relation of Nechad, and a, b, n are the user's own calibration; nodata and land (reflectance "
    "above half of C) are left out",
    parameter_aliases={"output_filename": "output_path"},
)
def calculate_water_turbidity_ntu(
    input_red_path: Annotated[str, Reads("red")],
    output_path: Annotated[str, Writes("turbidity")],
    method: str = "linear",
    a: float = 1.0,
    b: float = 0.0,
    n: float = 1.0,
    wavelength: float = 0.0,
) -> str:
    """Turbidity of water from red reflectance, in FNU (close to NTU).

    The reflectance must be water-leaving, that is corrected for the atmosphere. Brighter pixels
    than the relation covers (above half of C: land, clouds, foam) are left out. The two calibrations
    of Nechad differ by 26 % at 665 nm; the product says which was used.

    Parameters
    ----------
    input_red_path : str
        Red reflectance, 0 to 1.
    output_path : str
        Where to write turbidity.
    method : str
        ``nechad`` (2009, all wavelengths), ``nechad 2016`` (recalibrated for 655 nm of Landsat 8 and
        665 nm of Sentinel-2, not in a paper), or a calibration of your own: ``linear`` (a rho + b),
        ``power`` (a rho^n + b), ``log`` (a ln rho + b). ``linear`` with a = 1 and b = 0 is no
        calibration; ``nechad`` is used.
    a : float
        Slope of your calibration, in FNU.
    b : float
        Intercept of your calibration, in FNU.
    n : float
        Exponent of ``power``.
    wavelength : float
        Of the band in nm, for ``nechad``; 0 for what the raster's sensor says, else 645.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    red = require_scale(source(input_red_path, "red"))
    function, label = _relation(red, method, (a, b, n), wavelength)
    tags = {"TREELINE_METHOD": label}
    product = map_pixels(
        keep_plausible(function, "turbidity"),
        {"red": red},
        output_path,
        role="turbidity",
        unit="FNU",
        extra_tags=tags,
    )
    return report_saved(product)


@tool(
    kit=INVERSION,
    source="Dogliotti et al. 2015, Remote Sens. Environ. 156:157",
    gives=Gives("raster", "turbidity", "FNU"),
    formula="(1 - w) T645 + w T859, w = (rho645 - 0.05) / 0.02 limited to 0..1",
)
def water_turbidity_red_nir(
    input_red_path: Annotated[str, Reads("red")],
    input_nir_path: Annotated[str, Reads("nir", "nir08")],
    output_path: Annotated[str, Writes("turbidity")],
) -> str:
    """Turbidity of clear to very turbid water from red and near-infrared reflectance, in FNU.

    Parameters
    ----------
    input_red_path : str
        Water-leaving red reflectance (645 nm), 0 to 1.
    input_nir_path : str
        Water-leaving near-infrared reflectance (859 nm), 0 to 1.
    output_path : str
        Where to write turbidity.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    inputs = {
        "red": require_scale(source(input_red_path, "red")),
        "nir": require_scale(source(input_nir_path, "nir", "nir08")),
    }
    function = keep_plausible(dogliotti, "turbidity")
    return report_saved(map_pixels(function, inputs, output_path, role="turbidity", unit="FNU"))


def _relation(
    red: Source, method: str, constants: tuple[float, float, float], wavelength: float
) -> tuple[Callable[..., Any], str]:
    name = method.strip().lower()
    a, b, n = constants
    if name in _CALIBRATED and (name, a, b) != ("linear", 1.0, 0.0):
        return partial(_calibrate, _CALIBRATED[name], a, b, n), f"{name} calibration a={a:g} b={b:g} n={n:g}"
    if name not in (*NECHADS, "linear"):
        raise InputError(f"method: {method!r} is not known.", f"Use {', '.join([*NECHADS, *_CALIBRATED])}.")
    label, table = NECHADS["nechad" if name == "linear" else name]
    known = wavelength or _red_wavelength(red)
    if not known:
        current_context().warn(
            f"Nothing says which sensor {red.name} is from: the wavelength is taken for "
            f"{_DEFAULT_WAVELENGTH} nm; give it if it is another."
        )
    nearest, (factor, limit) = at_wavelength(table, known or _DEFAULT_WAVELENGTH)
    current_context().warn(f"Turbidity by {label} at {nearest:g} nm; the reflectance must be water-leaving.")
    return partial(_nechad, factor, limit), f"{label}, {nearest:g} nm"


def at_wavelength(
    table: Mapping[float, tuple[float, float]], wavelength: float
) -> tuple[float, tuple[float, float]]:
    """Return the wavelength of a table next to one, in nm, and its A and C.

    Raises
    ------
    InputError
        None is within 10 nm.
    """
    nearest = min(table, key=lambda known: abs(known - wavelength))
    if abs(nearest - wavelength) > 10:
        raise InputError(
            f"wavelength: {wavelength:g} nm is none that has coefficients.",
            f"Use {', '.join(f'{known:g}' for known in table)}.",
        )
    return nearest, table[nearest]


def _nechad(a: float, c: float, red: Any) -> Any:
    return nechad(red, a, c)


def _calibrate(function: Callable[..., Any], a: float, b: float, n: float, red: Any) -> Any:
    return function(red, a, b, n)


def _red_wavelength(red: Source) -> float | None:
    sensor = f"{red.description.sensor or ''} {red.description.product or ''}".casefold()
    return next((w for name, w in _RED_WAVELENGTHS.items() if name in sensor), None)
