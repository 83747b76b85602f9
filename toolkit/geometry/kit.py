"""Registers the kit."""

from __future__ import annotations

from toolkit.tree import add_kit

GEOMETRY = add_kit(
    "Geometry",
    """Where rasters lie: reproject, resample, align, clip to an area, mosaic, stack; statistics by polygons,
    points and profiles, areas by class, masks to polygons and back.""",
)
