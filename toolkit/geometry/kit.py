"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

GEOMETRY = add_kit(
    "Geometry",
    "Reproject, align, clip, mosaic, stack; statistics by polygons, points, profiles; areas by class.",
)
