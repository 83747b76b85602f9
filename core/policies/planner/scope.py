"""What a plan may use: its part of a team's tools and layers, less what guardrails leave out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from treeline.core.context.guardrails import AvoidTool, Guardrail, LeaveOut, MaskFirst, RequireRole, UseTool
from treeline.core.engine.actions import Observation
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.disclosure import Disclosure
from treeline.core.policies.planner.clouds import mask_clouds
from treeline.core.policies.planner.layers import Layer
from treeline.core.query.expression import Node, Variable
from treeline.core.query.rewriting import rewrite
from treeline.toolkit import Registry, registry


@dataclass(frozen=True, slots=True)
class HandedLayers:
    """Layers that another member made.

    Attributes
    ----------
    layers : tuple of Layer
        They stand for the workspace's own of the same variable.
    clear : frozenset of str
        Roles of those in which clouds were masked already.
    looked : bool
        Another member lists what there is.
    met : tuple of Observation
        What their makers met, one of each layer, with its rasters as products.
    """

    layers: tuple[Layer, ...] = ()
    clear: frozenset[str] = frozenset()
    looked: bool = False
    met: tuple[Observation, ...] = ()

    def met_by(self, observations: Iterable[Observation]) -> list[Observation]:
        """Return what the makers met of those rasters that were read.

        Parameters
        ----------
        observations : iterable of Observation
            What the calls gave that read some of them: of the others nothing is told.
        """
        read = {file_name(text) for o in observations for text in texts(o.arguments)}
        found = []
        for each in self.met:
            products = tuple(product for product in each.products if product.name in read)
            others = {product.name for product in each.products} - read
            warnings = tuple(w for w in each.warnings if not any(name in w for name in others))
            if products:
                found.append(replace(each, products=products, warnings=warnings))
        return found

    def beside(self, own: Sequence[Layer]) -> list[Layer]:
        """Return the workspace's layers, less those for which others were handed over."""
        roles = {layer.role for layer in self.layers}
        return [*(layer for layer in own if layer.role not in roles), *self.layers]


NOTHING = HandedLayers()


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


def allowed_layers(layers: Sequence[Layer], rules: Iterable[Guardrail]) -> list[Layer]:
    """Return the layers without the rasters that are to be left out."""
    dropped = {rule.raster for rule in rules if isinstance(rule, LeaveOut)}
    kept = [layer.where(lambda item: file_name(item.address) not in dropped) for layer in layers]
    return [layer for layer in kept if layer.items]


def allowed_tools(tools: Registry, rules: Iterable[Guardrail]) -> Registry:
    """Return the tools without those that are to be avoided."""
    avoided = {rule.tool for rule in rules if isinstance(rule, AvoidTool)}
    if not avoided:
        return tools
    kept = Registry()
    for tool in tools:
        if tool.name not in avoided:
            kept.add(tool)
    return kept


def preferred_tools(rules: Iterable[Guardrail]) -> tuple[str, ...]:
    """Return the tools that are to be preferred where they can be had."""
    return tuple(rule.tool for rule in rules if isinstance(rule, UseTool))


def obey(expression: Node, rules: Sequence[Guardrail]) -> tuple[Node, list[str]]:
    """Return an expression as the guardrails want it read, and what the answer should say of that."""
    notes = [f"{rule.raster} was left out: {rule.reason}" for rule in rules if isinstance(rule, LeaveOut)]
    for rule in rules:
        match rule:
            case RequireRole(role=role, instead_of=wrong):
                changed = rewrite(expression, Variable, lambda node: _of_role(node, role, wrong))
                if changed != expression:
                    notes.append(f"An earlier attempt took another variable for {role}.")
                expression = changed
            case MaskFirst():
                expression = mask_clouds(expression)
            case _:
                pass
    return expression, notes


def _of_role(node: Variable, role: str, wrong: Sequence[str]) -> Variable:
    return replace(node, role=role) if node.role in wrong else node
