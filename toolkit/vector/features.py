"""Features: geometries with attributes and a CRS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geodesy import (
    LONGITUDE_LATITUDE,
    Bounds,
    ellipsoid,
    names_file,
    reference_system,
    turn_into,
    way_between,
)
from treeline.toolkit.interest import AreaOfInterest

PLACE_IN_FILE = "zone"


@dataclass(frozen=True)
class Feature:
    """A geometry with what is known of it."""

    geometry: BaseGeometry
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Features:
    """The features of one file.

    Attributes
    ----------
    name : str
        For messages.
    crs : str or None
        ``EPSG:n`` or WKT; ``None`` without a CRS.
    """

    name: str
    crs: str | None
    items: tuple[Feature, ...]
    path: Path | None = None

    @property
    def geometries(self) -> list[BaseGeometry]:
        """The geometries in their order."""
        return [item.geometry for item in self.items]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """``(left, bottom, right, top)`` in the CRS."""
        left, bottom, right, top = shapely.total_bounds(self.geometries)
        return float(left), float(bottom), float(right), float(top)

    def of_kind(self, *kinds: str) -> Features:
        """Return the features whose geometry is of a kind, such as ``Polygon`` (with ``MultiPolygon``).

        Raises
        ------
        InputError
            There is none; names the kinds that there are.
        """
        wanted = {name for kind in kinds for name in (kind, f"Multi{kind}")}
        kept = tuple(item for item in self.items if item.geometry.geom_type in wanted)
        if not kept:
            found = ", ".join(sorted({item.geometry.geom_type for item in self.items}))
            raise InputError(f"{self.name} holds no {' or '.join(kinds)} but {found}.", "Give another file.")
        return replace(self, items=kept)

    def values_of(self, attribute: str) -> list[Any]:
        """Return an attribute of each feature.

        Raises
        ------
        InputError
            No feature has it; names those that there are.
        """
        known = sorted({name for item in self.items for name in item.attributes})
        if attribute not in known:
            raise InputError(
                f"{self.name} has no attribute {attribute!r}.", f"Its attributes are {', '.join(known)}."
            )
        return [item.attributes.get(attribute) for item in self.items]

    def with_values(self, wanted: Mapping[str, str | float]) -> Features:
        """Return the features whose attributes have these values; all of them where none is asked.

        ``zone`` is a feature's place in the file, from 1, unless there is an attribute of that name.

        Raises
        ------
        InputError
            An attribute is not there, or no feature has the values; names some that there are.
        """
        chosen = list(range(len(self.items)))
        for attribute, value in wanted.items():
            values = self._column(attribute)
            chosen = [index for index in chosen if values[index] == value]
            if not chosen:
                found = sorted({str(v) for v in values})
                raise InputError(
                    f"No feature of {self.name} has {attribute} = {value!r}.",
                    f"There are {', '.join(found[:12])}.",
                )
        return replace(self, items=tuple(self.items[index] for index in chosen))

    def _column(self, attribute: str) -> list[Any]:
        if attribute == PLACE_IN_FILE and not any(attribute in item.attributes for item in self.items):
            return list(range(1, len(self.items) + 1))
        return self.values_of(attribute)

    def in_crs(self, crs: str | None, within: Bounds | None = None) -> Features:
        """Return the features in another CRS; unchanged where neither side has one.

        Parameters
        ----------
        within : tuple of float, optional
            Bounds of a raster in that CRS, by whose longitudes the features are told.

        Raises
        ------
        GridMismatch
            Only one of the two CRS is known, or none of the features lies anywhere in the other.
        """
        if within is not None and crs is not None:
            moved = self.in_crs(crs)
            items = (Feature(turn_into(i.geometry, crs, within), i.attributes) for i in moved.items)
            return replace(moved, items=tuple(items))
        # Also where neither has one.
        if crs == self.crs:
            return self
        if crs is None or self.crs is None:
            raise GridMismatch(
                f"{self.name} has {self.crs or 'no CRS'}, the raster {crs or 'no CRS'}.", "Give both a CRS."
            )
        carry = way_between(self.crs, crs).transform
        moved = shapely.transform(np.array(self.geometries), carry, interleaved=False)
        if self.items and not np.isfinite(shapely.bounds(moved)).all(axis=1).any():
            x, y = shapely.get_coordinates(self.geometries[0])[0]
            raise GridMismatch(
                f"{self.name} has coordinates such as {x:g}, {y:g}, which lie nowhere in {self.crs}.",
                "Give them in longitude and latitude, or say the CRS: SRID=32633;POLYGON((...)) of a text.",
            )
        items = (Feature(g, item.attributes) for g, item in zip(moved, self.items, strict=True))
        return replace(self, crs=crs, items=tuple(items))

    def inside(self, area: AreaOfInterest | None) -> Features:
        """Return the features cut at the edge of an area; those outside of it stay, as empty ones.

        Raises
        ------
        GridMismatch
            There is no CRS.
        """
        if area is None:
            return self
        if self.crs is None:
            raise GridMismatch(
                f"{self.name} has no CRS, so the area of interest cannot be found in it.", "Give it a CRS."
            )
        items = (Feature(area.cut(item.geometry, self.crs), item.attributes) for item in self.items)
        return replace(self, items=tuple(items))

    def areas(self) -> NDArray[np.float64]:
        """Return the area of each feature on the ellipsoid in square metres; lines and points have 0.

        Raises
        ------
        GridMismatch
            There is no CRS.
        """
        globe = self.in_crs(LONGITUDE_LATITUDE).geometries
        return np.array(
            [
                # Holes count as less only if they run the other way than their outline.
                0.0 if g.is_empty else abs(ellipsoid().geometry_area_perimeter(shapely.orient_polygons(g))[0])
                for g in globe
            ]
        )


def checked_crs(text: str, argument: str = "crs") -> str:
    """Return a CRS as ``EPSG:n`` where it has a code, else as WKT.

    Raises
    ------
    InputError
        It is no CRS, or names a file.
    """
    from pyproj.exceptions import CRSError

    if names_file(text):
        raise InputError(
            f"The argument {argument!r} names a file: {text[:60]!r}.", "Give a code such as 'EPSG:32633'."
        )
    try:
        crs = reference_system(text)
    except CRSError:
        raise InputError(
            f"The argument {argument!r} is no CRS: {text[:60]!r}.", "Give one such as 'EPSG:32633'."
        ) from None
    code = crs.to_epsg()
    return f"EPSG:{code}" if code else crs.to_wkt()
