"""The step that matters stays in sight: the one that is selected, else the newest, which stands first."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_SCROLLER = st.components.v2.component(
    "treeline_scroller",
    html="<div></div>",
    js=(Path(__file__).parent / "scrolling.js").read_text("utf-8"),
)


def keep_in_sight(selected: int | None, newest: int) -> None:
    """Scroll the list of steps when another step is selected, or when a new one comes and none is."""
    with st.container(key="scroller"):
        _SCROLLER(key="scroller-steps", data={"selected": selected or 0, "newest": newest})
