"""The demo's fields: blocks of land with a direction of their own, cut into strips and parcels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import cKDTree

from treeline.core.demo.noise import Field, Mask, fractal, generator, rotate

Numbers = NDArray[np.integer]


@dataclass(frozen=True)
class Parcels:
    """Fields.

    Attributes
    ----------
    numbers : ndarray of int
        Parcel of each pixel, from 0.
    count : int
        How many parcels there are.
    furrow : ndarray of float32
        Coordinate across the rows that the land is worked in, in pixels.
    margin : ndarray of bool
        First pixels of each parcel: hedges, tracks and grass strips.
    """

    numbers: Numbers
    count: int
    furrow: Field
    margin: Mask


def build_parcels(seed: int, size: int) -> Parcels:
    """Return the parcels of a seed over the whole scene; what is no farmland ignores them."""
    rng = generator(seed, "parcels")
    block = _blocks(rng, size)
    rows, columns = (axis.astype(np.float32) for axis in np.mgrid[0:size, 0:size])
    rows += 1.6 * fractal(rng, size, 70, 3.6)
    columns += 1.6 * fractal(rng, size, 70, 3.6)
    codes = np.zeros((size, size), np.int64)
    furrow = np.zeros((size, size), np.float32)
    lie = rng.uniform(0, 180)
    for number in range(block.max() + 1):
        here = block == number
        along, across = rotate(rows[here], columns[here], lie + rng.normal(0, 38))
        strip, parcel = _cut(rng, along, across)
        codes[here] = (number * 1000 + strip) * 1000 + parcel
        furrow[here] = across
    numbers: Numbers = np.unique(codes, return_inverse=True)[1].reshape(size, size)
    return Parcels(numbers, int(numbers.max()) + 1, furrow, _margin(numbers))


def _blocks(rng: np.random.Generator, size: int) -> Numbers:
    count = max(4, round((size / 68) ** 2))
    points = rng.uniform(0, size, (count, 2))
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float32)
    warped = rows + 7 * fractal(rng, size, 80, 3.4), columns + 7 * fractal(rng, size, 80, 3.4)
    return cKDTree(points).query(np.stack(warped, axis=-1))[1]


def _cut(rng: np.random.Generator, along: Field, across: Field) -> tuple[Numbers, Numbers]:
    width = rng.uniform(6, 15)
    strip = _intervals(rng, across, width)
    strips = int(strip.max()) + 1
    length = width * rng.uniform(1.2, 2.8, strips)
    shift = rng.uniform(0, 1, strips)
    position = (along - along.min()) / length[strip] + shift[strip]
    # A sway of the cuts keeps parcels of one strip from being equally long.
    position += 0.25 * np.sin(2.4 * position + 6 * shift[strip])
    return strip, np.maximum(0, position).astype(np.int64)


def _intervals(rng: np.random.Generator, values: Field, width: float) -> Numbers:
    start, end = float(values.min()), float(values.max())
    steps = width * rng.lognormal(0, 0.35, int((end - start) / width * 1.6) + 4)
    return np.searchsorted(start + np.cumsum(steps), values)


def _margin(numbers: Numbers) -> Mask:
    return ndimage.maximum_filter(numbers, 2) != ndimage.minimum_filter(numbers, 2)
