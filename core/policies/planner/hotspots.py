"""In which direction from the middle most hot spots lie."""

from __future__ import annotations

from typing import Any

from treeline.core.policies.planner.averaging import composed
from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.masking import mask
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.plan import Steps

_NEIGHBOURS = [[1.0] * 3] * 3


def hotspots(measuring: Measuring, intent: Intent) -> Steps:
    """Return the direction of the pixels beyond a limit, or without one of the Gi* hot spots.

    Of several dates it is that of their mean.
    """
    subject = intent.subjects[0]
    layer = yield from measuring.materials.layer(subject.role, subject)
    if len(layer.items) > 1:
        measuring.plan.remark(f"The mean of the {len(layer.items)} dates was taken.")
        layer = yield from composed(measuring, layer, "mean")
    limits = [subject.threshold, *(c.threshold for c in subject.conditions if c.role == subject.role)]
    limit = next((threshold for threshold in limits if threshold is not None), None)
    if limit is not None:
        found = yield from mask(measuring, limit, subject, layer)
        address = found.addresses[0]
    else:
        tool = measuring.plan.registry.giving("gi_star", "raster")[0]
        address = measuring.plan.name("gi_star", layer.items[0].label)
        arguments: dict[str, Any] = {tool.inputs[0].name: layer.addresses[0], "weight_matrix": _NEIGHBOURS}
        arguments[tool.outputs[0].name] = address
        yield from measuring.plan.call(tool, "Which pixels lie among high ones?", **arguments)
        measuring.plan.remark("Hot spots are pixels whose Gi* over 3 x 3 pixels is above 1.96.")
    tool = measuring.plan.registry.giving("direction", "text")[0]
    result = yield from measuring.plan.call(tool, "On which side are they?", **{tool.inputs[0].name: address})
    return Finding(None, label=str(result.value), facts={"limit": limit})
