"""The same files as arrays, read without Treeline: what the planner's numbers are compared with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import rasterio
from numpy.typing import NDArray

Array = NDArray[np.float64]


def read(path: Path, band: int = 1) -> Array:
    """Return a band in physical units, NaN where it is masked."""
    with rasterio.open(path) as raster:
        data = raster.read(band, masked=True).astype(float)
        scaled = data * raster.scales[band - 1] + raster.offsets[band - 1]
    return scaled.filled(np.nan)


def series(folder: Path, prefix: str, first: str = "", last: str = "9999") -> dict[str, Array]:
    """Return the rasters of a folder by date, both ends included."""
    found = {
        p.stem.removeprefix(prefix)[:10] + p.stem[len(prefix) + 10 :]: p
        for p in sorted(folder.glob(f"{prefix}*.tif"))
    }
    return {date: read(path) for date, path in found.items() if first <= date <= f"{last}~"}


def ratio(a: Array, b: Array) -> Array:
    """Return the normalised difference of two bands."""
    return (a - b) / (a + b)


def scene(folder: Path, date: str) -> dict[str, Array]:
    """Return the bands of a Sentinel-2 scene by name, as reflectance."""
    path = next(folder.glob(f"*{date}*.tif"))
    with rasterio.open(path) as raster:
        names = raster.descriptions
    return {name: read(path, index) * 1e-4 for index, name in enumerate(names, 1)}
