"""Removing an upload: asked first, by the file's name, and undone for a while."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from treeline.core.workspace import Workspace
from treeline.core.workspace.trash import KEPT
from treeline.core.workspace.workspace import RASTER_SUFFIXES, VECTOR_SUFFIXES
from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.services import note_change
from treeline.pages.parts.shared.text import count_text, plain
from treeline.toolkit.errors import TreelineError

# What was asked to be removed: the workspace and the file; the workspace alone means its whole trash.
ASKED = "removal-asked"
_FAULT = "removal-fault"
_LAST = "removed-last"


def is_upload(workspace: Workspace, path: Path) -> bool:
    """Return whether a raster or a vector file was uploaded, so that it may be removed."""
    data = RASTER_SUFFIXES | VECTOR_SUFFIXES
    return workspace.writable and path.suffix.lower() in data and path.is_relative_to(workspace.inputs_folder)


def remove_button(name: str, workspace: Workspace, path: Path, label: str = "Remove this file") -> None:
    """Show the button that asks for the removal of a file, where it is an upload."""
    if not is_upload(workspace, path):
        return
    file = path.relative_to(workspace.inputs_folder).as_posix()
    if st.button(label, icon=":material/delete:", key=f"remove-{file}", help=f"Remove {file}"):
        _ask(name, file)
        st.rerun()  # the question is the page's, the button may be a part's


def show_removal(name: str, workspace: Workspace) -> None:
    """Show the question whether a file is to be removed, where that was asked for."""
    workspace_asked, file = st.session_state.get(ASKED, (None, ""))
    if workspace_asked != name:
        return
    if not file:
        _confirm_emptying(workspace)
    elif (workspace.inputs_folder / file).is_file():
        _confirm_removal(workspace, file)


def show_trash(name: str, workspace: Workspace) -> None:
    """Show what was removed lately, each with a way back; nothing where there is nothing."""
    fault = st.session_state.pop(_FAULT, None)
    if fault:
        st.error(plain(fault), icon=":material/error:")
    workspace.trash.expire()
    removals = workspace.trash.removals()
    if not removals:
        return
    title = f"Removed: {plain(removals[0].name)}"
    if len(removals) > 1:
        title += f" and {count_text(len(removals) - 1, 'more file')}"
    just_now = st.session_state.get(_LAST) == removals[0].key
    with st.expander(
        title, icon=":material/restore_from_trash:", expanded=just_now, key=f"trash-{removals[0].key}"
    ):
        for removal in removals:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{plain(removal.name)}** — kept until {moment_text(removal.until)}")
                st.button(
                    "Undo",
                    icon=":material/undo:",
                    key=f"undo-{removal.key}",
                    help=f"Bring {removal.name} back",
                    on_click=_restore,
                    args=(workspace, removal.key),
                )
        st.button(
            "Empty the trash",
            icon=":material/delete_forever:",
            key="empty-trash",
            type="tertiary",
            on_click=_ask,
            args=(name, ""),
        )


def _ask(name: str, file: str) -> None:
    st.session_state[ASKED] = (name, file)


def _keep() -> None:
    st.session_state.pop(ASKED, None)


@st.dialog("Remove a file", on_dismiss=_keep)
def _confirm_removal(workspace: Workspace, file: str) -> None:
    st.markdown(f"Remove **{plain(file)}** from this workspace?")
    st.caption(f"It can be brought back for {KEPT.days} days. Runs that used it keep their results.")
    _choose("Remove", f"remove-now-{file}", _remove, workspace, file)


@st.dialog("Empty the trash", on_dismiss=_keep)
def _confirm_emptying(workspace: Workspace) -> None:
    files = "\n".join(f"- {plain(removal.name)}" for removal in workspace.trash.removals())
    st.markdown(f"Delete for good what was removed?\n\n{files}")
    _choose("Delete for good", "empty-now", _empty, workspace)


def _choose(label: str, key: str, act: Callable[..., None], *arguments: object) -> None:
    with st.container(horizontal=True):
        done = st.button(label, type="primary", key=key, on_click=act, args=arguments)
        if st.button("Keep", key=f"not-{key}", on_click=_keep) or done:
            st.rerun()


def _remove(workspace: Workspace, file: str) -> None:
    # A double click comes here twice, with the same file: the second finds nothing that was asked for.
    if st.session_state.pop(ASKED, None) is None:
        return
    try:
        removal = workspace.remove_input(file)
        # Before the session is looked at, where the second click ends the first.
        note_change("remove", workspace, file)
        st.session_state[_LAST] = removal.key
    except TreelineError as error:
        st.session_state[_FAULT] = str(error)


def _empty(workspace: Workspace) -> None:
    if st.session_state.pop(ASKED, None) is not None:
        workspace.trash.empty()
        note_change("empty trash", workspace, "")


def _restore(workspace: Workspace, key: str) -> None:
    if all(removal.key != key for removal in workspace.trash.removals()):
        return  # a second click: it is back already
    try:
        note_change("restore", workspace, workspace.restore_input(key))
    except TreelineError as error:
        st.session_state[_FAULT] = str(error)
