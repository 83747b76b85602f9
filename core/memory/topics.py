"""Vectors of the topics in a memory bank, kept from one search to the next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treeline.knowledge.embedding import Embedder, LexicalEmbedder

MOST_FITTED = 1_000
"""Topics that the lexical embedder is fitted on: the oldest, so that a bank which grows keeps its fit."""


class Topics:
    """Embeds texts, each once."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._known: dict[str, NDArray[np.float32]] = {}

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the unit vectors of texts, shape (texts, dimension)."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self.embedder.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def topics_of(texts: Sequence[str]) -> Topics:
    """Return what embeds topics, fitted on the first of them; the same as long as these stay the same."""
    return _fit(tuple(dict.fromkeys(texts))[:MOST_FITTED])


@lru_cache(maxsize=2)
def _fit(texts: tuple[str, ...]) -> Topics:
    return Topics(LexicalEmbedder(list(texts)))
