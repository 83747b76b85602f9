"""Registers the kit."""

from __future__ import annotations

from toolkit.tree import add_kit

TERRAIN = add_kit(
    "Terrain",
    """Shape of the land from an elevation model: slope, aspect, hillshade, curvature, topographic position,
    ruggedness; and images freed of the shading of slopes.""",
)
