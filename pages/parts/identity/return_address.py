"""Who opened a link before signing in comes to it afterwards; the provider leads to the first page alone."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_RETURNER = st.components.v2.component(
    "treeline_returner",
    html="<div></div>",
    js=(Path(__file__).parent / "returning.js").read_text("utf-8"),
)


def keep_link() -> None:
    """Have the browser's tab remember the address that was asked for."""
    with st.container(key="returner"):
        _RETURNER(key="link-kept", data={"signed_in": False})


def return_to_link() -> None:
    """Go to the address that was asked for before the sign-in, once."""
    with st.container(key="returner"):
        _RETURNER(key="link-taken", data={"signed_in": True})
