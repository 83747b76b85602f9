"""Metrics of a bench as bars, by group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from treeline.pages.parts.shared.ledger_chart import LINES
from treeline.pages.parts.shared.theme import INK, is_dark

_HEIGHT = 230
_WHOLE = "#7f8c8d"


def show_groups_chart(
    metrics: Mapping[str, float | None],
    groups: Mapping[str, Mapping[str, float | None]],
    whole: str = "all",
) -> None:
    """Show each metric as a bar for the whole and for each group."""
    st.echarts_chart(
        groups_option(metrics, groups, whole, dark=is_dark()),
        height=_HEIGHT,
        renderer="svg",
        key="lab-chart",
        alt=f"Metrics as a whole and by {', '.join(filter(None, groups))}",
    )


def groups_option(
    metrics: Mapping[str, float | None],
    groups: Mapping[str, Mapping[str, float | None]],
    whole: str = "all",
    *,
    dark: bool,
) -> dict[str, Any]:
    """Return the bars as an option of ECharts; metrics without a value are left out."""
    names = [name for name, value in metrics.items() if value is not None]
    ink = INK[dark]
    series = {whole: metrics, **{group or "none": scores for group, scores in groups.items()}}
    colours = (_WHOLE, *LINES)
    axis = {"axisLabel": {"color": ink, "fontSize": 11}, "axisLine": {"lineStyle": {"color": ink}}}
    return {
        "animation": False,
        "grid": {"left": 40, "right": 12, "top": 30, "bottom": 26},
        "legend": {"top": 0, "textStyle": {"color": ink, "fontSize": 11}, "itemWidth": 12, "itemHeight": 10},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "category", "data": [name.replace("_", " ") for name in names], **axis},
        "yAxis": {"type": "value", "min": 0, "splitLine": {"lineStyle": {"opacity": 0.25}}, **axis},
        "series": [
            {
                "type": "bar",
                "name": name,
                "barGap": "8%",
                "itemStyle": {"color": colour},
                "data": [_round(scores.get(metric)) for metric in names],
            }
            for (name, scores), colour in zip(series.items(), colours, strict=False)
        ],
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
