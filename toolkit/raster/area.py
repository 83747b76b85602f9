"""The area of pixels on the ground."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from pyproj import CRS as ProjCRS

from toolkit.errors import GridMismatch
from toolkit.raster.grid import Grid
from toolkit.raster.reading import Input
from toolkit.raster.source import source

M2_PER_UNIT: Mapping[str, float] = {"m2": 1.0, "ha": 1e4, "km2": 1e6}


def pixel_area(raster: Input | Grid, unit: str = "m2") -> float:
    """Return the mean area of a raster's pixels.

    Parameters
    ----------
    raster : Source, str or Grid
        With a CRS.
    unit : str
        ``m2``, ``ha`` or ``km2``.

    Raises
    ------
    GridMismatch
        There is no CRS, so nothing says how large a pixel is.

    Notes
    -----
    Projected CRS: transform and unit of the axes. Geographic CRS: the exact area of the cells
    between two parallels of the ellipsoid, by the authalic function q (Snyder 1987, USGS
    Professional Paper 1395, eq. 3-12).
    """
    grid = raster if isinstance(raster, Grid) else source(raster).grid
    return grid.pixel_area_m2 / M2_PER_UNIT[unit]


def row_areas(grid: Grid) -> NDArray[np.float64]:
    """Return the area of a pixel in square metres for each row of a grid.

    Raises
    ------
    GridMismatch
        There is no CRS.
    """
    if not grid.crs:
        raise GridMismatch(
            "The raster has no CRS, so the area of a pixel is unknown.", "Give the file a CRS."
        )
    crs = ProjCRS.from_user_input(grid.crs)
    if crs.is_geographic:
        return _between_parallels(grid, crs)
    a, b, _, d, e, _ = grid.transform
    metres = crs.axis_info[0].unit_conversion_factor if crs.axis_info else 1.0
    return np.full(grid.height, abs(a * e - b * d) * metres**2)


def _between_parallels(grid: Grid, crs: ProjCRS) -> NDArray[np.float64]:
    a, _, _, _, e, f = grid.transform
    ellipsoid = crs.ellipsoid
    assert ellipsoid is not None
    eccentricity = float(np.sqrt(1.0 - (ellipsoid.semi_minor_metre / ellipsoid.semi_major_metre) ** 2))
    latitudes = np.radians(np.clip(f + e * np.arange(grid.height + 1), -90.0, 90.0))
    bands = np.abs(np.diff(_authalic_q(np.sin(latitudes), eccentricity)))
    return ellipsoid.semi_major_metre**2 * np.radians(abs(a)) * bands / 2.0


def _authalic_q(sine: NDArray[np.float64], eccentricity: float) -> NDArray[np.float64]:
    if eccentricity == 0.0:
        return 2.0 * sine
    es = eccentricity * sine
    return (1 - eccentricity**2) * (sine / (1 - es**2) + np.arctanh(es) / eccentricity)
