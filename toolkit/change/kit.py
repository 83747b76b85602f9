"""Registers the kit."""

from __future__ import annotations

from toolkit.tree import add_kit

CHANGE = add_kit(
    "Change",
    """Two dates compared: masks of significant differences, change vectors, IR-MAD, radiometric
    normalisation, transitions between classes with their areas, how often classes change.""",
)
