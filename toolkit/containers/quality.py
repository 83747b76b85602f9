"""The quality of each pixel, by which a provider says of which pixels a variable is to be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from treeline.toolkit.containers.arrays import Array, Arrays
from treeline.toolkit.containers.packing import fill_of, packing_of


@cache
def _limits() -> Mapping[str, Mapping[str, float]]:
    text = resources.files(__package__).joinpath("quality.yaml").read_text("utf-8")
    return yaml.safe_load(text)


def with_good_pixels(array: Array, arrays: Arrays) -> Array:
    """Return an array without the pixels that its provider does not recommend; any other as it is.

    Its name then tells by what, such as ``nitrogendioxide_tropospheric_column_qa_above_0.75``: without that
    the same variable holds clouds and failed retrievals.
    """
    for name, variables in _limits().items():
        quality, limit = arrays.find_named(array, name), variables.get(array.name)
        fill = fill_of(packing_of(array))
        if limit is not None and quality is not None and quality.shape == array.shape and fill is not None:
            return replace(
                array, path=f"{array.path}_qa_above_{limit:g}", read=_above(limit, quality, array, fill)
            )
    return array


def _above(limit: float, quality: Array, array: Array, fill: float) -> Any:
    packed = packing_of(quality)
    # Packed in whole numbers: 0.75 is 75 of them, which a sum of rounded hundredths may miss.
    least = round((limit - packed.offset) / packed.scale, 6)

    def read(parts: tuple[slice, ...]) -> NDArray[Any]:
        stored, values = np.asarray(quality.read(parts)), np.asarray(array.read(parts))
        good = (stored > least) & ~np.isin(
            stored, [packed.fill, *packed.others] if packed.fill is not None else []
        )
        return np.where(good, values, values.dtype.type(fill))

    return read
