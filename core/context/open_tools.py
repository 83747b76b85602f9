"""Tools that may always be called: they work on what a run holds already."""

from __future__ import annotations

from treeline.toolkit import registry

OPEN_TOOLS = ("calculate", "get_rows")
CONTEXT_PART = "open"


def open_tools() -> dict[str, str]:
    """Return what a policy is told of them, as part of its context."""
    tools = (registry().get(name) for name in OPEN_TOOLS)
    return {CONTEXT_PART: "\n".join(f"{tool.signature}: {tool.brief}" for tool in tools)}
