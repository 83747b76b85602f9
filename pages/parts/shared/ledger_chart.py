"""What a run's context cost, turn by turn, as stacked bars."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from treeline.core.context.ledger import PARTS, Ledger, ledger_of
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.theme import INK, is_dark

# Of Okabe and Ito (2008): told apart with any colour vision.
COLOURS = dict(
    zip(PARTS, ("#7f8c8d", "#009e73", "#0072b2", "#e69f00", "#cc79a7", "#56b4e9", "#d55e00"), strict=True)
)
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
_HEIGHT = 230
_FAR_APART = 8


def show_ledger(view: RunView) -> None:
    """Show a run's tokens by turn and part, when it is unfolded."""
    with st.popover("Context", icon=":material/stacked_bar_chart:", key="ledger", on_change="rerun") as part:
        if not part.open:
            return
        ledger = ledger_of(view.state)
        if not ledger.turns:
            st.caption("No turn yet.")
            return
        # Over the chart, which a low window cuts off below.
        st.caption(ledger_text(view, ledger))
        st.echarts_chart(
            ledger_option(ledger, dark=is_dark()),
            height=_HEIGHT,
            width=620,
            renderer="svg",
            key="ledger-chart",
            alt=f"Tokens of {len(ledger.turns)} turns by part of the context",
        )


def ledger_text(view: RunView, ledger: Ledger) -> str:
    """Return a ledger in a line: what was counted, and what the endpoint reported."""
    counted = sum(turn.total for turn in ledger.turns)
    text = f"{counted:,} tokens in {len(ledger.turns)} turns, counted"
    reported = view.state.tokens.input
    if reported:
        return f"{text}; {reported:,} reported by the endpoint"
    return f"{text}: what a language model would have been sent"


def ledger_option(ledger: Ledger, *, dark: bool) -> dict[str, Any]:
    """Return stacked bars, one a turn, as an option of ECharts; parts that cost nothing are left out."""
    parts = [part for part in PARTS if any(turn.parts[part] for turn in ledger.turns)]
    series = [
        {
            "type": "bar",
            "name": part,
            "stack": "context",
            "barCategoryGap": "25%",
            "itemStyle": {"color": COLOURS[part]},
            "data": [turn.parts[part] for turn in ledger.turns],
        }
        for part in parts
    ]
    return frame([str(turn.step) for turn in ledger.turns], series, dark)


def turns_option(ledgers: Mapping[str, Ledger], *, dark: bool) -> dict[str, Any]:
    """Return a line for each named ledger: the tokens of its turns; logarithmic where they lie far apart."""
    most = max((len(ledger.turns) for ledger in ledgers.values()), default=0)
    series = [
        {
            "type": "line",
            "name": name,
            "symbolSize": 5,
            "itemStyle": {"color": colour},
            "lineStyle": {"color": colour},
            "data": [turn.total for turn in ledger.turns],
        }
        for (name, ledger), colour in zip(ledgers.items(), LINES, strict=False)
    ]
    option = frame([str(number + 1) for number in range(most)], series, dark)
    totals = [turn.total for ledger in ledgers.values() for turn in ledger.turns]
    # On a scale from 0 the line of the cheaper strategy would lie on the axis.
    if totals and max(totals) > _FAR_APART * min(totals):
        option["yAxis"] |= {"type": "log", "min": 10 ** math.floor(math.log10(min(totals)))}
    return option


def frame(turns: list[str], series: list[dict[str, Any]], dark: bool, name: str = "turn") -> dict[str, Any]:
    """Return an option of ECharts for tokens by turn, or by something else of a name."""
    ink = INK[dark]
    small = {"axisLabel": {"color": ink, "fontSize": 10}, "nameTextStyle": {"color": ink}}
    place = {"name": name, "nameLocation": "middle", "nameGap": 22}
    return {
        "animation": False,
        "grid": {"left": 56, "right": 12, "top": 34, "bottom": 38},
        "legend": {"top": 0, "textStyle": {"color": ink, "fontSize": 11}, "itemWidth": 12, "itemHeight": 10},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "category", "data": turns, **place, **small},
        "yAxis": {"type": "value", "name": "tokens", "splitLine": {"lineStyle": {"opacity": 0.25}}, **small},
        "series": series,
    }
