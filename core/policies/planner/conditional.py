"""Numbers of one variable where others satisfy something."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeline.core.policies.planner.derivation import Given, Wish
from treeline.core.policies.planner.intent import Condition, Subject, Threshold
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.masking import both, keep, mask
from treeline.core.policies.planner.measured import Number, describe, unit_of
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel, Steps
from treeline.core.policies.planner.units import converted, mode_of
from treeline.core.policies.planner.wording import when_of

if TYPE_CHECKING:
    from treeline.core.policies.planner.measuring import Measuring


def conditional_number(measuring: Measuring, subject: Subject, layer: Layer) -> Steps:
    """Return a :class:`Number`: a statistic of a layer where every condition holds."""
    if len(subject.conditions) == 1:
        condition = subject.conditions[0]
        found = yield from _by_vegetation(measuring, subject, condition, layer)
        if found is not None:
            return found
        other = yield from measuring.materials.layer(condition.role, _beside(subject, layer))
        here, there = paired(layer, other)
        if subject.statistic == "share" and _one_sided(condition.threshold, subject.threshold):
            return (yield from _intersection(measuring, subject, condition, here, there))
        if subject.statistic == "mean":
            return (yield from _mean(measuring, subject, condition, here, there))
    if subject.statistic == "share":
        return (yield from _joint_share(measuring, subject, layer))
    return (yield from _of_kept(measuring, subject, layer))


def _of_kept(measuring: Measuring, subject: Subject, layer: Layer) -> Steps:
    """Return a statistic of those pixels alone where the conditions hold."""
    if subject.statistic in ("area", "pixels"):
        layer = yield from mask(measuring, subject.threshold, subject, layer)
    kept = yield from _kept(measuring, subject, layer)
    try:
        return (yield from measuring.number_of(replace(subject, conditions=()), kept))
    except NoPixel:
        raise _nothing(subject) from None


def _kept(measuring: Measuring, subject: Subject, layer: Layer) -> Steps:
    for condition in subject.conditions:
        other = yield from measuring.materials.layer(condition.role, _beside(subject, layer))
        layer, other = paired(layer, other)
        limit = yield from measuring.limit(condition.threshold, subject, other)
        layer = yield from keep(measuring.plan, layer, other, limit, mode_of(condition.threshold))
        if condition.threshold.upper is not None:
            upper = converted(condition.threshold.upper, condition.threshold.unit, other.unit)
            layer = yield from keep(measuring.plan, layer, other, upper, "below_equal")
    return layer


def _joint_share(measuring: Measuring, subject: Subject, layer: Layer) -> Steps:
    """Return the share of the area where the subject's own limit and every condition hold."""
    masks = yield from mask(measuring, subject.threshold, subject, layer)
    for condition in subject.conditions:
        other = yield from measuring.materials.layer(condition.role, _beside(subject, layer))
        masks, other = paired(masks, other)
        further = yield from mask(measuring, condition.threshold, subject, other)
        masks = yield from both(measuring, masks, further)
    return (yield from measuring.number_of(share_of_mask(subject), masks))


def share_of_mask(subject: Subject) -> Subject:
    """Return the subject that asks how much of a mask is marked."""
    return replace(subject, role="mask", conditions=(), threshold=Threshold("above", 0.5))


def _one_sided(*thresholds: Threshold | None) -> bool:
    return all(threshold is not None and threshold.upper is None for threshold in thresholds)


def _nothing(subject: Subject) -> NoPixel:
    where = " and ".join(describe(condition) for condition in subject.conditions)
    return NoPixel(f"There is no valid pixel where {where}{when_of(subject)}.", "Choose another limit.")


def _beside(subject: Subject, layer: Layer) -> Subject:
    """Return a subject at the place of a layer, so that a condition is never tested elsewhere."""
    return replace(subject, place=subject.place or layer.items[0].place)


def paired(layer: Layer, other: Layer) -> tuple[Layer, Layer]:
    """Return both layers for the dates that they share; an undated one serves every date."""
    if len(other.items) == 1 and other.items[0].date is None:
        return layer, replace(other, items=other.items * len(layer.items))
    if len(layer.items) == 1 and layer.items[0].date is None:
        only = layer.items[0]
        return layer.only(replace(only, date=i.date, label=i.label) for i in other.items), other
    by_day = {_day(item): item for item in other.items}
    kept = [item for item in layer.items if _day(item) in by_day]
    if not kept:
        raise CannotAnswer(f"{layer.role} and {other.role} have no date in common.")
    return layer.only(kept), other.only(by_day[_day(item)] for item in kept)


def _day(item: Item) -> Any:
    return item.date.date() if item.date else item.address


def _mean(measuring: Measuring, subject: Subject, condition: Condition, layer: Layer, other: Layer) -> Steps:
    tool = next(
        t for t in measuring.plan.registry.giving("conditional_mean", "number")
        if len(t.inputs) == 2 and all(p.contract.roles == () for p in t.inputs)  # type: ignore[union-attr]
    )  # fmt: skip
    tested, limit = other, 0.5
    if (
        condition.threshold.side == "below"
        or condition.threshold.upper is not None
        or condition.threshold.inclusive
    ):
        tested = yield from mask(measuring, condition.threshold, subject, other)
    else:
        limit = yield from measuring.limit(condition.threshold, subject, other)
    first, second = (p.name for p in tool.inputs)
    several = len(layer.items) > 1
    arguments: dict[str, Any] = {
        first: tested.argument if several else tested.addresses[0],
        second: layer.argument if several else layer.addresses[0],
        "threshold": limit,
    }
    thought = f"Mean {layer.role} where {condition.role} meets the condition."
    try:
        result = yield from measuring.plan.call(tool, thought, **arguments)
    except NoPixel:
        raise _nothing(subject) from None
    how = "over the chosen pixels of all dates together" if several else ""
    return Number(result.value, unit_of(subject, layer), how, len(layer.items))


def _intersection(
    measuring: Measuring, subject: Subject, condition: Condition, layer: Layer, other: Layer
) -> Steps:
    assert subject.threshold is not None
    tool = measuring.plan.registry.giving("intersection_share", "number")[0]
    one = yield from measuring.limit(subject.threshold, subject, layer)
    two = yield from measuring.limit(condition.threshold, subject, other)
    several = len(layer.items) > 1
    arguments: dict[str, Any] = {
        "path1": layer.argument if several else layer.addresses[0],
        "threshold1": one,
        "path2": other.argument if several else other.addresses[0],
        "threshold2": two,
    }
    modes = {"mode1": mode_of(subject.threshold), "mode2": mode_of(condition.threshold)}
    arguments |= {name: mode for name, mode in modes.items() if mode != "above"}
    result = yield from measuring.plan.call(
        tool, f"Share where {layer.role} and {condition.role} both hold.", **arguments
    )
    if not several:
        return Number(result.value, "%")
    mean = yield from measuring.plan.call(
        "mean", f"Mean of the {len(layer.items)} dates.", x=result.reference
    )
    return Number(mean.value, "%", "mean of the dates' shares", len(layer.items))


_BANDS_OF_NDVI = {"red", "nir", "nir08"}


def _by_vegetation(measuring: Measuring, subject: Subject, condition: Condition, layer: Layer) -> Steps:
    """Return a statistic from a tool that works out NDVI itself; ``None`` where none does or it is there."""
    threshold, derivation = condition.threshold, measuring.materials.derivation
    here = _beside(subject, layer)
    given = isinstance(derivation.find("ndvi", Wish(lambda item: True, place=here.place)), Given)
    if condition.role != "ndvi" or given or threshold.upper is not None or threshold.value is None:
        return None
    for tool in measuring.plan.registry.giving(f"conditional_{subject.statistic}", "number"):
        accepts = {role for p in tool.inputs for role in p.contract.roles} - _BANDS_OF_NDVI  # type: ignore[union-attr]
        several = len(layer.items) > 1
        if layer.role not in accepts or (several and not tool.inputs[0].many):
            continue
        layers = {}
        for parameter in tool.inputs:
            roles = parameter.contract.roles  # type: ignore[union-attr]
            role = next((r for r in roles if derivation.can_find(r)), roles[0])
            layers[parameter.name] = layer
            if layer.role not in roles:
                band = yield from measuring.materials.layer(role, here)
                layers[parameter.name] = paired(layer, band)[1]
        arguments = {n: one.argument if several else one.addresses[0] for n, one in layers.items()}
        limit = converted(threshold.value, threshold.unit, "1")
        where = f"{condition.role} is {threshold.side} {limit:g}"
        thought = f"{subject.statistic.capitalize()} {layer.role} where {where}."
        try:
            result = yield from measuring.plan.call(
                tool, thought, **arguments, ndvi_threshold=limit, mode=threshold.side
            )
        except NoPixel:
            raise _nothing(subject) from None
        how = "over the chosen pixels of all dates together" if several else ""
        return Number(result.value, unit_of(subject, layer), how, len(layer.items))
    return None
