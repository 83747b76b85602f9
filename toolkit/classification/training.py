"""Pixels of known class, from the polygons and points of a vector file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rasterio.features import geometry_mask
from rasterio.windows import Window
from shapely.geometry.base import BaseGeometry

from treeline.toolkit.classification.features import MOST_CLASSES
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Grid, Source
from treeline.toolkit.raster.grid import transform_points
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.vector import Features, read_features

MOST_PER_SHAPE = 5_000


@dataclass(frozen=True)
class Training:
    """Pixels with their class and the shape that they come from.

    Attributes
    ----------
    pixels : ndarray (pixels, bands)
    numbers : ndarray (pixels,)
        Class numbers.
    shapes : ndarray (pixels,)
        Position of the polygon or point.
    names : dict
        Class number to name.
    """

    pixels: NDArray[np.floating]
    numbers: NDArray[np.int64]
    shapes: NDArray[np.int64]
    names: dict[int, str]

    def split(self, share: float, seed: int) -> tuple[NDArray[np.bool_], bool]:
        """Return which pixels to hold back, and whether by whole shapes.

        Whole shapes are held back where each class has two or more: pixels of one polygon are alike, and
        testing on them flatters.
        """
        rng = np.random.default_rng(seed)
        by_class = {n: np.unique(self.shapes[self.numbers == n]) for n in self.names}
        if all(len(shapes) > 1 for shapes in by_class.values()):
            held = [
                # At least one shape is held back, and at least one left to learn from.
                rng.choice(shapes, min(len(shapes) - 1, max(1, round(share * len(shapes)))), replace=False)
                for shapes in by_class.values()
            ]
            return np.isin(self.shapes, np.concatenate(held)), True
        held_pixels = np.zeros(len(self.numbers), dtype=bool)
        for number in self.names:
            places = np.flatnonzero(self.numbers == number)
            held_pixels[rng.choice(places, round(share * len(places)), replace=False)] = True
        return held_pixels, False


def training_pixels(bands: Sequence[Source], path: str, attribute: str, seed: int = 0) -> Training:
    """Return the pixels under the shapes of a vector file.

    Parameters
    ----------
    attribute : str
        Holds the class: whole numbers 0 to 254 are kept, names are numbered from 1 in alphabetical order.

    Raises
    ------
    InputError
        There are fewer than two classes, or a class without pixels.
    """
    grid = bands[0].grid
    features = _labelled_features(read_features(path), attribute).in_crs(grid.crs, grid.bounds)
    numbers, names = _number_classes(features.values_of(attribute), attribute)
    parts: list[NDArray[Any]] = []
    labels: list[int] = []
    shapes: list[int] = []
    rng = np.random.default_rng(seed)
    with Reader({"bands": list(bands)}) as reader:
        for position, (geometry, number) in enumerate(zip(features.geometries, numbers, strict=True)):
            current_context().check_stop()
            pixels = _pixels_under(geometry, reader)
            if len(pixels) > MOST_PER_SHAPE:
                pixels = pixels[rng.choice(len(pixels), MOST_PER_SHAPE, replace=False)]
            parts.append(pixels)
            labels += [number] * len(pixels)
            shapes += [position] * len(pixels)
    found = set(labels)
    bare = [name for number, name in names.items() if number not in found]
    if bare:
        current_context().warn(f"No valid pixel lies under the shapes of {', '.join(bare[:5])}.")
    if len(found) < 2:
        raise InputError(
            f"{features.name} gives pixels of {len(found)} classes by {attribute!r}; two are needed.",
            "Check the attribute and that the shapes lie on the rasters.",
        )
    kept = {number: name for number, name in names.items() if number in found}
    return Training(np.concatenate(parts), np.array(labels), np.array(shapes), kept)


def _pixels_under(geometry: BaseGeometry, reader: Reader) -> NDArray[np.floating]:
    window = _window(geometry, reader.grid)
    if window is None:
        return np.empty((0, len(reader.sources)))
    part = reader.grid.part(window)
    # Of a polygon the pixels whose centre is inside; a point or line holds no centre, but touches pixels.
    thin = geometry.geom_type not in ("Polygon", "MultiPolygon")
    outside = geometry_mask([geometry], part.shape, part.affine, all_touched=thin)
    pixels = reader.read(window)["bands"][:, ~outside].T
    return pixels[np.isfinite(pixels).all(axis=1)]


def _window(geometry: BaseGeometry, grid: Grid) -> Window | None:
    left, bottom, right, top = geometry.bounds
    columns, rows = transform_points(~grid.affine, np.array([left, right]), np.array([top, bottom]))
    first_column, last_column = (
        max(0, math.floor(columns.min())),
        min(grid.width, math.floor(columns.max()) + 1),
    )
    first_row, last_row = max(0, math.floor(rows.min())), min(grid.height, math.floor(rows.max()) + 1)
    if first_column >= last_column or first_row >= last_row:
        return None
    return Window(first_column, first_row, last_column - first_column, last_row - first_row)


def _labelled_features(features: Features, attribute: str) -> Features:
    """Return the features that have a class; those without are left out with a word."""
    values = features.values_of(attribute)
    kept = tuple(i for i, v in zip(features.items, values, strict=True) if v is not None and str(v).strip())
    if len(kept) < len(values):
        without = len(values) - len(kept)
        current_context().warn(
            f"{without} of {len(values)} features of {features.name} have no {attribute!r}."
        )
    if not kept:
        raise InputError(f"No feature of {features.name} has a {attribute!r}.", "Choose another attribute.")
    return replace(features, items=kept)


def _number_classes(values: list[Any], attribute: str) -> tuple[list[int], dict[int, str]]:
    # Numbers that fit into a byte stay the classes' numbers, since the user knows them by those.
    whole = all(isinstance(v, int | float) and float(v).is_integer() and 0 <= v < 255 for v in values)
    if whole:
        numbers = [int(value) for value in values]
        return numbers, {number: str(number) for number in sorted(set(numbers))}
    texts = sorted({str(value) for value in values})
    if len(texts) > MOST_CLASSES:
        raise InputError(f"The attribute {attribute!r} has {len(texts)} different values.", "Give classes.")
    place = {text: number for number, text in enumerate(texts, start=1)}
    return [place[str(value)] for value in values], {number: text for text, number in place.items()}
