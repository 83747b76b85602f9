"""The entries of the failure memory as a list; undo, export and import."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from treeline.core.memory.entries import Entry
from treeline.core.memory.failure import FailureMemory
from treeline.pages.parts.shared.choice import choose_row, search_words
from treeline.pages.parts.shared.clock import moment_column
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import may_work
from treeline.pages.parts.shared.text import plain, shorten
from treeline.toolkit.errors import InputError

CHOSEN = "memory-entry"
UNDO = "memory-undo"
_STATES = (("pinned", "📌"), ("muted", "🔇"), ("shared", "👥"), ("deleted", "🗑"))


def show_list(entries: list[Entry]) -> str | None:
    """Show the entries that fit the search; return the one that was chosen just now."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words = search_words("Search questions and reflections", key="memory-search")
        st.toggle("Deleted", key="memory-with-deleted", help="Show deleted entries, to bring one back.")
    found = [entry for entry in entries if fits(entry, words)]
    if not found:
        st.caption("No entry fits." if entries else "")
        return None
    return choose_row(
        [_row(entry) for entry in found],
        [entry.id for entry in found],
        CHOSEN,
        height=table_height(len(found), 300),
        alt="Memory entries, newest first",
        column_config={
            "Learned": moment_column(width=115),
            "Question": st.column_config.TextColumn(width=105),
            "What failed": st.column_config.TextColumn(width=80),
            "Used": st.column_config.NumberColumn(width=42),
            "Helped": st.column_config.NumberColumn(width=50),
            "Harmed": st.column_config.NumberColumn(width=52),
            "": st.column_config.TextColumn(width=40),
        },
    )


def fits(entry: Entry, words: str | None) -> bool:
    """Return whether an entry has every word in its question, its reflection or its signs."""
    signs = " ".join(str(issue.get("sign", "")) for issue in entry.lesson.issues)
    text = f"{entry.question} {entry.lesson.text} {signs}".casefold()
    return all(word in text for word in (words or "").casefold().split())


def _row(entry: Entry) -> dict[str, Any]:
    signs = dict.fromkeys(str(issue.get("sign", "")).replace("_", " ") for issue in entry.lesson.issues)
    return {
        "Learned": entry.created,
        "Question": shorten(entry.question, 120),
        "What failed": ", ".join(signs),
        "Used": entry.uses,
        "Helped": entry.helped,
        "Harmed": entry.harmed,
        "": "".join(sign for name, sign in _STATES if getattr(entry, name)),
    }


def show_undo(memory: FailureMemory) -> None:
    """Offer to bring back what was deleted just now."""
    deleted = st.session_state.get(UNDO)
    # The row is always there, so that nothing below it is drawn anew when it fills.
    with st.container(horizontal=True, vertical_alignment="center", key="memory-undo-row"):
        if not deleted:
            return
        st.markdown(":material/delete: The entry was deleted.")
        st.button("Undo", icon=":material/undo:", on_click=_undo, args=(memory, deleted))


def _undo(memory: FailureMemory, entry: str) -> None:
    st.session_state[UNDO] = None
    memory.mark(entry, deleted=False)


def show_transfer(memory: FailureMemory, entries: list[Entry]) -> None:
    """Offer the entries as a file, and take entries from one."""
    with st.container(horizontal=True, gap="small"):
        offer_download(
            "Export",
            lambda: json.dumps(memory.export(), ensure_ascii=False, indent=1),
            "treeline-memory.json",
            "application/json",
            icon=":material/download:",
            disabled=not entries,
        )
        if not may_work():
            return
        with st.popover("Import", icon=":material/upload:"):
            given = st.file_uploader("An exported file", type="json", key="memory-import", max_upload_size=20)
            if given is not None and st.button("Add its entries", type="primary"):
                _take(memory, given.getvalue())


def _take(memory: FailureMemory, text: bytes) -> None:
    try:
        added = memory.take(text)
    except InputError as error:
        st.error(plain(error))
        return
    st.success(f"{len(added)} entries were added; those that were here already were skipped.")
