"""Menus by keyboard: Tab goes into one that is open, and out of it again."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_MENUS = st.components.v2.component(
    "treeline_menus",
    html="<div></div>",
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
)


def link_menus() -> None:
    """Have Tab lead from the button of an open menu into it."""
    with st.container(key="menu-links"):
        _MENUS(key="menu-links-mark")
