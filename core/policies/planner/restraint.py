"""How the planner obeys the guardrails that a run started with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from treeline.core.context.guardrails import AvoidTool, Guardrail, LeaveOut, MaskFirst, RequireRole, UseTool
from treeline.core.engine.calls import file_name
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.layers import Layer
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


def obedient(intent: Intent, rules: Sequence[Guardrail]) -> Intent:
    """Return an intent as the guardrails want it read."""
    for rule in rules:
        match rule:
            case RequireRole(role=role, instead_of=wrong):
                subjects = tuple(replace(s, role=role) if s.role in wrong else s for s in intent.subjects)
                if subjects != intent.subjects:
                    note = f"An earlier attempt took another variable for {role}."
                    intent = replace(intent, subjects=subjects, notes=(note,))
            case MaskFirst():
                intent = replace(intent, clear_only=True)
            case UseTool(tool=tool):
                intent = replace(intent, methods=(*intent.methods, tool))
            case _:
                pass
    return intent


def left_out(rules: Iterable[Guardrail]) -> list[str]:
    """Return what the answer should say of rasters that were left out."""
    return [f"{rule.raster} was left out: {rule.reason}" for rule in rules if isinstance(rule, LeaveOut)]
