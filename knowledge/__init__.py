"""What a remote-sensing analyst knows of each task, as cards that can be searched.

Stands alone: imports neither the toolkit nor the engine nor a page.
"""

from __future__ import annotations

from knowledge.card import TaskCard, built_in_cards
from knowledge.embedding import Embedder, LexicalEmbedder, embedder_of
from knowledge.errors import CardError, EmbedderMissing, KnowledgeError
from knowledge.index import VectorIndex
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
    "KnowledgeError",
    "LexicalEmbedder",
    "TaskCard",
    "VectorIndex",
    "built_in_cards",
    "embedder_of",
]
