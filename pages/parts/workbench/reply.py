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
    forget_fault()
    try:
        services().manager.give(run, step, action, denied)
    except TreelineError as error:
        keep_fault(run, step, str(error))
        return
    selection.clear()
    # What is quick is done before the page is drawn again, which saves a look at a page without an answer.
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        record = store.run(run)
        awaited = find_awaited(stored.event for stored in events_of(store, run))
        if record is None or record.is_finished or (awaited is not None and awaited.step > step):
            return
        time.sleep(_PAUSE)


def keep_fault(run: str, step: int, text: str) -> None:
    """Keep what is wrong with a word for a step, which stays on the page until there is another word."""
    st.session_state[_FAULT] = run, step, text


def forget_fault() -> None:
    """Forget what was wrong with the last word."""
    st.session_state.pop(_FAULT, None)


def show_fault(run: str, step: int) -> None:
    """Show what was wrong with the last word for a step, also where the page is drawn anew meanwhile."""
    *whose, text = st.session_state.get(_FAULT, ("", 0, ""))
    if text and whose == [run, step]:
        st.error(plain(text), icon=":material/block:")
