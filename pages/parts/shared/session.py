"""What the session remembers of a person's choices."""

from __future__ import annotations

from typing import Any

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


def widget_value(key: str) -> object:
    """Return the value of a widget that :func:`keep` was called for, also where the widget is not there now.

    A form may be sent while the page is drawn: what comes after it has lost its values then.
    """
    state = st.session_state
    kept: dict[str, object] = state.get("kept", {})
    return state.get(key, kept.get(key))


def first_value(key: str, value: Any) -> Any:
    """Return what a widget that may stay closed begins with, the same in every run while it is there.

    What :func:`keep` writes reaches the browser once, when the widget is made: one in a popover that is
    opened later has never seen it, and would begin with its own least value.
    """
    state = st.session_state
    kept: dict[str, Any] = state.setdefault("kept", {})
    begun: dict[str, Any] = state.setdefault("begun", {})
    if key not in state:
        begun[key] = kept.get(key, value)
    kept[key] = state.get(key, begun[key])
    return begun[key]
