"""What calls read and measured: the rasters among their arguments, with what these are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from treeline.core.engine.actions import Call
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, Step
from treeline.toolkit import Registry
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.tool import Tool

CLOUD_MASKED = "cloud_masked"
RoleOf = Callable[[str], str]


@dataclass(frozen=True)
class ProposedCall:
    """A call as the policy wrote it and as it would be made.

    Attributes
    ----------
    arguments : mapping
        As they are after repair.
    """

    action: Call
    tool: Tool
    arguments: Mapping[str, Any]
    state: State
    data: RunData
    registry: Registry


CallCheck = Callable[[ProposedCall], None]
"""Raises an :class:`~treeline.toolkit.errors.InputError` for a call that must not be made."""


def measures(tool: Tool) -> bool:
    """Return whether a tool turns rasters into numbers."""
    return (
        bool(tool.inputs) and not tool.outputs and tool.gives.kind in ("number", "series", "table", "value")
    )


def arguments_of(step: Step) -> Mapping[str, Any]:
    """Return a call's arguments as they were after repair."""
    assert isinstance(step.action, Call)
    return step.observation.arguments or step.action.arguments


def inputs_of(tool: Tool, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the addresses of the rasters that a call reads."""
    for parameter in tool.inputs:
        yield from texts(arguments.get(parameter.name))


def texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from texts(item)


@lru_cache(maxsize=10_000)
def file_name(address: str) -> str:
    """Return the file name of an address, without its folder and its band."""
    return PurePath(address.partition("#")[0]).name


def masked_files(calls: Iterable[Step], registry: Registry) -> frozenset[str]:
    """Return the names of the products that were made from cloud-masked rasters, or are such."""
    masked: set[str] = set()
    for step in calls:
        assert isinstance(step.action, Call)
        if not step.observation.is_success or step.action.tool not in registry:
            continue
        # Calls are taken in their order, so that masks are inherited along a chain of products.
        tool = registry.get(step.action.tool)
        read = {file_name(address) for address in inputs_of(tool, arguments_of(step))}
        if tool.gives.quantity == CLOUD_MASKED or read & masked:
            masked |= {PurePath(product.name).name for product in step.observation.products}
    return frozenset(masked)


def role_finder(data: RunData) -> RoleOf:
    """Return a function from the address of a raster to its role."""

    def role_of(address: str) -> str:
        try:
            description, band = data.resolver.describe(address)
        except TreelineError:
            return ""
        named = [b for b in description.bands if band in (None, b.name, str(b.index), b.role)]
        return (named[0].role or "") if len(named) == 1 else ""

    return role_of
