"""Bands as the features of pixels: samples of them, and maps from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import Product, current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import Source, bands_of, map_pixels
from treeline.toolkit.raster.blocks import plan, stream
from treeline.toolkit.raster.reading import Reader

Features = NDArray[np.floating]
LARGEST_SAMPLE = 100_000
MOST_CLASSES = 250


def features_of(file_list: Sequence[str]) -> list[Source]:
    """Return every band of the files, in their order.

    Raises
    ------
    InputError
        There is none.
    """
    bands = [band for address in file_list for band in bands_of(address)]
    if not bands:
        raise InputError("The list of rasters is empty.", "Give at least one raster.")
    return bands


def names_of(bands: Sequence[Source]) -> list[str]:
    """Return a name of each band, no two alike."""
    names = [band.role or band.name for band in bands]
    return [n if names.count(n) == 1 else f"{n} ({b.name})" for n, b in zip(names, bands, strict=True)]


def check_seed(seed: int) -> int:
    """Return a seed of random numbers.

    Raises
    ------
    InputError
        It is no whole number from 0 to 2^32 - 1.
    """
    if not 0 <= seed < 2**32:
        raise InputError(f"The argument 'seed' is {seed}.", "Give a whole number from 0 to 4294967295.")
    return seed


def sample(bands: Sequence[Source], size: int = LARGEST_SAMPLE, seed: int = 0) -> Features:
    """Return evenly drawn pixels that are valid in all bands, (pixels, bands).

    Raises
    ------
    NoValidPixels
        There is none.
    """
    pixels = bands[0].grid.width * bands[0].grid.height
    # Twice the size, since pixels that are not valid fall out; the surplus is dropped at the end.
    share = min(1.0, 2.0 * size / pixels)
    drawn: list[Features] = []
    with Reader({"bands": list(bands)}) as reader:
        blocks = plan(reader)

        def of_window(window: Any) -> Features:
            values = pixels_of(reader.read(window)["bands"])
            # Seeded by the place of the block, so that the order in which threads finish does not matter.
            rng = np.random.default_rng((seed, int(window.row_off), int(window.col_off)))
            return values[rng.random(len(values)) < share] if share < 1 else values

        for _, values in stream(of_window, blocks, "sample"):
            drawn.append(values)
    found = np.concatenate(drawn)
    if not len(found):
        raise NoValidPixels(f"No pixel is valid in all {len(bands)} bands.", "Check nodata and extents.")
    rng = np.random.default_rng(seed)
    return found if len(found) <= size else found[rng.choice(len(found), size, replace=False)]


def pixels_of(stack: Features) -> Features:
    """Return the pixels of a stack (bands, rows, columns) that are valid in all bands, (pixels, bands)."""
    flat = stack.reshape(len(stack), -1).T
    return flat[np.isfinite(flat).all(axis=1)]


def write_classes(
    predict: Callable[[Features], NDArray[Any]],
    bands: Sequence[Source],
    output: str,
    names: Mapping[int, str] | None = None,
    role: str = "landcover",
) -> Product:
    """Write the class of each pixel; nodata where a band has none.

    Parameters
    ----------
    predict : callable
        From (pixels, bands) to class numbers, 0 to 254.
    names : mapping, optional
        Class number to name, kept in the tags.
    """

    def classes(bands: Features) -> Features:
        flat = bands.reshape(len(bands), -1).T
        valid = np.isfinite(flat).all(axis=1)
        found = np.full(len(flat), np.nan, dtype="float32")
        if valid.any():
            found[valid] = predict(flat[valid])
        return found.reshape(bands.shape[1:])

    text = ", ".join(f"{number} {name}" for number, name in (names or {}).items())
    return map_pixels(
        classes,
        {"bands": list(bands)},
        output,
        role=role,
        unit="class",
        dtype="uint8",
        extra_tags={"TREELINE_CLASSES": text} if text else None,
    )


def threads() -> int:
    """Return how many threads the libraries may use."""
    return max(1, current_context().threads)
