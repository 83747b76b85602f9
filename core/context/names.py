"""How a run's task card is chosen, by name; any other word is the id of a card."""

from __future__ import annotations

AUTO, NONE, PASSAGES = "auto", "none", "passages"
