"""The task cards of the home: searched for a question, and put into the context of its run."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeline.core.context.names import AUTO, NONE, PASSAGES
from treeline.core.engine.events import Note
from treeline.core.settings import cache_folder, embedder_setting, home
from treeline.knowledge import CardLibrary, CardMatch, CardSearch, EmbedderMissing, TaskCard, open_search
from treeline.toolkit import registry

CONTEXT_PART = "cards"
# A decision: about as long together as a card's guidance.
PASSAGES_TOLD = 3
_CHOSEN = "card"

_searches: dict[tuple[str, str, tuple[TaskCard, ...]], CardSearch] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ChosenCard:
    """The card of a run and why it is there.

    Attributes
    ----------
    match : CardMatch, optional
        The parts of its score; ``None`` for a card that a person chose.
    """

    card: TaskCard
    match: CardMatch | None = None

    @property
    def context(self) -> dict[str, str]:
        """What it adds to the context of a run."""
        return {CONTEXT_PART: self.card.guidance}

    @property
    def note(self) -> Note:
        """The event that records it."""
        score = f"score {self.match.score:.2f}" if self.match else "chosen"
        told = {"id": self.card.id, "title": self.card.title, "version": self.card.version}
        found = self.match.as_dict() if self.match else None
        return Note(f"Card: {self.card.title} ({score})", {_CHOSEN: {**told, "match": found}})


def card_library() -> CardLibrary:
    """Return the cards of the home, whose chains may name the tools that there are."""
    return CardLibrary(home() / "cards", [tool.name for tool in registry()])


def card_search() -> CardSearch:
    """Return a search of the home's cards as they are now.

    Raises
    ------
    EmbedderMissing
        ``TREELINE_EMBEDDER`` names an embedder that is not to be had.
    """
    setting, folder = embedder_setting(), cache_folder()
    cards = tuple(card_library().cards())
    key = (str(folder), setting, cards)
    with _lock:
        if key not in _searches:
            _searches.clear()
            _searches[key] = open_search(cards, folder, setting)
        return _searches[key]


def card_for(question: str, wanted: str = AUTO) -> ChosenCard | None:
    """Return the card that a question is worked on with.

    Parameters
    ----------
    wanted : str
        ``auto`` for the best above the threshold, ``none``, or the id of a card.

    Raises
    ------
    CardError
        There is no card of that id; with the nearest.
    EmbedderMissing
        The best is to be found, and the embedder that is set is not to be had.
    """
    if wanted == NONE:
        return None
    if wanted != AUTO:
        return ChosenCard(card_library().get(wanted))
    search = card_search()
    found = search.search(question)
    return ChosenCard(search.cards[found[0].id], found[0]) if found else None


def card_of_run(question: str, wanted: str, context: Mapping[str, str]) -> tuple[dict[str, str], list[Note]]:
    """Return what cards add to the context of a run, and the events that say so.

    A run that was handed a card keeps it. Without an embedder the run goes on without a card.
    """
    if CONTEXT_PART in context:
        return {}, []
    try:
        if wanted == PASSAGES:
            found = nearest_passages(question, card_search())
            return {CONTEXT_PART: "\n\n".join(found)}, [Note(f"{len(found)} passages of cards are told.")]
        chosen = card_for(question, wanted)
    except EmbedderMissing as error:
        return {}, [Note(f"No card was looked for: {error}")]
    return (chosen.context, [chosen.note]) if chosen else ({}, [])


def nearest_passages(question: str, search: CardSearch) -> list[str]:
    """Return the passages of all cards that are nearest to a question, whatever card they are of.

    Simple retrieval, which RSMem (appendix A.11) compares its cards with: no threshold, no words, no order.
    """
    cards = search.cards.values()
    passages = [text for card in cards for text in (card.definition, " ".join(card.suggestion))]
    if not passages:
        return []
    likeness = search.embedder.embed(passages) @ search.embedder.embed([question])[0]
    best = sorted(range(len(passages)), key=lambda place: (-likeness[place], place))[:PASSAGES_TOLD]
    return [passages[place] for place in best]


def card_of_note(note: Note) -> dict[str, Any] | None:
    """Return the card that a note records: id, title, version, match; ``None`` for another note."""
    return note.data.get(_CHOSEN)
