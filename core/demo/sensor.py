"""What the demo's sensor sees at one overpass: clouds, shadows, noise, brightness temperature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import constants, ndimage

from treeline.core.demo.noise import Field, Mask, fractal, generator, step
from treeline.core.demo.seasons import Overpass
from treeline.core.demo.surface import Ground
from treeline.core.demo.terrain import PIXEL
from treeline.core.demo.vegetation import spectrum

WAVELENGTH = 10.895e-6
"""Effective wavelength of the thermal band, metres (that of Landsat 8-9 TIRS band 10)."""

_CLOUD_HEIGHT = 1300.0
_CLOUD_TOP = 271.0
_SHADOW = (0.52, 0.48, 0.45, 0.40, 0.36, 0.34)


@dataclass(frozen=True)
class Scene:
    """One acquisition.

    Attributes
    ----------
    overpass : Overpass
        When, and under which sky.
    reflectance : ndarray of float32, shape (6, rows, columns)
        Clouds and shadows included.
    brightness : ndarray of float32
        Brightness temperature of the thermal band, K, without an atmosphere.
    temperature : ndarray of float32
        Land surface temperature, K; NaN under clouds.
    cloud : ndarray of bool
        Clouds, without their shadows.
    """

    overpass: Overpass
    reflectance: Field
    brightness: Field
    temperature: Field
    cloud: Mask


def observe(ground: Ground, overpass: Overpass, seed: int) -> Scene:
    """Return what the sensor sees of a ground.

    Parameters
    ----------
    ground : Ground
        The ground on that date.
    overpass : Overpass
        The sun and the sky.
    seed : int
        Seed of the clouds and the noise.
    """
    rng = generator(seed, f"sky {overpass.date}")
    shape = ground.temperature.shape
    opacity = _clouds(rng, shape[0], overpass.clouds)
    shade = _shadow(opacity, overpass)
    dark = np.array(_SHADOW, np.float32)[:, None, None]
    reflectance = ground.reflectance * (1 - shade * (1 - dark))
    reflectance += opacity * (spectrum("cloud")[:, :, None] * (0.75 + 0.25 * opacity) - reflectance)
    reflectance += rng.standard_normal(reflectance.shape, np.float32) * (0.0006 + 0.004 * reflectance)
    temperature = ground.temperature - 2.5 * ndimage.gaussian_filter(shade, 2)
    brightness = brightness_temperature(temperature, ground.emissivity)
    brightness += opacity * (_CLOUD_TOP - brightness) + rng.normal(0, 0.08, shape).astype(np.float32)
    cloud = ndimage.binary_dilation(opacity > 0.12)
    return Scene(
        overpass,
        reflectance,
        brightness,
        np.where(cloud, np.nan, temperature).astype(np.float32),
        cloud,
    )


def brightness_temperature(temperature: Field, emissivity: Field) -> Field:
    """Return the temperature of a black body with the radiance of a grey one (Planck), K.

    Parameters
    ----------
    temperature : ndarray
        Of the surface, K.
    emissivity : ndarray
        0 to 1.
    """
    scale = constants.h * constants.c / (constants.k * WAVELENGTH)
    return (scale / np.log1p(np.expm1(scale / temperature) / emissivity)).astype(np.float32)


def _clouds(rng: np.random.Generator, size: int, share: float) -> Field:
    if not share:
        return np.zeros((size, size), np.float32)
    field = fractal(rng, size, size * 0.12, 3.4) + 0.22 * fractal(rng, size, 16, 3.0)
    edge = float(np.quantile(field, 1 - share))
    return 0.96 * step(field, edge, edge + 0.8)


def _shadow(opacity: Field, overpass: Overpass) -> Field:
    if not overpass.clouds:
        return opacity
    away = _CLOUD_HEIGHT / np.tan(np.deg2rad(overpass.sun_elevation)) / PIXEL
    azimuth = np.deg2rad(overpass.sun_azimuth)
    shift = away * np.cos(azimuth), -away * np.sin(azimuth)
    moved = ndimage.shift(opacity, shift, order=1, mode="mirror")
    return ndimage.gaussian_filter(moved, 1.0) * (1 - opacity)
