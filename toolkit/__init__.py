"""Remote-sensing tools as functions with contracts, usable without the rest of Treeline."""

from __future__ import annotations

import importlib
from functools import cache

from treeline.toolkit.context import Product, ToolContext, current_context, use_context
from treeline.toolkit.tool import REGISTRY, Registry, Tool
from treeline.toolkit.tree import KITS, SkillTree, arrange_kits

# The kits in the order in which they are shown, and the packages of their tools.
_PACKAGES = {
    "Index": "index", "Inversion": "inversion", "Perception": "perception", "Statistics": "statistics",
    "Analysis": "analysis", "Series": "analysis", "Geometry": "geometry", "Terrain": "terrain",
    "Radar": "radar", "Classification": "classification", "Change": "change",
    "Catalogue": "catalogue_search",
}  # fmt: skip

__all__ = [
    "KITS",
    "Product",
    "Registry",
    "SkillTree",
    "Tool",
    "ToolContext",
    "current_context",
    "registry",
    "use_context",
]


@cache
def registry() -> Registry:
    """Return the registry with every kit's tools, in an order that no earlier import changes."""
    for package in (*_PACKAGES.values(), "profiles"):
        importlib.import_module(f"treeline.toolkit.{package}")
    arrange_kits(tuple(_PACKAGES))
    REGISTRY.arrange(tuple(_PACKAGES))
    return REGISTRY
