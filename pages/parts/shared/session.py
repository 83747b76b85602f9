"""What the session remembers of a person's choices."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import streamlit as st

_RUN = "begun-run"


@dataclass
class PendingStart:
    """What a press has begun and no page shows yet, such as a run, by its name; empty without."""

    name: str = ""
    _lock: Lock = field(default_factory=Lock)

    def begin(self, start: Callable[[], str]) -> None:
        """Begin something and keep its name, unless a press that came before has done so."""
        with self._lock:
            self.name = self.name or start()


def pending_start(what: str = _RUN) -> PendingStart:
    """Return what was begun, and where the next is begun.

    A press that follows at once is worked on beside the earlier one, and ends that where it looks at the
    session: what was begun and is to be noted there would then be known to nobody, and begun again.
    """
    found: PendingStart = st.session_state.setdefault(what, PendingStart())
    return found


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


def widget_value(key: str) -> Any:
    """Return the value of a widget that :func:`keep` was called for, also where the widget is not there now.

    A form may be sent while the page is drawn: what comes after it has lost its values then.

    It is also what the element is made with. What is written into the session reaches the browser once: an
    element that a busy browser makes only of a later run, or a second time, would begin with nothing or with
    its first option, and send that as what the person chose.
    """
    state = st.session_state
    kept: dict[str, Any] = state.get("kept", {})
    return state.get(key, kept.get(key))


def position_of(key: str, options: Sequence[str]) -> int:
    """Return where a widget's value stands among its options, for its element, see :func:`widget_value`."""
    value = widget_value(key)
    return list(options).index(value) if value in options else 0


def values_of(key: str, options: Collection[str]) -> list[str]:
    """Return the values of a widget that are among its options, for its element, see :func:`widget_value`."""
    return [value for value in widget_value(key) or () if value in options]


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
