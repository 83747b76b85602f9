"""Cards written, edited, restored, taken in and given out."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import streamlit as st

from treeline.core.context.cards import common_cards
from treeline.core.runs.reach import ReachedCards
from treeline.knowledge import TAXONOMY, CardError, TaskCard
from treeline.knowledge.card import cards_to_yaml
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.services import may_work, task_cards
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError

_LISTS = {
    "suggestion": ("Steps, one a line", "The steps that an expert takes", 150),
    "pitfalls": ("Pitfalls, one a line", "What goes wrong, and how to tell", 110),
    "keywords": ("Keywords, one a line", "Words and phrases that questions use", 110),
    "tools": ("Chain of tools, one a line", "Names of tools in the order of their use", 110),
    "roles": ("Variables needed, one a line", "Such as red, nir, lst", 80),
    "references": ("References, one a line", "Author year, journal volume, page", 80),
}
_TOLD = "knowledge-told"
_PARTS = [part for parts in TAXONOMY.values() for part in parts]


def tell(text: str) -> None:
    """Keep a sentence that the next run of the page says."""
    st.session_state[_TOLD] = text


def show_message() -> None:
    """Say what was kept."""
    told = st.session_state.pop(_TOLD, None)
    if told:
        st.toast(plain(told), icon=":material/check:")


def show_editor(card: TaskCard | None, on_saved: Callable[[str], None]) -> None:
    """Show a form for a card, or for a new one; what is saved becomes its newest version."""
    content: dict[str, Any] = card.content() if card else {}
    # With the version: fields of the same keys would go on with what was typed before it was saved.
    name = f"{card.id}-{card.version}" if card else "new"
    with st.form(f"edit-{name}", border=False):
        given: dict[str, Any] = {"id": card.id} if card else {}
        if card is None:
            given["id"] = st.text_input("Id", placeholder="lower_case_with_underscores", key="edit-new-id")
        given["title"] = st.text_input("Title", content.get("title", ""), key=f"edit-{name}-title")
        given["sub_domain"] = st.selectbox(
            "Sub-domain", _PARTS, _PARTS.index(card.sub_domain) if card else 0, key=f"edit-{name}-part"
        )
        given["definition"] = st.text_area(
            "Definition", content.get("definition", ""), height=110, key=f"edit-{name}-definition"
        )
        for field, (label, help_text, height) in _LISTS.items():
            text = st.text_area(
                label,
                "\n".join(content.get(field, ())),
                height=height,
                help=help_text,
                key=f"edit-{name}-{field}",
            )
            given[field] = [line.strip() for line in text.splitlines() if line.strip()]
        label = "Save as a new version" if card else "Save the new card"
        cards = task_cards()
        if isinstance(cards, ReachedCards):
            st.caption(
                "What you save is for everybody."
                if card and cards.is_for_all(card.id)
                else "What you save is your own; others read it where you share it."
            )
        if st.form_submit_button(label, type="primary", icon=":material/save:"):
            _save(given, card, on_saved)


def _save(given: dict[str, Any], before: TaskCard | None, on_saved: Callable[[str], None]) -> None:
    library = task_cards()
    try:
        card = TaskCard.from_content(given)
        if before is None and any(card.id == other.id for other in library.cards()):
            raise CardError(f"There is a card {card.id!r} already.", "Edit that one, or take another id.")
        # The form knows no version, so that what was left as it is differs from the card by that alone.
        if before is not None and card.model_copy(update={"version": before.version}) == before:
            raise CardError("Nothing was changed.", "Change a field, then save.")
        saved = library.save(card)
    except TreelineError as error:
        st.error(plain(error))
        return
    tell(f"{saved.title}: version {saved.version} is saved.")
    on_saved(saved.id)
    st.rerun()


def show_removal(card: TaskCard, on_removed: Callable[[], None]) -> None:
    """Offer to delete a card that was written or edited here; nothing for one that is built in."""
    library = task_cards()
    for_all = isinstance(library, ReachedCards) and library.is_for_all(card.id)
    kept = common_cards() if for_all else library
    if card.id not in kept.own_ids():
        return
    below = kept.is_below(card.id)
    with st.popover("Delete", icon=":material/delete:", key="card-delete"):
        told = "The one that was there before the edits takes its place." if below else "It is gone for good."
        whose = " All lose it." if for_all else ""
        st.markdown(f"Delete **{plain(card.title)}** with all its versions?{whose} {told}")
        if st.button("Delete it", type="primary", key=f"card-delete-{card.id}"):
            try:
                library.remove(card.id)
            except TreelineError as error:
                st.error(plain(error))
                return
            tell(f"{card.title} is deleted.")
            if not below:
                on_removed()
            st.rerun()


def show_versions(card: TaskCard, on_saved: Callable[[str], None]) -> None:
    """Show the versions of a card, what each changed, and a way back to an older one."""
    versions = task_cards().versions(card.id)
    if len(versions) == 1:
        st.caption("This card was never edited.")
    for position in range(len(versions) - 1, -1, -1):
        version = versions[position]
        newest = position == len(versions) - 1
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**Version {version.version}** {plain(version.title)}")
            if not newest and st.button("Restore", key=f"restore-{version.version}", icon=":material/undo:"):
                _restore(card.id, version.version, on_saved)
        if position:
            st.code(difference(versions[position - 1], version), language="diff", wrap_lines=True)


def _restore(card_id: str, version: int, on_saved: Callable[[str], None]) -> None:
    try:
        saved = task_cards().restore(card_id, version)
    except TreelineError as error:
        st.error(plain(error))
        return
    tell(f"Version {version} is restored as version {saved.version}.")
    on_saved(card_id)
    st.rerun()


def difference(before: TaskCard, after: TaskCard) -> str:
    """Return the lines in which two versions differ besides their number, as a unified diff."""
    old, new = (
        cards_to_yaml([card.model_copy(update={"version": 1})]).splitlines() for card in (before, after)
    )
    lines = list(difflib.unified_diff(old, new, lineterm="", n=0))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def show_exchange(card: TaskCard | None) -> None:
    """Show the ways out and in: cards as YAML."""
    library = task_cards()
    offer_download("All cards", library.export, "cards.yaml", "application/yaml", icon=":material/download:")
    if card is not None:
        offer_download(
            "This card",
            lambda: cards_to_yaml([card]),
            f"{card.id}.yaml",
            "application/yaml",
            icon=":material/download:",
        )
    if not may_work():
        return
    file = st.file_uploader(
        "Cards to import (YAML)", type=["yaml", "yml"], key="cards-file", max_upload_size=4
    )
    if file is not None and st.button("Take in", type="primary", icon=":material/upload:"):
        try:
            added = library.add(file.getvalue().decode("utf-8"))
        except UnicodeDecodeError:
            st.error("The file is not text in UTF-8.")
        except TreelineError as error:
            st.error(plain(error))
        else:
            tell(f"Imported: {len(added)}. What was here already, unchanged, was skipped.")
            st.rerun()
