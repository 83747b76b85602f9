"""The growth of the memory bank as a chart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import streamlit as st

from treeline.core.memory.items import BankItem
from treeline.core.teams.bank_history import Distillation
from treeline.pages.parts.memory.charts import HEIGHT
from treeline.pages.parts.shared.theme import INK, is_dark

_COLOURS = {"pattern": "#009e73", "guardrail": "#d55e00", "contrast": "#0072b2"}
_USES = "#98a39f"


def show_growth(items: Sequence[BankItem], history: Sequence[Distillation]) -> None:
    """Show how many items there were over time, by kind, and how often they were used."""
    if not items:
        return
    st.echarts_chart(
        growth_option(items, history, dark=is_dark()),
        height=HEIGHT,
        key="bank-growth",
        renderer="svg",
        alt=f"Growth of the memory bank to {len(items)} items",
    )


def growth_option(
    items: Sequence[BankItem], history: Sequence[Distillation], *, dark: bool
) -> dict[str, Any]:
    """Return stacked steps, one for each kind of item, and a line of uses, as an option of ECharts."""
    learned = {
        kind: [item.created.timestamp() for item in items if item.kind == kind and item.created]
        for kind in _COLOURS
    }
    used = [each.time.timestamp() for each in history for _ in each.used]
    moments = sorted({stamp for stamps in (*learned.values(), used) for stamp in stamps})
    # A little room after the last step, so that it is seen as one.
    moments += [moments[-1] + max((moments[-1] - moments[0]) * 0.03, 1.0)] if moments else []
    series = [
        _steps(kind, stamps, moments, _COLOURS[kind]) | {"stack": "items", "areaStyle": {"opacity": 0.35}}
        for kind, stamps in learned.items()
        if stamps
    ]
    if used:
        line = _steps("times used", used, moments, _USES)
        series.append(line | {"lineStyle": {"type": "dashed", "color": _USES}})
    ink = INK[dark]
    axis = {"axisLabel": {"color": ink, "fontSize": 10}, "axisLine": {"lineStyle": {"color": ink}}}
    return {
        "animation": False,
        "grid": {"left": 36, "right": 16, "top": 30, "bottom": 26},
        "legend": {"top": 0, "textStyle": {"color": ink, "fontSize": 11}, "itemWidth": 14},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "time", "splitLine": {"show": False}, **axis},
        "yAxis": {"type": "value", "minInterval": 1, "splitLine": {"lineStyle": {"opacity": 0.25}}, **axis},
        "series": series,
    }


def _steps(name: str, stamps: Sequence[float], moments: Sequence[float], colour: str) -> dict[str, Any]:
    """Return how many there were at each moment."""
    ordered = sorted(stamps)
    points = [[moment * 1000, bisect_right(ordered, moment)] for moment in moments]
    return {
        "type": "line",
        "name": name,
        "step": "end",
        "symbolSize": 4,
        "color": colour,
        "lineStyle": {"color": colour},
        "data": points,
    }
