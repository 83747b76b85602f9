"""The memory bank on the screen: growth, search, list, export and import; an item or a run beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.bank_exchange import export_items, take_items
from treeline.core.memory.items import BankItem
from treeline.core.teams.bank_history import distillations
from treeline.pages.parts.memory.bank.changes import show_run_changes
from treeline.pages.parts.memory.bank.charts import show_growth
from treeline.pages.parts.memory.bank.item import show_item, show_merge
from treeline.pages.parts.memory.bank.wording import line_of
from treeline.pages.parts.shared.choice import choose_rows, search_words
from treeline.pages.parts.shared.clock import moment_column
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.workbench.team.view import BANK_RUN
from treeline.toolkit.errors import InputError

ITEMS, RUNS = "Items", "What a run changed"
CHOSEN = "bank-items"
_SIDE = "bank-side"
_LEAST_LIKENESS = 0.1


def show_bank() -> None:
    """Show the memory bank."""
    bank = services().bank
    items = bank.items()
    history = distillations(services().store, items)
    wanted = st.session_state.pop(BANK_RUN, None)
    if wanted:
        st.session_state[_SIDE] = RUNS
        st.session_state["bank-run-chosen"] = wanted
    if not items and not history:
        st.info(
            "The bank is empty. Choose the team *Evolver* in the sidebar and ask on the Workbench: "
            "what led to an answer, and what did not, is kept here and helps with later questions."
        )
    left, right = st.columns([7, 6], gap="small")
    with left:
        show_growth(items, history)
        chosen = _browse(bank, items)
        _transfer(bank, items)
    with right:
        part = st.segmented_control(
            "Show",
            [ITEMS, RUNS],
            # Streamlit warns of a default beside a value that the session has.
            default=None if _SIDE in st.session_state else ITEMS,
            required=True,
            label_visibility="collapsed",
            key=_SIDE,
        )
        if part == RUNS:
            show_run_changes(history, items)
        elif len(chosen) > 1:
            show_merge(bank, chosen)
        elif chosen:
            show_item(bank, chosen[0])
        elif items:
            st.caption("Choose an item to see where it comes from; choose several to merge or mute them.")


def search_items(
    bank: MemoryBank, items: Sequence[BankItem], words: str
) -> list[tuple[BankItem, float | None]]:
    """Return the items that hold every word or are like the words, the likest first; all without words."""
    if not words.strip():
        return [(item, None) for item in reversed(items)]
    hits = bank.search(words, len(items), _LEAST_LIKENESS) if items else []
    likeness = {hit.item.key: hit.score for hit in hits}
    wanted = words.casefold().split()
    holding = [i for i in items if all(word in f"{i.kind} {i.topic} {i.text}".casefold() for word in wanted)]
    shown = {item.key for item in items}
    found = {item.key: item for item in [*(hit.item for hit in hits), *holding] if item.key in shown}
    ranked = sorted(found.values(), key=lambda item: -likeness.get(item.key, 0.0))
    return [(item, likeness.get(item.key)) for item in ranked]


def _browse(bank: MemoryBank, items: Sequence[BankItem]) -> list[BankItem]:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words = search_words("Words, or a question: what would it be told?", key="bank-search")
        waiting = [item for item in items if item.review == "proposed" and item.owner == bank.owner]
        only = st.toggle(
            f"To review ({len(waiting)})",
            key="bank-to-review",
            disabled=not waiting,
            help="Lessons of failures, offered for all questions of their kind: accept or reject them.",
        )
    found = search_items(bank, waiting if only and waiting else items, words or "")
    if not found:
        st.caption("No item fits." if items else "")
        return []
    by_key = {item.key: item for item, _ in found}
    chosen = choose_rows(
        [_row(item, score, item.owner == bank.owner) for item, score in found],
        list(by_key),
        CHOSEN,
        height=table_height(len(found), 380),
        alt="Items of the memory bank, the newest first",
        column_config={
            "Kind": st.column_config.TextColumn(width=70),
            "What it says": st.column_config.TextColumn(width=200),
            "Runs": st.column_config.NumberColumn(width=45, help="Runs that it was distilled from"),
            "Used": st.column_config.NumberColumn(width=45, help="Runs that used it"),
            "Helped": st.column_config.NumberColumn(width=55, help="Of these, those that succeeded with it"),
            "Harmed": st.column_config.NumberColumn(width=55, help="Those that failed because of it"),
            "Likeness": st.column_config.ProgressColumn(width=75, min_value=0, max_value=1, format="%.2f"),
            "Learned": moment_column(width=115),
        },
    )
    return [by_key[key] for key in chosen]


def _row(item: BankItem, score: float | None, own: bool) -> dict[str, Any]:
    row = {
        "Kind": item.kind,
        "What it says": line_of(item) if own else f"shared: {line_of(item)}",
        "Runs": len(item.provenance),
        "Used": item.uses,
        "Helped": item.helps,
        "Harmed": item.harms,
    }
    return row | ({"Learned": item.created} if score is None else {"Likeness": max(score, 0.0)})


def _transfer(bank: MemoryBank, items: Sequence[BankItem]) -> None:
    with st.container(horizontal=True, gap="small"):
        offer_download(
            "Export",
            lambda: json.dumps(export_items(items), ensure_ascii=False, indent=1),
            "treeline-memory-bank.json",
            "application/json",
            icon=":material/download:",
            disabled=not items,
            key="bank-export",
        )
        with st.popover("Import", icon=":material/upload:", key="bank-import-part"):
            given = st.file_uploader("An exported file", type="json", key="bank-import", max_upload_size=20)
            if given is not None and st.button("Add its items", type="primary"):
                _take(bank, given.getvalue())


def _take(bank: MemoryBank, text: bytes) -> None:
    try:
        added = take_items(bank, text)
    except InputError as error:
        st.error(plain(error))
        return
    st.success(f"{len(added)} items were added; those that were here already only gained their sources.")
