"""Registers the kit."""

from __future__ import annotations

from toolkit.tree import add_kit

CATALOGUE = add_kit(
    "Catalogue",
    """Scenes from a STAC catalogue, a folder of the workspace or an address: list collections, search by
    place, time and clouds, load bands as rasters.""",
)
