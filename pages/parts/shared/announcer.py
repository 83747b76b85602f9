"""What a screen reader is told: the heading of a page, and what becomes of a run while it goes on."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_ANNOUNCER = st.components.v2.component(
    "treeline_announcer",
    html="<div></div>",
    js=(Path(__file__).parent / "announcer.js").read_text("utf-8"),
)


def show_heading(title: str) -> None:
    """Give the page its heading, which the navigation shows to those who see."""
    st.html(f'<h1 class="unseen">{title}</h1>')


def announce(text: str, *, begin_at: str = "", written: str = "") -> None:
    """Say a text to a screen reader as soon as it differs from the one before.

    Parameters
    ----------
    begin_at : str
        The name of the field in which the keyboard begins, once the page is there.
    written : str
        What is done with when it stands in that field: it is selected, so that what is typed takes its place.
    """
    with st.container(key="announcer"):
        _ANNOUNCER(key="announcer-text", data={"text": text, "begin_at": begin_at, "written": written})
