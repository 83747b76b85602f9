"""Remote-sensing tools as functions with contracts, usable without the rest of Treeline."""

from __future__ import annotations

import importlib
from functools import cache

from toolkit.context import Product, ToolContext, current_context, use_context
from toolkit.tool import REGISTRY, Registry, Tool
from toolkit.tree import KITS, SkillTree

_KIT_PACKAGES = (
    "index", "inversion", "perception", "analysis", "statistics", "geometry", "terrain", "radar",
    "classification", "change", "catalogue_search", "profiles",
)  # fmt: skip

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
    """Return the registry with every kit's tools in it."""
    for package in _KIT_PACKAGES:
        importlib.import_module(f"toolkit.{package}")
    return REGISTRY
