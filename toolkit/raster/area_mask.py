"""Which pixels of a grid lie inside the area of interest: those whose centre does."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rasterio.features import geometry_mask
from rasterio.windows import Window

from treeline.toolkit.errors import GridMismatch
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster.grid import Grid, transform_points

if TYPE_CHECKING:
    import shapely

# Rows at a time where the pixels of a whole grid are counted.
_ROWS = 1024
# Masks of as many windows stay in memory: a stack of dates asks for each again.
_KEPT = 16


def outside(area: AreaOfInterest | None, grid: Grid) -> NDArray[np.bool_] | None:
    """Return which pixels lie outside of an area; ``None`` where none does, or there is no area.

    Returns
    -------
    ndarray of bool, optional
        Of shape (rows, columns). A pixel lies inside if its centre does.

    Raises
    ------
    GridMismatch
        The raster has no CRS, so nothing tells where the area is in it.
    """
    if area is None:
        return None
    if not grid.crs:
        raise GridMismatch(
            "The raster has no CRS, so the area of interest cannot be found in it.", "Give the file a CRS."
        )
    return _outside(area, grid)


def pixels_inside(area: AreaOfInterest | None, grid: Grid) -> int:
    """Return how many pixels of a grid lie inside of an area; all of them where there is none."""
    return grid.width * grid.height if area is None else _count(area, grid)


def window_inside(area: AreaOfInterest | None, grid: Grid) -> Window:
    """Return the pixels between the bounds of an area; the whole grid where there is none.

    Returns
    -------
    Window
        Empty where the area lies beside the grid; never larger than the grid. It holds each pixel whose
        centre lies inside, and others.
    """
    whole = Window(0, 0, grid.width, grid.height)
    if area is None or not grid.crs:
        return whole
    polygons = area.in_crs(grid.crs, grid.bounds)
    if not polygons.intersects(_outline(grid)):
        return Window(0, 0, 0, 0)
    import shapely

    columns, rows = transform_points(~grid.affine, *shapely.get_coordinates(polygons).T)
    # A pixel is inside when its centre is.
    left, right = _between(columns, grid.width)
    top, bottom = _between(rows, grid.height)
    return Window(left, top, right - left, bottom - top)


def _between(places: NDArray[np.float64], size: int) -> tuple[int, int]:
    first, last = int(np.ceil(places.min() - 0.5)), int(np.floor(places.max() - 0.5)) + 1
    return min(max(0, first), size), max(0, min(size, last))


@lru_cache(maxsize=_KEPT)
def _outside(area: AreaOfInterest, grid: Grid) -> NDArray[np.bool_] | None:
    polygons = area.in_crs(grid.crs or "", grid.bounds)
    reach = _outline(grid)
    if not polygons.intersects(reach):
        found = np.ones(grid.shape, dtype=bool)
    elif polygons.contains(reach):
        return None
    else:
        # rasterio burns pixels whose centre is inside, which is the rule here; only where polygon and grid
        # meet at all, as it warns of an empty mask.
        found = geometry_mask([polygons], grid.shape, grid.affine)
    # The array is kept and handed out again: whoever wrote into it would change the mask of others.
    found.setflags(write=False)
    return found


@lru_cache(maxsize=256)
def _count(area: AreaOfInterest, grid: Grid) -> int:
    total = 0
    for top in range(0, grid.height, _ROWS):
        part = grid.part(Window(0, top, grid.width, min(_ROWS, grid.height - top)))
        found = outside(area, part)
        total += part.width * part.height - (0 if found is None else int(np.count_nonzero(found)))
    return total


def _outline(grid: Grid) -> shapely.Polygon:
    """Return the ground of a grid, rotated ones too."""
    import shapely

    columns, rows = (
        np.array([0.0, grid.width, grid.width, 0.0]),
        np.array([0.0, 0.0, grid.height, grid.height]),
    )
    return shapely.Polygon(np.column_stack(transform_points(grid.affine, columns, rows)))
