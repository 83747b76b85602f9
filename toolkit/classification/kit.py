"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

CLASSIFICATION = add_kit(
    "Classification",
    "Classes from bands: clusters, training areas, accuracy, Otsu, texture, principal components.",
)
