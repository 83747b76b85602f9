"""The map: a constant base with its own Leaflet, and layers that come and go without a reload."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import folium
import streamlit as st
from folium.elements import JSCSSMixin
from folium.map import Layer
from jinja2 import Template
from streamlit_folium import st_folium

from treeline.core.serving import LAYERS, Style
from treeline.core.serving.tiles import style_query
from treeline.pages.parts.map.addresses import LEAFLET_FILES, ROOT, TILES
from treeline.pages.parts.map.bases import BASES, NO_BASE
from treeline.pages.parts.map.layers import Bounds, Entry, geographic_bounds
from treeline.pages.parts.map.script import ADDRESS, FUNCTION

# In the place of folium's own lists, which name servers of others: where one of these does not answer there
# is no map at all.
folium.Map.default_js = [("leaflet", f"{LEAFLET_FILES}/leaflet.js")]
folium.Map.default_css = [("leaflet_css", f"{LEAFLET_FILES}/leaflet.css")]

_FOLDER = Path(__file__).parent
_DEEPEST = 22
_FEWEST_DATES = 2
# Names in the address of the page where the map is, which view.js keeps there.
VIEW = "view"
_STYLE = f"<style>{(_FOLDER / 'map.css').read_text('utf-8')}</style>"
_ACCENT = "#c2410c"
_COLOURS = {
    "light": ("#e4e8e7", "rgba(255,255,255,.93)", "#1d2522"),
    "dark": ("#0d1112", "rgba(24,30,31,.93)", "#e3e8e6"),
}


class _Instruments(JSCSSMixin):
    """Adds to the base map what is read and measured on it, and the drawing of an area."""

    _template = Template(
        "{% macro header(this, kwargs) %}{{ this.style }}{% endmacro %}"
        "{% macro script(this, kwargs) %}{{ this.script }}{% endmacro %}"
    )

    def __init__(self, map_name: str, theme: str, bounds: Bounds, drawable: bool) -> None:
        super().__init__()
        self.default_js = [("instruments", ADDRESS)]
        background, panel, ink = _COLOURS[theme]
        colours = {"BACKGROUND": background, "PANEL": panel, "INK": ink, "ACCENT": _ACCENT}
        self.style = _replace(_STYLE, colours)
        west, south, east, north = bounds
        given = ([[south, west], [north, east]], TILES, ROOT, drawable)
        self.script = f"{FUNCTION}({', '.join([map_name, *map(json.dumps, given)])});"


def _replace(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


@dataclass(frozen=True)
class DrawnLayer:
    """A layer with the way it is drawn.

    Attributes
    ----------
    series : tuple of Entry
        The same variable at several dates, in their order, which a slider goes through.
    """

    entry: Entry
    style: Style
    opacity: float = 1.0
    series: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class MapAnswer:
    """What a person did on the map.

    Attributes
    ----------
    clicked : tuple of float, optional
        Latitude and longitude.
    drawing : mapping, optional
        A GeoJSON feature; its geometry is ``None`` where the area was cleared.
    date : str
        Where the slider over the dates was left last.
    moment : float
        When it was left there.
    view : str
        Where the map was when it was left last: latitude, longitude and zoom.
    """

    clicked: tuple[float, float] | None
    drawing: Mapping[str, Any] | None
    date: str = ""
    moment: float = 0.0
    view: str = ""


def show_map(
    drawn: Sequence[DrawnLayer],
    home: Bounds | None,
    *,
    key: str,
    height: int,
    base: str = NO_BASE,
    centre: Bounds | None = None,
    marks: Sequence[Layer] = (),
    drawable: bool = False,
) -> None:
    """Show layers, the last one uppermost.

    Parameters
    ----------
    home : Bounds
        What the map shows first.
    centre : Bounds, optional
        What it is to move to now.
    marks : sequence of folium.map.Layer
        Outlines and points above the layers.
    drawable : bool
        An area of interest can be drawn; distances are measured on any map.
    """
    bounds = home or (-25.0, 35.0, 45.0, 65.0)
    view = _view(centre, height) if centre else None
    st_folium(
        _base_map(bounds, height, _theme(), drawable),
        key=key,
        height=height,
        use_container_width=True,
        # A second time, to no end: the component renders the map itself.
        render=False,
        # Whatever else is asked for, such as the bounds, draws the page anew with every move of the map.
        returned_objects=["last_clicked", "last_active_drawing"],
        # Layers come by the group: in the base map they would make another frame, which loads and
        # forgets its zoom.
        feature_group_to_add=[_group(drawn, base, marks)],
        center=view[0] if view else None,
        zoom=view[1] if view else None,
    )


def last_answer(key: str) -> MapAnswer:
    """Return what a person did on the map of a key, as the browser told it last."""
    told = st.session_state.get(key) or {}
    clicked, drawing = told.get("last_clicked"), told.get("last_active_drawing") or None
    place = (clicked["lat"], clicked["lng"]) if clicked else None
    properties = (drawing or {}).get("properties", {})
    # The component tells clicks and drawings alone: what else our scripts have to tell comes as a drawing
    # that has properties of its own.
    if "date" in properties:
        return MapAnswer(place, None, str(properties["date"]), float(properties.get("drawn") or 0.0))
    if "view" in properties:
        return MapAnswer(place, None, view=str(properties["view"]))
    return MapAnswer(place, drawing)


def _base_map(bounds: Bounds, height: int, theme: str, drawable: bool) -> folium.Map:
    location, zoom = _view(bounds, height)
    made = folium.Map(location=location, tiles=None, max_zoom=_DEEPEST, attribution_control=False)
    made.options |= {"zoom": zoom, "zoomSnap": 0.25}
    made.add_child(_Instruments(made.get_name(), theme, bounds, drawable))
    return made


def _group(drawn: Sequence[DrawnLayer], base: str, marks: Sequence[Layer]) -> folium.FeatureGroup:
    group = folium.FeatureGroup(name="layers")
    if base in BASES:
        address, attribution = BASES[base]
        folium.TileLayer(
            tiles=address, attr=attribution, name="base", max_zoom=_DEEPEST, max_native_zoom=19
        ).add_to(group)
    for level, item in enumerate(drawn, start=2):
        limits = geographic_bounds(item.entry.layer.description)
        if limits is None:
            continue
        west, south, east, north = limits
        folium.TileLayer(
            tiles=_tiles(item.entry, item.style),
            # Folium refuses tiles that name nobody.
            attr=" ",
            # No underscore: where the component compares maps, it leaves out what follows one.
            name=f"layer-{level}",
            max_zoom=_DEEPEST,
            opacity=item.opacity,
            bounds=[[south, west], [north, east]],
            # Room below for tiles that stay a moment, above for the date that comes.
            z_index=3 * level,
            **_series_options(item),
        ).add_to(group)
    for mark in marks:
        mark.add_to(group)
    return group


def _tiles(entry: Entry, style: Style) -> str:
    return f"{TILES}/{LAYERS.token(entry.layer)}/{{z}}/{{x}}/{{y}}.png?{style_query(style)}"


def _series_options(item: DrawnLayer) -> dict[str, Any]:
    """Return what the slider reads: dates with their tiles, all in one style, and where it begins."""
    if len(item.series) < _FEWEST_DATES:
        return {}
    return {
        "series": [[entry.date, _tiles(entry, item.style)] for entry in item.series],
        "start": item.series.index(item.entry),
    }


def _view(bounds: Bounds, height: int, width: int = 640) -> tuple[tuple[float, float], float]:
    """Return the centre and the zoom at which bounds fill the map."""
    west, south, east, north = bounds
    # Web Mercator ends near 85 degrees, where its square is full.
    top, bottom = (math.asinh(math.tan(math.radians(max(-85.0, min(85.0, v))))) for v in (north, south))
    horizontal = width / 256 / max((east - west) / 360, 1e-9)
    vertical = height / 256 / max((top - bottom) / (2 * math.pi), 1e-9)
    # In quarters, as the map snaps, and downwards: with a little room on every side.
    zoom = math.floor(4 * math.log2(max(min(horizontal, vertical) * 0.96, 1.0))) / 4
    centre = (math.degrees(math.atan(math.sinh((top + bottom) / 2))), (west + east) / 2)
    return centre, min(zoom, _DEEPEST - 2.0)


def _theme() -> str:
    kind = st.context.theme.type
    return kind if kind in _COLOURS else "light"
