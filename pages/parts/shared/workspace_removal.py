"""Deleting a workspace of one's own: what goes with it is told first, and then it is gone."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from treeline.core.runs.removal import Content
from treeline.pages.parts.shared.services import DEMO, WORKSPACE_PROBLEM, removal, services
from treeline.pages.parts.shared.text import count_text, plain
from treeline.toolkit.errors import TreelineError

_MIB = 2**20


def show_removal(name: str, forget: Callable[[], None]) -> None:
    """Show the button that asks whether a workspace is to go, where it is the person's own.

    Parameters
    ----------
    forget : callable
        Called once it is gone, so that the page does not look for what was in it.
    """
    # The demo is written again at the next start.
    if name == DEMO or services().sharing.thing("workspace", name) is None:
        return
    if st.button("Delete this one", icon=":material/delete:", key="delete-workspace", type="tertiary"):
        _confirm(name, forget)


@st.dialog("Delete the workspace?")
def _confirm(name: str, forget: Callable[[], None]) -> None:
    if name not in services().library.names():  # the dialog alone is drawn anew once it is gone
        st.rerun()
    st.markdown(f"**{plain(services().library.title(name))}**")
    try:
        st.markdown(_tell(removal().content(name)))
    except TreelineError as error:
        st.error(plain(str(error)))
        return
    st.caption(
        "It cannot be undone. Export runs that you want to keep; folders that are linked stay as they are."
    )
    with st.container(horizontal=True):
        done = st.button(
            "Delete for good",
            type="primary",
            icon=":material/delete_forever:",
            key="delete-workspace-now",
            on_click=_delete,
            args=(name, forget),
        )
        # A dialog is a fragment: only a drawing of the whole page closes it.
        if st.button("Keep", key="keep-workspace") or done:
            st.rerun()


def _tell(content: Content) -> str:
    told = (
        f"{count_text(content.files, 'file')} ({content.bytes / _MIB:,.1f} MiB, products counted) and "
        f"{count_text(content.runs, 'run')} are deleted"
    )
    others = f", {content.runs_of_others} of them of other people" if content.runs_of_others else ""
    return f"{told}{others}."


def _delete(name: str, forget: Callable[[], None]) -> None:
    try:
        if name in services().library.names():  # a second click finds nothing
            removal().delete(name)
            forget()
    except TreelineError as error:
        st.session_state[WORKSPACE_PROBLEM] = str(error)
