"""Ways from other pages to a run on the Workbench."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treeline.core.record.store import RunRecord
from treeline.core.runs.rephrasing import whole_question
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.services import WANTED, services
from treeline.pages.parts.shared.session import pending_start
from treeline.pages.parts.shared.text import plain, shorten

_MOST_LINKS = 12


def open_run(record: RunRecord) -> None:
    """Go to the Workbench and show a run."""
    pending_start(WANTED).name = record.workspace
    st.session_state["run"] = record.id
    st.session_state["question"] = whole_question(record)
    selection.clear()
    # The session has the run: named here, it would come to stand in the address of the page that is left.
    st.switch_page("workbench.py")


def show_run_links(runs: Sequence[str], *, key: str) -> None:
    """Show runs by their question, the newest first; each opens on the Workbench."""
    names = set(services().library.names())
    for run in reversed(runs[-_MOST_LINKS:]):
        record = services().store.run(run)
        if record is None:
            st.caption(f"{plain(run)}: not in this store")
            continue
        label = f"{moment_text(record.created)}  {plain(shorten(record.question, 80))}"
        here = record.workspace in names
        if st.button(
            label, type="tertiary", icon=":material/explore:", key=f"{key}-{run}", disabled=not here
        ):
            open_run(record)
    if len(runs) > _MOST_LINKS:
        st.caption(f"and {len(runs) - _MOST_LINKS} earlier ones")
