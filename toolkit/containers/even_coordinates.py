"""Grids that tell latitude and longitude pixel by pixel: rows along parallels, columns along meridians.

SMAP writes its EASE grids so, with a fill for the coordinates of pixels without a value. Taken as what they
are, their pixels stay as they were measured; laid on another grid some would be lost and others doubled.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.containers.arrays import Array
from treeline.toolkit.containers.axes import EVEN_WITHIN, Axis
from treeline.toolkit.containers.swaths import MOST_PIXELS, degrees_of
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE

# EASE-Grid 2.0 of the world, cylindrical and of equal areas (Brodzik et al. 2012, ISPRS IJGI 1:32).
EASE_2 = "EPSG:6933"
# Through two rows any line goes.
_FEWEST = 3


def grid_of_coordinates(latitude: Array, longitude: Array) -> tuple[Axis, Axis, str] | None:
    """Return the axes and the CRS of a grid whose coordinates are given for each pixel.

    Parameters
    ----------
    latitude, longitude : Array
        Of two dimensions and one shape; pixels without a place have their fill.

    Returns
    -------
    tuple or None
        Of x, y and the CRS: degrees where the rows lie evenly in these, metres of EASE-Grid 2.0 where they
        lie evenly there. ``None`` of a swath, whose rows run aslant, and of any other grid.
    """
    if latitude.shape[0] * latitude.shape[1] > MOST_PIXELS:
        return None
    north, east = degrees_of(latitude, 90.0), degrees_of(longitude, 180.0)
    rows, columns = _along(north, 1), _along(east, 0)
    if rows is None or columns is None:
        return None
    x, y = _even_axis(columns), _even_axis(rows)
    if x is not None and y is not None:
        return x, y, LONGITUDE_LATITUDE
    from pyproj import Transformer

    to_metres = Transformer.from_crs(LONGITUDE_LATITUDE, EASE_2, always_xy=True)
    x = _even_axis(to_metres.transform(columns, np.zeros_like(columns))[0])
    y = _even_axis(to_metres.transform(np.zeros_like(rows), rows)[1])
    return (x, y, EASE_2) if x is not None and y is not None else None


def _along(degrees: NDArray[np.float64], axis: int) -> NDArray[np.float64] | None:
    """Return the coordinate that all pixels of each row or column have, NaN where none is known."""
    known = np.isfinite(degrees)
    some = known.any(axis=axis)
    if np.count_nonzero(some) < _FEWEST:
        return None
    low = np.where(known, degrees, np.inf).min(axis=axis)[some]
    high = np.where(known, degrees, -np.inf).max(axis=axis)[some]
    places = np.flatnonzero(some)
    step = np.median(np.abs(np.diff(low)) / np.diff(places))
    if (high - low).max() > EVEN_WITHIN * step:
        return None
    found = np.full(some.shape, np.nan)
    found[places] = (low + high) / 2
    return found


def _even_axis(coordinates: NDArray[np.float64]) -> Axis | None:
    """Return the axis on which the known coordinates lie; ``None`` where they lie unevenly."""
    places = np.flatnonzero(np.isfinite(coordinates))
    known = coordinates[places]
    step = float(known[-1] - known[0]) / float(places[-1] - places[0])
    first = float(np.mean(known - step * places))
    if not step or np.abs(known - first - step * places).max() > EVEN_WITHIN * abs(step):
        return None
    return Axis(first, step, coordinates.size)
