"""An area of interest: the polygons inside which every tool of a run works."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from treeline.toolkit.errors import InputError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE, Bounds, ellipsoid, turn_into, way_between

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

HANDLE = "@aoi"
# An edge is straight in its own CRS; so many pieces of it follow the curve that it is in another.
_PIECES = 100


@dataclass(frozen=True)
class AreaOfInterest:
    """Polygons in a CRS. A pixel lies inside when its centre does. Picklable.

    Attributes
    ----------
    geometry : shapely geometry
        A polygon or several that do not overlap.
    crs : str
        ``EPSG:n`` or WKT.
    name : str
        What it was given as, for people: a file, "a box", "a polygon".
    """

    geometry: BaseGeometry
    crs: str
    name: str

    def in_crs(self, crs: str, within: Bounds | None = None) -> BaseGeometry:
        """Return the polygons in another CRS; empty where that one does not reach them.

        Parameters
        ----------
        within : tuple of float, optional
            Bounds of a raster in that CRS, by whose longitudes they are told.
        """
        polygons = _reproject(self, crs)
        return turn_into(polygons, crs, within) if within and crs else polygons

    @property
    def square_kilometres(self) -> float:
        """The area on the ellipsoid."""
        import shapely

        # pyproj counts a ring by the way that it runs, so that holes are taken away only where they run
        # against the outline.
        polygons = shapely.orient_polygons(self.in_crs(LONGITUDE_LATITUDE))
        return abs(ellipsoid().geometry_area_perimeter(polygons)[0]) / 1e6

    def cut(self, geometry: BaseGeometry, crs: str) -> BaseGeometry:
        """Return the part of a geometry in a CRS that lies inside."""
        import shapely

        # Polygons from elsewhere may cross themselves, on which an intersection fails.
        return shapely.intersection(shapely.make_valid(geometry), self.in_crs(crs))

    @property
    def text(self) -> str:
        """The area for the middle of a sentence, with its size."""
        return f"the area of interest ({size_text(self.square_kilometres)})"

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values; the geometry is GeoJSON in the area's own CRS."""
        import shapely

        return {"name": self.name, "crs": self.crs, "geometry": json.loads(shapely.to_geojson(self.geometry))}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> AreaOfInterest:
        """Read what :meth:`to_json` gave.

        Raises
        ------
        InputError
            It is damaged.
        """
        from shapely.errors import ShapelyError
        from shapely.geometry import shape

        try:
            return cls(shape(stored["geometry"]), str(stored["crs"]), str(stored["name"]))
        except (ShapelyError, KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise InputError(f"The stored area of interest is damaged ({error}).", "Set it again.") from None

    @property
    def address(self) -> str:
        """The polygons as text: WKT in longitude and latitude or with its CRS, or else GeoJSON."""
        if self.crs == LONGITUDE_LATITUDE:
            return self.geometry.wkt
        if self.crs.startswith("EPSG:"):
            return f"SRID={self.crs.removeprefix('EPSG:')};{self.geometry.wkt}"
        named = {"type": "name", "properties": {"name": self.crs}}
        return json.dumps({**self.to_json()["geometry"], "crs": named})


def size_text(square_kilometres: float) -> str:
    """Return a size in km², to four digits."""
    return (
        f"{square_kilometres:,.0f} km\u00b2"
        if square_kilometres >= 1000
        else f"{square_kilometres:.4g} km\u00b2"
    )


@lru_cache(maxsize=64)
def _reproject(area: AreaOfInterest, crs: str) -> BaseGeometry:
    import numpy as np
    import shapely
    from pyproj.exceptions import ProjError

    if crs == area.crs:
        return area.geometry
    left, bottom, right, top = area.geometry.bounds
    fine = shapely.segmentize(area.geometry, max(right - left, top - bottom) / _PIECES)
    try:
        moved = shapely.transform(fine, way_between(area.crs, crs).transform, interleaved=False)
    except ProjError:
        return shapely.Polygon()
    return moved if np.isfinite(shapely.get_coordinates(moved)).all() else shapely.Polygon()
