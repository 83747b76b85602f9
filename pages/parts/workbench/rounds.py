"""The rounds of a run: which of them is looked at."""

from __future__ import annotations

import streamlit as st

from treeline.core.memory.rounds import Round, rounds_of, shown_run
from treeline.core.record.store import Store
from treeline.pages.parts.shared.text import plain, shorten


def show_round_picker(store: Store, run: str) -> str:
    """Show the rounds of a run, where it has some; return the run whose steps are to be shown."""
    rounds = rounds_of(store, run)
    shown = shown_run(store, run)
    if not rounds:
        return shown
    names = {each.run: _name(each) for each in rounds}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rounds-row"):
        # A new round is another widget, so that it is shown as soon as it begins.
        chosen = st.pills(
            "Round",
            list(names),
            default=shown,
            format_func=names.__getitem__,
            label_visibility="collapsed",
            key=f"round-of-{run}-{len(rounds)}-{shown}",
        )
        _show_reason(next(each for each in rounds if each.run == (chosen or shown)))
    return chosen or shown


def _name(each: Round) -> str:
    if each.judgement is None:
        return f"Round {each.number} …"
    return f"Round {each.number} {'✓' if each.is_success else '✕'}"


def _show_reason(each: Round) -> None:
    if each.judgement is None or not each.judgement.is_failure:
        return
    st.caption(f":orange[{plain(shorten(each.judgement.issue, 150))}]")
    if st.button("What was learned", type="tertiary", icon=":material/lightbulb:", key=f"learned-{each.run}"):
        st.session_state["memory-entry"] = each.judgement.entry
        st.switch_page("memory.py", query_params={"entry": each.judgement.entry})
