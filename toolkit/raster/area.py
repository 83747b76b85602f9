"""The area of pixels on the ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import GridMismatch
from treeline.toolkit.geodesy import reference_system
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.raster.ground import Ground
from treeline.toolkit.raster.reading import Input
from treeline.toolkit.raster.source import source

if TYPE_CHECKING:
    from pyproj import CRS

AreaUnit = Literal["ha", "m2", "km2"]
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
    Projected CRS: transform and unit of the axes, or the ground under the pixels where the map is off
    by a hundredth or more, as Web Mercator is; see :class:`treeline.toolkit.raster.ground.Ground`.

    Geographic CRS: the exact area of the cells between two parallels of the ellipsoid, by the
    authalic function q (Snyder 1987, USGS Professional Paper 1395, eq. 3-12). Where the rows of such a grid
    do not follow the parallels, pixels are measured on the ground.
    """
    grid = raster if isinstance(raster, Grid) else source(raster).grid
    return float(row_areas(grid).mean()) / M2_PER_UNIT[unit]


def row_areas(grid: Grid) -> NDArray[np.float64]:
    """Return the area of a pixel in square metres for each row of a grid.

    Returns
    -------
    ndarray
        Of shape (rows,), from the top row of the grid down.

    Raises
    ------
    GridMismatch
        There is no CRS.
    """
    if not grid.crs:
        raise GridMismatch(
            "The raster has no CRS, so the area of a pixel is unknown.", "Give the file a CRS."
        )
    crs = reference_system(grid.crs)
    # Columns that are meridians and rows that are parallels have a closed formula; a turned grid of degrees
    # is measured.
    if not crs.is_geographic:
        return Ground(grid).row_areas()
    turned = grid.transform[1] or grid.transform[3]
    return Ground(grid).measured_row_areas() if turned else _between_parallels(grid, crs)


def _between_parallels(grid: Grid, crs: CRS) -> NDArray[np.float64]:
    a, _, _, _, e, f = grid.transform
    ellipsoid = crs.ellipsoid
    assert ellipsoid is not None
    eccentricity = float(np.sqrt(1.0 - (ellipsoid.semi_minor_metre / ellipsoid.semi_major_metre) ** 2))
    # Rows whose centre is the pole reach half a pixel beyond it, where there is no ground.
    latitudes = np.radians(np.clip(f + e * np.arange(grid.height + 1), -90.0, 90.0))
    # The area between two parallels is pi a^2 (q2 - q1) all around the Earth (Snyder 1987, USGS Professional
    # Paper 1395, equation 3-12); of it a column has its width over 2 pi.
    bands = np.abs(np.diff(_authalic_q(np.sin(latitudes), eccentricity)))
    return ellipsoid.semi_major_metre**2 * np.radians(abs(a)) * bands / 2.0


def _authalic_q(sine: NDArray[np.float64], eccentricity: float) -> NDArray[np.float64]:
    if eccentricity == 0.0:
        return 2.0 * sine
    es = eccentricity * sine
    return (1 - eccentricity**2) * (sine / (1 - es**2) + np.arctanh(es) / eccentricity)
