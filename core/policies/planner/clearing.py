"""Leaves cloudy pixels out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from treeline.core.policies.planner.derivation import Derivation, Given, Missing, Wish, partner
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.plan import CannotAnswer, Plan, Steps
from treeline.toolkit.tool import Reads, Tool


def without_clouds(plan: Plan, derivation: Derivation, layer: Layer) -> Steps:
    """Return a layer of which cloudy pixels are masked, for the dates whose clouds are known.

    Raises
    ------
    CannotAnswer
        Nothing tells where the clouds are.
    """
    tool, reads = _masking_tool(plan)
    wish = Wish(lambda item: True, place=layer.items[0].place)
    found = [s for role in reads.roles if not isinstance(s := derivation.find(role, wish), Missing)]
    pairs = [
        (item, mask) for item in layer.items for mask in [partner(found[0], item) if found else None] if mask
    ]
    if not pairs:
        raise CannotAnswer(
            "Clouds were to be left out, but there is no cloud mask or quality band of these dates.",
            f"A band of one of these roles would do: {', '.join(reads.roles)}.",
        )
    if len(pairs) < len(layer.items):
        plan.remark(f"{len(layer.items) - len(pairs)} dates have no cloud mask and were left out.")
    value, mask = (p.name for p in tool.inputs)
    outputs = [plan.name(f"{layer.role}_clear", item.mark) for item, _ in pairs]
    masks = found[0].layer if isinstance(found[0], Given) else Layer(found[0].role, found[0].items)
    arguments: dict[str, Any] = {
        value: layer.only(item for item, _ in pairs).argument,
        mask: masks.only(m for _, m in pairs).argument,
        tool.outputs[0].name: outputs,
    }
    if len(pairs) == 1:
        arguments = {n: v[0] if isinstance(v, list) else v for n, v in arguments.items()}
    yield from plan.call(tool, f"Clouds must not count: mask {layer.role} with {masks.role}.", **arguments)
    items = tuple(replace(i, address=o) for o, (i, _) in zip(outputs, pairs, strict=True))
    return replace(layer, items=items, handle="", whole=())


def _masking_tool(plan: Plan) -> tuple[Tool, Reads]:
    tool = plan.registry.giving("cloud_masked", "raster")[0]
    contract = tool.inputs[1].contract
    assert isinstance(contract, Reads)
    return tool, contract


def mask_roles(plan: Plan) -> tuple[str, ...]:
    """Return the roles of rasters that tell where clouds are."""
    return _masking_tool(plan)[1].roles
