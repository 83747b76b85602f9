"""Coordinate reference systems, ways between them, and lengths on the ellipsoid.

pyproj is loaded at first use: it is a fifth of the memory that a process takes before its first pixel,
and most questions need none of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyproj import CRS, Geod, Transformer

LONGITUDE_LATITUDE = "EPSG:4326"


def reference_system(crs: Any) -> CRS:
    """Return a CRS as pyproj understands it.

    Parameters
    ----------
    crs : str or rasterio.crs.CRS
        ``EPSG:n``, WKT or anything else that pyproj reads.

    Raises
    ------
    pyproj.exceptions.CRSError
        It is no CRS.
    """
    from pyproj import CRS

    return CRS.from_user_input(crs)


@lru_cache(maxsize=256)
def way_between(origin: str | CRS, target: str | CRS) -> Transformer:
    """Return what carries x, y (or longitude, latitude) from one CRS into another."""
    from pyproj import Transformer

    return Transformer.from_crs(reference_system(origin), reference_system(target), always_xy=True)


@lru_cache(maxsize=1)
def ellipsoid() -> Geod:
    """Return WGS 84, to measure on."""
    from pyproj import Geod

    return Geod(ellps="WGS84")
