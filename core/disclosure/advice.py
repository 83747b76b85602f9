"""Which tools the task cards advise for a question."""

from __future__ import annotations

from functools import lru_cache

from treeline.core.context.subject import Subject
from treeline.core.home import cache_folder
from treeline.core.settings import embedder_setting
from treeline.knowledge import CardSearch, built_in_cards, open_search


def advised_tools(question: str, cards: int = 1, subject: Subject | None = None) -> list[str]:
    """Return the tools of the cards that fit a question best, the best card's first.

    Only cards above the search's threshold count; none may.

    Parameters
    ----------
    subject : Subject, optional
        What the question names of the data, by which cards and tools are passed over.
    """
    search = _search(embedder_setting())
    matches = subject.cards(search) if subject else search.search(question, cards)
    found = [search.cards[match.id] for match in matches[:cards]]
    return list(dict.fromkeys(tool for card in found for tool in card.tools))


@lru_cache(maxsize=1)
def _search(embedder: str) -> CardSearch:
    # The built-in cards alone: a resumed run must find the tree that it began with.
    return open_search(built_in_cards(), cache_folder(), embedder)
