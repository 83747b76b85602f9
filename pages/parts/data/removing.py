"""Removing uploads: asked first, by their names, and undone for a while."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from treeline.core.workspace import Workspace
from treeline.core.workspace.trash import KEPT
from treeline.pages.parts.data.undoing import Deed, Undoable, show_undoable
from treeline.pages.parts.shared.services import note_change, services
from treeline.pages.parts.shared.text import count_text, plain
from treeline.toolkit.errors import TreelineError

# What was asked to be removed: the workspace and the files; the workspace alone means its whole trash.
ASKED = "removal-asked"
_FAULT = "removal-fault"
_LAST = "removed-last"
SEVERAL = "several"
_MOST_NAMED = 8
_DEED = Deed(
    "Removed",
    "earlier removal",
    ":material/restore_from_trash:",
    "trash",
    "undo",
    "Bring {name} back",
)


def remove_button(
    name: str,
    workspace: Workspace,
    paths: Iterable[Path],
    label: str = "Remove this file",
    key: str = "remove",
) -> None:
    """Show the button that asks for the removal of the uploads that files are, or were taken out of."""
    uploads = map(workspace.upload_of, paths) if workspace.writable else ()
    files = tuple(dict.fromkeys(filter(None, uploads)))
    if not files:
        return
    told = f"Remove {_name_files(files)}"
    if st.button(label, icon=":material/delete:", key=f"{key}-{_key(files)}", help=told):
        _ask(name, files)
        st.rerun()  # the question is the page's, the button may be a part's


def _name_files(files: tuple[str, ...]) -> str:
    return files[0] if len(files) == 1 else count_text(len(files), "uploaded file")


def _key(files: tuple[str, ...]) -> str:
    return files[0] if len(files) == 1 else SEVERAL


def show_removal(name: str, workspace: Workspace) -> None:
    """Show the question whether files are to be removed, where that was asked for."""
    workspace_asked, files = st.session_state.get(ASKED, (None, ()))
    if workspace_asked != name:
        return
    if not files:
        _confirm_emptying(workspace)
    elif there := tuple(file for file in files if (workspace.inputs_folder / file).is_file()):
        _confirm_removal(name, workspace, there)


def show_trash(name: str, workspace: Workspace) -> None:
    """Show what was removed lately, each with a way back; nothing where there is nothing."""
    fault = st.session_state.pop(_FAULT, None)
    if fault:
        st.error(plain(fault), icon=":material/error:")
    workspace.trash.expire()
    removals = workspace.trash.removals()
    if not removals:
        return
    done = [Undoable(removal.key, removal.name, removal.until) for removal in removals]
    show_undoable(
        _DEED,
        done,
        st.session_state.get(_LAST),
        partial(_restore, workspace),
        partial(_offer_emptying, name),
    )


def _offer_emptying(name: str) -> None:
    st.button(
        "Empty the trash",
        icon=":material/delete_forever:",
        key="empty-trash",
        type="tertiary",
        on_click=_ask,
        args=(name, ()),
    )


def _ask(name: str, files: tuple[str, ...]) -> None:
    st.session_state[ASKED] = (name, files)


def _keep() -> None:
    st.session_state.pop(ASKED, None)


@st.dialog("Remove files", on_dismiss=_keep)
def _confirm_removal(name: str, workspace: Workspace, files: tuple[str, ...]) -> None:
    st.markdown(f"Remove **{plain(_name_files(files))}** from this workspace?")
    if len(files) > 1:
        st.markdown(_list_names(files))
    brought = sum(workspace.upload_of(raster.path) in files for raster in workspace.rasters)
    if brought > len(files):
        st.caption(f"They brought {count_text(brought, 'raster')}, which go as well.")
    it, its = ("It", "it") if len(files) == 1 else ("They", "them")
    st.caption(f"{it} can be brought back for {KEPT.days} days. Runs that used {its} keep their results.")
    # Anybody's: what a run reads is gone for it, whoever asked.
    if any(not record.is_finished for record in services().store.runs(name)):
        told = f"A run is under way here; if it reads {its}, it will have no answer."
        st.warning(told, icon=":material/warning:")
    _choose("Remove", f"remove-now-{_key(files)}", _remove, workspace, files)


@st.dialog("Empty the trash", on_dismiss=_keep)
def _confirm_emptying(workspace: Workspace) -> None:
    names = [removal.name for removal in workspace.trash.removals()]
    st.markdown(f"Delete for good what was removed?\n\n{_list_names(names)}")
    _choose("Delete for good", "empty-now", _empty, workspace)


def _list_names(names: Sequence[str]) -> str:
    lines = [f"- {plain(name)}" for name in names[:_MOST_NAMED]]
    if len(names) > _MOST_NAMED:
        lines.append(f"- and {len(names) - _MOST_NAMED} more")
    return "\n".join(lines)


def _choose(label: str, key: str, act: Callable[..., None], *arguments: object) -> None:
    with st.container(horizontal=True):
        done = st.button(label, type="primary", key=key, on_click=act, args=arguments)
        # A dialog is a fragment: only a drawing of the whole page closes it.
        if st.button("Keep", key=f"not-{key}", on_click=_keep) or done:
            st.rerun()


def _remove(workspace: Workspace, files: tuple[str, ...]) -> None:
    # A double click comes here twice, with the same files: the second finds nothing that was asked for.
    if st.session_state.pop(ASKED, None) is None:
        return
    try:
        removal = workspace.remove_input(*files)
        # Before the session is looked at, where the second click ends the first.
        note_change("remove", workspace, removal.name)
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
