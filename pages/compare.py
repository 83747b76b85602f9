"""Compare: one question under several strategies of disclosure, side by side and at the same time."""

from __future__ import annotations

import streamlit as st

from treeline.pages.parts.compare.form import runs_of_address, show_form
from treeline.pages.parts.compare.view import ComparedRun, compare_runs, show_cards, show_summary, show_turns
from treeline.pages.parts.shared.services import current_workspace, services
from treeline.pages.parts.shared.text import plain

POLL_SECONDS = 1.0


def main() -> None:
    name, _ = current_workspace()
    runs = runs_of_address()
    running = any(not record.is_finished for record in map(services().store.run, runs) if record is not None)
    # Kept by a callback: what it draws itself stands above the page, and is gone with the next drawing.
    for problem in st.session_state.pop("compare-problems", ()):
        st.error(plain(problem))
    show_form(name, runs, running)
    if not runs:
        st.info("Ask one question under two to five strategies, and see how each finds its tools.")
        return
    # How often a fragment is drawn is settled where it is made: made here, it is drawn no more once
    # nothing runs.
    st.fragment(run_every=POLL_SECONDS if running else None)(draw_runs)(runs, running)


def draw_runs(runs: tuple[str, ...], was_running: bool) -> None:
    """Show the runs as the store has them now."""
    shown: list[ComparedRun] = compare_runs(runs)
    # Only the whole page can make a fragment that is drawn no more, and a form in which Compare can
    # be pressed.
    if was_running and all(each.record.is_finished for each in shown):
        st.rerun()
    show_summary(shown)
    show_turns(shown)
    show_cards(shown)


main()
