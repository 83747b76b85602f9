"""Coordinate reference systems, ways between them, and lengths on the ellipsoid.

pyproj is loaded at first use: it is a fifth of the memory that a process takes before its first pixel,
and most questions need none of it.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyproj import CRS, Geod, Transformer
    from shapely.geometry.base import BaseGeometry

LONGITUDE_LATITUDE = "EPSG:4326"
Bounds = tuple[float, float, float, float]
_TURN = 360.0
# A file that PROJ looks for among its own grids: a name, or several, without folder and host.
_NAMES = r"[\w@.,:+ -]*"
# Where WKT, PROJ's strings and PROJJSON name files. What is not wholly understood, PROJ may read otherwise.
_IN_WKT = re.compile(
    rf"""PARAMETERFILE\b (?!\s*[\[(]\s*"(?:[^"]|"")*"\s*,\s*"{_NAMES}"\s*[,\])])
    | PROJ4_GRIDS\b (?!"\s*,\s*"{_NAMES}"\s*[,\])])""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
# Up to white space, whatever else stands there; what is in quotes may hold spaces.
_PLAIN_WORD = r"(?!\s*[\w@.][^\s/\\]*(?:\s|</|$))"
_IN_STRINGS = re.compile(rf"(?:grids|\binit)\s*={_PLAIN_WORD}", re.IGNORECASE | re.ASCII)
_IN_OPERATIONS = re.compile(rf"\b(?:model|file)\s*={_PLAIN_WORD}", re.IGNORECASE | re.ASCII)
_IN_JSON = re.compile(rf"""\bvalue"\s*:\s*"(?!{_NAMES}")""", re.IGNORECASE | re.ASCII)
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})", re.IGNORECASE)


def names_file(crs: str) -> bool:
    """Return whether a CRS, as WKT, PROJ string or PROJJSON, names a file by its folder or its address.

    PROJ opens it, whatever it is, for the first coordinate or before. A name alone is looked for among PROJ's
    own grids. The text may be of XML or JSON that holds the CRS.
    """
    plain = {crs, html.unescape(crs)}
    return any(map(_names_file, plain | {_ESCAPED.sub(_character, text) for text in plain}))


def _names_file(text: str) -> bool:
    return bool(
        _IN_WKT.search(text)
        or _IN_STRINGS.search(text)
        or ("proj=" in text.casefold() and _IN_OPERATIONS.search(text))
        or ('"parameters"' in text and _IN_JSON.search(text))
    )


def _character(escaped: re.Match[str]) -> str:
    return chr(int(escaped[1], 16))


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


@lru_cache(maxsize=256)
def unit_of_crs(crs: str) -> str:
    """Return the unit of a CRS's coordinates, such as ``m``; "units" where it cannot be known."""
    from rasterio.crs import CRS
    from rasterio.errors import CRSError

    try:
        found = CRS.from_user_input(crs)
        name = "degrees" if found.is_geographic else found.linear_units
    except CRSError:
        return "units"
    return "m" if name in ("metre", "meter") else name or "units"


@lru_cache(maxsize=1)
def ellipsoid() -> Geod:
    """Return WGS 84, to measure on."""
    from pyproj import Geod

    return Geod(ellps="WGS84")


def turn_into(geometry: BaseGeometry, crs: str, bounds: Bounds) -> BaseGeometry:
    """Return a geometry with the longitudes by which a raster calls the same places.

    A raster across the antimeridian runs beyond 180 degrees, one of the whole globe may run from 0 to 360;
    178 degrees west is 182 degrees there. In a projected CRS nothing is changed.

    Parameters
    ----------
    bounds : tuple of float
        ``(left, bottom, right, top)`` of the raster.
    """
    left, _, right, _ = bounds
    if geometry.is_empty or not reference_system(crs).is_geographic:
        return geometry
    west, _, east, _ = geometry.bounds
    half = _TURN / 2
    if (left >= -half and right <= half and west >= -half and east <= half) or (
        west >= left and east <= right
    ):
        return geometry
    import shapely
    from shapely.affinity import translate

    frame = shapely.box(*bounds)
    turns = (geometry, *(translate(geometry, turn) for turn in (-_TURN, _TURN)))
    there = [each for each in turns if each.intersects(frame)]
    return shapely.union_all(there) if len(there) > 1 else (there or [geometry])[0]
