"""What depends on whether the page is light or dark."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_WATCH = st.components.v2.component(
    "treeline_theme",
    html="<div></div>",
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
)

INK = {False: "#101614", True: "#e3e8e6"}
"""Colour of text, by whether the page is dark."""


def is_dark() -> bool:
    """Return whether the page is dark."""
    return bool(st.context.theme.type == "dark")


def watch_theme() -> None:
    """Have the page drawn anew once the theme changes, which the browser alone knows of."""
    with st.container(key="theme-watch"):
        _WATCH(key="theme-watch-mark", on_changed_change=lambda: None)
