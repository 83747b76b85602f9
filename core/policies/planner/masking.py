"""Masks of where a limit is met, and their areas."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeline.core.policies.planner.intent import Subject, Threshold
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.measured import series_of
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel, Plan, Steps
from treeline.core.policies.planner.titles import short_title
from treeline.core.policies.planner.units import converted, mode_of

if TYPE_CHECKING:
    from treeline.core.policies.planner.measuring import Measuring


def area_series(measuring: Measuring, subject: Subject, layer: Layer) -> Steps:
    """Return a series of the area, or of the number of pixels, that meets a subject's limit."""
    masks = layer
    if layer.role != "mask":
        masks = yield from mask(measuring, subject.threshold, subject, layer)
    tool = measuring.tool("area", "number")
    addresses: Any = masks.addresses[0] if len(masks.items) == 1 else masks.addresses
    asked = measuring.materials.intent.unit
    unit = asked if asked in ("ha", "km2", "m2") else "ha"
    arguments: dict[str, Any] = {tool.inputs[0].name: addresses, "gsd": None, "unit": unit}
    if subject.statistic == "pixels":
        unit = "pixels"
        arguments = {tool.inputs[0].name: addresses, "gsd": 1.0}
    result = yield from measuring.plan.call(tool, "Area of the mask, from the georeference.", **arguments)
    return series_of(masks, result, unit)


def mask(measuring: Measuring, threshold: Threshold | None, subject: Subject, layer: Layer) -> Steps:
    """Return masks of a layer: 1 where the threshold is met; between two limits, one mask less the other.

    Raises
    ------
    CannotAnswer
        There is no threshold.
    """
    if threshold is None:
        raise CannotAnswer(
            "An area needs a limit to tell what belongs to it.", "Say, for example, where NDVI > 0.5."
        )
    limit = yield from measuring.limit(threshold, subject, layer)
    low = yield from _mask(measuring, layer, limit, mode_of(threshold))
    if threshold.upper is None:
        return low
    upper = converted(threshold.upper, threshold.unit, layer.unit)
    high = yield from _mask(measuring, layer, upper, "above")
    return (yield from _subtracted(measuring, low, high, f"{layer.role}_between"))


def _mask(measuring: Measuring, layer: Layer, limit: float | None, mode: str) -> Steps:
    plan = measuring.plan
    tool = next(
        t for t in plan.registry.giving("mask", "raster") if any(p.name == "mode" for p in t.parameters)
    )
    outputs = [plan.name(f"{layer.role}_{mode}", item.mark) for item in layer.items]
    arguments = {
        tool.inputs[0].name: layer.argument,
        "threshold": limit,
        tool.outputs[0].name: outputs,
        "mode": mode,
    }
    thought = f"A mask of where {layer.role} is {mode.replace('_', ' or ')} {limit}."
    result = yield from plan.call(tool, thought, **arguments)
    if result.products and all(product.valid_share == 0 for product in result.products):
        raise NoPixel(
            f"No pixel of the {short_title(layer.role)} is valid.", "Check nodata, clouds and extent."
        )
    return layer_at(layer, outputs, "mask")


def _subtracted(measuring: Measuring, first: Layer, second: Layer, name: str) -> Steps:
    tool = measuring.plan.registry.get("subtract")
    outputs = [measuring.plan.name(name, item.mark) for item in first.items]
    columns = (first.addresses, second.addresses, outputs)
    given = [column[0] if len(outputs) == 1 else column for column in columns]
    names = [*(p.name for p in tool.inputs), tool.outputs[0].name]
    arguments = dict(zip(names, given, strict=True))
    yield from measuring.plan.call(tool, "What lies between the two limits.", **arguments)
    return layer_at(first, outputs, "mask")


def both(measuring: Measuring, first: Layer, second: Layer) -> Steps:
    """Return masks of where two masks are marked."""
    tool = measuring.plan.registry.get("raster_calculator")
    outputs = []
    for one, other in zip(first.items, second.items, strict=True):
        name = measuring.plan.name("mask_both", one.mark)
        arguments = {"formula": "a * b", "rasters": {"a": one.address, "b": other.address}, "role": "mask"}
        yield from measuring.plan.call(tool, "Where both hold.", **arguments, output_path=name)
        outputs.append(name)
    return layer_at(first, outputs, "mask")


def keep(plan: Plan, layer: Layer, other: Layer, limit: float | None, mode: str) -> Steps:
    """Return a layer of which only the pixels are left where another is beyond a limit."""
    tool = plan.registry.giving("condition_masked", "raster")[0]
    outputs = [plan.name(f"{layer.role}_where_{other.role}", item.mark) for item in layer.items]
    columns = (layer.addresses, other.addresses, outputs)
    given = [column[0] if len(outputs) == 1 else column for column in columns]
    names = [*(p.name for p in tool.inputs), tool.outputs[0].name]
    thought = f"Keep {layer.role} where {other.role} is {mode.replace('_', ' or ')} {limit}."
    arguments = dict(zip(names, given, strict=True)) | {"threshold": limit, "mode": mode}
    yield from plan.call(tool, thought, **arguments)
    return replace(layer_at(layer, outputs, layer.role), unit=layer.unit)


def layer_at(layer: Layer, outputs: list[str], role: str) -> Layer:
    """Return a layer of products that stand for the items of another."""
    items = tuple(replace(item, address=output) for item, output in zip(layer.items, outputs, strict=True))
    return Layer(role, items, "1")
