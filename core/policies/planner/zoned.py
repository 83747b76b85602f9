"""Variables within parts of the ground, and how large these are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeline.core.policies.planner.conditional import paired, share_of_mask
from treeline.core.policies.planner.derivation import Missing, Wish
from treeline.core.policies.planner.intent import Subject, Zone
from treeline.core.policies.planner.layers import Item, Layer, chosen
from treeline.core.policies.planner.masking import area_series, keep
from treeline.core.policies.planner.measured import Number, Series
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel, Plan, Steps

if TYPE_CHECKING:
    from treeline.core.policies.planner.making import Materials
    from treeline.core.policies.planner.measuring import Measuring

_MOST_CLASSES = 40
_COLUMN = {"area": "area", "share": "percent", "pixels": "pixels"}


def within(materials: Materials, layer: Layer, zone: Zone) -> Steps:
    """Return a layer of which only the pixels in a zone are left."""
    if zone.file:
        other = yield from _features(materials.plan, layer, zone)
        limit, mode = 0.5, "above"
    else:
        other = class_layer(materials, zone, layer.items[0].place)
        limit, mode = zone.classes[0], "equal"
        if len(zone.classes) > 1:
            other = yield from _joined(materials.plan, other, zone)
            limit, mode = 0.5, "above"
    layer, other = paired(layer, other)
    return (yield from keep(materials.plan, layer, other, limit, mode))


def class_layer(materials: Materials, zone: Zone, place: str = "") -> Layer:
    """Return the workspace's raster of the classes that a zone is one of."""
    found = materials.derivation.find(zone.role, Wish(lambda item: True, place=place))
    if isinstance(found, Missing):
        raise CannotAnswer(f"There is no raster of classes that covers {place}.")
    return replace(next(layer for layer in materials.derivation.layers if layer.role == zone.role),
                   items=found.items)  # fmt: skip


def each_class(measuring: Measuring, subjects: tuple[Subject, ...]) -> Steps:
    """Return subjects with one for each class of a raster, where its classes have no names."""
    found: list[Subject] = []
    for subject in subjects:
        zone = subject.zone
        if zone is None or zone.name:
            found.append(subject)
            continue
        layer = class_layer(measuring.materials, zone, subject.place)
        rows = yield from _class_table(measuring, layer.items[0])
        if len(rows) > _MOST_CLASSES:
            raise CannotAnswer(f"There are {len(rows)} classes; I work on at most {_MOST_CLASSES}.")
        zones = [replace(zone, name=f"class {row['class']:g}", classes=(row["class"],)) for row in rows]
        found += [replace(subject, zone=each) for each in zones]
    return tuple(found)


def zone_size(measuring: Measuring, subject: Subject) -> Steps:
    """Return a :class:`Number`: the area of a zone, its share, or its number of pixels."""
    zone = subject.zone
    assert zone is not None
    if zone.file:
        return (yield from _size_of_polygons(measuring, subject, zone))
    layer = class_layer(measuring.materials, zone, subject.place)
    items = chosen(subject, layer.items) if any(i.date for i in layer.items) else layer.items
    if len(items) != 1:
        raise CannotAnswer(
            f"The classes are of {len(items)} dates.", f"Name one, such as {layer.items[0].label}."
        )
    rows = yield from _class_table(measuring, items[0])
    known = [row for row in rows if row["class"] in zone.classes]
    if not known:
        there = ", ".join(f"{row['class']:g}" for row in rows)
        raise NoPixel(f"There is no pixel of {zone.name}.", f"The classes are {there}.")
    unit = {"share": "%", "pixels": "pixels"}.get(subject.statistic, _area_unit(measuring))
    return Number(sum(row[_COLUMN[subject.statistic]] for row in known), unit)


def _class_table(measuring: Measuring, item: Item) -> Steps:
    tables = measuring.materials.tables
    if item.address not in tables:
        tool = measuring.plan.registry.get("area_by_class")
        arguments = {tool.inputs[0].name: item.address, "unit": _area_unit(measuring)}
        result = yield from measuring.plan.call(tool, "How much ground has each class.", **arguments)
        tables[item.address] = result.value
    return tables[item.address]


def _area_unit(measuring: Measuring) -> str:
    asked = measuring.materials.intent.unit
    return asked if asked in ("ha", "km2", "m2") else "ha"


def _size_of_polygons(measuring: Measuring, subject: Subject, zone: Zone) -> Steps:
    unit = _area_unit(measuring)
    if subject.statistic == "area":
        result = yield from measuring.plan.call(
            "polygon_areas", "How large the polygons are.", vector_path=zone.file, unit=unit
        )
        return Number(sum(row["area_on_ground"] for row in result.value if _belongs(row, zone)), unit)
    layer = measuring.materials.derivation.layers[0]
    mask: Layer = yield from _features(measuring.plan, layer, zone)
    if subject.statistic == "share":
        return (yield from measuring.number_of(share_of_mask(subject), mask))
    series: Series = yield from area_series(measuring, subject, mask)
    return Number(series.values[0], series.unit)


def _belongs(row: Mapping[str, Any], zone: Zone) -> bool:
    if zone.attribute:
        return row.get(zone.attribute) == zone.member
    return row["zone"] == (zone.number or "all")


def _features(plan: Plan, layer: Layer, zone: Zone) -> Steps:
    """Return a mask of the features on the grid of a layer; of lines every pixel that they touch."""
    output = plan.name("mask", zone.name)
    arguments: dict[str, Any] = {"vector_path": zone.file, "reference_path": layer.addresses[0]}
    arguments["output_path"] = output
    if zone.attribute:
        arguments["only"] = {zone.attribute: zone.member}
    elif zone.number:
        arguments["only"] = {"zone": zone.number}
    if zone.preposition == "along":
        arguments["all_touched"] = True
    yield from plan.call("rasterize_features", f"Where {zone.name} lies.", **arguments)
    return Layer("mask", (Item(output, None, zone.name),), "class")


def _joined(plan: Plan, layer: Layer, zone: Zone) -> Steps:
    """Return a mask of several classes; the others are nodata."""
    outputs = []
    for item in layer.items:
        name = plan.name("mask", zone.name + ("" if item.date is None else f"_{item.label}"))
        mapping = {f"{value:g}": 1 for value in zone.classes}
        arguments = {"input_path": item.address, "mapping": mapping, "output_path": name}
        yield from plan.call("reclassify_raster", f"Where there is {zone.name}.", **arguments)
        outputs.append(replace(item, address=name))
    return Layer("classes", tuple(outputs), "class")
