"""Remote-sensing tools as functions with contracts, usable without the rest of Treeline."""

from __future__ import annotations

from functools import cache

from treeline.toolkit.context import Product, ToolContext, current_context, use_context
from treeline.toolkit.definition import Tool
from treeline.toolkit.discovery import fill
from treeline.toolkit.registering import REGISTRY, Registry
from treeline.toolkit.tree import KITS, SkillTree

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
    fill(REGISTRY)
    return REGISTRY
