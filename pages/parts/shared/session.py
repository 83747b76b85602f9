"""What the session remembers of a person's choices."""

from __future__ import annotations

import streamlit as st


def keep(key: str, value: object) -> None:
    """Set a widget's first value, and keep it while its widget is not shown."""
    st.session_state[key] = st.session_state.get(key, value)
