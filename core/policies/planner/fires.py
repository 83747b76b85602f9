"""A change between two dates as a variable of its own, such as dNBR from the NBR before and after a fire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from treeline.core.policies.planner.absence import missing, nothing_then
from treeline.core.policies.planner.derivation import Missing, Wish
from treeline.core.policies.planner.intent import CHANGE, Period, Subject
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.plan import CannotAnswer, Steps

if TYPE_CHECKING:
    from treeline.core.policies.planner.making import Materials

_YEAR = timedelta(days=366)
# The role of a change, the role that changes, and the tool that takes one date from the other.
_OF_TWO_DATES = {"dnbr": ("nbr", "burn_severity")}


def of_two_dates(role: str) -> tuple[str, str] | None:
    """Return the role that changes and the tool for a role that is a change; ``None`` for others."""
    if role.endswith(CHANGE):
        return role.removesuffix(CHANGE), "calculate_tif_difference"
    return _OF_TWO_DATES.get(role)


def change_layer(materials: Materials, role: str, subject: Subject) -> Steps:
    """Return a layer of the change of a variable from one date to another, dated by the later.

    Raises
    ------
    CannotAnswer
        Nothing says which two dates are meant, or there are not two.
    """
    parts_of = of_two_dates(role)
    assert parts_of is not None
    base, name = parts_of
    key = (role, subject.place, subject.sensor, subject.period)
    if key in materials.changes:
        return materials.changes[key]
    wish = Wish(lambda item: True, materials.intent.methods, subject.place, subject.sensor)
    source = materials.derivation.find(base, wish)
    if isinstance(source, Missing):
        raise missing(source, materials.derivation, subject.place)
    ends = _two_dates(source.items, subject.period, base)
    parts = tuple(
        replace(subject, role=base, period=_day(item), which="", conditions=(), zone=None) for item in ends
    )
    own = materials.serving(replace(materials.intent, subjects=parts))
    layers = []
    for part in parts:
        layer: Layer = yield from own.layer(base, part)
        layers.append(layer)
    before, after = (layer.items[0] for layer in layers)
    tool = materials.plan.registry.get(name)
    output = materials.plan.name(role, f"{before.label}_{after.label}")
    columns = (before.address, after.address, output)
    names = [*(p.name for p in tool.inputs), tool.outputs[0].name]
    thought = f"What changed from {before.label} to {after.label}."
    yield from materials.plan.call(tool, thought, **dict(zip(names, columns, strict=True)))
    materials.plan.remark(f"Compared are {before.label} (before) and {after.label} (after).")
    materials.changes[key] = Layer(
        role, (Item(output, after.date, after.label, after.place),), layers[0].unit
    )
    return materials.changes[key]


def _two_dates(items: Sequence[Item], period: Period, base: str) -> tuple[Item, Item]:
    """Return the dates before and after: the ends of the period, or of the series of just two dates."""
    dated = sorted((i for i in items if i.date is not None), key=lambda i: (i.date, i.label))
    inside = [item for item in dated if period.holds(item.date)]
    if not inside:
        raise nothing_then(base, [Subject(base, period=period)], items)
    if period.open and len(dated) > 2 and not period.label.startswith("the first"):
        labels = f"{dated[0].label} to {dated[-1].label}"
        raise CannotAnswer(
            f"A change needs a date before and one after; there are {len(dated)} dates from {labels}.",
            f"Name two, such as \u201cbetween {dated[0].label} and {dated[1].label}\u201d.",
        )
    if len(inside) > 1:
        _within_a_year(inside, period)
        return inside[0], inside[-1]
    earlier = [item for item in dated if item.date < inside[0].date]  # type: ignore[operator]
    if not earlier:
        raise CannotAnswer(
            f"A change needs a date before and one after; there is only {inside[0].label}.",
            "Add a raster of an earlier date.",
        )
    return earlier[-1], inside[0]


def _within_a_year(inside: Sequence[Item], period: Period) -> None:
    """Refuse months of several years: from May of one to August of another is not "May to August"."""
    first, last = inside[0].date, inside[-1].date
    assert first is not None and last is not None
    if period.months and not (period.first or period.last) and last - first > _YEAR:
        raise CannotAnswer(
            f"Which year is meant is not said: there are dates from {first.year} to {last.year}.",
            f"Name it, such as {first.year}.",
        )


def _day(item: Item) -> Period:
    assert item.date is not None
    return Period(item.date, item.date, label=item.label)
