"""The demo's relief: a meandering river, the streams that feed it, and the hills between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from skimage.graph import MCP_Geometric

from treeline.core.demo.noise import Field, Mask, disperse, fractal, generator, step

PIXEL = 20.0
"""Width of a pixel, in metres."""

_MEANDER = 92.0
"""Length of a meander along the channel, in pixels."""


@dataclass(frozen=True)
class Terrain:
    """Relief and water.

    Attributes
    ----------
    elevation : ndarray of float32
        Metres.
    river, lake : ndarray of bool
        Open water.
    river_distance : ndarray of float32
        Pixels to the middle of the river.
    stream_distance : ndarray of float32
        Pixels to the nearest stream.
    """

    elevation: Field
    river: Mask
    lake: Mask
    river_distance: Field
    stream_distance: Field

    @property
    def water(self) -> Mask:
        """River and lake together."""
        return self.river | self.lake

    @property
    def slope(self) -> Field:
        """Rise over run."""
        down, right = np.gradient(ndimage.gaussian_filter(self.elevation, 1.0), PIXEL)
        return np.hypot(down, right)


def build_terrain(seed: int, size: int) -> Terrain:
    """Return the relief and the water of a seed.

    Parameters
    ----------
    seed : int
        Seed of the landscape.
    size : int
        Rows and columns.
    """
    rng = generator(seed, "terrain")
    axis, reach = _river_axis(rng, size)
    river_distance = ndimage.distance_transform_edt(~axis).astype(np.float32)
    width = 1.5 + 0.3 * fractal(rng, size, 60) + 0.8 * reach
    river = river_distance < np.clip(width, 1.1, 3.0)
    lake = _lake(rng, size)
    hardness = np.exp(0.75 * fractal(rng, size, 110, 2.4))
    streams = _streams(rng, axis | lake, hardness)
    elevation = _relief(rng, axis | lake, streams, hardness, reach)
    elevation = _level_lake(elevation, lake)
    stream_distance = ndimage.distance_transform_edt(~streams).astype(np.float32)
    return Terrain(elevation, river, lake & ~river, river_distance, stream_distance)


def _river_axis(rng: np.random.Generator, size: int) -> tuple[Mask, Field]:
    # Sine-generated curve (Langbein and Leopold 1966): the channel's direction swings as a sine
    # of the distance along it, here with a swing and a phase that drift.
    count = size * 12
    along = np.arange(count) * 0.25
    drift = ndimage.gaussian_filter1d(rng.standard_normal((2, count)), 160, axis=1)
    drift /= drift.std(axis=1, keepdims=True)
    swing = np.deg2rad(np.clip(66 + 26 * drift[0], 20, 98))
    valley = np.deg2rad(30 * np.sin(along / (size * 0.26) + 0.9) - 8)
    heading = swing * np.sin(2 * np.pi * along / _MEANDER + 1.3 * drift[1]) + valley
    rows = np.cumsum(np.cos(heading)) * 0.25 - 10
    columns = np.cumsum(np.sin(heading)) * 0.25 + size * 0.56
    axis = np.zeros((size, size), bool)
    r, c = np.rint(rows).astype(int), np.rint(columns).astype(int)
    inside = (r >= 0) & (r < size) & (c >= 0) & (c < size)
    axis[r[inside], c[inside]] = True
    reach = np.broadcast_to((np.arange(size) / size)[:, None], (size, size)).astype(np.float32)
    return axis, reach


def _lake(rng: np.random.Generator, size: int) -> Mask:
    shore = disperse(size, 0.70, 0.80, 2.1, -52) + 0.017 * fractal(rng, size, size * 0.14, 4.2)
    parts, _ = ndimage.label(shore < 0.058)
    largest = np.argmax(np.bincount(parts.ravel())[1:]) + 1
    return ndimage.binary_fill_holes(parts == largest)


def _streams(rng: np.random.Generator, outlet: Mask, hardness: Field) -> Mask:
    paths = MCP_Geometric(hardness.astype(np.float64) ** 1.6)
    paths.find_costs(np.argwhere(outlet))
    size = len(outlet)
    visits = np.zeros((size, size), np.int32)
    for start in rng.integers(0, size, (max(60, size // 2), 2)):
        trace = np.array(paths.traceback(start))
        visits[trace[:, 0], trace[:, 1]] += 1
    return visits >= 2


def _relief(rng: np.random.Generator, outlet: Mask, streams: Mask, hardness: Field, reach: Field) -> Field:
    # The cost of the way down to the water is a surface without pits whose creases are ridges,
    # so the drainage follows the relief by construction.
    size = len(outlet)
    bank = ndimage.distance_transform_edt(~(streams | outlet))
    cost = hardness**0.8 * (0.10 + np.minimum(bank, 18.0) / 18.0)
    height, _ = MCP_Geometric(cost.astype(np.float64)).find_costs(np.argwhere(outlet))
    rows, columns = np.mgrid[0:size, 0:size] / size
    west = step(0.50 - columns - 0.10 * (rows - 0.5) + 0.045 * fractal(rng, size, size * 0.4, 3.5), 0.0, 0.34)
    north_east = step(columns - rows * 0.9 - 0.50 + 0.05 * fractal(rng, size, size * 0.4, 3.5), 0.0, 0.4)
    upland = 0.10 + 1.0 * west + 0.55 * north_east
    rise = ndimage.gaussian_filter(height.astype(np.float32), 2.0) * upland * PIXEL * 0.62
    rough = fractal(rng, size, 90, 3.5) * (1.5 + 20 * np.clip(upland - 0.1, 0, 1))
    floor = 232.0 - 26.0 * reach
    return (floor + 1500 * (1 - np.exp(-rise / 1500)) + rough).astype(np.float32)


def _level_lake(elevation: Field, lake: Mask) -> Field:
    level = float(np.percentile(elevation[lake], 20))
    shore = ndimage.distance_transform_edt(~lake)
    blend = np.exp(-shore / 9.0)
    return np.where(lake, level, level * blend + elevation * (1 - blend)).astype(np.float32)
