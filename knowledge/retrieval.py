"""Which card fits a question: embedding and words together, each part kept apart.

After RSMem, equation 1: cosine + 0.2 title + 0.08 per keyword + 0.1 content, the best above 0.2. Where
the paper's indicators for title and content fire on any common word, which nearly every card has with
nearly every question, ours are shares between 0 and 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from treeline.knowledge.card import TaskCard
from treeline.knowledge.embedding import Embedder, LexicalEmbedder, Vectors
from treeline.knowledge.words import contains_phrase, telling_words, words

# RSMem, equation 1: alpha, beta, gamma and tau.
TITLE_WEIGHT = 0.2
KEYWORD_WEIGHT = 0.08
CONTENT_WEIGHT = 0.1
THRESHOLD = 0.2


@dataclass(frozen=True, slots=True)
class CardMatch:
    """A card and what its score is made of.

    Attributes
    ----------
    id : str
        Of the card.
    score : float
        Sum of the four parts.
    cosine : float
        Inner product of the unit vectors, -1 to 1.
    title : float
        0 to 0.2: share of the title's words in the question, rare words weighing more.
    keywords : float
        0.08 for each keyword in the question.
    content : float
        0 to 0.1: share of the question's words in the card's text, rare words weighing more.
    matched : tuple of str
        The keywords that the question has.
    """

    id: str
    score: float
    cosine: float
    title: float
    keywords: float
    content: float
    matched: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return {**asdict(self), "matched": list(self.matched)}


class CardSearch:
    """Searches cards.

    Parameters
    ----------
    cards : sequence of TaskCard
    embedder : Embedder, optional
        By default a lexical one that is fitted on the cards.
    vectors : array of shape (cards, dimension), optional
        What the embedder gave of the cards' texts, where that is known already.
    """

    def __init__(
        self, cards: Sequence[TaskCard], embedder: Embedder | None = None, vectors: Vectors | None = None
    ) -> None:
        self.cards = {card.id: card for card in cards}
        texts = [card.text for card in self.cards.values()]
        self._profiles = {card.id: _Profile.of(card) for card in self.cards.values()}
        self._weight = _weights([profile.content | profile.title for profile in self._profiles.values()])
        self._rarest = max(self._weight.values(), default=0.0)
        if texts:
            self.embedder = embedder or LexicalEmbedder(texts)
            self.vectors = self.embedder.embed(texts) if vectors is None else vectors

    def search(self, question: str, limit: int = 10, threshold: float = THRESHOLD) -> list[CardMatch]:
        """Return the cards whose score is above a threshold, best first."""
        if not self.cards or not telling_words(question):
            return []
        in_order, telling = words(question), set(telling_words(question))
        # Every card is scored, so an index that finds the nearest vectors would save nothing.
        cosines = (self.vectors @ self.embedder.embed([question])[0]).tolist()
        matches = [
            self._match(key, cosine, in_order, telling)
            for key, cosine in zip(self.cards, cosines, strict=True)
        ]
        above = [match for match in matches if match.score > threshold]
        return sorted(above, key=lambda match: (-match.score, match.id))[:limit]

    def best(self, question: str) -> TaskCard | None:
        """Return the card that fits a question best, or ``None`` if none is above the threshold."""
        found = next(iter(self.search(question)), None)
        return self.cards[found.id] if found else None

    def _match(self, key: str, cosine: float, in_order: list[str], telling: set[str]) -> CardMatch:
        profile = self._profiles[key]
        matched = tuple(
            word for word, phrase in profile.keywords.items() if contains_phrase(in_order, list(phrase))
        )
        title = TITLE_WEIGHT * self._share(profile.title, telling)
        content = CONTENT_WEIGHT * self._share(telling, profile.content)
        keywords = KEYWORD_WEIGHT * len(matched)
        return CardMatch(key, cosine + title + keywords + content, cosine, title, keywords, content, matched)

    def _share(self, wanted: set[str], found: set[str]) -> float:
        whole = sum(self._weight.get(word, self._rarest) for word in wanted)
        return sum(self._weight[word] for word in wanted & found) / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class _Profile:
    title: set[str]
    content: set[str]
    keywords: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, card: TaskCard) -> _Profile:
        phrases = {keyword: tuple(words(keyword)) for keyword in card.keywords}
        distinct = {phrase: keyword for keyword, phrase in reversed(phrases.items())}
        return cls(
            set(telling_words(card.title)),
            set(telling_words(card.text)),
            {keyword: phrase for phrase, keyword in reversed(distinct.items())},
        )


def _weights(texts: Sequence[set[str]]) -> dict[str, float]:
    counts = Counter(word for text in texts for word in text)
    return {word: math.log((1 + len(texts)) / (1 + count)) + 1.0 for word, count in counts.items()}
