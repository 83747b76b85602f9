"""The task cards of the home: searched for a question, and put into the context of its run."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeline.core.context.names import AUTO, CARDS_FOLDER, NONE, PASSAGES
from treeline.core.context.subject import Subject
from treeline.core.engine.events import Note
from treeline.core.home import cache_folder, home
from treeline.core.record.ownership import Ownership
from treeline.core.record.store import Store
from treeline.core.settings import embedder_setting
from treeline.knowledge import CardLibrary, CardMatch, CardSearch, EmbedderMissing, TaskCard, open_search
from treeline.toolkit import registry

CONTEXT_PART = "cards"
# A decision: about as long together as a card's guidance.
PASSAGES_TOLD = 3
_CHOSEN = "card"
_SHELF = re.compile(r"^of-[0-9a-f]{16}$")
# Of people who have cards of their own each has another; most have none, and share one.
_MOST_SEARCHES = 4

_searches: dict[tuple[str, tuple[TaskCard, ...]], CardSearch] = {}
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


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards that a person is given.

    On a server of a team these are the common ones, those that are shared with the person, and the person's
    own, which are kept apart.

    Attributes
    ----------
    store : Store, optional
        Says what is shared with whom; without it, or without a person, there are the common cards.
    person : str
        Identity of the person; empty for the one of a local server.
    """

    store: Store | None = None
    person: str = ""

    def library(self) -> CardLibrary:
        """Return all that the person may read and choose."""
        return self._own(below=self.of_others())

    def cards_for_runs(self) -> CardLibrary:
        """Return those that a run may be given unasked: none that somebody shares with the person alone."""
        return self._own(below=self._of_everybody())

    def of_others(self) -> CardLibrary:
        """Return what the person may read and did not write."""
        return self._add_shared_by_hand(self._of_everybody())

    def search(self) -> CardSearch:
        """Return a search of all that the person may read; see :func:`search_of`."""
        return search_of(self.library())

    def _of_everybody(self) -> CardLibrary:
        library = common_cards()
        for shelf, ids in self._shelves(to_all=True).items():
            library = CardLibrary(home() / CARDS_FOLDER / shelf, tool_names(), library, ids)
        return library

    def _add_shared_by_hand(self, library: CardLibrary) -> CardLibrary:
        """Add what is shared with the person, but nothing in place of a card that all have."""
        taken = {card.id for card in library.cards()}
        for shelf, ids in self._shelves(to_all=False).items():
            # A person who shares a card by hand must not thereby change what a run of another one is told
            # under its name.
            library = CardLibrary(home() / CARDS_FOLDER / shelf, tool_names(), library, ids - taken)
            taken |= ids
        return library

    def _own(self, below: CardLibrary) -> CardLibrary:
        return CardLibrary(folder_of(self.person), tool_names(), below) if self.person else below

    def _shelves(self, *, to_all: bool) -> dict[str, frozenset[str]]:
        """Return the ids of the cards of others that are shared, by where they are kept."""
        if self.store is None or not self.person:
            return {}
        found: dict[str, set[str]] = {}
        for name, with_all in Ownership(self.store).names_shared_with("card", self.person).items():
            shelf, _, card = name.partition("/")
            if with_all is to_all and _SHELF.match(shelf) and shelf != shelf_of(self.person):
                found.setdefault(shelf, set()).add(card)
        return {shelf: frozenset(found[shelf]) for shelf in sorted(found)}


COMMON = Cards()


def shelf_of(person: str) -> str:
    """Return the name of the folder of a person's own cards; no card can be called so."""
    return f"of-{hashlib.sha256(person.encode()).hexdigest()[:16]}"


def folder_of(person: str) -> Path:
    """Return the folder of a person's own cards."""
    return home() / CARDS_FOLDER / shelf_of(person)


def name_of_card(person: str, card_id: str) -> str:
    """Return what a person's own card is called where it is recorded whose it is."""
    return f"{shelf_of(person)}/{card_id}"


def common_cards() -> CardLibrary:
    """Return the cards of the home that belong to nobody, whose chains may name the tools that there are."""
    return CardLibrary(home() / CARDS_FOLDER, tool_names())


def tool_names() -> list[str]:
    """Return what the chain of a card may name."""
    return [tool.name for tool in registry()]


def search_of(library: CardLibrary) -> CardSearch:
    """Return a search of cards as they are now.

    Raises
    ------
    EmbedderMissing
        ``TREELINE_EMBEDDER`` names an embedder that is not to be had.
    """
    setting, folder = embedder_setting(), cache_folder()
    cards = tuple(library.cards())
    # By the content of the cards, so that an edited card is searched as it is now.
    key = (setting, cards)
    with _lock:
        if key not in _searches:
            while len(_searches) >= _MOST_SEARCHES:
                del _searches[next(iter(_searches))]
            _searches[key] = open_search(cards, folder, setting)
        return _searches[key]


def card_for(
    question: str,
    wanted: str = AUTO,
    cards: Cards = COMMON,
    held: Collection[str] | None = None,
    subject: Subject | None = None,
) -> ChosenCard | None:
    """Return the card that a question is worked on with.

    Parameters
    ----------
    wanted : str
        ``auto`` for the best above the threshold, ``none``, or the id of a card.
    cards : Cards
        Of whom asks.
    held : collection of str, optional
        The roles of the data: the best is one of the cards whose variables these are, or can be made of
        these. ``None`` where they are not known.
    subject : Subject, optional
        What the question names of the data, by which cards are passed over.

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
        return ChosenCard(cards.library().get(wanted))
    search = search_of(cards.cards_for_runs())
    if subject is not None:  # which knows what the data hold
        best = next(iter(subject.cards(search)), None)
        return ChosenCard(search.cards[best.id], best) if best else None
    found = search.search(question)
    reach = None if held is None or not found else registry().roles_from(held)
    fitting = (m for m in found if reach is None or reach.issuperset(search.cards[m.id].roles))
    # Of the cards that fit the question, the best one whose tools can work on what the data hold.
    best = next(fitting, None)
    return ChosenCard(search.cards[best.id], best) if best else None


def card_of_run(
    question: str,
    wanted: str,
    context: Mapping[str, str],
    cards: Cards = COMMON,
    held: Collection[str] | None = None,
    subject: Subject | None = None,
) -> tuple[dict[str, str], list[Note]]:
    """Return what cards add to the context of a run, and the events that say so; see :func:`card_for`.

    A run that was handed a card keeps it. Without an embedder the run goes on without a card.
    """
    if CONTEXT_PART in context:
        return {}, []
    try:
        if wanted == PASSAGES:
            found = nearest_passages(question, search_of(cards.cards_for_runs()))
            return {CONTEXT_PART: "\n\n".join(found)}, [Note(f"{len(found)} passages of cards are given.")]
        chosen = card_for(question, wanted, cards, held, subject)
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
