"""The demo's landscape: what covers the ground, and what will burn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from treeline.core.demo.noise import Field, Mask, disperse, fractal, generator, step
from treeline.core.demo.parcels import Parcels, build_parcels
from treeline.core.demo.settlement import Settlement, build_settlement
from treeline.core.demo.terrain import Terrain, build_terrain

BURNED_SHARE = 0.019
"""Share of the scene inside the fire's perimeter, before what cannot burn is left out."""

TREE_LINE = 820.0
"""Elevation above which no forest grows, in metres."""


class Cover(IntEnum):
    """Land cover classes of the demo's map."""

    WATER = 1
    CROPLAND = 2
    GRASSLAND = 3
    BROADLEAF_FOREST = 4
    CONIFER_FOREST = 5
    BUILT_UP = 6
    BARE_GROUND = 7

    @property
    def title(self) -> str:
        """Name for people."""
        return self.name.replace("_", " ").capitalize()


@dataclass(frozen=True)
class Landscape:
    """Everything about the place that does not change with the date.

    Attributes
    ----------
    cover : ndarray of uint8
        :class:`Cover` of each pixel.
    burned : ndarray of bool
        Pixels that the fire reaches.
    severity : ndarray of float32
        Share of the canopy that it takes, 0 outside.
    wetness : ndarray of float32
        Soil water that relief gives, mean 0, standard deviation about 1.
    """

    seed: int
    terrain: Terrain
    parcels: Parcels
    settlement: Settlement
    cover: NDArray[np.uint8]
    burned: Mask
    severity: Field
    wetness: Field

    @property
    def size(self) -> int:
        """Rows and columns."""
        return len(self.cover)

    def mask_of(self, *covers: Cover) -> Mask:
        """Return where one of the covers is."""
        return np.isin(self.cover, covers)


def build_landscape(seed: int, size: int) -> Landscape:
    """Return the landscape of a seed.

    Parameters
    ----------
    seed : int
        The same seed and size give the same landscape.
    size : int
        Rows and columns.
    """
    terrain = build_terrain(seed, size)
    parcels = build_parcels(seed, size)
    settlement = build_settlement(seed, terrain)
    cover = _cover(seed, terrain, parcels, settlement)
    burned, severity = _fire(seed, cover)
    wetness = 1.1 * np.exp(-terrain.stream_distance / 10) - 3 * terrain.slope
    wetness += 0.8 * fractal(generator(seed, "soil"), size, 120, 2.4)
    wetness -= wetness.mean()
    return Landscape(seed, terrain, parcels, settlement, cover, burned, severity, wetness.astype(np.float32))


def _cover(seed: int, terrain: Terrain, parcels: Parcels, settlement: Settlement) -> NDArray[np.uint8]:
    rng = generator(seed, "cover")
    size = len(terrain.elevation)
    height, slope = terrain.elevation, ndimage.gaussian_filter(terrain.slope, 3)
    grass_parcel = rng.random(parcels.count) < 0.13
    grass_odds = step(slope + 0.02 * fractal(rng, size, 60), 0.03, 0.13)
    grassland = grass_parcel[parcels.numbers] | (grass_odds > rng.random(parcels.count)[parcels.numbers])
    cover = np.where(grassland, Cover.GRASSLAND, Cover.CROPLAND).astype(np.uint8)

    forest = _forest(rng, terrain, slope)
    conifer = (height - 430) / 150 + 0.75 * fractal(rng, size, 50, 2.7) > 0
    cover[forest] = Cover.BROADLEAF_FOREST
    cover[forest & conifer] = Cover.CONIFER_FOREST
    summit = height + 45 * fractal(rng, size, 40, 2.4)
    cover[summit > TREE_LINE] = Cover.GRASSLAND
    cover[summit > TREE_LINE + 130] = Cover.BARE_GROUND
    cover[_quarry(rng, terrain, settlement)] = Cover.BARE_GROUND
    shoal = (terrain.river_distance < 4.2) & (fractal(rng, size, 18, 3.0) > 1.25)
    cover[shoal] = Cover.BARE_GROUND
    # The later cover lies on the earlier: water on streets, streets on shoals and fields.
    cover[settlement.built_up_land] = Cover.BUILT_UP
    cover[terrain.water] = Cover.WATER
    return cover


def _forest(rng: np.random.Generator, terrain: Terrain, slope: Field) -> Mask:
    size = len(slope)
    score = 14 * (slope - 0.11) + (terrain.elevation - 360) / 170 + 0.80 * fractal(rng, size, 75, 2.8)
    woods = fractal(rng, size, 46, 2.7) > 1.85
    riparian = (terrain.stream_distance < 1.8) & (fractal(rng, size, 50) > -0.2)
    flood_plain = (terrain.river_distance < 7) & (fractal(rng, size, 34, 2.6) > 0.35)
    forest = (score > 0) | woods | riparian | flood_plain
    return ndimage.binary_opening(forest, iterations=1) | riparian


def _quarry(rng: np.random.Generator, terrain: Terrain, settlement: Settlement) -> Mask:
    size = len(terrain.elevation)
    row, column = settlement.places[0] / size
    pit = disperse(size, row + 0.13, column - 0.10, 1.5, 30) + 0.006 * fractal(rng, size, 24, 2.8)
    return pit < 0.017


def _fire(seed: int, cover: NDArray[np.uint8]) -> tuple[Mask, Field]:
    rng = generator(seed, "fire")
    size = len(cover)
    conifers = (cover == Cover.CONIFER_FOREST).astype(np.float32)
    # The fire starts in the largest stand of conifers that is not at the edge of the scene.
    fuel = ndimage.gaussian_filter(conifers, size * 0.035, mode="constant")
    away = disperse(size, 0.5, 0.5)
    row, column = np.unravel_index(np.argmax(np.where(away < 0.42, fuel, 0)), fuel.shape)
    front = disperse(size, row / size, column / size, 2.3, 24) + 0.026 * fractal(rng, size, size * 0.13, 3.2)
    forest = np.isin(cover, (Cover.CONIFER_FOREST, Cover.BROADLEAF_FOREST))
    inside = front < np.quantile(front, BURNED_SHARE)
    unburned = fractal(rng, size, 24, 3.0) > 2.0
    burned = ndimage.binary_opening(inside & forest & ~unburned, iterations=1)
    severity = 0.82 + 0.10 * fractal(rng, size, 30, 2.6)
    return burned, np.where(burned, np.clip(severity, 0.62, 1.0), 0).astype(np.float32)
