"""Several dates as one: a composite of them as a map, the sum of what fell on them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeline.core.policies.planner.intent import Composite, Subject
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.measured import Number, Series
from treeline.core.policies.planner.plan import CannotAnswer, Steps

if TYPE_CHECKING:
    from treeline.core.policies.planner.measuring import Measuring

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


def accumulates(layer: Layer) -> bool:
    """Return whether the amounts of the dates add up at a place, as rain does, and those of pixels do not."""
    return layer.unit.split("/")[0] == "mm"


def accumulated(measuring: Measuring, subject: Subject, layer: Layer) -> Steps:
    """Return a :class:`Number`: what fell at a place over all dates, on average over the area."""
    series: Series = yield from measuring.series_of(replace(subject, statistic="mean"), layer)
    if None in series.values:
        raise CannotAnswer("A sum over dates needs all of them; some have no valid pixel.")
    count = len(layer.items)
    mean = yield from measuring.plan.call("mean", f"Mean of the {count} dates.", x=series.argument)
    total = yield from measuring.plan.call("multiply", "Of all dates together.", a=mean.value, b=count)
    return Number(total.value, series.unit, "sum of the dates' means", count)
