"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

CHANGE = add_kit(
    "Change",
    "Two dates compared: difference masks, change vectors, normalisation, class transitions.",
)
