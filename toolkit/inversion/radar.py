"""Difference of two radar polarisations."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.raster import Source, map_pixels, read_small, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Writes, tool
from treeline.toolkit.variables import VARIABLES

PREVIEW = 256


def decibels(values: Any, unit: str) -> Any:
    """Return backscatter in dB of backscatter in ``dB`` or ``linear`` power; NaN outside -50 to 25 dB."""
    found = values if unit.casefold() == "db" else 10 * np.log10(np.where(values > 0, values, np.nan))
    low, high = VARIABLES["vv"].plausible
    return np.where((found >= low) & (found <= high), found, np.float32(np.nan))


def linear_power(values: Any, unit: str) -> Any:
    """Return linear power of backscatter in ``dB`` or ``linear`` power; NaN outside -50 to 25 dB."""
    return 10 ** (decibels(values, unit) / 10)


def _soil_moisture(a: float, b: float, unit: str, first: Any, second: Any) -> Any:
    return a * (decibels(first, unit) - decibels(second, unit)) + b


def _vegetation_index(a: float, b: float, unit: str, first: Any, second: Any) -> Any:
    one, two = linear_power(first, unit), linear_power(second, unit)
    return (one - two) / (one + two)


_POLARISATION = {"soil_moisture": _soil_moisture, "vegetation_index": _vegetation_index}


@tool(
    kit=INVERSION,
    source="Normalised difference of polarisations: Becker & Choudhury 1988, Remote Sens. Environ. 24:297; "
    "no universal calibration of a polarisation difference to soil moisture is published",
    gives=Gives("raster", "polarisation_difference"),
    formula="soil_moisture: a (p1 - p2) + b, in dB; vegetation_index: (p1 - p2) / (p1 + p2), in linear power",
    difference="earth_bench takes the difference in linear power with its a = 0.3, b = 0.1; science takes it "
    "in dB, where it is a ratio, and says that a and b must be the user's own calibration",
)
def dual_polarization_differential(
    pol1_path: Annotated[str, Reads("vv", "hh", "vh", "hv")],
    pol2_path: Annotated[str, Reads("vh", "hv", "vv", "hh")],
    parameter: str,
    output_path: Annotated[str, Writes("polarisation_difference", OF_INPUT)],
    a: float = 0.3,
    b: float = 0.1,
    input_unit: str = "dB",
) -> str:
    """Difference of two polarisations of a radar image, as a calibrated quantity or normalised.

    Parameters
    ----------
    pol1_path : str
        Backscatter of the first polarisation.
    pol2_path : str
        Backscatter of the second polarisation.
    parameter : str
        ``soil_moisture`` (a times the difference in dB, plus b) or ``vegetation_index``
        (normalised difference).
    output_path : str
        Where to write the result.
    a : float
        Slope of your calibration, per dB.
    b : float
        Intercept of your calibration.
    input_unit : str
        ``dB`` or ``linear``.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    function = _POLARISATION.get(parameter)
    if function is None:
        raise InputError(f"parameter: {parameter!r} is not known.", f"Use {', '.join(_POLARISATION)}.")
    if input_unit.casefold() not in ("db", "linear"):
        raise InputError(f"input_unit: {input_unit!r} is not known.", "Use dB or linear.")
    if parameter == "soil_moisture" and (a, b) == (0.3, 0.1):
        current_context().warn("a = 0.3 and b = 0.1 are no published calibration; give your own.")
    inputs = {
        "first": source(pol1_path, "vv", "hh", "vh", "hv"),
        "second": source(pol2_path, "vh", "hv", "vv", "hh"),
    }
    for band in inputs.values():
        _doubt_unit(band, input_unit)
    return report_saved(map_pixels(partial(function, a, b, input_unit), inputs, output_path, role=parameter))


def _doubt_unit(band: Source, unit: str) -> None:
    """Warn where the values are not what the unit says: backscatter in dB is below 0 nearly everywhere."""
    negative = bool((read_small(band, PREVIEW) < 0).any())
    if negative != (unit.casefold() == "db"):
        current_context().warn(
            f"{band.name} has {'values' if negative else 'no value'} below 0, but was taken for {unit} as "
            "input_unit says."
        )
