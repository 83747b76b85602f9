"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

PERCEPTION = add_kit(
    "Perception",
    """What is in a picture: scene classes, objects as boxes, their number, size, distance, masks, building
    changes.""",
)
