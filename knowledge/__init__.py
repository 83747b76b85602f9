"""What a remote-sensing analyst knows of each task, as cards that can be searched.

Imports neither the engine nor a page, and of the toolkit the tree of errors alone.
"""

from __future__ import annotations

from treeline.knowledge.card import TaskCard, built_in_cards
from treeline.knowledge.embedding import Embedder, LexicalEmbedder, embedder_of
from treeline.knowledge.errors import CardError, EmbedderMissing
from treeline.knowledge.index import VectorIndex
from treeline.knowledge.library import CardLibrary
from treeline.knowledge.retrieval import CardMatch, CardSearch
from treeline.knowledge.taxonomy import TAXONOMY
from treeline.knowledge.vector_file import open_search

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
    "open_search",
]
