"""Registers the kit Series."""

from __future__ import annotations

from collections.abc import Sequence

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, bands_of, sources
from treeline.toolkit.tree import add_kit

SERIES = add_kit(
    "Series",
    "Maps from stacks through time: composites, trends, anomalies.",
)


def stack_of(file_list: Sequence[str], at_least: int = 1, roles: Sequence[str] = ()) -> list[Source]:
    """Return the bands of a stack, of one of the roles where some are given.

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
    return sources(list(file_list), *roles)


def band_stacks_of(file_list: Sequence[str]) -> list[list[Source]]:
    """Return a stack for each band of the first raster: that band, then its like in each of the others.

    Raises
    ------
    InputError
        There is no raster, or one lacks a band of the first.
    """
    first = bands_of(file_list[0]) if file_list else []
    if len(first) < 2:
        return [stack_of(file_list)]
    scenes = [first, *map(bands_of, file_list[1:])]
    return [[_like(band, number, scene) for scene in scenes] for number, band in enumerate(first)]


def _like(band: Source, number: int, scene: Sequence[Source]) -> Source:
    """Return the band of a scene that is what another is: of its role, or at its place where it has none."""
    alike = [other for place, other in enumerate(scene) if (other.role or place) == (band.role or number)]
    if not alike:
        held = ", ".join(other.role or other.band.name or str(other.band.index) for other in scene)
        raise InputError(
            f"{scene[0].path.name} has no band like {band.name}.",
            f"Its bands are {held}; name one band of each raster.",
        )
    return alike[0]


def common_role(stack: Sequence[Source]) -> str:
    """Return the role that the rasters share; empty, with a warning, where they differ."""
    roles = {band.role for band in stack}
    if len(roles) > 1:
        current_context().warn(
            "The rasters hold different variables: " + ", ".join(sorted(map(str, roles))) + "."
        )
        return ""
    return roles.pop() or ""
