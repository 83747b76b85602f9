"""The numbers of zones as bars: a click on one marks its zone on the map, a click on the map its bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from treeline.core.serving.spreadsheets import csv_text
from treeline.pages.parts.map.class_rows import ClassRow
from treeline.pages.parts.map.zones import Zone
from treeline.pages.parts.shared.text import count_text, shorten
from treeline.pages.parts.shared.theme import INK, is_dark

KEY = "zone-bars"
_ROW, _AXIS = 24, 30
_LONGEST_NAME = 22
_COLOUR, _CHOSEN = "#0072b2", "#c2410c"


Row = Zone | ClassRow


def bars_of(zones: Sequence[Row]) -> list[Row]:
    """Return the zones or classes that have a number, the highest first; none where one alone has."""
    known = [zone for zone in zones if zone.value is not None]
    return sorted(known, key=lambda zone: -(zone.value or 0.0)) if len(known) > 1 else []


def zones_csv(zones: Sequence[Row], unit: str) -> str:
    """Return zones with their numbers as CSV."""
    value = f"value [{unit}]" if unit else "value"
    return csv_text(["zone", value], [(zone.name, zone.value) for zone in zones])


def show_zone_bars(
    zones: Sequence[Row],
    unit: str,
    chosen: str = "",
    on_click: Callable[[str], None] | None = None,
    *,
    key: str = KEY,
) -> None:
    """Show zones with their numbers, one a row; a click on one is told where anybody wants to know."""

    def tell_click() -> None:
        assert on_click is not None
        for group in st.session_state[key].selection.selected:
            for index in group["data_indices"]:
                if 0 <= index < len(zones):
                    on_click(zones[index].name)

    ink = INK[is_dark()]
    told = ", ".join(zone.label for zone in zones)
    st.echarts_chart(
        {
            "animation": False,
            "grid": {"left": 8, "right": 40, "top": 4, "bottom": 22, "containLabel": True},
            "tooltip": {"trigger": "item"},
            "xAxis": {"type": "value", "name": unit, "scale": False, "axisLabel": {"fontSize": 10}},
            "yAxis": {
                "type": "category",
                "inverse": True,
                "triggerEvent": True,
                "data": [shorten(zone.name, _LONGEST_NAME) for zone in zones],
                "axisLabel": {"fontSize": 11, "color": ink},
                "axisTick": {"show": False},
            },
            "series": [
                {
                    "type": "bar",
                    "selectedMode": "single",
                    "barCategoryGap": "25%",
                    "select": {"itemStyle": {"borderWidth": 0}},
                    "label": {"show": True, "position": "right", "fontSize": 10, "color": ink},
                    "data": [_bar(zone, zone.name == chosen) for zone in zones],
                }
            ],
        },
        height=_AXIS + _ROW * len(zones),
        renderer="svg",
        key=key,
        on_select=tell_click if on_click is not None else "ignore",
        alt=f"{count_text(len(zones), 'zone')}: {told}",
    )


def _bar(zone: Row, chosen: bool) -> dict[str, Any]:
    return {
        "value": float(f"{zone.value:.4g}"),
        "name": zone.name,
        "itemStyle": {"color": _CHOSEN if chosen else _COLOUR},
    }
