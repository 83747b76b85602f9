"""Adding rasters: small files through the page, large ones streamed, folders of the server in place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from treeline.core.serving import ACCEPTED_TEXT, UPLOADS, save_upload
from treeline.core.workspace import Workspace
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError

_UPLOADER = st.components.v2.component(
    "treeline_uploader",
    html='<label>Choose files of any size<input type="file" multiple></label><ul></ul>',
    css="""
    label { display: block; padding: 10px; border: 1px dashed var(--st-border-color); border-radius: 4px; }
    input { display: block; margin-top: 6px; }
    ul { margin: 6px 0 0; padding-left: 18px; max-height: 160px; overflow: auto; }
    """,
    js=(Path(__file__).parent / "uploader.js").read_text("utf-8"),
)
_CHUNK = 2**20
_FAULTS = "upload-faults-"


def show_adding(name: str, workspace: Workspace) -> None:
    """Show the ways in which rasters come into a workspace."""
    files, large, folder = st.tabs(["Files", "Large files", "Folder on the server"])
    with files:
        _small(name, workspace)
    with large:
        _large(name, workspace)
    with folder:
        _folders(name)


def show_faults(name: str) -> None:
    """Show what was wrong with the files that were added last, where closing the form does not hide it."""
    for fault in st.session_state.get(_FAULTS + name, ()):
        st.error(plain(fault), icon=":material/error:")


def _small(name: str, workspace: Workspace) -> None:
    generation = st.session_state.setdefault("upload-generation", 0)
    # The field keeps its files for as long as its key is the same, and each drawing would save them
    # once more.
    given = st.file_uploader(
        ACCEPTED_TEXT,
        accept_multiple_files=True,
        key=f"upload-{name}-{generation}",
    )
    if given:
        st.session_state[_FAULTS + name] = _save_all(workspace, given)
        st.session_state["upload-generation"] = generation + 1
        workspace.refresh()
        st.rerun()


def _save_all(workspace: Workspace, given: Iterable[Any]) -> list[str]:
    faults = []
    for file in given:
        try:
            save_upload(workspace, file.name, iter(partial(file.read, _CHUNK), b""))
        except TreelineError as error:
            faults.append(str(error))
    return faults


def _large(name: str, workspace: Workspace) -> None:
    # What a component tells is handed over only where somebody listens, be it to do nothing.
    answered = _UPLOADER(
        key=f"uploader-{name}", data={"token": UPLOADS.token(workspace)}, on_sent_change=_do_nothing
    )
    sent: list[Mapping[str, str]] | None = answered.sent
    if sent:
        st.session_state[_FAULTS + name] = [item["error"] for item in sent if item["error"]]
        workspace.refresh()
        st.rerun()


def _do_nothing() -> None:
    return None


def _folders(name: str) -> None:
    library = services().library
    with st.form("link-folder", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        folder = st.text_input("Folder or file, read in place and never written", placeholder="/data/scenes")
        if st.form_submit_button("Link", icon=":material/link:"):
            try:
                library.link(name, folder)
                st.session_state[_FAULTS + name] = []
            except TreelineError as error:
                st.session_state[_FAULTS + name] = [str(error)]
            st.rerun()
    for source in library.settings(name).sources:
        with st.container(horizontal=True, vertical_alignment="center"):
            missing = "" if Path(source).exists() else " :red[(not there any more)]"
            st.markdown(f":material/folder: {plain(source)}{missing}")
            st.button(
                "Unlink",
                key=f"unlink-{source}",
                on_click=library.unlink,
                args=(name, source),
                type="tertiary",
            )
