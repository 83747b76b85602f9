"""The profile along a line that was drawn on the map: a chart and rows, to take away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import folium
import pandas as pd
import streamlit as st
from folium.map import Layer

from treeline.core.confinement import call
from treeline.core.serving import MapLayer
from treeline.core.serving.profile import Place, ProfileValue, profile_csv, profile_values
from treeline.core.serving.tiles import unit_text
from treeline.core.workspace.class_names import is_of_classes
from treeline.pages.parts.map.marks import as_layer
from treeline.pages.parts.shared.address import put_in_address
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.text import count_text, plain
from treeline.toolkit.errors import TreelineError

_CHART, _ROWS = 280, 210
_LINE, _DRAWN, _OPEN, _READ = "profile-line", "profile-drawn", "profile-open", "profile-read"
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
# Of a colour image.
_OF_BANDS = ("#c2410c", "#15803d", "#1d4ed8")
_FEWEST_CORNERS = 2
_ADDRESS = "line"
_EAST, _NORTH = 180.0, 90.0
_KILOMETRE = 1000.0


def take_line(feature: Mapping[str, Any] | None) -> bool:
    """Take a line that was drawn on the map; return whether what was drawn last is one.

    What clears the area clears the line too.
    """
    told: Mapping[str, Any] = feature or {}
    geometry: Mapping[str, Any] = told.get("geometry") or {}
    drawn = told.get("properties", {}).get("drawn")
    is_line = geometry.get("type") == "LineString"
    # The map tells its last drawing in every run; the moment at which it was drawn tells a new one.
    if drawn is None or drawn == st.session_state.get(_DRAWN):
        return is_line
    st.session_state[_DRAWN] = drawn
    if is_line:
        line = tuple((float(x), float(y)) for x, y in geometry["coordinates"])
        st.session_state[_LINE] = st.session_state[_OPEN] = line
    elif not geometry:
        st.session_state[_LINE] = ()
    return is_line


def keep_line() -> None:
    """Begin the line of a session with that of the address, and put it there."""
    if _LINE not in st.session_state:
        st.session_state[_LINE] = line_in(st.query_params.get(_ADDRESS, ""))
    put_in_address(_ADDRESS, line_words(st.session_state[_LINE]))


def line_words(line: Sequence[Place]) -> str:
    """Return a line as the address tells it."""
    return ";".join(f"{x:.6f},{y:.6f}" for x, y in line)


def line_in(words: str) -> tuple[Place, ...]:
    """Return the line that :func:`line_words` wrote; none for anything else."""
    try:
        corners = [tuple(map(float, corner.split(","))) for corner in words.split(";")]
        line = tuple((x, y) for x, y in corners)
    except ValueError:
        return ()
    return line if all(abs(x) <= _EAST and abs(y) <= _NORTH for x, y in line) else ()


def current_line() -> tuple[Place, ...]:
    """Return longitude and latitude of the corners of the line that was drawn; none without one."""
    line: tuple[Place, ...] = st.session_state.get(_LINE, ())
    return line if len(line) >= _FEWEST_CORNERS else ()


def line_mark(line: Sequence[Place]) -> Layer:
    """Return a line as the map shows it."""
    return as_layer(folium.PolyLine([(y, x) for x, y in line], class_name="treeline-line", no_clip=True))


def show_profile(layers: Sequence[MapLayer], line: tuple[Place, ...]) -> None:
    """Show the button of the line that was drawn; chart and rows come over the page.

    Parameters
    ----------
    layers : sequence of MapLayer
        What is on the map, the uppermost first.
    """
    st.button(
        "Profile along the line",
        icon=":material/elevation:",
        key="profile-of-line",
        type="tertiary",
        on_click=st.session_state.update,
        args=({_OPEN: line},),
    )
    # While a run goes on, the page is drawn anew, and what was drawn must stay open.
    if st.session_state.get(_OPEN) == line:
        _dialog(layers, line)


def is_open() -> bool:
    """Return whether the profile lies over the page, where nothing else may lie."""
    return bool(current_line()) and st.session_state.get(_OPEN) == current_line()


def _close() -> None:
    st.session_state.pop(_OPEN, None)


@st.dialog("Profile", width="large", icon=":material/elevation:", on_dismiss=_close)
def _dialog(layers: Sequence[MapLayer], line: tuple[Place, ...]) -> None:
    try:
        values = _values(layers, line)
    except TreelineError as error:
        st.error(plain(str(error)))
        return
    if not any(value.value is not None for value in values):
        st.caption("There are no data of the layers on the map along the line.")
        return
    length = values[-1].metres
    told = f"{length / _KILOMETRE:.3f} km" if length >= _KILOMETRE else f"{length:.1f} m"
    points = len({value.metres for value in values})
    st.caption(f"{told}, {count_text(points, 'point')}, each with the value of the pixel under it.")
    titles = [layer.title for layer in layers]
    chosen = titles[0]
    if len(titles) > 1:
        chosen = st.selectbox("Profile of", titles, key="profile-layer", label_visibility="collapsed")
    layer = layers[titles.index(chosen)]
    _chart(layer, [value for value in values if value.layer == chosen])
    st.dataframe(
        pd.DataFrame(map(asdict, values)).rename(columns={"class_name": "class"}),
        hide_index=True,
        height=_ROWS,
        key="profile-rows",
        column_config={
            "metres": st.column_config.NumberColumn(format="%.1f"),
            "longitude": st.column_config.NumberColumn(format="%.6f"),
            "latitude": st.column_config.NumberColumn(format="%.6f"),
        },
    )
    offer_download(
        f"CSV of {count_text(len(values), 'value')}, for Excel",
        lambda: profile_csv(values),
        "profile.csv",
        "text/csv",
        icon=":material/download:",
        key="profile-csv",
    )


def _values(layers: Sequence[MapLayer], line: tuple[Place, ...]) -> list[ProfileValue]:
    """Return the values along a line, read once for it and these layers."""
    key = (tuple(layers), line)
    known: dict[str, Any] = st.session_state.get(_READ, {})
    if known.get("key") != key:
        known = {"key": key, "values": call(profile_values, layers, line)}
        st.session_state[_READ] = known
    found: list[ProfileValue] = known["values"]
    return found


def _chart(layer: MapLayer, values: Sequence[ProfileValue]) -> None:
    bands = dict.fromkeys(value.band for value in values)
    of_classes = not layer.is_colour and is_of_classes(layer.sources[0])
    axis: dict[str, Any] = {"type": "value", "scale": True, "name": unit_text(layer.unit)}
    if of_classes:
        # Classes have no values in between: each is a place of its own.
        names = list(dict.fromkeys(_class_text(value) for value in values if value.value is not None))
        axis = {"type": "category", "data": names}
    lines = []
    for band in bands:
        points = [value for value in values if value.band == band]
        data = [[round(p.metres, 2), _class_text(p) if of_classes else _round(p.value)] for p in points]
        # One pixel has one value: the line between two points is no value of anything.
        lines.append({"type": "line", "name": band, "showSymbol": False, "step": "middle", "data": data})
    title = plain(layer.title)
    st.echarts_chart(
        {
            "animation": False,
            "color": list(_OF_BANDS if layer.is_colour else _COLOURS),
            "grid": {"left": 96 if of_classes else 56, "right": 36, "top": 28, "bottom": 24},
            "tooltip": {"trigger": "axis"},
            "legend": {"show": len(lines) > 1, "top": 0, "textStyle": {"fontSize": 10}},
            "xAxis": {
                "type": "value",
                "name": "m",
                "max": "dataMax",
                "axisLabel": {"fontSize": 10, "showMaxLabel": False},
            },
            "yAxis": axis | {"axisLabel": {"fontSize": 10}},
            "series": lines,
        },
        height=_CHART,
        renderer="svg",
        key="profile-chart",
        alt=f"{title} along the line of {values[-1].metres:.0f} m",
    )


def _class_text(value: ProfileValue) -> str | None:
    return None if value.value is None else value.class_name or f"class {value.value:g}"


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")
