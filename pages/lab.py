"""Lab: start a benchmark, watch it, stop and resume it, see its results, compare two reports."""

from __future__ import annotations

import streamlit as st

from treeline.core.record.store import RunRecord
from treeline.pages.parts.lab.benches import benches, chosen_bench, show_list, standing_of
from treeline.pages.parts.lab.form import show_form
from treeline.pages.parts.lab.results import show_results
from treeline.pages.parts.lab.status import show_status
from treeline.pages.parts.shared.text import plain

POLL_SECONDS = 1.0


def main() -> None:
    for problem in st.session_state.pop("lab-problems", ()):
        st.error(plain(problem))
    show_form()
    records = benches().records()
    if not records:
        st.info(
            "No benchmark was run yet. Choose a question file and press Start: it goes on in the background, "
            "and its results stay."
        )
        return
    running = any(not record.is_finished for record in records)
    st.fragment(run_every=POLL_SECONDS if running else None)(draw_benches)(running)


def draw_benches(was_running: bool) -> None:
    """Show the benches as the store has them now."""
    records = benches().records()
    # A click on Stop or Resume comes here alone: that the page looks again, or no longer, is its own to say.
    if was_running != any(not record.is_finished for record in records):
        st.rerun()
    record = chosen_bench(records)
    left, right = st.columns([5, 8], gap="small")
    with left:
        show_list(records)
    with right:
        if record is None:
            st.caption("Choose a bench to see how far it is and what came out.")
        else:
            _bench(record, records)


def _bench(record: RunRecord, records: list[RunRecord]) -> None:
    standing = standing_of(record.id)
    show_status(record, standing)
    if standing.rows:
        show_results(record, standing, records)


main()
