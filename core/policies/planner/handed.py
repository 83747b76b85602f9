"""What a member of a team works with: layers that others made, and its part of the tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeline.core.engine.disclosure import Disclosure
from treeline.core.policies.planner.layers import Layer
from treeline.toolkit import Registry, registry


@dataclass(frozen=True, slots=True)
class Handed:
    """Layers that another member made.

    Attributes
    ----------
    layers : tuple of Layer
        They stand for the workspace's own of the same variable.
    clear : frozenset of str
        Roles of those in which clouds were masked already.
    looked : bool
        Another member lists what there is.
    """

    layers: tuple[Layer, ...] = ()
    clear: frozenset[str] = frozenset()
    looked: bool = False

    def beside(self, own: Sequence[Layer]) -> list[Layer]:
        """Return the workspace's layers, less those for which others were handed over."""
        roles = {layer.role for layer in self.layers}
        return [*(layer for layer in own if layer.role not in roles), *self.layers]


NOTHING = Handed()


def tools_under(disclosure: Disclosure) -> Registry:
    """Return the tools that a strategy's tree holds; all of them unless it is a part."""
    whole = registry()
    names = {tool.name for tools in disclosure.tree.tools.values() for tool in tools}
    if all(tool.name in names for tool in whole):
        return whole
    part = Registry()
    for tool in whole:
        if tool.name in names:
            part.add(tool)
    return part
