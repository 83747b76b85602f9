"""Data: what the workspace holds, what was recognised and why, and how more comes in."""

from __future__ import annotations

import streamlit as st

from treeline.core.workspace import Workspace
from treeline.pages.parts.data.adding import show_adding, show_faults
from treeline.pages.parts.data.catalogue import BANDS, Row, rows_of, show_catalogue, state_of_choice
from treeline.pages.parts.data.correcting import show_band, show_many
from treeline.pages.parts.data.displays import show_displays
from treeline.pages.parts.data.finding import show_finding
from treeline.pages.parts.data.problems import show_problems
from treeline.pages.parts.data.removing import show_removal, show_trash
from treeline.pages.parts.data.taken_back import show_taken_back
from treeline.pages.parts.data.vectors import show_vectors
from treeline.pages.parts.shared.address import keep_chosen
from treeline.pages.parts.shared.choice import beside_choice, tell_absent
from treeline.pages.parts.shared.services import current_workspace, services
from treeline.pages.parts.shared.sidebar import show_copying
from treeline.pages.parts.shared.text import count_text, plain


def main() -> None:
    name, workspace = current_workspace()
    with st.spinner("Looking at the rasters", show_time=True):
        rows = rows_of(workspace)
    files = len(workspace.rasters)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{plain(services().library.title(name))}** — {count_text(files, 'raster')}, "
            f"{count_text(len(rows), 'band')}, {count_text(len(workspace.collections), 'collection')}"
        )
        st.space("stretch")
        if workspace.writable:
            st.button(
                "Look again",
                icon=":material/refresh:",
                on_click=workspace.refresh,
                help="After files changed on disk",
            )
    if workspace.writable:
        _show_changing(name, workspace, empty=not rows)
    else:
        show_copying()
    show_displays(workspace)
    show_problems(name, workspace)
    show_vectors(name, workspace)
    if not rows:
        lacks = "has no rasters" if workspace.vector_files() else "is empty"
        st.info(f"The workspace {lacks}. Add rasters above, or choose another workspace on the left.")
        return
    st.fragment(_show_bands)(name, workspace, rows)


def _show_bands(name: str, workspace: Workspace, rows: list[Row]) -> None:
    """Show the catalogue beside what is chosen in it; a click draws no more than these anew."""
    shown, grouping, several = show_finding(rows, name)
    state = state_of_choice(grouping, several=several)
    # The keys of many rows have no room in an address.
    if not several:
        keep_chosen(state)
    kept = st.session_state.get(state) or ()
    there = [row for row in rows if row.key in (kept if several else (kept,))]
    left, *beside = beside_choice([8, 4], state, there=bool(there) or grouping != BANDS)
    with left:
        chosen = show_catalogue(shown, grouping, several=several)
        if there and not chosen and not several:
            # Who corrects a band by which the table is filtered still sees what became of it.
            chosen = there
            st.caption("The band beside this table is left out of it by the filters.")
        if not chosen and (several or not tell_absent(state)):
            st.caption("Choose a row to see the band, the reasons of its recognition, and to correct it.")
    for right in beside:
        with right:
            if len(chosen) == 1:
                show_band(name, workspace, chosen[0].source)
            elif chosen:
                show_many(name, workspace, [row.source for row in chosen])


def _show_changing(name: str, workspace: Workspace, *, empty: bool) -> None:
    """Show the ways in which data come in, go, and come back."""
    # An expander obeys `expanded` only while it is new: with the state in its key it opens in an empty
    # workspace, and folds once that has something.
    with st.expander(
        "Add rasters", icon=":material/upload:", expanded=empty, key=f"add-rasters-{name}-{empty}"
    ):
        show_adding(name, workspace)
    show_faults(name)
    show_removal(name, workspace)
    show_trash(name, workspace)
    show_taken_back(workspace)


main()
