"""An item of the memory bank: what it says, what it holds for, how it fared; review, upkeep, merging."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from treeline.core.access import acting_person, in_team
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.entries import current_user
from treeline.core.memory.items import BankItem, Review
from treeline.pages.parts.memory.bank.editing import show_editing
from treeline.pages.parts.memory.bank.wording import REVIEWS, headline, show_text
from treeline.pages.parts.shared.clock import moment_text
from treeline.pages.parts.shared.opening import show_run_links
from treeline.pages.parts.shared.services import may_teach
from treeline.pages.parts.shared.sharing import show_sharing
from treeline.pages.parts.shared.text import count_text, plain, shorten

_ICONS = {"pattern": "route", "guardrail": "shield", "contrast": "compare"}
_MEANINGS = {
    "pattern": "What led to an answer that was verified.",
    "guardrail": "What failed, and why.",
    "contrast": "What ways that succeeded had in common, and others lacked.",
}


def show_item(bank: MemoryBank, item: BankItem) -> None:
    """Show an item with its review and its upkeep."""
    badge, meaning = REVIEWS[item.review]
    st.markdown(f":material/{_ICONS[item.kind]}: **{item.kind}** {badge} :gray[{_MEANINGS[item.kind]}]")
    st.markdown(
        f":gray[Distilled from] **{count_text(len(item.provenance), 'run')}** · "
        f":gray[used in] **{count_text(item.uses, 'run')}** · "
        f":gray[helped] **{item.helps}** · :gray[harmed] **{item.harms}**"
    )
    if item.review == "proposed":
        st.caption(f":orange[{meaning}]")
    if item.muted:
        why = " It harmed twice." if item.harms else ""
        st.caption(f":orange[Muted: no run is given it.{why}]")
    own = item.owner == bank.owner
    if own:
        _upkeep(bank, item)
    else:
        st.caption(f"Shared by {plain(item.owner)}, who alone can change it.")
    names = ["What it says", "Key", *(["Edit"] if own else [])]
    told, key, *edit = st.tabs(names, key=f"bank-tabs-{item.key}")
    with told:
        _show_item(item)
    with key:
        _key(item)
    if own:
        with edit[0]:
            show_editing(bank, item)


def _upkeep(bank: MemoryBank, item: BankItem) -> None:
    with st.container(horizontal=True, gap="xsmall", key="bank-upkeep"):
        _review(bank, item, "accepted", "Accept", "check", "From now on runs use it.")
        _review(bank, item, "rejected", "Reject", "close", "No run uses it; it is kept as a warning.")
        st.button(
            "Unmute" if item.muted else "Mute",
            icon=":material/volume_off:",
            key=f"bank-mute-{item.key}",
            on_click=bank.mute,
            args=(item.key, not item.muted),
            help="No run uses a muted item.",
        )
        st.button(
            "Delete",
            icon=":material/delete:",
            key=f"bank-delete-{item.key}",
            on_click=bank.remove,
            args=(item.key,),
            help="For good; an export keeps it.",
        )
        if in_team() and may_teach():
            with st.popover("Share", icon=":material/group_add:", key="bank-share"):
                show_sharing("item", item.key)


def _review(bank: MemoryBank, item: BankItem, review: Review, label: str, icon: str, told: str) -> None:
    if item.review != review:
        st.button(
            label,
            icon=f":material/{icon}:",
            key=f"bank-{review}-{item.key}",
            on_click=bank.judge,
            args=(item.key, review, acting_person().id or current_user()),
            help=told,
        )


def _show_item(item: BankItem) -> None:
    show_text(item.text)
    if item.procedure and str(item.procedure) not in item.text:
        st.markdown("**The procedure**")
        st.code(str(item.procedure), language=None, wrap_lines=True)
    for rule in item.guardrails:
        if str(rule) in item.text:
            continue
        st.markdown(f":material/shield: {plain(rule)} :gray[{plain(rule.reason)}]")
    st.markdown("**Distilled from**")
    show_run_links(item.provenance, key=f"bank-{item.key}")
    learned = f"Learned {moment_text(item.created)}" if item.created else ""
    reviewed = f"{item.review} by {item.reviewer}" if item.review != "proposed" else ""
    st.caption(plain(" · ".join(filter(None, (learned, reviewed)))))


def _key(item: BankItem) -> None:
    st.markdown("**Learned from the question**")
    st.code(item.topic, language=None, wrap_lines=True)
    if not item.expression:
        st.caption("It has no key: a language model finds it by its words, the planner does not use it.")
        return
    st.markdown("**The expression of its questions**")
    st.caption(
        "Statistic, direction, operators, units and how many periods there are must agree; what stands in "
        "<…> is a parameter: a day, a limit, a name."
    )
    st.code(
        json.dumps(json.loads(item.expression), ensure_ascii=False, indent=1),
        language=None,
        wrap_lines=True,
        height=320,
    )


def show_merge(bank: MemoryBank, items: Sequence[BankItem]) -> None:
    """Offer to join several items of the owner's into one, or to mute them together."""
    if any(item.owner != bank.owner for item in items):
        st.caption("Some of these belong to others, who alone can merge or mute them. Choose your own.")
        return
    st.markdown(f"**{len(items)} items chosen**")
    keys = [item.key for item in items]
    texts = {item.key: f"{item.kind}: {plain(shorten(headline(item), 240))}" for item in items}
    kept = st.radio(
        "Keep the words of", keys, format_func=texts.__getitem__, key=f"bank-keep-{'-'.join(keys)}"
    )
    st.caption("The one that is kept takes over the sources and counts of the others, which go.")
    if len({item.kind for item in items}) > 1:
        st.caption(":orange[They are of different kinds.]")
    if len({item.expression for item in items}) > 1:
        st.caption(":orange[They hold for different questions.]")
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
