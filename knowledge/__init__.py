"""What a remote-sensing analyst knows of each task, as cards that can be searched.

Imports neither the engine nor a page, and of the toolkit the tree of errors alone.
"""

from __future__ import annotations

from knowledge.card import TaskCard, built_in_cards
from knowledge.embedding import Embedder, LexicalEmbedder, embedder_of
from knowledge.errors import CardError, EmbedderMissing
from knowledge.index import VectorIndex
from knowledge.kept import kept_search
from knowledge.library import CardLibrary
from knowledge.retrieval import CardMatch, CardSearch
from knowledge.taxonomy import TAXONOMY

__all__ = [
    "TAXONOMY",
    "CardError",
    "CardLibrary",
    "CardMatch",
    "CardSearch",
    "Embedder",
    "EmbedderMissing",
    "LexicalEmbedder",
    "TaskCard",
    "VectorIndex",
    "built_in_cards",
    "embedder_of",
    "kept_search",
]
