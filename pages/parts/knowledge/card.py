"""One task card: what it says, its chain over the skill tree, and a question asked with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from treeline.core.runs.reach import ReachedCards
from treeline.knowledge import TaskCard
from treeline.pages.parts.knowledge.charts import show_chain
from treeline.pages.parts.knowledge.edit import show_editor, show_removal, show_versions
from treeline.pages.parts.map.area import session_area_option
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.services import current_workspace, may_work, services, task_cards
from treeline.pages.parts.shared.session import pending_start
from treeline.pages.parts.shared.sharing import show_sharing
from treeline.pages.parts.shared.sidebar import chosen_options
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError

CHOSEN = "knowledge-card"
BODY_HEIGHT = 640


def choose(card: str | None) -> None:
    """Show a card; none for the part that was chosen."""
    st.session_state[CHOSEN] = card


def show_card(card: TaskCard) -> None:
    """Show a card with all that can be done with it."""
    st.markdown(f"## {plain(card.title)}")
    cards = task_cards()
    kept = len(cards.versions(card.id))
    thing = cards.thing(card.id) if isinstance(cards, ReachedCards) else None
    st.caption(
        f"{plain(card.domain)} › {plain(card.sub_domain)} · `{card.id}` · version {card.version} of {kept}"
        + (f" · yours, {thing.visibility}" if thing else "")
    )
    _ask(card)
    if not may_work():
        with st.container(height=BODY_HEIGHT, border=False, gap="small", key="card-body"):
            _show(card)
        return
    names = ["Card", "Edit", f"Versions ({kept})", *(["Share"] if thing else [])]
    read, edit, versions, *share = st.tabs(names, key="card-tabs")
    with read.container(height=BODY_HEIGHT, border=False, gap="small", key="card-body"):
        _show(card)
    with edit.container(height=BODY_HEIGHT, border=False, key="card-edit"):
        show_editor(card, choose)
        show_removal(card, lambda: choose(None))
    with versions.container(height=BODY_HEIGHT, border=False, key="card-versions"):
        show_versions(card, choose)
    if thing:
        with share[0].container(height=BODY_HEIGHT, border=False, key="card-share"):
            show_sharing("card", thing.id)


def _ask(card: TaskCard) -> None:
    with (
        st.form("ask-with-card", border=False),
        st.container(horizontal=True, vertical_alignment="center", gap="xsmall"),
    ):
        question = st.text_input(
            "Question with this card",
            key="card-question",
            label_visibility="collapsed",
            placeholder=f"Ask about {card.keywords[0]} in the workspace, by this card",
        )
        if st.form_submit_button("Ask with this card", type="primary", icon=":material/play_arrow:"):
            _start(card, question)


def _start(card: TaskCard, question: str) -> None:
    name, workspace = current_workspace()
    options = replace(chosen_options(), card=card.id, aoi=session_area_option(workspace))
    endpoint, new = session_endpoint(), pending_start()
    try:
        new.begin(partial(services().manager.start, name, question, options, endpoint))
    except TreelineError as error:
        st.error(plain(error))
        return
    st.switch_page("workbench.py", query_params={"run": new.name})


def _show(card: TaskCard) -> None:
    st.markdown(plain(card.definition))
    if card.tools:
        st.markdown("**Chain of tools**")
        show_chain(services().tree, card.tools)
    steps, pitfalls = st.columns(2, gap="medium")
    with steps:
        st.markdown("**Steps**")
        st.markdown("\n".join(f"{number}. {plain(step)}" for number, step in enumerate(card.suggestion, 1)))
    with pitfalls:
        st.markdown("**Pitfalls**")
        st.markdown(_bullets(card.pitfalls))
        if card.roles:
            st.markdown(f"**Needs** {' '.join(f'`{role}`' for role in card.roles)}")
    st.markdown("**Keywords** " + " ".join(f":gray-badge[{plain(word)}]" for word in card.keywords))
    if card.references:
        st.markdown("**References**")
        st.markdown(_bullets(card.references))


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines)
