"""Thermal bands: wavelength, calibration, emissivity of soil and vegetation, published coefficients."""

from __future__ import annotations

from dataclasses import dataclass

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source

Polynomial = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class EmissivityLaw:
    """Emissivity from NDVI by thresholds: ``bare[0] + bare[1] red``, then from soil to vegetation.

    Attributes
    ----------
    bare : tuple of float
        Intercept and slope over red reflectance where NDVI is below 0.2.
    soil, vegetation : float
        Ends of the mixture between NDVI 0.2 and 0.5.
    full : float
        Where NDVI is above 0.5.
    """

    bare: tuple[float, float]
    soil: float
    vegetation: float
    full: float


@dataclass(frozen=True, slots=True)
class ThermalBand:
    """One thermal band.

    Attributes
    ----------
    name : str
        Sensor and band.
    wavelength : float
        Effective, in um.
    law : EmissivityLaw
        Emissivity from NDVI.
    calibration : tuple of float, optional
        K1 (W m-2 sr-1 um-1) and K2 (K) of its brightness temperature.
    gamma : float, optional
        ``b`` of the generalised single-channel method, in K.
    psi : tuple, optional
        The three atmospheric functions as polynomials of water vapour, highest power first.
    remark : str
        What to know of these coefficients.
    """

    name: str
    wavelength: float
    law: EmissivityLaw
    calibration: tuple[float, float] | None = None
    gamma: float | None = None
    psi: tuple[Polynomial, Polynomial, Polynomial] | None = None
    remark: str = ""


SEVERAL_SETS = (
    "of the sets of coefficients printed for different databases of atmospheres this is one, not checked "
    "against the paper; others give up to 0.9 K less in humid air"
)

SOBRINO_2004 = EmissivityLaw(bare=(0.979, -0.035), soil=0.986, vegetation=0.990, full=0.99)
"""Sobrino, Jimenez-Munoz & Paolini 2004, Remote Sens. Environ. 90:434 (made for TM band 6)."""

TIRS_10 = EmissivityLaw(bare=(0.979, -0.046), soil=0.971, vegetation=0.987, full=0.987)
TIRS_11 = EmissivityLaw(bare=(0.982, -0.027), soil=0.977, vegetation=0.989, full=0.989)

BANDS: dict[str, ThermalBand] = {
    band.name: band
    for band in (
        ThermalBand(
            "Landsat 8-9 band 10",
            10.895,
            TIRS_10,
            (774.8853, 1321.0789),
            1324.0,
            ((0.04019, 0.02916, 1.01523), (-0.38333, -1.50294, 0.20324), (0.00918, 1.36072, -0.27514)),
        ),
        ThermalBand("Landsat 8-9 band 11", 12.005, TIRS_11, (480.8883, 1201.1442)),
        ThermalBand(
            "Landsat 7 band 6",
            11.45,
            SOBRINO_2004,
            (666.09, 1282.71),
            1277.0,
            ((0.06518, 0.00683, 1.02717), (-0.53003, -1.25866, 0.10490), (-0.01965, 1.36947, -0.24310)),
            SEVERAL_SETS,
        ),
        ThermalBand(
            "Landsat 5 band 6",
            11.45,
            SOBRINO_2004,
            (607.76, 1260.56),
            1256.0,
            ((0.07518, -0.00492, 1.03189), (-0.59600, -1.22554, 0.08104), (-0.02767, 1.43740, -0.25844)),
            SEVERAL_SETS,
        ),
        ThermalBand("MODIS band 31", 11.03, SOBRINO_2004),
        ThermalBand("MODIS band 32", 12.02, SOBRINO_2004),
        ThermalBand("ASTER band 13", 10.657, SOBRINO_2004),
        ThermalBand("ASTER band 14", 11.318, SOBRINO_2004),
    )
}

OF_ROLE = {
    "bt10": "Landsat 8-9 band 10",
    "bt11": "Landsat 8-9 band 11",
    "bt31": "MODIS band 31",
    "bt32": "MODIS band 32",
    "tir13": "ASTER band 13",
    "tir14": "ASTER band 14",
}


def thermal_band(found: Source, named: str = "") -> ThermalBand:
    """Return the thermal band of a raster: the one that is named, else that of its role.

    Raises
    ------
    InputError
        No band has the name, or nothing says which band the raster is.
    """
    name = named or OF_ROLE.get(found.role or "", "")
    if name not in BANDS:
        what = (
            f"band: {named!r} is not known" if named else f"Nothing says which thermal band {found.name} is"
        )
        raise InputError(f"{what}.", f"Name it: band='Landsat 8-9 band 10'; known are {', '.join(BANDS)}.")
    return BANDS[name]
