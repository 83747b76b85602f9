"""The demo's ground as the sun lights it on one date: reflectance, green cover, temperature."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from treeline.core.demo.landscape import Cover, Landscape
from treeline.core.demo.noise import Field, fractal, generator
from treeline.core.demo.seasons import Overpass
from treeline.core.demo.terrain import PIXEL
from treeline.core.demo.vegetation import BANDS, GROWTH, canopy_name, canopy_state, growth_numbers, spectrum

LAPSE_RATE = 0.0065
"""Fall of the air's temperature with height, K per metre."""

_POINT_SPREAD = 0.55
"""Blur of the reflective bands, standard deviation in pixels."""

_THERMAL_SPREAD = 1.6
"""The same of the thermal band, whose native pixels are larger."""


@dataclass(frozen=True)
class Ground:
    """The ground on one date, without clouds.

    Attributes
    ----------
    reflectance : ndarray of float32, shape (6, rows, columns)
        In the order of :data:`treeline.core.demo.vegetation.BANDS`.
    temperature : ndarray of float32
        Land surface temperature, K.
    emissivity : ndarray of float32
        In the thermal band.
    """

    reflectance: Field
    temperature: Field
    emissivity: Field


class Scenery:
    """Draws the ground of one landscape on any date.

    Parameters
    ----------
    place : Landscape
        What stands there.
    """

    def __init__(self, place: Landscape) -> None:
        self.place = place
        rng = generator(place.seed, "texture")
        size = place.size
        self._grain = ndimage.gaussian_filter(rng.standard_normal((size, size)), 0.6).astype(np.float32) * 2.1
        self._patches = fractal(rng, size, 26, 2.5)
        self._soil = fractal(rng, size, 150, 2.3)
        self._parcel = rng.standard_normal(place.parcels.count).astype(np.float32)[place.parcels.numbers]
        self._hedge = rng.random(place.parcels.count)[place.parcels.numbers] < 0.45
        self._kinds: dict[int, NDArray[np.int64]] = {}

    def ground(self, overpass: Overpass) -> Ground:
        """Return the ground at an overpass."""
        kinds = self._kinds_of(overpass.date.year)
        green, dry = canopy_state(self.place, kinds, overpass.day, overpass.drought, self._vigour)
        if overpass.is_burned:
            green = green * (1 - self.place.severity)
        light = self._light(overpass)
        reflectance = self._land(kinds, green, dry, overpass)
        reflectance *= 1 + 0.75 * (light - 1)
        self._fill_water(reflectance)
        for band in reflectance:
            ndimage.gaussian_filter(band, _POINT_SPREAD, output=band)
        built = np.maximum(self.place.settlement.density, self.place.settlement.roads)
        cover = green * (1 - built)
        emissivity = 0.971 + 0.017 * cover - 0.008 * built
        emissivity = np.where(self.place.terrain.water, 0.990, emissivity).astype(np.float32)
        return Ground(reflectance, self._temperature(cover, built, light, overpass), emissivity)

    def _kinds_of(self, year: int) -> NDArray[np.int64]:
        if year not in self._kinds:
            self._kinds[year] = growth_numbers(self.place, year)
        return self._kinds[year]

    @cached_property
    def _vigour(self) -> Field:
        farmed = self.place.mask_of(Cover.CROPLAND, Cover.GRASSLAND)
        return (1 + 0.035 * self._patches + np.where(farmed, 0.06 * self._parcel, 0)).astype(np.float32)

    @cached_property
    def _brightness(self) -> Field:
        contrast = np.full(self.place.cover.shape, 0.022, np.float32)
        contrast[self.place.mask_of(Cover.BROADLEAF_FOREST, Cover.CONIFER_FOREST)] = 0.075
        contrast[self.place.mask_of(Cover.BUILT_UP, Cover.BARE_GROUND)] = 0.13
        rows = 0.012 * np.cos(2 * np.pi * self.place.parcels.furrow / 3.7)
        rows *= self.place.cover == Cover.CROPLAND
        return (1 + contrast * self._grain + rows).astype(np.float32)

    def _land(self, kinds: NDArray[np.int64], green: Field, dry: Field, overpass: Overpass) -> Field:
        soil = 1 + 0.10 * self._soil + 0.11 * self._parcel + 0.10 * overpass.drought
        soil = np.clip(soil - 0.08 * self.place.wetness, 0.55, 1.5)
        spectra = {
            part: np.stack([spectrum(name(growth))[:, 0] for growth in GROWTH], axis=1)
            for part, name in (
                ("canopy", lambda growth: canopy_name(growth, overpass.day)),
                ("dead", lambda growth: growth.dead),
                ("ground", lambda growth: growth.ground),
            )
        }
        out = np.empty((len(BANDS), *green.shape), np.float32)
        for band in range(len(BANDS)):
            below = dry * spectra["dead"][band][kinds] + (1 - dry) * soil * spectra["ground"][band][kinds]
            out[band] = (green * spectra["canopy"][band][kinds] + (1 - green) * below) * self._brightness
        for name, share in self._overlays(overpass):
            # A linear mixture of what was there and what lies on it.
            out += share * (spectrum(name)[:, :, None] - out)
        return out

    def _overlays(self, overpass: Overpass) -> list[tuple[str, Field]]:
        place, town = self.place, self.place.settlement
        farmed = place.mask_of(Cover.CROPLAND, Cover.GRASSLAND)
        summer = np.interp(overpass.day, (90, 135, 265, 300), (0.2, 0.5, 0.5, 0.25))
        hedge = place.parcels.margin & farmed & self._hedge
        track = place.parcels.margin & farmed & ~self._hedge
        tiles = np.clip(0.5 + 0.5 * self._grain, 0, 1)
        overlays = [
            ("broadleaf", hedge * summer),
            ("hay", track * 0.3),
            ("concrete", town.density),
            ("roof", town.density * tiles),
            ("asphalt", town.roads),
        ]
        if overpass.is_burned:
            overlays.append(("char", place.severity * 0.9))
        return [(name, share.astype(np.float32)) for name, share in overlays]

    def _fill_water(self, reflectance: Field) -> None:
        terrain = self.place.terrain
        # Near the shore the ground shines through: there the lake looks a little like the river.
        shallow = np.exp(-ndimage.distance_transform_edt(terrain.lake) / 2.5)
        murk = 1 + 0.05 * self._patches
        for name, mask, extra in (("river", terrain.river, 0.0), ("lake", terrain.lake, shallow)):
            water = spectrum(name)[:, :, None] * murk + extra * 0.25 * (
                spectrum("river")[:, :, None] - spectrum(name)[:, :, None]
            )
            np.copyto(reflectance, water.astype(np.float32), where=mask)

    def _light(self, overpass: Overpass) -> Field:
        down, right = self._gradient
        height, azimuth = np.deg2rad([overpass.sun_elevation, overpass.sun_azimuth])
        facing = -right * np.sin(azimuth) + down * np.cos(azimuth)
        # Cosine of the angle between the sun and the normal of the slope; level ground has sin(height).
        incidence = (np.sin(height) + np.cos(height) * facing) / np.sqrt(1 + down**2 + right**2)
        return np.clip(incidence / np.sin(height), 0.35, 1.55).astype(np.float32)

    @cached_property
    def _gradient(self) -> tuple[Field, Field]:
        down, right = np.gradient(ndimage.gaussian_filter(self.place.terrain.elevation, 0.7), PIXEL)
        return down, right

    def _temperature(self, cover: Field, built: Field, light: Field, overpass: Overpass) -> Field:
        place, drought = self.place, overpass.drought
        height = place.terrain.elevation - place.terrain.elevation.min()
        bare = overpass.heating * (1 - 0.06 * place.wetness) * (1 + 0.7 * (light - 1))
        woods = place.mask_of(Cover.BROADLEAF_FOREST, Cover.CONIFER_FOREST)
        leaf = 1.5 + 3.5 * drought * np.clip(1 - 0.2 * place.wetness, 0.4, 1.6) - 2.0 * woods
        excess = cover * leaf + (1 - cover) * bare + 2.5 * built
        excess -= 4.0 * woods * (1 - cover) * (1 - place.severity * overpass.is_burned)
        excess += 3.0 * place.severity * overpass.is_burned
        temperature = overpass.air - LAPSE_RATE * height + excess + 0.25 * self._patches
        temperature = np.where(place.terrain.water, overpass.water, temperature)
        return ndimage.gaussian_filter(temperature.astype(np.float32), _THERMAL_SPREAD)
