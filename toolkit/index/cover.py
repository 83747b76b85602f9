"""Fractional vegetation cover from NDVI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.index.catalogue import find_index
from treeline.toolkit.index.compute import NIR
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved


def cover_writer(values: Mapping[str, float]) -> Callable[..., str]:
    """Return the function that writes the cover of one pair of rasters, near infrared and red.

    Raises
    ------
    InputError
        The NDVI of bare soil is not the smaller one, or the exponent is not above 0.
    """
    low, high, exponent = values["ndvi_min"], values["ndvi_max"], values["exponent"]
    if not low < high:
        raise InputError(
            f"ndvi_min is {low:g} and ndvi_max {high:g}.", "The NDVI of bare soil must be the smaller."
        )
    if exponent <= 0:
        raise InputError(f"The exponent is {exponent:g}, not above 0.", "Give 1 (linear) or 2 (squared).")
    return partial(_one, low, high, exponent)


def _one(low: float, high: float, exponent: float, nir: str, red: str, output: str) -> str:
    ndvi = find_index("NDVI")

    def cover(**bands: Any) -> Any:
        values = ndvi.compute(bands)
        values = np.where(np.abs(values) <= 1, values, np.float32(np.nan))
        return np.clip((values - low) / (high - low), 0, 1) ** exponent

    inputs = {"N": source(nir, *NIR), "R": source(red, "red")}
    return report_saved(map_pixels(cover, inputs, output, role="fvc", unit="1"))
