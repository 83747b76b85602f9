"""The demo's town, villages and roads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage.graph import route_through_array

from treeline.core.demo.noise import Field, Mask, fractal, generator, rotate
from treeline.core.demo.terrain import Terrain

_VILLAGES = 9


@dataclass(frozen=True)
class Settlement:
    """What people built.

    Attributes
    ----------
    places : ndarray of int64, shape (n, 2)
        Row and column of the town, then of the villages.
    density : ndarray of float32
        Built-up share of each pixel, 0 to 1.
    roads : ndarray of float32
        Paved share of each pixel by roads, 0 to 1.
    """

    places: NDArray[np.int64]
    density: Field
    roads: Field

    @property
    def built_up_land(self) -> Mask:
        """Pixels that a map calls built-up."""
        return self.density > 0.3


def build_settlement(seed: int, terrain: Terrain) -> Settlement:
    """Return town, villages and roads on a terrain."""
    rng = generator(seed, "settlement")
    places = _places(rng, terrain)
    roads = _roads(rng, terrain, places)
    density = _density(rng, terrain, places, roads > 0)
    return Settlement(places, density, roads)


def _places(rng: np.random.Generator, terrain: Terrain) -> NDArray[np.int64]:
    size = len(terrain.elevation)
    rows, columns = np.mgrid[0:size, 0:size] / size
    fit = -25 * terrain.slope - terrain.elevation / 700 + 0.25 * fractal(rng, size, size * 0.1)
    edge = np.minimum.reduce([rows, columns, 1 - rows, 1 - columns])
    fit = np.where(terrain.water | (edge < 0.05), -np.inf, fit)
    near_river = -(((terrain.river_distance - size * 0.035) / (size * 0.03)) ** 2)
    centre = -(((rows - 0.36) / 0.08) ** 2)
    places = [_best(fit + near_river + centre)]
    for _ in range(_VILLAGES):
        taken = np.ones((size, size), bool)
        taken[tuple(np.transpose(places))] = False
        apart = ndimage.distance_transform_edt(taken) / size
        fit_here = np.where(apart < 0.13, -np.inf, fit + rng.normal(0, 0.3, (size, size)) - 1.5 * apart)
        places.append(_best(fit_here))
    return np.array(places)


def _best(fit: NDArray[np.floating]) -> tuple[int, int]:
    row, column = np.unravel_index(np.argmax(fit), fit.shape)
    return int(row), int(column)


def _roads(rng: np.random.Generator, terrain: Terrain, places: NDArray[np.int64]) -> Field:
    size = len(terrain.elevation)
    bother = np.exp(0.5 * fractal(rng, size, 40, 3.0))
    cost = 1.0 + (terrain.slope / 0.05) ** 2 + 40.0 * terrain.water + bother
    town, villages = places[0], places[1:]
    last = size - 1
    ends = [(0, int(0.78 * size)), (last, int(0.66 * size)), (int(0.52 * size), last), (int(0.45 * size), 0)]
    roads = np.zeros((size, size), np.float32)
    for end, share in [*((end, 0.75) for end in ends), *((tuple(v), 0.5) for v in villages)]:
        trace, _ = route_through_array(np.where(roads > 0, 0.35 * cost, cost), end, town, geometric=True)
        at = tuple(np.transpose(trace))
        roads[at] = np.maximum(roads[at], share)
    return roads


def _density(rng: np.random.Generator, terrain: Terrain, places: NDArray[np.int64], roads: Mask) -> Field:
    size = len(terrain.elevation)
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float32)
    to_road = ndimage.distance_transform_edt(~roads)
    patches = fractal(rng, size, 22, 2.4)
    density = np.zeros((size, size), np.float32)
    radii = [size * 0.062, *(size * rng.uniform(0.010, 0.020, len(places) - 1))]
    for (row, column), radius in zip(places, radii, strict=True):
        reach = np.hypot(rows - row, columns - column) / radius + 0.22 * patches - 0.45 * np.exp(-to_road / 3)
        density = np.maximum(density, np.clip(1.35 - reach, 0, 1).astype(np.float32))
    density *= _streets(rng, rows, columns) * (0.92 + 0.16 * patches)
    return np.where(terrain.water, 0, np.clip(density, 0, 0.95)).astype(np.float32)


def _streets(rng: np.random.Generator, rows: Field, columns: Field) -> Field:
    size = len(rows)
    bend = 3.0 * fractal(rng, size, 60, 3.6)
    along, across = rotate(rows + bend, columns - bend, float(rng.uniform(15, 75)))
    blocks = np.maximum(np.cos(2 * np.pi * along / 6.3), np.cos(2 * np.pi * across / 8.9))
    houses = 0.10 * rng.standard_normal((size, size), np.float32)
    return (1 - 0.30 * np.clip(blocks, 0, 1) ** 4 + houses).astype(np.float32)
