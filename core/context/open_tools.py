"""Tools that may always be called, because they work on what a run holds already; and those needed often."""

from __future__ import annotations

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


def open_tools(sees: bool = False) -> dict[str, str]:
    """Return what a policy is told of them, as part of its context."""
    lines = [f"{tool.signature}: {tool.brief}" for tool in map(registry().get, names_of_open_tools(sees))]
    often = groupby(map(registry().get, OFTEN_NEEDED), key=lambda tool: tool.kit)
    kits = (f"{', '.join(tool.name for tool in tools)} ({kit})" for kit, tools in often)
    return {CONTEXT_PART: "\n".join([*lines, f"Often needed, once read by doc: {'; '.join(kits)}."])}
