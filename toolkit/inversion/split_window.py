"""Land surface temperature from two thermal bands."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.split_window_methods import Algorithm, chosen_method
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import Source, map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

FIRST_ROLES = ("bt31", "bt10")
SECOND_ROLES = ("bt32", "bt11")
# No natural surface emits less between 8 and 13 um: a lower value is a fill or a wrong scale.
EMISSIVITY_RANGE = (0.6, 1.0)
# Of the two bands; those of rocks and soils differ by some hundredths.
LARGEST_DIFFERENCE = 0.1
# In g/cm2, a mean of the middle latitudes; it is written into the tags of the result.
DEFAULT_WATER_VAPOUR = 2.0


@tool(
    kit=INVERSION,
    source="Sobrino, El Kharraz & Li 2003, Int. J. Remote Sens. 24:5161 (MODIS); Jimenez-Munoz et al. 2014, "
    "IEEE Geosci. Remote Sens. Lett. 11:1840, and Du et al. 2015, Remote Sens. 7:647 (Landsat 8-9)",
    gives=Gives("raster", "lst", "K"),
    formula="MODIS: T31 + 1.02 + 1.79 d + 1.20 d^2 + (34.83 - 0.68 W)(1 - e) - (73.27 + 5.19 W) de; Landsat "
    "8-9: T10 - 0.268 + 1.378 d + 0.183 d^2 + (54.30 - 2.238 W)(1 - e) + (-129.20 + 16.40 W) de; d the "
    "difference of the bands in K, e and de mean and difference of their emissivities, W in g/cm2",
    difference="earth_bench multiplies T31 in Celsius by the coefficient of the difference and always scales "
    "the emissivity, 8 K too warm; science is the published formula of the sensor, takes water vapour, and "
    "has no water vapour retrieval without the user's coefficients, as none is published",
)
def split_window(
    band31_path: Annotated[str, Reads(*FIRST_ROLES)],
    band32_path: Annotated[str, Reads(*SECOND_ROLES)],
    emissivity31_path: Annotated[str, Reads("emissivity31", "emissivity10")],
    emissivity32_path: Annotated[str, Reads("emissivity32", "emissivity11")],
    parameter: str,
    output_path: Annotated[str, Writes("lst")],
    water_vapour: float = DEFAULT_WATER_VAPOUR,
    method: str = "",
    coefficients: list[float] | None = None,
) -> str:
    """Land surface temperature (LST) by split window, from two thermal bands and their emissivities.

    Pixels with an emissivity outside 0.6 to 1 are left out. Of Jimenez-Munoz 2014 the coefficient of
    the difference is 1.378; code with 1.387 has its digits transposed. Formulas of different sensors
    differ by up to 4 K on the same temperatures. Landsat band 11 before the reprocessing of 2017 has
    stray light: prefer lst_single_channel there.

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
    parameter : str
        ``LST``, or ``PWV`` for precipitable water, which needs coefficients.
    output_path : str
        Where to write the result.
    water_vapour : float
        Column water vapour in g/cm2 (divide kg/m2 or mm by 10); 2 is a mid-latitude mean.
    method : str
        ``Sobrino 2003`` (MODIS), ``Jimenez-Munoz 2014`` or ``Du 2015`` (Landsat 8-9, by classes of water
        vapour, the mean where two overlap; ``Du 2015 any`` where it is not known); empty for the sensor's.
    coefficients : list of float, optional
        For PWV: a and b of ``a + b (T31 - T32)`` in g/cm2, from your own calibration.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    wanted = parameter.strip().upper()
    inputs = _temperatures(band31_path, band32_path)
    inputs["emissivity_first"] = require_scale(source(emissivity31_path, "emissivity31", "emissivity10"))
    inputs["emissivity_second"] = require_scale(source(emissivity32_path, "emissivity32", "emissivity11"))
    if wanted == "PWV":
        return _water_vapour(inputs, output_path, coefficients)
    if wanted != "LST":
        raise InputError(f"parameter: {parameter!r} is not known.", "Use LST or PWV.")
    name, chosen = chosen_method(inputs["first"], method, water_vapour)
    function = keep_plausible(partial(_with_emissivities, chosen.compute, water_vapour), "lst")
    return report_saved(
        map_pixels(function, inputs, output_path, role="lst", unit="K", extra_tags=_tags(name, water_vapour))
    )


@tool(
    kit=INVERSION,
    source="Sobrino, El Kharraz & Li 2003, Int. J. Remote Sens. 24:5161 (MODIS); Jimenez-Munoz et al. 2014, "
    "IEEE Geosci. Remote Sens. Lett. 11:1840 (Landsat 8-9)",
    gives=Gives("raster", "lst", "K"),
    formula="the split-window formula of the sensor with one emissivity for the scene",
    difference="earth_bench is 1.022 T31 + 0.47 (T31 - T32) + 0.43 in K, some 7 K too warm and without "
    "emissivity; science is the published split window of the sensor with a stated emissivity",
)
def lst_multi_channel(
    band31_path: Annotated[str, Reads(*FIRST_ROLES)],
    band32_path: Annotated[str, Reads(*SECOND_ROLES)],
    output_path: Annotated[str, Writes("lst")],
    emissivity: float = 0.98,
    emissivity_difference: float = 0.0,
    water_vapour: float = DEFAULT_WATER_VAPOUR,
) -> str:
    """Land surface temperature (LST) from two thermal bands where emissivity rasters are missing.

    Parameters
    ----------
    band31_path : str
        Brightness temperature near 11 um in K: MODIS band 31 or Landsat band 10.
    band32_path : str
        Brightness temperature near 12 um in K: MODIS band 32 or Landsat band 11.
    output_path : str
        Where to write LST in K.
    emissivity : float
        Mean emissivity of the scene in the two bands; 0.98 suits vegetation, 0.96 bare soil.
    emissivity_difference : float
        Emissivity of the first band minus that of the second, -0.1 to 0.1.
    water_vapour : float
        Column water vapour in g/cm2 (divide kg/m2 or mm by 10); 2 is a mid-latitude mean.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    low, high = EMISSIVITY_RANGE
    if not low <= emissivity <= high:
        raise InputError(
            f"emissivity: {emissivity:g} is outside {low:g} to {high:g}.", "Give it as a fraction."
        )
    if not abs(emissivity_difference) <= LARGEST_DIFFERENCE:
        raise InputError(
            f"emissivity_difference: {emissivity_difference:g} is outside -{LARGEST_DIFFERENCE:g} to "
            f"{LARGEST_DIFFERENCE:g}.",
            "Natural surfaces differ by some hundredths between the two bands.",
        )
    inputs = _temperatures(band31_path, band32_path)
    name, chosen = chosen_method(inputs["first"], "", water_vapour)
    current_context().warn(f"LST with one emissivity of {emissivity:g} for the whole scene ({name}).")
    function = partial(
        chosen.compute, emissivity=emissivity, difference=emissivity_difference, water_vapour=water_vapour
    )
    tags = _tags(name, water_vapour) | {"TREELINE_EMISSIVITY": f"{emissivity:g}"}
    return report_saved(
        map_pixels(
            keep_plausible(function, "lst"), inputs, output_path, role="lst", unit="K", extra_tags=tags
        )
    )


def _temperatures(first: str, second: str) -> dict[str, Source]:
    return {
        "first": require_scale(source(first, *FIRST_ROLES)),
        "second": require_scale(source(second, *SECOND_ROLES)),
    }


def _with_emissivities(
    compute: Algorithm,
    water_vapour: float,
    first: Any,
    second: Any,
    emissivity_first: Any,
    emissivity_second: Any,
) -> Any:
    low, high = EMISSIVITY_RANGE
    usable = (np.minimum(emissivity_first, emissivity_second) >= low) & (
        np.maximum(emissivity_first, emissivity_second) <= high
    )
    mean, difference = (emissivity_first + emissivity_second) / 2, emissivity_first - emissivity_second
    return np.where(usable, compute(first, second, mean, difference, water_vapour), np.float32(np.nan))


def _water_vapour(inputs: dict[str, Source], output: str, coefficients: list[float] | None) -> str:
    if coefficients is None or len(coefficients) != 2:
        raise InputError(
            "coefficients: precipitable water from two thermal bands has no published universal "
            "coefficients.",
            "Use band_ratio with near-infrared bands, or give your own [a, b] of a + b (T31 - T32).",
        )
    function = keep_plausible(partial(_linear, *coefficients), "pwv")
    pair = {name: inputs[name] for name in ("first", "second")}
    return report_saved(map_pixels(function, pair, output, role="pwv", unit="g/cm2"))


def _linear(a: float, b: float, first: Any, second: Any) -> Any:
    return a + b * (first - second)


def _tags(name: str, water_vapour: float) -> dict[str, str]:
    return {"TREELINE_METHOD": f"split window, {name}", "TREELINE_WATER_VAPOUR": f"{water_vapour:g} g/cm2"}
