"""Memory: what was learned from failures and how they were mended; what runs distilled into the bank."""

from __future__ import annotations

import streamlit as st

from treeline.core.memory.entries import Entry
from treeline.core.memory.failure import FailureMemory
from treeline.pages.parts.memory.bank.view import show_bank
from treeline.pages.parts.memory.charts import show_rounds_chart, show_timeline
from treeline.pages.parts.memory.entries import CHOSEN, show_list, show_transfer, show_undo
from treeline.pages.parts.memory.entry import show_entry
from treeline.pages.parts.shared.services import may_work, services

_MOST_SHOWN = 1_000
FAILURES, BANK = "Failures", "Memory bank"
_PARTS = {
    FAILURES: "What failed at a question, and what its next attempt is advised.",
    BANK: "What runs of the evolver team left for later questions of the same kind.",
}


def main() -> None:
    if _part() == BANK:
        show_bank()
    else:
        _failures()


def _part() -> str:
    # Of use while the control is new; afterwards what is chosen in it counts, whatever the address says.
    asked = BANK if "bank" in st.query_params else FAILURES
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        part = st.segmented_control(
            "Memory",
            list(_PARTS),
            default=asked,
            required=True,
            label_visibility="collapsed",
            key="memory-part",
        )
        st.caption(_PARTS[part])
    return part


def _failures() -> None:
    store, memory = services().store, services().memory
    show_undo(memory)
    entries = memory.entries(deleted=bool(st.session_state.get("memory-with-deleted")), limit=_MOST_SHOWN)
    if len(entries) == _MOST_SHOWN:
        st.caption(f"The newest {_MOST_SHOWN:,} entries are shown; an export holds all.")
    left, right = st.columns([5, 7], gap="small")
    with left:
        entry = _browse(memory, entries)
    with right:
        if entry is None:
            _explain(bool(entries))
        else:
            show_entry(memory, entry, store)


def _browse(memory: FailureMemory, entries: list[Entry]) -> Entry | None:
    time, rounds = st.tabs(["Timeline", "By round"])
    with time:
        show_timeline(entries)
    with rounds:
        show_rounds_chart(services().store)
    chosen = show_list(entries)
    show_transfer(memory, entries)
    if chosen is not None:
        st.query_params["entry"] = chosen
    wanted = st.session_state.get(CHOSEN) or st.query_params.get("entry")
    return next((entry for entry in entries if entry.id == wanted), None)


def _explain(any_entry: bool) -> None:
    if any_entry:
        st.caption(
            "Choose an entry to see what failed, what was learned, and what changed in the next round."
        )
        return
    if not may_work():
        st.info("Nothing that was learned is shared with you yet.")
        return
    st.info(
        "Nothing was learned yet. Set *Rounds* above 1 in the sidebar and ask a question on the Workbench: "
        "an attempt that shows a sign of failure leaves an entry here, and is tried again with it."
    )


main()
