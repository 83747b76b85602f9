"""What depends on whether the page is light or dark."""

from __future__ import annotations

import streamlit as st

INK = {False: "#101614", True: "#e3e8e6"}
"""Colour of text, by whether the page is dark."""


def is_dark() -> bool:
    """Return whether the page is dark."""
    return bool(st.context.theme.type == "dark")
