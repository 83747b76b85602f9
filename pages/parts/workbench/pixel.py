"""The pixel under a click: its series, its spectrum and the values of all layers, to take away."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pandas as pd
import streamlit as st

from treeline.core.confinement import call
from treeline.core.serving.pixel import (
    PixelValue,
    SpectralPoint,
    pixel_csv,
    pixel_values,
    series_of,
    spectra_of,
)
from treeline.core.serving.tiles import unit_text
from treeline.core.workspace import Workspace
from treeline.core.workspace.class_names import NamesBeside
from treeline.pages.parts.map.product_titles import short_title
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.text import count_text
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition.model import RasterDescription

_CHART, _ROWS = 260, 210
_READ, _OPEN = "pixel-read", "pixel-open"
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_MOST_SCENES = len(_COLOURS)
# What is most often followed over time comes first.
_FIRST = ("ndvi", "evi", "lst", "ndwi", "nir")


def show_pixel(
    workspace: Workspace,
    products: tuple[RasterDescription, ...],
    latitude: float,
    longitude: float,
    date: str = "",
    *,
    hidden: bool = False,
) -> None:
    """Show the button of the pixel that was clicked; its charts and rows come over the page.

    Parameters
    ----------
    date : str
        Of the layer that is looked at, whose spectrum is shown first.
    hidden : bool
        Something else lies over the page.
    """
    place = latitude, longitude
    st.button(
        "Series and spectrum",
        icon=":material/query_stats:",
        key="pixel",
        type="tertiary",
        on_click=st.session_state.update,
        args=({_OPEN: place},),
    )
    # While a run goes on, the page is drawn anew, and what was clicked once must stay open.
    if st.session_state.get(_OPEN) == place and not hidden:
        _dialog(workspace, (*workspace.rasters, *products), *place, date)


def _close() -> None:
    st.session_state.pop(_OPEN, None)


@st.dialog("Pixel", width="large", icon=":material/query_stats:", on_dismiss=_close)
def _dialog(
    workspace: Workspace,
    rasters: tuple[RasterDescription, ...],
    latitude: float,
    longitude: float,
    date: str,
) -> None:
    values = _values(workspace, rasters, longitude, latitude)
    place = f"At {latitude:.5f}, {longitude:.5f}"
    if not values:
        st.caption(f"{place} there is no raster.")
        return
    st.caption(f"{place}, of {count_text(len({value.file for value in values}), 'file')}.")
    _charts(values, rasters, date)
    st.dataframe(
        pd.DataFrame(map(asdict, values)).rename(columns={"class_name": "class"}),
        hide_index=True,
        height=_ROWS,
        key="pixel-rows",
    )
    offer_download(
        f"CSV of {count_text(len(values), 'value')}, for Excel",
        lambda: pixel_csv(values, longitude, latitude),
        f"pixel_{latitude:.5f}_{longitude:.5f}.csv",
        "text/csv",
        icon=":material/download:",
        key="pixel-csv",
    )


def _values(
    workspace: Workspace, rasters: tuple[RasterDescription, ...], longitude: float, latitude: float
) -> list[PixelValue]:
    """Return the values of a place, read once for it and these rasters."""
    # A dialog is drawn anew by every choice in it; the pixel of hundreds of files is read once.
    key = (longitude, latitude, tuple(str(raster.path) for raster in rasters))
    known: dict[str, Any] = st.session_state.get(_READ, {})
    if known.get("key") != key:
        beside = NamesBeside(workspace)
        names = {
            raster.path: called
            for raster in workspace.rasters
            for band in raster.bands
            if (called := beside.of(Source(raster, band)))
        }
        known = {"key": key, "values": call(pixel_values, rasters, longitude, latitude, names)}
        st.session_state[_READ] = known
    found: list[PixelValue] = known["values"]
    return found


def _charts(values: list[PixelValue], rasters: tuple[RasterDescription, ...], date: str) -> None:
    series, spectra = series_of(values), spectra_of(values, rasters)
    names = [*(["Series"] if series else []), *(["Spectrum"] if spectra else [])]
    if not names:
        return
    for name, tab in zip(names, st.tabs(names, key="pixel-charts"), strict=True):
        with tab:
            if name == "Series":
                _series(series)
            else:
                _spectra(spectra, date)


def _series(series: dict[str, list[PixelValue]]) -> None:
    ranked = sorted(series, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))
    chosen = st.selectbox(
        "Variable", ranked, key="pixel-variable", format_func=short_title, label_visibility="collapsed"
    )
    points = series[chosen]
    unit = unit_text(points[0].unit)
    data = [[point.date, None if point.value is None else float(f"{point.value:.6g}")] for point in points]
    _chart(
        {"type": "time", "axisLabel": {"hideOverlap": True, "fontSize": 10}},
        unit,
        [{"type": "line", "symbolSize": 5, "connectNulls": False, "data": data}],
        f"{short_title(chosen)} of the pixel at {len(points)} dates",
        "pixel-series",
    )


def _spectra(spectra: dict[str, list[SpectralPoint]], date: str) -> None:
    scenes = list(spectra)
    chosen = st.multiselect(
        "Scenes",
        scenes,
        [date] if date in spectra else scenes[:1],
        max_selections=_MOST_SCENES,
        key="pixel-scenes",
        label_visibility="collapsed",
    )
    shown = {name: [p for p in spectra[name] if p.nanometres is not None] for name in chosen}
    # Where wavelengths are not known, bands stand side by side by their names.
    placed = all(len(points) > 1 for points in shown.values())
    shown = shown if placed else {name: spectra[name] for name in chosen}
    lines = [
        {
            "type": "line",
            "name": name,
            "symbolSize": 5,
            "data": [[point.nanometres if placed else point.band, point.value] for point in shown[name]],
        }
        for name in chosen
    ]
    kind = "value" if placed else "category"
    axis = {"type": kind, "name": "nm" if placed else "", "scale": True, "axisLabel": {"fontSize": 10}}
    told = f"Reflectance of the pixel in the bands of {count_text(len(chosen), 'scene')}"
    _chart(axis, "", lines, told, "pixel-spectra")


def _chart(axis: dict[str, Any], unit: str, lines: list[dict[str, Any]], told: str, key: str) -> None:
    st.echarts_chart(
        {
            "animation": False,
            "color": list(_COLOURS),
            "grid": {"left": 48, "right": 28, "top": 28, "bottom": 24},
            "tooltip": {"trigger": "axis"},
            "legend": {"show": len(lines) > 1, "top": 0, "textStyle": {"fontSize": 10}},
            "xAxis": axis,
            "yAxis": {"type": "value", "scale": True, "name": unit, "axisLabel": {"fontSize": 10}},
            "series": lines,
        },
        height=_CHART,
        renderer="svg",
        key=key,
        alt=told,
    )
