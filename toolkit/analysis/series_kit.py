"""Registers the kit Series."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.context import current_context
from toolkit.errors import InputError
from toolkit.raster import Source, sources
from toolkit.tree import add_kit

SERIES = add_kit(
    "Series",
    "Maps from stacks through time: composites, trends, anomalies.",
)


def stack_of(file_list: Sequence[str], at_least: int = 1) -> list[Source]:
    """Return the bands of a stack.

    Raises
    ------
    InputError
        There are too few.
    """
    if len(file_list) < at_least:
        raise InputError(
            f"The argument 'file_list' has {len(file_list)} rasters; {at_least} are needed.",
            "Give more dates.",
        )
    return sources(list(file_list))


def common_role(stack: Sequence[Source]) -> str:
    """Return the role that the rasters share; empty, with a warning, where they differ."""
    roles = {band.role for band in stack}
    if len(roles) > 1:
        current_context().warn(
            "The rasters hold different variables: " + ", ".join(sorted(map(str, roles))) + "."
        )
        return ""
    return roles.pop() or ""
