"""A tool is a function with a contract; everything else about it is derived.

``@tool(kit="Index", source="...")`` reads the type hints and the numpy-style docstring. The brief
is the docstring's first line; the document is its signature, parameters with units, returns,
notes and source. ``Annotated[str, Reads("nir")]`` says that a parameter is a raster of a role;
``Annotated[str, Writes("ndvi")]`` that it is where a raster of that role is written.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any

import docstring_parser

from treeline.toolkit.contracts import Gives, Kind, Profile, Reads, Writes
from treeline.toolkit.definition import Tool
from treeline.toolkit.parameters import Parameter, parameter_of
from treeline.toolkit.registering import REGISTRY, Registry

__all__ = [
    "REGISTRY",
    "Gives",
    "Kind",
    "Parameter",
    "Profile",
    "Reads",
    "Registry",
    "Tool",
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
            )
        )
        return function

    return register


def variant(name: str, profile: Profile, registry: Registry = REGISTRY) -> Callable[..., Any]:
    """Register a function as the implementation of a tool under a profile."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        registry.get(name).variants[profile] = function
        return function

    return register


def build_tool(function: Callable[..., Any], *, kit: str, source: str, gives: Gives, **more: Any) -> Tool:
    """Derive a tool from a function's signature and docstring.

    Raises
    ------
    ValueError
        The docstring lacks a first line, or a parameter lacks a description: a tool that cannot
        be explained is not registered.
    """
    documented = docstring_parser.parse(
        inspect.getdoc(function) or "", style=docstring_parser.DocstringStyle.NUMPYDOC
    )
    name = more.pop("name", None) or function.__name__
    if not documented.short_description:
        raise ValueError(f"The tool {name} has no docstring.")
    described = {n.strip(): p.description or "" for p in documented.params for n in p.arg_name.split(",")}
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        if not described.get(parameter.name):
            raise ValueError(f"The tool {name} does not describe its parameter {parameter.name}.")
        parameters.append(parameter_of(parameter, hints[parameter.name], described[parameter.name]))
    return Tool(
        name=name,
        kit=kit,
        function=function,
        brief=documented.short_description,
        details=documented.long_description or "",
        returns=(documented.returns.description or "") if documented.returns else "",
        source=source,
        gives=gives,
        parameters=tuple(parameters),
        **more,
    )
