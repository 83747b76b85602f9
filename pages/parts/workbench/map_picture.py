"""The map of the page as a picture to take away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import shapely
import streamlit as st

from treeline.core.confinement import call
from treeline.core.serving.picture import Outline, View, draw_map
from treeline.pages.parts.map.layers import geographic_bounds, ground_of
from treeline.pages.parts.map.leaflet import VIEW, DrawnLayer
from treeline.pages.parts.map.places import Place
from treeline.pages.parts.map.zones import MOST_LABELLED, Zone
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.interest import AreaOfInterest

# About as wide as the map is on the page, to show as much as is seen there.
_PIXELS = 640


def map_picture(
    drawn: Sequence[DrawnLayer],
    zones: Sequence[Zone],
    chosen: str,
    area: AreaOfInterest | None,
    places: Sequence[Place] = (),
    pixel: tuple[float, float] | None = None,
) -> Callable[[], bytes]:
    """Return what draws the layers that are on the map, with what lies over them, outside of the page too."""
    labelled = len(zones) <= MOST_LABELLED
    outlines = [Outline(zone.geometry, zone.label if labelled else "", zone.name == chosen) for zone in zones]
    outlines += [Outline(shapely.Point(each.longitude, each.latitude), each.label) for each in places]
    if pixel is not None:
        outlines.append(Outline(shapely.Point(pixel[1], pixel[0])))
    if area is not None:
        outlines.append(Outline(area.in_crs(LONGITUDE_LATITUDE), strong=True))
    layers = [(item.entry.layer, item.style, item.opacity) for item in drawn]
    return partial(call, draw_map, layers, view_of_page(drawn, area), outlines)


def view_of_page(drawn: Sequence[DrawnLayer], area: AreaOfInterest | None = None) -> View:
    """Return what the map shows: where the address says, else the uppermost layer.

    Parameters
    ----------
    area : AreaOfInterest, optional
        A layer that a run made has no pixel outside of it, so that the map moved to it.
    """
    west, south, east, north = bounds = geographic_bounds(drawn[-1].entry.layer.description) or (
        -180.0,
        -60.0,
        180.0,
        75.0,
    )
    parts = str(st.query_params.get(VIEW, "")).split(",")
    try:
        latitude, longitude, zoom = map(float, parts)
    except ValueError:
        return View.over(ground_of(drawn[-1].entry, area) or bounds)
    # An address may still name a place of another workspace.
    away = abs(latitude - (south + north) / 2), abs(longitude - (west + east) / 2)
    if away[0] > north - south or away[1] > east - west:
        return View.over(bounds)
    return View.at(latitude, longitude, zoom, _PIXELS)
