"""Registers the kit."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

CATALOGUE = add_kit(
    "Catalogue",
    "Scenes of a STAC catalogue or folder by place, time and clouds.",
)
