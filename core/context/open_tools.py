"""Tools that may always be called, because they work on what a run holds already; and those needed often."""

from __future__ import annotations

from collections.abc import Container
from itertools import groupby

from treeline.toolkit import registry

OPEN_TOOLS = ("calculate", "get_rows")
PICTURE = "draw_map"  # open to a model that sees
OFTEN_NEEDED = (
    "raster_calculator",
    "calculate_batch_formula",
    "statistics_by_class",
    "keep_where",
    "apply_cloud_mask",
    "zonal_statistics",
    "area_by_class",
)
CONTEXT_PART = "open"


def names_of_open_tools(sees: bool) -> tuple[str, ...]:
    """Return the tools that may always be called, by a policy that sees pictures or by another."""
    return (*OPEN_TOOLS, PICTURE) if sees else OPEN_TOOLS


def open_tools(held: Container[str], sees: bool = False) -> dict[str, str]:
    """Return what a policy is told of them, as part of its context.

    Parameters
    ----------
    held : container of str
        The tools that the run has: a member of a team has a part of them alone.
    """
    lines = [f"{tool.signature}: {tool.brief}" for tool in map(registry().get, names_of_open_tools(sees))]
    often = groupby(
        (registry().get(name) for name in OFTEN_NEEDED if name in held), key=lambda tool: tool.kit
    )
    kits = [f"{', '.join(tool.name for tool in tools)} ({kit})" for kit, tools in often]
    lines += [f"Often needed, once read by doc: {'; '.join(kits)}."] if kits else []
    return {CONTEXT_PART: "\n".join(lines)}
