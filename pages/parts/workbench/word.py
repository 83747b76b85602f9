"""A person's word to a run that waits, told from a page."""

from __future__ import annotations

import time

import streamlit as st

from treeline.core.engine.actions import Action
from treeline.core.engine.journal import events_of
from treeline.core.engine.waiting import find_awaited
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError

_FAULT = "word-fault"
_PATIENCE, _PAUSE = 0.8, 0.02


def tell(run: str, step: int, action: Action | None = None, denied: str = "") -> None:
    """Tell a run what is to be done at a step; what is wrong with it is shown by :func:`show_fault`."""
    store = services().store
    try:
        services().manager.give(run, step, action, denied)
    except TreelineError as error:
        st.session_state[_FAULT] = str(error)
        return
    selection.clear()
    # What is quick is done before the page is drawn again, which saves a look at a page without an answer.
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        record = store.run(run)
        awaited = find_awaited(stored.event for stored in events_of(store, run))
        if record is None or record.finished or (awaited is not None and awaited.step > step):
            return
        time.sleep(_PAUSE)


def show_fault() -> None:
    """Show what was wrong with the last word, once."""
    fault = st.session_state.pop(_FAULT, "")
    if fault:
        st.error(plain(fault), icon=":material/block:")
