"""Temperature and emissivity from three or more thermal bands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.separation import ASTER, Regression, separate
from treeline.toolkit.raster import Source, map_pixels, require_scale, sources
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import VARIABLES

ASTER_WAVELENGTHS = {"tir10": 8.291, "tir11": 8.634, "tir12": 9.075, "tir13": 10.657, "tir14": 11.318}
TIR_ROLES = tuple(ASTER_WAVELENGTHS)
FURTHER = ("emissivity", "emissivity_contrast")


@tool(
    kit=INVERSION,
    source="Gillespie et al. 1998, IEEE Trans. Geosci. Remote Sens. 36:1113",
    gives=Gives("raster", "lst", "K"),
    formula="NEM, ratio and MMD modules; e_min = 0.994 - 0.687 MMD^0.737",
    difference="earth_bench takes the spread of the brightness temperatures in K for the emissivity "
    "contrast, so that the emissivity is 0.85 almost everywhere; science is the published algorithm, whose "
    "contrast is one of emissivity",
)
def temperature_emissivity_separation(
    tir_band_paths: Annotated[list[str], Reads(*TIR_ROLES)],
    representative_band_index: int,
    output_path: Annotated[str, Writes("lst", further=FURTHER)],
    sky_irradiance: list[float] | None = None,
    maximum_emissivity: float = 0.99,
    low_contrast: float = 0.0,
) -> str:
    """Land surface temperature (LST) and emissivity of ASTER bands by their separation (TES).

    Bands of the output: LST in K, emissivity of the representative band, emissivity contrast (MMD).
    The brightness temperatures must be corrected for the atmosphere. Grey surfaces read some 0.3 K too
    cold. With sky irradiance the assumed emissivity of rock and soil (variance above 1.7e-4) is lowered
    to 0.96 and pixels whose iteration diverges are left out; the refinement for grey surfaces, whose
    thresholds are printed differently, is not done.

    Parameters
    ----------
    tir_band_paths : list of str
        Brightness temperatures in K of ASTER bands 10 to 14, at least three.
    representative_band_index : int
        Place in the list, from 0, of the band whose emissivity is written (3 is band 13 of 10 to 14).
    output_path : str
        Where to write the result.
    sky_irradiance : list of float, optional
        Sky irradiance divided by pi per band, in W m-2 sr-1 um-1. Without it the reflected sky is
        neglected, which makes low emissivities too high.
    maximum_emissivity : float
        Assumed at first for the band of highest emissivity.
    low_contrast : float
        Contrast below which the least emissivity is set to 0.983; 0 for never. 0.006 and 0.03 are in use.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    bands = [require_scale(band) for band in sources(tir_band_paths, *TIR_ROLES)]
    _check(len(bands), representative_band_index, sky_irradiance)
    wavelengths = wavelengths_of(bands)
    if sky_irradiance is None:
        current_context().warn("TES without sky correction: sky_irradiance was not given.")
    function = partial(
        separated_bands,
        wavelengths,
        representative_band_index,
        sky=sky_irradiance,
        maximum_emissivity=maximum_emissivity,
        low_contrast=low_contrast,
    )
    return _write(function, bands, output_path, "TES" if sky_irradiance else "TES without sky correction")


@tool(
    kit=INVERSION,
    source="Gillespie et al. 1998, IEEE Trans. Geosci. Remote Sens. 36:1113 (with three bands; no regression "
    "is published for ASTER bands 10 to 12 alone)",
    gives=Gives("raster", "lst", "K"),
    formula="NEM, ratio and MMD modules over three bands; e_min = a - b MMD^c",
    difference="earth_bench is 0.3 T1 + 0.3 T2 + 0.4 T3 + 2 K with an emissivity of 0.95; science separates "
    "temperature and emissivity over the three bands and says that the regression is that of five bands "
    "unless one is given",
)
def ttm_lst(
    tir_band_paths: Annotated[list[str], Reads(*TIR_ROLES)],
    output_path: Annotated[str, Writes("lst", further=FURTHER)],
    wavelengths: list[float] = [8.3, 8.65, 9.1],  # noqa: B006 (never changed; the reference's default)
    regression: list[float] | None = None,
) -> str:
    """Land surface temperature (LST) and emissivity from three thermal bands.

    Bands of the output: LST in K, least emissivity of the three bands, emissivity contrast (MMD).

    Parameters
    ----------
    tir_band_paths : list of str
        Three brightness temperatures in K, corrected for the atmosphere.
    output_path : str
        Where to write the result.
    wavelengths : list of float
        Of the bands, in um.
    regression : list of float, optional
        a, b, c of ``e_min = a - b MMD^c`` for these bands. Without, that of the five ASTER bands.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    bands = [require_scale(band) for band in sources(tir_band_paths, *TIR_ROLES)]
    if len(bands) != 3 or len(wavelengths) != 3:
        raise InputError(
            f"tir_band_paths: {len(bands)} rasters and {len(wavelengths)} wavelengths; three of each are "
            "needed.",
            "For five bands use temperature_emissivity_separation.",
        )
    if not all(3 <= wavelength <= 20 for wavelength in wavelengths):
        raise InputError(
            f"wavelengths: {wavelengths} are no thermal wavelengths in um.",
            "Give them like [8.3, 8.65, 9.1].",
        )
    if regression is None:
        current_context().warn(
            "The emissivity regression is that of five ASTER bands; three have none published."
        )
    elif len(regression) != 3:
        raise InputError(f"regression: {regression} are not a, b and c.", "Give three numbers.")
    function = partial(
        separated_bands,
        wavelengths,
        None,
        regression=ASTER if regression is None else Regression(*regression),
    )
    return _write(function, bands, output_path, "three-band separation without sky correction")


def separated_bands(wavelengths: Sequence[float], band: int | None, bt: Any, **options: Any) -> Any:
    """Return LST, the emissivity of a band (the least one for ``None``) and the contrast, stacked.

    Parameters
    ----------
    wavelengths : sequence of float
        um.
    band : int or None
        From 0.
    bt : array
        Brightness temperatures in K of shape (bands, rows, columns).
    options
        Of :func:`treeline.toolkit.inversion.separation.separate`.
    """
    found = separate(bt, wavelengths, **options)
    low, high = VARIABLES["lst"].plausible
    usable = (found.temperature >= low) & (found.temperature <= high)
    emissivity = found.emissivity.min(axis=0) if band is None else found.emissivity[band]
    return np.where(usable, np.stack([found.temperature, emissivity, found.contrast]), np.float32(np.nan))


def wavelengths_of(bands: Sequence[Source]) -> list[float]:
    """Return the wavelengths (um) of ASTER bands by role, or by order where five roles are not known.

    Raises
    ------
    InputError
        Roles are unknown and there are not five bands.
    """
    if all(band.role in ASTER_WAVELENGTHS for band in bands):
        return [ASTER_WAVELENGTHS[band.role or ""] for band in bands]
    if len(bands) == len(ASTER_WAVELENGTHS):
        current_context().warn("The bands were taken for ASTER 10 to 14 in this order.")
        return list(ASTER_WAVELENGTHS.values())
    raise InputError(
        f"tir_band_paths: nothing says which bands the {len(bands)} rasters are.",
        "Give five rasters, bands 10 to 14 in this order.",
    )


def _check(bands: int, index: int, sky: list[float] | None) -> None:
    if bands < 3:
        raise InputError(
            f"tir_band_paths: {bands} rasters; at least three are needed.", "Give bands 10 to 14."
        )
    if not 0 <= index < bands:
        raise InputError(
            f"representative_band_index: {index} is no place in a list of {bands} rasters.",
            f"Count from 0: 0 to {bands - 1}; band 13 of 10 to 14 is 3.",
        )
    if sky is not None and len(sky) != bands:
        raise InputError(f"sky_irradiance: {len(sky)} values for {bands} bands.", "Give one per band.")


def _write(function: Any, bands: Sequence[Source], output: str, method: str) -> str:
    tags = {"TREELINE_METHOD": method}
    roles = ("lst", *FURTHER)
    return report_saved(map_pixels(function, {"bt": list(bands)}, output, role=roles, extra_tags=tags))
