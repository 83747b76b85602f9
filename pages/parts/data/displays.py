"""The bar of the copies that are made of large rasters for the map."""

from __future__ import annotations

import streamlit as st

from treeline.core.serving.displays import DISPLAYS
from treeline.core.workspace import Workspace
from treeline.pages.parts.shared.text import count_text, plain

_POLL = 1.0


def show_displays(workspace: Workspace) -> None:
    """Have the copies made that large rasters lack, and show how far they are."""
    for raster in workspace.rasters:
        DISPLAYS.order(raster)
    if DISPLAYS.under_way(workspace.rasters):
        st.fragment(run_every=_POLL)(_live)(workspace)


def _live(workspace: Workspace) -> None:
    making = DISPLAYS.under_way(workspace.rasters)
    if not making:
        st.rerun()
    waiting = f" ({count_text(len(making) - 1, 'more raster')} after it)" if len(making) > 1 else ""
    st.progress(
        making[0].share,
        text=f"Making {plain(making[0].name)} quick to draw{waiting}. It can be used meanwhile.",
    )
