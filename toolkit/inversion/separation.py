"""Temperature and emissivity separation (TES) on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from toolkit.inversion.physics import planck_radiance, planck_temperature

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


class Separated(NamedTuple):
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
) -> Separated:
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
    emissivity, ground = _normalised(radiance, irradiance, wavelengths, maximum_emissivity)
    if sky is not None:
        rock = np.var(emissivity, axis=0) > ROCK_VARIANCE
        again, ground_again = _normalised(radiance, irradiance, wavelengths, ROCK_EMISSIVITY)
        emissivity, ground = np.where(rock, again, emissivity), np.where(rock, ground_again, ground)
    return _by_contrast(emissivity, ground, radiance, irradiance, wavelengths, regression, low_contrast)


def _normalised(radiance: Any, sky: Any, wavelengths: Sequence[float], maximum: float) -> tuple[Any, Any]:
    """Return emissivities and emitted radiances of the normalised emissivity module."""
    emissivity = np.full_like(radiance, maximum)
    ground = radiance - (1 - maximum) * sky
    change = np.zeros_like(radiance)
    diverged = np.zeros(radiance.shape[1:], bool)
    for iteration in range(ITERATIONS):
        hottest = np.max(
            [planck_temperature(g / maximum, w) for g, w in zip(ground, wavelengths, strict=True)], axis=0
        )
        emissivity = np.stack(
            [g / planck_radiance(hottest, w) for g, w in zip(ground, wavelengths, strict=True)]
        )
        updated = radiance - (1 - emissivity) * sky
        step = updated - ground
        if iteration:
            diverged |= (np.abs(step) - np.abs(change) > CONVERGED).any(axis=0)
        ground, change = updated, step
        if not (np.abs(step) >= CONVERGED).any():
            break
    return np.where(diverged, np.nan, emissivity), ground


def _by_contrast(
    emissivity: Any,
    ground: Any,
    radiance: Any,
    sky: Any,
    wavelengths: Sequence[float],
    regression: Regression,
    low_contrast: float,
) -> Separated:
    """Return the result of the ratio and contrast modules."""
    ratio = emissivity / emissivity.mean(axis=0)
    contrast = ratio.max(axis=0) - ratio.min(axis=0)
    least = np.where(contrast < low_contrast, GREY_EMISSIVITY, regression(contrast))
    final = ratio * least / ratio.min(axis=0)
    emitted = radiance - (1 - final) * sky
    per_band = np.stack(
        [planck_temperature(r / e, w) for r, e, w in zip(emitted, final, wavelengths, strict=True)]
    )
    best = np.argmax(np.nan_to_num(final), axis=0)
    temperature = np.take_along_axis(per_band, best[None], axis=0)[0]
    return Separated(temperature, final, contrast)
