"""Apparent thermal inertia."""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

# In K: the inertia divides by the range of day and night, and goes beyond all bounds below this.
SMALLEST_RANGE = 1.0
DAY_ROLES = ("lst_day", "lst", "bt31", "bt32", "bt10")
NIGHT_ROLES = ("lst_night", "lst", "bt31", "bt32", "bt10")


@tool(
    kit=INVERSION,
    source="Price 1985, Remote Sens. Environ. 18:59; solar correction: Verstraeten et al. 2006, Remote Sens. "
    "Environ. 101:425",
    gives=Gives("raster", "thermal_inertia", "1/K"),
    formula="C (1 - albedo) / (T day - T night)",
    difference="earth_bench gives 0 where the night is warmer, clips to 10, and lays rasters onto each other "
    "whatever their places; science leaves out ranges below 1 K, aligns by georeference, and takes latitude "
    "and day for C",
)
def ATI(
    day_temp_path: Annotated[str, Reads(*DAY_ROLES)],
    night_temp_path: Annotated[str, Reads(*NIGHT_ROLES)],
    albedo_path: Annotated[str, Reads("albedo")],
    output_path: Annotated[str, Writes("thermal_inertia")],
    latitude: float | None = None,
    day_of_year: int | None = None,
) -> str:
    """Apparent thermal inertia (ATI) from day and night temperature and albedo; high where soil is moist.

    Left out are pixels whose day is less than 1 K warmer than the night. ATI is no true inertia (J m-2
    K-1 s-1/2), and both passes must be clear.

    Parameters
    ----------
    day_temp_path : str
        Temperature of the day pass in K.
    night_temp_path : str
        Temperature of the night pass in K.
    albedo_path : str
        Broadband albedo, 0 to 1.
    output_path : str
        Where to write ATI in 1/K.
    latitude : float, optional
        Degrees; with day_of_year it corrects for the sun's course, by a form of C that was not checked
        against the paper. Without, C is 1.
    day_of_year : int, optional
        1 to 366.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    inputs = {
        "day": require_scale(source(day_temp_path, *DAY_ROLES)),
        "night": require_scale(source(night_temp_path, *NIGHT_ROLES)),
        "albedo": require_scale(source(albedo_path, "albedo")),
    }
    factor = _factor(latitude, day_of_year)
    function = keep_plausible(partial(apparent_thermal_inertia, factor), "thermal_inertia")
    tags = {"TREELINE_SOLAR_CORRECTION": f"{factor:.6f}"}
    return report_saved(
        map_pixels(function, inputs, output_path, role="thermal_inertia", unit="1/K", extra_tags=tags)
    )


def apparent_thermal_inertia(factor: float, day: Any, night: Any, albedo: Any) -> Any:
    """Return ATI in 1/K; NaN where the day is not 1 K warmer than the night, or albedo not 0 to 1."""
    span = day - night
    usable = (span > SMALLEST_RANGE) & (albedo >= 0) & (albedo <= 1)
    return np.where(usable, factor * (1 - albedo) / np.where(usable, span, 1), np.float32(np.nan))


def solar_correction(latitude: float, declination: float) -> float:
    """Return the solar correction factor C.

    Parameters
    ----------
    latitude, declination : float
        Degrees.

    Raises
    ------
    InputError
        The sun does not rise or does not set.
    """
    p, d = math.radians(latitude), math.radians(declination)
    product = math.tan(p) * math.tan(d)
    if abs(product) >= 1:
        raise InputError(
            f"latitude: at {latitude:g} degrees the sun does not both rise and set on that day.",
            "Leave latitude and day_of_year out.",
        )
    day_length = math.cos(p) * math.cos(d) * math.acos(-product)
    return math.sin(p) * math.sin(d) * math.sqrt(1 - product**2) + day_length


def _factor(latitude: float | None, day_of_year: int | None) -> float:
    if latitude is None and day_of_year is None:
        return 1.0
    if latitude is None or day_of_year is None:
        raise InputError("latitude and day_of_year: only one is given.", "Give both, or neither.")
    if not (-90 <= latitude <= 90 and 1 <= day_of_year <= 366):
        raise InputError(
            f"latitude {latitude:g}, day_of_year {day_of_year}: not on earth.", "-90..90, 1..366."
        )
    # Cooper 1969, Sol. Energy 12:333: degrees, 0 at the equinox of day 81.
    declination = 23.44 * math.sin(2 * math.pi * (284 + day_of_year) / 365)
    return solar_correction(latitude, declination)
