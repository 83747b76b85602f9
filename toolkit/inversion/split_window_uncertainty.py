"""How certain a surface temperature by split window is, pixel by pixel."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.split_window import (
    DEFAULT_WATER_VAPOUR,
    EMISSIVITY_RANGE,
    FIRST_ROLES,
    SECOND_ROLES,
)
from treeline.toolkit.inversion.split_window_methods import Method, chosen_method
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

# What split-window papers state of their own formulas, where the caller does not say it.
USUAL_FORMULA_ERROR = 1.0


@tool(
    kit=INVERSION,
    source="derived here: first-order propagation of independent errors (JCGM 100:2008, 5.1.2) through the "
    "formulas of split_window",
    gives=Gives("raster", "lst_uncertainty", "K"),
    formula="sqrt(formula^2 + sum of c^2) over both temperatures, both emissivities and water vapour, c half "
    "of what LST changes by from one standard deviation below an input to one above it",
)
def split_window_uncertainty(
    band31_path: Annotated[str, Reads(*FIRST_ROLES)],
    band32_path: Annotated[str, Reads(*SECOND_ROLES)],
    emissivity31_path: Annotated[str, Reads("emissivity31", "emissivity10")],
    emissivity32_path: Annotated[str, Reads("emissivity32", "emissivity11")],
    output_path: Annotated[str, Writes("lst_uncertainty", "K")],
    water_vapour: float = DEFAULT_WATER_VAPOUR,
    noise: float = 0.05,
    emissivity_error: float = 0.01,
    water_vapour_error: float = 0.5,
    formula_error: float = USUAL_FORMULA_ERROR,
    method: str = "",
) -> str:
    """Standard uncertainty of each pixel's land surface temperature (LST) by split window.

    All errors are one standard deviation and independent of each other; where both emissivities err
    alike, as of a wrongly guessed cover, the result is another one. Clouds that were not masked are no
    part of it.

    Parameters
    ----------
    band31_path : str
        Brightness temperature near 11 um in K: MODIS band 31 or Landsat band 10.
    band32_path : str
        Brightness temperature near 12 um in K: MODIS band 32 or Landsat band 11.
    emissivity31_path : str
        Emissivity of the first band, 0.6 to 1.
    emissivity32_path : str
        Emissivity of the second band, 0.6 to 1.
    output_path : str
        Where to write the uncertainty in K.
    water_vapour : float
        Column water vapour in g/cm2 (divide kg/m2 or mm by 10); 2 is a mid-latitude mean.
    noise : float
        Of each brightness temperature, in K; 0.05 is what MODIS was specified for.
    emissivity_error : float
        Of each emissivity, 0 to 0.2.
    water_vapour_error : float
        In g/cm2.
    formula_error : float
        What the formula itself is off by, in K, as its paper states it; 1 is assumed.
    method : str
        As of split_window; empty for the sensor's.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    errors = {
        "noise": noise,
        "emissivity_error": emissivity_error,
        "water_vapour_error": water_vapour_error,
        "formula_error": formula_error,
    }
    for name, error in errors.items():
        if error < 0:
            raise InputError(f"{name}: {error:g} is no standard deviation.", "Give 0 or more.")
    if emissivity_error > 0.2:
        raise InputError(
            f"emissivity_error: {emissivity_error:g} is larger than 0.2.", "Give a fraction, such as 0.01."
        )
    inputs = {
        "first": require_scale(source(band31_path, *FIRST_ROLES)),
        "second": require_scale(source(band32_path, *SECOND_ROLES)),
        "emissivity_first": require_scale(source(emissivity31_path, "emissivity31", "emissivity10")),
        "emissivity_second": require_scale(source(emissivity32_path, "emissivity32", "emissivity11")),
    }
    name, chosen = chosen_method(inputs["first"], method, water_vapour)
    if formula_error == USUAL_FORMULA_ERROR:
        current_context().warn(
            f"The formula of {name} is taken to be off by {formula_error:g} K (formula_error)."
        )
    function = partial(
        _uncertainty, chosen, water_vapour, (noise, noise, emissivity_error, emissivity_error), errors
    )
    told = ", ".join(f"{key} {error:g}" for key, error in errors.items())
    return report_saved(
        map_pixels(
            keep_plausible(function, "lst_uncertainty"),
            inputs,
            output_path,
            role="lst_uncertainty",
            unit="K",
            extra_tags={"TREELINE_METHOD": f"split window, {name}", "TREELINE_ERRORS": told},
        )
    )


def _uncertainty(
    method: Method,
    water_vapour: float,
    deviations: tuple[float, float, float, float],
    errors: dict[str, float],
    first: Any,
    second: Any,
    emissivity_first: Any,
    emissivity_second: Any,
) -> NDArray[np.float32]:
    # In 64 bits: a difference of hundredths of a kelvin between temperatures of 300 K is lost in 32.
    values = [np.asarray(each, np.float64) for each in (first, second, emissivity_first, emissivity_second)]

    def temperature(changed: list[Any], water: float) -> Any:
        t1, t2, e1, e2 = changed
        return method.compute(t1, t2, (e1 + e2) / 2, e1 - e2, water)

    variance = np.full(values[0].shape, errors["formula_error"] ** 2)
    for place, deviation in enumerate(deviations):
        above, below = list(values), list(values)
        above[place], below[place] = values[place] + deviation, values[place] - deviation
        variance += ((temperature(above, water_vapour) - temperature(below, water_vapour)) / 2) ** 2
    variance += _from_water_vapour(method, water_vapour, errors["water_vapour_error"], temperature, values)
    low, high = EMISSIVITY_RANGE
    usable = (np.minimum(*values[2:]) >= low) & (np.maximum(*values[2:]) <= high)
    return np.where(usable, np.sqrt(variance), np.nan).astype(np.float32)


def _from_water_vapour(
    method: Method, water_vapour: float, deviation: float, temperature: Any, values: list[Any]
) -> Any:
    """Return the variance by water vapour, within what the method is valid for."""
    low, high = method.water_vapour
    above, below = min(water_vapour + deviation, high), max(water_vapour - deviation, low)
    if above == below:
        return 0.0
    slope = (temperature(values, above) - temperature(values, below)) / (above - below)
    return (slope * deviation) ** 2
