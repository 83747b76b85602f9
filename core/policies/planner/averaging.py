"""A composite of several dates: at each pixel their mean, median, maximum or minimum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.policies.planner.intent import Composite
from core.policies.planner.layers import Item, Layer
from core.policies.planner.plan import Steps

if TYPE_CHECKING:
    from core.policies.planner.measuring import Measuring

COMPOSITE_WORDS = {"mean": "mean", "median": "median", "max": "maximum", "min": "minimum"}


def composed(measuring: Measuring, layer: Layer, kind: Composite) -> Steps:
    """Return a layer of one raster: at each pixel a statistic of the layer's dates."""
    if len(layer.items) < 2 or not kind:
        return layer
    plan = measuring.plan
    tool = plan.registry.get("calculate_tif_average" if kind == "mean" else "calculate_composite")
    first, last = layer.items[0], layer.items[-1]
    output = plan.name(f"{layer.role}_{kind}", f"{first.label} {last.label}", first.place)
    arguments: dict[str, Any] = {tool.inputs[0].name: layer.argument, tool.outputs[0].name: output}
    if kind != "mean":
        arguments["method"] = kind
    thought = f"The {COMPOSITE_WORDS[kind]} of {len(layer.items)} dates as a map."
    yield from plan.call(tool, thought, **arguments)
    label = f"{first.label} to {last.label}"
    return Layer(layer.role, (Item(output, first.date, label, first.place),), layer.unit)
