"""The browser's way back: a stop for each page and for each run, not for each click."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_STOPS = st.components.v2.component(
    "treeline_history",
    html="<div></div>",
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
)


def keep_history_short() -> None:
    """Have the address of a selection take the place of the one before it."""
    with st.container(key="history-stops"):
        _STOPS(key="history-stops-mark")
