"""The files of a workspace that cannot be used: why, and a way to remove those that were uploaded."""

from __future__ import annotations

import streamlit as st

from treeline.core.workspace import Workspace
from treeline.pages.parts.data.removing import remove_button
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.files import mend_text

# An archive brings thousands: a sentence and a button for each is a page that no browser draws.
_MOST_TOLD = 8


def show_problems(name: str, workspace: Workspace) -> None:
    """Show what cannot be used: a sentence for each file, or a table of many."""
    unusable = workspace.unusable
    if len(unusable) > _MOST_TOLD:
        _show_table(workspace)
    else:
        for path, why in unusable.items():
            told = why if why.startswith(path.name) else f"{path.name}: {why}"
            st.warning(plain(told), icon=":material/broken_image:")
    remove_button(name, workspace, unusable, "Remove what cannot be used", key="discard")


def _show_table(workspace: Workspace) -> None:
    unusable = workspace.unusable
    st.warning(f"{len(unusable):,} files cannot be used.", icon=":material/broken_image:")
    with st.expander("Which, and why", icon=":material/list:", key="problems"):
        st.dataframe(
            [
                {"File": mend_text(path.name), "Came in": workspace.upload_of(path) or "", "Why": why}
                for path, why in unusable.items()
            ],
            hide_index=True,
            height=table_height(len(unusable), 300),
            alt="Files that cannot be used",
        )
