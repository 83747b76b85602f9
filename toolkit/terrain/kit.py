"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

TERRAIN = add_kit(
    "Terrain",
    "Slope, aspect, hillshade, curvature, ruggedness from an elevation model.",
)
