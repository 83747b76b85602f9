"""Registers the kit."""

from __future__ import annotations

from toolkit.tree import add_kit

PERCEPTION = add_kit(
    "Perception",
    """What is in a picture: scene classes, objects as boxes x1, y1, x2, y2, their number, size and distance,
    masks by threshold or box, building changes; counts of pixels and components.""",
)
