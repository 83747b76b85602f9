"""The memory as charts: entries over time, and success by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from treeline.core.memory.entries import Entry
from treeline.core.memory.inspection import RoundFigures, by_round
from treeline.core.record.store import Store
from treeline.pages.parts.shared.text import shorten
from treeline.pages.parts.shared.theme import INK, is_dark

HEIGHT = 190
_GREEN, _ORANGE, _GREY, _BLUE = "#1b7f4d", "#c05621", "#98a39f", "#2b6cb0"


def show_timeline(entries: Sequence[Entry]) -> None:
    """Show when what was learned, a row for each kind of failure."""
    if not entries:
        st.caption("No entry yet.")
        return
    st.echarts_chart(
        timeline_option(entries, INK[is_dark()]),
        height=HEIGHT,
        key="memory-timeline",
        renderer="svg",
        alt=f"{len(entries)} entries over time, by what failed",
    )


def timeline_option(entries: Sequence[Entry], ink: str) -> dict[str, Any]:
    """Return the timeline as an option of ECharts: green helped, orange did not, grey was not used."""
    kinds = list(dict.fromkeys(_kind(entry) for entry in entries))
    points = [
        {
            "name": shorten(entry.question, 90).replace("{", "").replace("}", ""),
            "value": [entry.created.timestamp() * 1000, _kind(entry)],
            "itemStyle": {"color": _colour(entry), "opacity": 0.35 if entry.muted or entry.deleted else 0.95},
        }
        for entry in entries
    ]
    axis = {"axisLabel": {"color": ink, "fontSize": 11}, "axisLine": {"lineStyle": {"color": ink}}}
    return {
        "grid": {"left": 118, "right": 14, "top": 10, "bottom": 26},
        "xAxis": {"type": "time", "splitLine": {"show": False}, **axis},
        "yAxis": {"type": "category", "data": kinds, **axis},
        "tooltip": {"trigger": "item", "formatter": "{b}"},
        "series": [{"type": "scatter", "symbolSize": 11, "data": points}],
    }


def _kind(entry: Entry) -> str:
    issues = entry.lesson.issues
    return str(issues[0].get("sign", "")).replace("_", " ") if issues else "by hand"


def _colour(entry: Entry) -> str:
    if not entry.uses:
        return _GREY
    return _GREEN if entry.helped else _ORANGE


def show_rounds_chart(store: Store) -> None:
    """Show the share of questions without a sign of failure and the experience density by round."""
    figures = by_round(store)
    if not figures:
        st.caption("No question was asked in rounds yet.")
        return
    st.echarts_chart(
        rounds_option(figures, INK[is_dark()]),
        height=HEIGHT - 24,
        key="memory-rounds",
        renderer="svg",
        alt="Share of successes and experience density by round",
    )
    last = figures[-1]
    asked = f"{last.questions} question{'s' if last.questions > 1 else ''}"
    st.caption(
        f"{asked} in rounds; reflecting took {last.reflection_tokens:,} of "
        f"{last.tokens:,} tokens. Success means no sign of failure: the true answers are not known here."
    )


def rounds_option(figures: Sequence[RoundFigures], ink: str) -> dict[str, Any]:
    """Return both curves as an option of ECharts, in per cent."""
    axis = {"axisLabel": {"color": ink, "fontSize": 11}, "axisLine": {"lineStyle": {"color": ink}}}

    def curve(name: str, values: list[float], colour: str, dashed: bool) -> dict[str, Any]:
        return {
            "name": name,
            "type": "line",
            "data": values,
            "symbolSize": 8,
            "color": colour,
            "lineStyle": {"type": "dashed" if dashed else "solid", "color": colour},
            "label": {"show": not dashed, "formatter": "{c} %", "color": ink, "fontSize": 11},
        }

    return {
        "grid": {"left": 44, "right": 16, "top": 44, "bottom": 24},
        "legend": {"top": 0, "textStyle": {"color": ink, "fontSize": 11}},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "category", "data": [f"round {f.number}" for f in figures], **axis},
        "yAxis": {"type": "value", "min": 0, "max": 100, **axis},
        "series": [
            curve("Without a sign of failure", [round(100 * f.share, 1) for f in figures], _GREEN, False),
            curve("Experience density", [round(100 * f.density, 1) for f in figures], _BLUE, True),
        ],
    }
