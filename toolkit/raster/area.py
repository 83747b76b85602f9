"""The area of pixels on the ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import GridMismatch
from treeline.toolkit.geodesy import reference_system, way_between
from treeline.toolkit.raster.grid import Grid, moved
from treeline.toolkit.raster.reading import Input
from treeline.toolkit.raster.source import source

if TYPE_CHECKING:
    from pyproj import CRS, Transformer

NEGLIGIBLE = 0.01
MEASURED_ROWS = 65
BOX_METRES = 1000.0
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
    Projected CRS: transform and unit of the axes, divided by the projection's areal scale at the
    middle of each row where that is off by a hundredth or more, as in Web Mercator.

    Geographic CRS: the exact area of the cells between two parallels of the ellipsoid, by the
    authalic function q (Snyder 1987, USGS Professional Paper 1395, eq. 3-12).
    """
    grid = raster if isinstance(raster, Grid) else source(raster).grid
    return float(row_areas(grid).mean()) / M2_PER_UNIT[unit]


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
    crs = reference_system(grid.crs)
    if crs.is_geographic:
        return _between_parallels(grid, crs)
    a, b, _, d, e, _ = grid.transform
    metres = crs.axis_info[0].unit_conversion_factor if crs.axis_info else 1.0
    return abs(a * e - b * d) * metres**2 / _areal_scale(grid, crs, metres)


def _areal_scale(grid: Grid, crs: CRS, metres: float) -> NDArray[np.float64]:
    """Return by how much each row is enlarged on the map: 1 where that is less than a hundredth."""
    if crs.geodetic_crs is None:  # a plane of its own, such as a building site
        return np.ones(grid.height)
    rows = np.linspace(0, grid.height, min(grid.height + 1, MEASURED_ROWS))
    xs, ys = moved(grid.affine, np.full(rows.size, grid.width / 2), rows)
    to_degrees = way_between(crs, crs.geodetic_crs)
    scale = np.array([_enlarged(x, y, metres, crs, to_degrees) for x, y in zip(xs, ys, strict=True)])
    if not np.isfinite(scale).all() or np.abs(scale - 1).max() < NEGLIGIBLE:
        return np.ones(grid.height)
    current_context().warn(
        f"{grid.crs_text} does not keep areas (here they are enlarged {scale.mean():.3g} times); "
        "the area of each row of pixels was corrected for that."
    )
    return np.interp(np.arange(grid.height) + 0.5, rows, scale)


def _enlarged(x: float, y: float, metres: float, crs: CRS, to_degrees: Transformer) -> float:
    # Measured on the ellipsoid: for Web Mercator, PROJ's own factors are those of a sphere.
    geod = crs.get_geod()
    assert geod is not None
    half = BOX_METRES / metres / 2
    corners = to_degrees.transform(
        [x - half, x + half, x + half, x - half], [y - half, y - half, y + half, y + half]
    )
    if not np.isfinite(corners).all():
        return float("nan")
    return BOX_METRES**2 / abs(geod.polygon_area_perimeter(*corners)[0])


def _between_parallels(grid: Grid, crs: CRS) -> NDArray[np.float64]:
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
