"""Planck's law in the units of thermal remote sensing: um, K, W m-2 sr-1 um-1."""

from __future__ import annotations

from typing import Any

import numpy as np

FIRST_CONSTANT = 1.1910430e8
"""2 h c^2 in W um^4 m-2 sr-1 (CODATA)."""

SECOND_CONSTANT = 14387.769
"""h c / k in um K (CODATA)."""

STEFAN_BOLTZMANN = 5.670374e-8
"""W m-2 K-4 (CODATA)."""


def planck_radiance(temperature: Any, wavelength: float) -> Any:
    """Return the radiance of a black body.

    Parameters
    ----------
    temperature : array or float
        K.
    wavelength : float
        um.

    Returns
    -------
    array or float
        W m-2 sr-1 um-1.
    """
    # exp and log, not expm1 and log1p: their arguments are far from 0 here, and they are vectorised.
    return (FIRST_CONSTANT / wavelength**5) / (np.exp((SECOND_CONSTANT / wavelength) / temperature) - 1)


def planck_temperature(radiance: Any, wavelength: Any) -> Any:
    """Return the temperature (K) of the black body that has a radiance (W m-2 sr-1 um-1)."""
    return (SECOND_CONSTANT / wavelength) / np.log(1 + (FIRST_CONSTANT / wavelength**5) / radiance)


def correct_for_emissivity(temperature: Any, emissivity: Any, wavelength: float) -> Any:
    """Return the temperature of a surface from its brightness temperature and emissivity.

    It corrects for emissivity alone; there is no atmosphere in it.

    Parameters
    ----------
    temperature : array or float
        Brightness temperature in K.
    emissivity : array or float
        0 to 1.
    wavelength : float
        Effective wavelength of the band in um.

    Notes
    -----
    Source: Artis & Carnahan 1982, Remote Sens. Environ. 12:313. It is the inversion of
    ``emissivity * B(T) = B(Tb)`` in Wien's limit.
    """
    return temperature / (1 + (wavelength / SECOND_CONSTANT) * temperature * np.log(emissivity))
