"""The kit's place in the tree."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

INDEX = add_kit(
    "Index",
    """Vegetation, water, snow, burn, built-up and dryness indices from bands (NDVI, TVDI, ...); any of 250
    by name.""",
)
