"""The numbers of zones as bars or dots: a click on one marks its zone on the map, a click there its row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from treeline.core.policies.planner.figures import number_text
from treeline.core.serving.spreadsheets import csv_text
from treeline.pages.parts.map.class_rows import ClassRow
from treeline.pages.parts.map.zones import Zone
from treeline.pages.parts.shared.text import count_text, shorten
from treeline.pages.parts.shared.theme import INK, is_dark

KEY = "zone-bars"
_MOST_HEIGHT = 2000
# The narrowest row is as high as a line of its label.
_ROW, _NARROWEST, _AXIS, _NO_AXIS = 24, 17, 24, 4
_LONGEST_NAME = 22
_COLOUR, _CHOSEN = "#0072b2", "#c2410c"
# Beyond this share of the highest number the lowest one has a bar that looks as long.
_ALIKE = 0.8


Row = Zone | ClassRow


def bars_of(zones: Sequence[Row]) -> list[Row]:
    """Return the zones or classes that have a number, the highest first; none where one alone has."""
    known = [zone for zone in zones if zone.value is not None]
    return sorted(known, key=lambda zone: -(zone.value or 0.0)) if len(known) > 1 else []


def unit_of(zones: Sequence[Row]) -> str:
    """Return the unit of the numbers of zones or classes."""
    return next((zone.unit for zone in zones), "")


def zones_csv(zones: Sequence[Row]) -> str:
    """Return zones with their numbers as CSV."""
    unit = unit_of(zones)
    value = f"value [{unit}]" if unit else "value"
    return csv_text(["zone", value], [(zone.name, zone.value) for zone in zones])


def show_zone_bars(
    zones: Sequence[Row],
    chosen: str = "",
    on_click: Callable[[str], None] | None = None,
    *,
    what: str = "",
    height: int = _MOST_HEIGHT,
    key: str = KEY,
) -> None:
    """Show zones with their numbers, one a row; a click on one is told where anybody wants to know.

    Parameters
    ----------
    what : str
        What the numbers are, which the axis says with their unit.
    height : int
        What there is room for; rows become narrower, as far as they can be read.
    """
    unit = unit_of(zones)

    def tell_click() -> None:
        assert on_click is not None
        for group in st.session_state[key].selection.selected:
            for index in group["data_indices"]:
                if 0 <= index < len(zones):
                    on_click(zones[index].name)

    ink = INK[is_dark()]
    told = ", ".join(zone.label for zone in zones)
    axis = f"{what} in {unit}" if what and unit else what or unit
    head = (_AXIS if axis else _NO_AXIS) + _ticks(zones)
    st.echarts_chart(
        {
            "animation": False,
            "grid": {"left": 8, "right": 40, "top": head, "bottom": 0, "containLabel": True},
            "tooltip": {"trigger": "item"},
            "xAxis": {
                "type": "value",
                # On top: of many rows the lowest are out of sight at first.
                "position": "top",
                "name": axis,
                "nameLocation": "middle",
                "nameGap": 6 + _ticks(zones),
                "nameTextStyle": {"fontSize": 11, "color": ink},
                "scale": lie_close(zones),
                # Each bar has its number; that an axis of dots does not begin at 0 has to be seen.
                "axisLabel": {"show": lie_close(zones), "fontSize": 10, "hideOverlap": True, "color": ink},
            },
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
                    **(_DOTS if lie_close(zones) else _BARS),
                    "selectedMode": "single",
                    "select": {"itemStyle": {"borderWidth": 0}},
                    "label": {
                        "show": True,
                        "position": "right",
                        "fontSize": 10,
                        "color": ink,
                    },
                    "data": [
                        _mark(zone, place, unit, chosen=zone.name == chosen)
                        for place, zone in enumerate(zones)
                    ],
                }
            ],
        },
        height=head + _row_height(zones, height - head) * len(zones),
        renderer="svg",
        key=key,
        on_select=tell_click if on_click is not None else "ignore",
        alt=f"{count_text(len(zones), 'zone')}: {told}",
    )


def _ticks(zones: Sequence[Row]) -> int:
    """Return the height of the numbers of the axis."""
    return 14 if lie_close(zones) else 0


def _row_height(zones: Sequence[Row], height: int) -> int:
    return max(_NARROWEST, min(_ROW, height // len(zones)))


_BARS = {"type": "bar", "barCategoryGap": "25%"}
_DOTS = {"type": "scatter", "symbolSize": 10}


def lie_close(zones: Sequence[Row]) -> bool:
    """Return whether bars from 0 would hide what differs, as of temperatures in kelvin: dots do not."""
    values = [zone.value for zone in zones if zone.value is not None]
    low, high = min(values, default=0.0), max(values, default=0.0)
    return low > _ALIKE * high > 0 or high < _ALIKE * low < 0


def _mark(zone: Row, place: int, unit: str, *, chosen: bool) -> dict[str, Any]:
    assert zone.value is not None
    return {
        "value": [float(f"{zone.value:.4g}"), place],
        "name": zone.name,
        "label": {"formatter": number_text(zone.value, unit)},
        "itemStyle": _look(zone, chosen=chosen),
    }


def _look(zone: Row, *, chosen: bool) -> dict[str, Any]:
    """Return the colour of a bar: of a class that of the map, with an edge where it is chosen."""
    own = zone.colour if isinstance(zone, ClassRow) else ""
    if not own:
        return {"color": _CHOSEN if chosen else _COLOUR}
    # A pale class would not stand out from the page without an edge.
    return {
        "color": own,
        "borderColor": _CHOSEN if chosen else "#8a938f",
        "borderWidth": 2 if chosen else 0.5,
    }
