"""What one run changed in the memory bank: each item before and after it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treeline.core.memory.items import BankItem
from treeline.core.teams.bank_history import Change, Counts, Distillation, Mark, changes
from treeline.pages.parts.memory.bank.wording import show_text
from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.opening import show_run_links
from treeline.pages.parts.shared.text import count_text, plain, shorten, tell_apart

_MARKS: dict[Mark, str] = {"new": "+ new", "confirmed": "≈ confirmed", "used": "→ used"}
_COLOURS: dict[Mark, str] = {"new": "green", "confirmed": "blue", "used": "gray"}


def show_run_changes(history: Sequence[Distillation], items: Sequence[BankItem]) -> None:
    """Show the items that a run added, confirmed and used."""
    if not history:
        st.caption("No run has used or changed the bank yet.")
        return
    newest = list(reversed(history))
    by_run = {each.run: each for each in newest}
    # By a detour: the value of a field can only be set before the field is shown.
    wanted = st.session_state.pop("bank-run-chosen", None)
    if wanted in by_run:
        st.session_state["bank-run-picked"] = wanted
    labels = tell_apart({key: _title(each) for key, each in by_run.items()})
    run = st.selectbox(
        "Run",
        list(by_run),
        format_func=lambda key: labels.get(key, key),
        key="bank-run-picked",
        label_visibility="collapsed",
    )
    each = by_run[run]
    found = changes(history, run, items)
    result = ":green-badge[succeeded]" if each.success else ":orange-badge[did not succeed]"
    st.markdown(f"{result} **{plain(each.question)}**")
    st.caption(
        f"{count_text(len(each.added), 'item')} new, {len(each.confirmed)} confirmed, {len(each.used)} used"
    )
    for change in found:
        _change(change)
    show_run_links([run], key="bank-run")


def _title(each: Distillation) -> str:
    return f"{moment_text(each.time)}  {shorten(each.question, 70)}"


def _change(change: Change) -> None:
    marks = " ".join(f":{_COLOURS[mark]}-badge[{_MARKS[mark]}]" for mark in change.marks)
    kind = change.item.kind if change.item else "merged into another one since"
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"{marks} **{kind}**")
        show_text(change.text)
        before = "not in the bank" if change.before is None else counts_text(change.before)
        st.caption(f"Before: {before} · After: {counts_text(change.after)}")


def counts_text(counts: Counts) -> str:
    """Return what an item had behind it, in a few words."""
    found = f"distilled from {count_text(counts.sources, 'run')}"
    if not counts.uses:
        return found
    return f"{found}, used in {count_text(counts.uses, 'run')}, of which {counts.successes} succeeded"
