"""Temperature and emissivity separation (TES) on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from treeline.toolkit.inversion.physics import planck_radiance, planck_temperature

# Steps and limits of Gillespie et al. 1998: the irradiance of the sky is taken off until it changes by less
# than 0.05 W/(m2 sr um); what varies more than a grey body between its bands is rock or soil.
ITERATIONS = 12
CONVERGED = 0.05
ROCK_VARIANCE = 1.7e-4
ROCK_EMISSIVITY = 0.96
GREY_EMISSIVITY = 0.983


@dataclass(frozen=True, slots=True)
class Regression:
    """Least emissivity from the spectral contrast: ``a - b MMD^c``."""

    a: float
    b: float
    c: float

    def __call__(self, contrast: Any) -> Any:
        """Return the least emissivity of the bands."""
        return self.a - self.b * contrast**self.c


ASTER = Regression(0.994, 0.687, 0.737)
"""Gillespie et al. 1998, five ASTER bands."""


class Separation(NamedTuple):
    """What the separation gives: K, emissivity of shape (bands, ...), and the contrast MMD."""

    temperature: Any
    emissivity: Any
    contrast: Any


def separate(
    brightness: Any,
    wavelengths: Sequence[float],
    *,
    sky: Sequence[float] | None = None,
    maximum_emissivity: float = 0.99,
    regression: Regression = ASTER,
    low_contrast: float = 0.0,
) -> Separation:
    """Return temperature and emissivities of land-leaving brightness temperatures.

    Parameters
    ----------
    brightness : array
        Brightness temperatures in K of shape (bands, ...), corrected for the atmosphere.
    wavelengths : sequence of float
        Of the bands, in um.
    sky : sequence of float, optional
        Irradiance of the sky divided by pi, in W m-2 sr-1 um-1, per band. Without it the
        reflected sky is taken as nothing and the emissivity is not refined.
    maximum_emissivity : float
        Assumed at first for the band of highest emissivity.
    regression : Regression
        Of the sensor.
    low_contrast : float
        Below this contrast the least emissivity is 0.983; 0 switches that off, as the published
        values disagree.

    Notes
    -----
    Source: Gillespie et al. 1998, IEEE Trans. Geosci. Remote Sens. 36:1113. Pixels whose
    iteration diverges are NaN. Of the refinement of the maximum emissivity the step for rock and
    soil is done (0.96 where the variance exceeds 1.7e-4).
    """
    radiance = np.stack([planck_radiance(t, w) for t, w in zip(brightness, wavelengths, strict=True)])
    column = (len(wavelengths), *(1,) * (radiance.ndim - 1))
    irradiance = np.reshape(np.zeros(len(wavelengths)) if sky is None else sky, column).astype(radiance.dtype)
    emissivity = _normalise(radiance, irradiance, wavelengths, maximum_emissivity)
    if sky is not None:
        rock = np.var(emissivity, axis=0) > ROCK_VARIANCE
        again = _normalise(radiance, irradiance, wavelengths, ROCK_EMISSIVITY)
        emissivity = np.where(rock, again, emissivity)
    return _by_contrast(emissivity, radiance, irradiance, wavelengths, regression, low_contrast)


def _normalise(radiance: Any, sky: Any, wavelengths: Sequence[float], maximum: float) -> Any:
    """Return the emissivities of the normalised emissivity module."""
    ground = radiance - (1 - maximum) * sky
    change: Any = None
    diverged = np.zeros(radiance.shape[1:], bool)
    if not sky.any():
        return _relative_to_hottest(ground, wavelengths, maximum)
    for _ in range(ITERATIONS):
        emissivity = _relative_to_hottest(ground, wavelengths, maximum)
        updated = radiance - (1 - emissivity) * sky
        step = np.abs(updated - ground)
        if change is not None:
            # Where a step is larger than the one before it, the sky is too bright for the ground to be told
            # from it.
            diverged |= (step - change > CONVERGED).any(axis=0)
        ground, change = updated, step
        if not (step >= CONVERGED).any():
            break
    return np.where(diverged, np.nan, _relative_to_hottest(ground, wavelengths, maximum))


def _relative_to_hottest(ground: Any, wavelengths: Sequence[float], maximum: float) -> Any:
    hottest = planck_temperature(ground[0] / maximum, wavelengths[0])
    for band, wavelength in zip(ground[1:], wavelengths[1:], strict=True):
        hottest = np.maximum(hottest, planck_temperature(band / maximum, wavelength))
    return np.stack([g / planck_radiance(hottest, w) for g, w in zip(ground, wavelengths, strict=True)])


def _by_contrast(
    emissivity: Any,
    radiance: Any,
    sky: Any,
    wavelengths: Sequence[float],
    regression: Regression,
    low_contrast: float,
) -> Separation:
    """Return the result of the ratio and contrast modules."""
    ratio = emissivity / emissivity.mean(axis=0)
    lowest = ratio.min(axis=0)
    contrast = ratio.max(axis=0) - lowest
    # Below the contrast that noise makes, the regression would turn the noise into an emissivity.
    least = np.where(contrast < low_contrast, GREY_EMISSIVITY, regression(contrast))
    final = ratio * (least / lowest)
    brightest, wavelength = _of_highest(final, radiance - (1 - final) * sky, wavelengths)
    return Separation(planck_temperature(brightest, wavelength), final, contrast)


def _of_highest(emissivity: Any, emitted: Any, wavelengths: Sequence[float]) -> tuple[Any, Any]:
    """Return the radiance of a black body, and the wavelength, in the band of highest emissivity."""
    highest = emissivity[0]
    best = np.zeros(highest.shape, np.uint8)
    # Band by band: argmax across bands takes longer than all the rest.
    for number, value in enumerate(emissivity[1:], start=1):
        best = np.maximum(best, (value > highest) * np.uint8(number))
        highest = np.maximum(highest, value)
    light = np.take_along_axis(emitted, best[np.newaxis].astype(np.intp), axis=0)[0]
    return light / highest, np.asarray(wavelengths, dtype=highest.dtype)[best]
