"""Knowledge: the task cards by domain, searched, read, asked with, edited, taken away and brought in."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treeline.core.context.cards import search_of
from treeline.knowledge import TAXONOMY, TaskCard
from treeline.knowledge.retrieval import THRESHOLD
from treeline.pages.parts.knowledge.card import CHOSEN, choose, show_card
from treeline.pages.parts.knowledge.charts import show_scores, show_taxonomy
from treeline.pages.parts.knowledge.edit import show_editor, show_exchange, show_message
from treeline.pages.parts.shared.choice import choose_row, search_words
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import may_work, task_cards
from treeline.pages.parts.shared.text import plain, shorten
from treeline.toolkit.errors import TreelineError

PART, NEW = "knowledge-part", "knowledge-new"
CHART_HEIGHT = 690
MOST_FOUND = 12
_NUMBERS = {"Score": 50, "Cosine": 55, "Title": 48, "Keywords": 70, "Content": 62}
_WIDTHS = {"Card": st.column_config.TextColumn(width=135)} | {
    name: st.column_config.NumberColumn(format="%.2f", width=width) for name, width in _NUMBERS.items()
}


def main() -> None:
    show_message()
    library = task_cards()
    cards = library.cards()
    for problem in library.problems:
        st.warning(plain(problem))
    chosen = _chosen_card(cards)
    left, right = st.columns(2, gap="medium")
    with left:
        words = _head(chosen)
        if words:
            _show_matches(words)
        else:
            _browse(cards)
    with right:
        if st.session_state.get(NEW):
            _new()
        elif chosen is not None:
            show_card(chosen)
        else:
            _part(cards, st.session_state.get(PART))


def _chosen_card(cards: Sequence[TaskCard]) -> TaskCard | None:
    """Return the card of the session or of the address."""
    # The address counts only until the session has an entry: a click that leaves a card sets none, while the
    # address still names it.
    wanted = st.session_state.get(CHOSEN, st.query_params.get("card"))
    card = next((card for card in cards if card.id == wanted), None)
    if card is None:
        st.query_params.pop("card", None)
        return None
    st.session_state[CHOSEN] = card.id
    st.query_params["card"] = card.id
    return card


def _head(chosen: TaskCard | None) -> str:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        words = search_words("A question, or words of one", key="card-search")
        if may_work():
            st.button("New card", icon=":material/add:", on_click=_begin)
        with st.popover("Files", icon=":material/swap_vert:", help="Export and import"):
            show_exchange(chosen)
    return (words or "").strip()


def _begin() -> None:
    st.session_state[NEW] = True


def _open(name: str) -> None:
    """Show what was clicked: a domain, a sub-domain or a card."""
    st.session_state[NEW] = False
    parts = {*TAXONOMY, *(part for parts in TAXONOMY.values() for part in parts)}
    if name in parts:
        st.session_state[PART] = name
        choose(None)
    else:
        choose(name)


def _browse(cards: Sequence[TaskCard]) -> None:
    chart, table = st.tabs(["Chart", "List"], key="cards-view")
    with chart:
        show_taxonomy(cards, _open, height=CHART_HEIGHT)
    with table:
        choose_row(
            [{"Sub-domain": c.sub_domain, "Card": c.title, "Version": c.version} for c in cards],
            [card.id for card in cards],
            CHOSEN,
            _open,
            column_config={"Sub-domain": st.column_config.TextColumn(width=150)},
            height=table_height(len(cards), CHART_HEIGHT),
            alt="Task cards",
        )


def _show_matches(words: str) -> None:
    try:
        search = search_of(task_cards())
        matches = search.search(words, MOST_FOUND)
    except TreelineError as error:
        st.error(plain(error))
        return
    if not matches:
        st.info(f"No card fits above a score of {THRESHOLD:g}. Other words may.")
        return
    show_scores(matches, search.cards, _open)
    choose_row(
        [
            {
                "Card": search.cards[m.id].title,
                "Score": m.score,
                "Cosine": m.cosine,
                "Title": m.title,
                "Keywords": m.keywords,
                "Content": m.content,
                "Keywords found": ", ".join(m.matched),
            }
            for m in matches
        ],
        [m.id for m in matches],
        CHOSEN,
        _open,
        column_config=_WIDTHS,
        height=table_height(len(matches), 330),
        alt="Cards found, the score taken apart",
    )


def _new() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("## A new card")
        if st.button("Cancel", icon=":material/close:"):
            st.session_state[NEW] = False
            st.rerun()
    show_editor(None, _open)


def _part(cards: Sequence[TaskCard], part: str | None) -> None:
    shown = [card for card in cards if part is None or part in (card.domain, card.sub_domain)]
    st.markdown(f"## {plain(part or 'All cards')}")
    st.caption(f"{len(shown)} cards. Choose one to read it or to ask with it.")
    with st.container(height=CHART_HEIGHT, border=False, gap="xsmall", key="part-cards"):
        for card in shown:
            st.button(
                plain(card.title),
                key=f"open-{card.id}",
                type="tertiary",
                icon=":material/menu_book:",
                on_click=_open,
                args=(card.id,),
            )
            st.caption(plain(shorten(card.definition, 150)))


main()
