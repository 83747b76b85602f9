"""Where the pixels of an empty product went: fills, no common ground, clouds, or a limit of the result."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.context import Product
from treeline.toolkit.raster.reading import Layer, Reader
from treeline.toolkit.raster.reducing import add, reduce_windows
from treeline.toolkit.recognition.model import Band
from treeline.toolkit.variables import variable

_MOST = 3


# The tag in which a product says what its pixels had to meet.
CONDITION = "TREELINE_CONDITION"


def reason_of_emptiness(product: Product, reader: Reader, condition: str = "") -> str:
    """Return in a sentence why no pixel of a product is valid; the inputs are read once more.

    Parameters
    ----------
    condition : str
        What a pixel had to meet to be kept.
    """
    valid, common = _count(reader)
    return f"No pixel of {product.path.name} is valid: {_reason(valid, common, product, condition)}."


def fill_text(band: Band) -> str:
    """Return which stored values mean no data, for the middle of a sentence."""
    values = ", ".join(f"{value:g}" for value in band.fill)
    return f"fill ({values})" if values else "no data"


def _count(reader: Reader) -> tuple[dict[Layer, int], int]:
    """Return how many pixels of each layer are valid, and how many are so in all of them."""
    layers = [layer for several in reader.layers.values() for layer in several]

    def count(window: Window) -> tuple[int, ...]:
        valid = _valid(reader, window)
        return tuple(int(np.count_nonzero(v)) for v in (*valid, reduce(np.logical_and, valid)))

    *counts, common = reduce_windows(count, add, reader, "valid pixels")
    return dict(zip(layers, counts, strict=True)), common


def _valid(reader: Reader, window: Window) -> list[NDArray[np.bool_]]:
    loaded = reader.load(window)
    return [~np.isnan(stored.physical()) for several in loaded.layers.values() for stored in several]


def _reason(valid: dict[Layer, int], common: int, product: Product, condition: str) -> str:
    empty = [layer for layer, count in valid.items() if not count]
    if empty:
        names = ", ".join(dict.fromkeys(layer.source.name for layer in empty[:_MOST]))
        there = " on the ground of the first raster" if empty[0].resampling is not None else ""
        return f"{names} has nothing but {fill_text(empty[0].source.band)}{there}"
    # From the plainest reason to the least certain: an empty input, inputs that do not meet, a condition, a
    # mask, and last the method's own limits.
    if not common:
        names = " and ".join(list(dict.fromkeys(layer.source.name for layer in valid))[:_MOST])
        return f"{names} have no valid pixel in common"
    if condition:
        return f"the inputs have data, but nowhere is {condition}"
    masks = [layer.source.name for layer in valid if _is_mask(layer)]
    if masks:
        # Several may cover it together, or one of them alone: which, their pixels would tell.
        names = " or ".join(list(dict.fromkeys(masks))[:_MOST])
        return f"what {names} marks, such as clouds, covers every pixel that has data"
    known = variable(product.role)
    limits = f" ({known.plausible[0]:g} to {known.plausible[1]:g})" if known is not None else ""
    return f"the inputs have data, but no result lies within the limits of the method{limits}"


def _is_mask(layer: Layer) -> bool:
    known = variable(layer.source.role)
    return known is not None and (known.kind == "quality" or known.role == "mask")
