"""What the session remembers of a person's choices."""

from __future__ import annotations

import streamlit as st


def keep(key: str, value: object) -> None:
    """Set a widget's first value, and keep it while its widget is not shown.

    A value is written only where the widget has none: one written in every run goes back to the browser each
    time, and undoes what the person changed while the page was being drawn.
    """
    state = st.session_state
    kept: dict[str, object] = state.setdefault("kept", {})
    if key not in state:
        state[key] = kept.get(key, value)
    kept[key] = state[key]
