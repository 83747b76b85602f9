"""How the planner obeys the guardrails that a run started with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from treeline.core.context.guardrails import AvoidTool, Guardrail, LeaveOut, MaskFirst, RequireRole, UseTool
from treeline.core.engine.calls import file_name
from treeline.core.policies.planner.clouds import masked
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.rewriting import rewritten
from treeline.core.query.expression import Node, Variable
from treeline.toolkit import Registry


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
                changed = rewritten(expression, Variable, lambda node: _of_role(node, role, wrong))
                if changed != expression:
                    notes.append(f"An earlier attempt took another variable for {role}.")
                expression = changed
            case MaskFirst():
                expression = masked(expression)
            case _:
                pass
    return expression, notes


def _of_role(node: Variable, role: str, wrong: Sequence[str]) -> Variable:
    return replace(node, role=role) if node.role in wrong else node
