"""Rasters as the benchmark reads them: stored values, whole, whatever the tags say."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import Product
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, all_bands, open_raster_file, write_array

Values = NDArray[Any]


def bands_of(address: str, *, honour_nodata: bool = False) -> Values:
    """Return all bands of a file as stored, of shape (bands, rows, columns).

    Parameters
    ----------
    honour_nodata : bool
        NaN where the file declares no data.
    """
    with open_raster_file(_first(address).path) as dataset:
        if not honour_nodata:
            return dataset.read()
        return dataset.read(masked=True).astype(np.float64).filled(np.nan)


def band_of(address: str, index: int = 0, *, honour_nodata: bool = False) -> Values:
    """Return one band of a file as stored; bands are counted from 0.

    Raises
    ------
    InputError
        The file has no such band.
    """
    bands = bands_of(address, honour_nodata=honour_nodata)
    if not 0 <= index < len(bands):
        raise InputError(
            f"The band index is {index}, but {_first(address).path.name} has {len(bands)} bands."
        )
    return bands[index]


def read(address: str) -> Values:
    """Return the first band of a file as float32, nodata too; NaN for infinity."""
    return finite_or_nan(band_of(address).astype(np.float32))


def finite_or_nan(values: Values) -> Values:
    """Return the values with NaN for infinite ones; integers as they are."""
    return np.where(np.isfinite(values), values, np.nan) if values.dtype.kind == "f" else values


def stretch(values: Values) -> Values:
    """Return the values from their minimum to their maximum as bytes."""
    low, high = np.nanmin(values), np.nanmax(values)
    scaled = (values.astype(np.float64) - low) / (high - low or 1) * 255
    return np.nan_to_num(scaled).astype(np.uint8)


def write(values: Values, like: str, output: str, role: str, dtype: str = "float32") -> Product:
    """Write an array on the grid of a file."""
    origin = _first(like)
    return write_array(values.astype(dtype), origin.grid, output, role=role, dtype=dtype, inputs=[origin])


def same_size(first: Values, second: Values, names: str) -> None:
    """Check that two arrays fit.

    Raises
    ------
    InputError
        They do not; the benchmark never resamples.
    """
    if first.shape != second.shape:
        raise InputError(
            f"{names} differ in size: {first.shape} and {second.shape}.",
            "The science profile lays rasters onto each other by their georeference.",
        )


def _first(address: str) -> Source:
    return all_bands(address)[0]
