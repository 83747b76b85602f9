"""An item of the memory bank: what it says, where it comes from, how it fared; merging several."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treeline.core.memory.bank import BankItem, MemoryBank
from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.opening import show_run_links
from treeline.pages.parts.shared.text import count_text, plain, shorten

_ICONS = {"pattern": "route", "guardrail": "shield", "contrast": "compare"}
_MEANINGS = {
    "pattern": "What led to an answer that was verified.",
    "guardrail": "What failed, and why.",
    "contrast": "What ways that succeeded had in common, and others lacked.",
}


def show_item(bank: MemoryBank, item: BankItem) -> None:
    """Show an item with its upkeep."""
    st.markdown(f":material/{_ICONS[item.kind]}: **{item.kind}** :gray[{_MEANINGS[item.kind]}]")
    st.markdown(plain(item.text))
    rate = f", of which {item.helps / item.uses:.0%} succeeded" if item.uses else ""
    st.markdown(
        f":gray[Distilled from] **{count_text(len(item.provenance), 'run')}** · "
        f":gray[used in] **{count_text(item.uses, 'run')}**{rate}"
    )
    if item.muted:
        st.caption(":orange[Muted: no run is given it.]")
    st.button(
        "Unmute" if item.muted else "Mute", icon=":material/volume_off:", key=f"bank-mute-{item.key}",
        on_click=bank.mute, args=(item.key, not item.muted), help="A muted item enters no run.",
    )  # fmt: skip
    st.markdown("**Found for questions like**")
    st.code(item.topic, language=None, wrap_lines=True)
    if item.procedure:
        st.markdown("**As the planner reads it**")
        st.code(str(item.procedure), language=None, wrap_lines=True)
    st.markdown("**Distilled from**")
    show_run_links(item.provenance, key=f"bank-{item.key}")
    if item.created:
        st.caption(f"Learned {moment_text(item.created)}")


def show_merge(bank: MemoryBank, items: Sequence[BankItem]) -> None:
    """Offer to join several items into one, or to mute them together."""
    st.markdown(f"**{len(items)} items chosen**")
    keys = [item.key for item in items]
    texts = {item.key: f"{item.kind}: {plain(shorten(item.text, 240))}" for item in items}
    kept = st.radio(
        "Keep the words of", keys, format_func=texts.__getitem__, key=f"bank-keep-{'-'.join(keys)}"
    )
    st.caption("The one that is kept takes over the sources and counts of the others, which go.")
    if len({item.kind for item in items}) > 1:
        st.caption(":orange[They are of different kinds.]")
    with st.container(horizontal=True, gap="small"):
        if st.button("Merge", type="primary", icon=":material/merge:", key="bank-merge"):
            bank.merge(kept, keys)
            st.rerun()
        muted = all(item.muted for item in items)
        if st.button(
            "Unmute all" if muted else "Mute all", icon=":material/volume_off:", key="bank-mute-all"
        ):
            for key in keys:
                bank.mute(key, not muted)
            st.rerun()
