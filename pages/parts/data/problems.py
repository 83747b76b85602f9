"""The files of a workspace that cannot be used: why, and a way to remove those that were uploaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import streamlit as st

from treeline.core.workspace import Workspace
from treeline.pages.parts.data.removing import remove_button
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.text import plain

# An archive brings thousands: a sentence and a button for each is a page that no browser draws.
_MOST_TOLD = 8


def show_problems(name: str, workspace: Workspace) -> None:
    """Show what cannot be used: a sentence for each file, or a table of many."""
    problems = workspace.problems
    if len(problems) > _MOST_TOLD:
        _show_table(name, workspace)
        return
    for file, why in problems.items():
        told = why if why.startswith(file) else f"{file}: {why}"
        st.warning(plain(told), icon=":material/broken_image:")
        remove_button(name, workspace, _unusable(workspace, [file]), f"Remove {file}")


def _show_table(name: str, workspace: Workspace) -> None:
    problems = workspace.problems
    st.warning(f"{len(problems):,} files cannot be used.", icon=":material/broken_image:")
    with st.expander("Which, and why", icon=":material/list:", key="problems"):
        st.dataframe(
            [{"File": file, "Why": why} for file, why in problems.items()],
            hide_index=True,
            height=table_height(len(problems), 300),
            alt="Files that cannot be used",
        )
    remove_button(name, workspace, _unusable(workspace, problems), "Remove those that were uploaded")


def _unusable(workspace: Workspace, files: Iterable[str]) -> list[Path]:
    """Return the uploads among files; an unusable one may be a good upload's namesake in a linked folder."""
    usable = {raster.path for raster in workspace.rasters}
    uploads = (workspace.inputs_folder / file for file in files)
    return [upload for upload in uploads if upload.is_file() and upload not in usable]
