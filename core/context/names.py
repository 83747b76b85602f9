"""How a run's task card is chosen, by name (or the id of a card), and where a home keeps its cards."""

from __future__ import annotations

AUTO, NONE, PASSAGES = "auto", "none", "passages"
# Where a home keeps its task cards.
CARDS_FOLDER = "cards"
