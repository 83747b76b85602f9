"""The mean of several dates as a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policies.planner.layers import Item, Layer
from core.policies.planner.plan import Steps

if TYPE_CHECKING:
    from core.policies.planner.measuring import Measuring


def averaged(measuring: Measuring, layer: Layer) -> Steps:
    """Return a layer of one raster: at each pixel the mean over the layer's dates."""
    if len(layer.items) < 2:
        return layer
    plan = measuring.plan
    tool = plan.registry.get("calculate_tif_average")
    first, last = layer.items[0], layer.items[-1]
    output = plan.name(f"{layer.role}_mean", f"{first.label} {last.label}", first.place)
    arguments = {tool.inputs[0].name: layer.argument, tool.outputs[0].name: output}
    yield from plan.call(tool, f"The mean of {len(layer.items)} dates as a map.", **arguments)
    label = f"{first.label} to {last.label}"
    return Layer(layer.role, (Item(output, first.date, label, first.place),), layer.unit)
