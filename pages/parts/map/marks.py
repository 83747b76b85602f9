"""Outlines and points above the layers of the map."""

from __future__ import annotations

import re
from typing import Any, cast

import folium
import shapely
from folium.map import Layer
from shapely.geometry.base import BaseGeometry

from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.interest import AreaOfInterest

AREA_CLASS = "treeline-area"
# Folium writes a label into the script of the map as it is: names and units of files are anybody's.
_UNSAFE = re.compile(r"[`$\\<>&\"'{}]")


def area_outline(area: AreaOfInterest) -> list[Layer]:
    """Return the outline of an area of interest."""
    parts = shapely.get_parts(area.in_crs(LONGITUDE_LATITUDE))
    return [as_layer(folium.Polygon(rings(part), fill=False, class_name=AREA_CLASS)) for part in parts]


def pin(latitude: float, longitude: float) -> Layer:
    """Return the mark of a point that was clicked."""
    return as_layer(
        folium.CircleMarker(
            (latitude, longitude),
            radius=6,
            color="#ffffff",
            weight=2,
            fill=True,
            fill_color="#c2410c",
            fill_opacity=1.0,
        )
    )


def add_label(mark: Any, text: str, **options: Any) -> None:
    """Give a mark its label, without the signs that a script would take for its own.

    Parameters
    ----------
    mark : folium layer
    text : str
        May come from a file.
    **options
        Of Leaflet's tooltip.
    """
    folium.Tooltip(_UNSAFE.sub(" ", text), class_name="treeline-label", **options).add_to(mark)


def as_layer(mark: Any) -> Layer:
    """Return a mark as a layer, which folium's vector layers are without saying so."""
    return cast(Layer, mark)


def rings(polygon: BaseGeometry) -> list[list[tuple[float, float]]]:
    """Return the rings of a polygon in longitude and latitude as the map takes them."""
    found = [polygon.exterior, *polygon.interiors]
    return [[(float(y), float(x)) for x, y in shapely.get_coordinates(ring)] for ring in found]
