"""A tool is a function with a contract; everything else about it is derived.

``@tool(kit="Index", source="...")`` reads the type hints and the numpy-style docstring. The brief
is the docstring's first line; the document is its signature, parameters with units, returns,
notes and source. ``Annotated[str, Reads("nir")]`` says that a parameter is a raster of a role;
``Annotated[str, Writes("ndvi")]`` that it is where a raster of that role is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeline.toolkit.building import build_tool
from treeline.toolkit.contracts import OF_INPUT, Gives, Kind, Profile, Reads, Writes
from treeline.toolkit.definition import Tool
from treeline.toolkit.parameters import Parameter
from treeline.toolkit.registering import REGISTRY, Registry
from treeline.toolkit.variables import Variable

__all__ = [
    "OF_INPUT",
    "REGISTRY",
    "Gives",
    "Kind",
    "Parameter",
    "Profile",
    "Reads",
    "Registry",
    "Tool",
    "Variable",
    "Writes",
    "build_tool",
    "tool",
    "variant",
]


def tool(
    *,
    kit: str,
    source: str,
    gives: Gives,
    formula: str = "",
    difference: str = "",
    aliases: tuple[str, ...] = (),
    parameter_aliases: Mapping[str, str] | None = None,
    of_scene: bool = False,
    registry: Registry = REGISTRY,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as a tool; the function itself stays as it is.

    Parameters
    ----------
    kit : str
        Name of a kit, see :mod:`treeline.toolkit.tree`.
    source : str
        Citation of the method.
    gives : Gives
        What it returns.
    of_scene : bool
        What a pixel gets depends on the others, as where edges are fitted to a whole scene.

    Raises
    ------
    ContractError
        See :func:`treeline.toolkit.building.build_tool`.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        registry.add(
            build_tool(
                function,
                kit=kit,
                source=source,
                gives=gives,
                formula=formula,
                difference=difference,
                aliases=aliases,
                parameter_aliases=parameter_aliases or {},
                of_scene=of_scene,
            )
        )
        return function

    return register


def variant(name: str, profile: Profile, registry: Registry = REGISTRY) -> Callable[..., Any]:
    """Register a function as the implementation of a tool under a profile."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        registry.add_variant(name, profile, function)
        return function

    return register
