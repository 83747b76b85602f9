"""Statistics of the pixels of each of several parts of the ground."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from treeline.core.policies.planner.figures import unit_suffix
from treeline.core.policies.planner.grounds import FeatureGround
from treeline.core.policies.planner.layers import Item
from treeline.core.policies.planner.masks import class_layer, sector_formula
from treeline.core.policies.planner.measures import UNITS_OF_AREA, of_truths, parameter_of, unit_after
from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.values import Mark, Numbers, Rasters, Scale, ZoneRaster
from treeline.core.policies.planner.work import Work
from treeline.core.query.expression import Aggregate, Combine, Node, Place, Variable, Zones
from treeline.core.query.titles import short_title

_MOST_PATCHES = 50_000
_MOST_BANDS = 200


def by_zones(work: Work, node: Aggregate, value: Rasters, zones: Zones) -> Steps[Numbers]:
    """Return a statistic of pixels for each zone, and for each date where there are several."""
    if zones.by == "site":
        raise CannotAnswer("Sites are compared as variables of each site.", "Name the sites.")
    if zones.by == "feature" and work.grounds.file(zones.source, zones.names).overlap:
        raise CannotAnswer("The features overlap, so that they cannot be told apart.", "Name one of them.")
    if len(value.items) > 1 and zones.by == "class" and (yield from _has_maps_of_several_dates(work, zones)):
        return (yield from _by_the_map_of_each_date(work, node, value, zones))
    found = yield from zone_raster(work, value.items[0], zones)
    rows = yield from _tabulate(work, node, value, found)
    kept = _numbers_of_names(found.labels, zones.names, work, zones)
    marks = tuple(Mark(found.labels[key]) for key in kept)
    values = tuple(_cell(row, key, node) for row in rows for key in kept)
    scale = Scale("zone", marks)
    pooled = node.over == "all"
    scales = (scale,) if pooled or value.axis is None else (*value.scales, scale)
    unit = unit_after(node, value.unit)
    return Numbers(scales, values, unit, node.statistic in ("all", "any"))


def _has_maps_of_several_dates(work: Work, zones: Zones) -> Steps[bool]:
    layer = yield from class_layer(work, work.grounds.class_ground(zones.source, zones.names))
    return len({item.date for item in layer.items}) > 1


def _by_the_map_of_each_date(work: Work, node: Aggregate, value: Rasters, zones: Zones) -> Steps[Numbers]:
    """Return a statistic of each class by the map of classes of each date."""
    if node.over == "all" or value.axis is None:
        raise CannotAnswer("There are maps of classes of several dates.", "Name the date that is meant.")
    tables = []
    for item in value.items:
        one = Rasters(replace(value.layer, items=(item,)), None, value.truth)
        tables.append((yield from by_zones(work, node, one, zones)))
    labels = tuple(dict.fromkeys(label for table in tables for label in table.scales[0].labels))
    known = [dict(zip(table.scales[0].labels, table.values, strict=True)) for table in tables]
    values = tuple(row.get(label) for row in known for label in labels)
    return Numbers((*value.scales, Scale("zone", tuple(map(Mark, labels)))), values, tables[0].unit)


def _cell(row: Mapping[str, object], key: float, node: Aggregate) -> float | None:
    value = row.get(f"{key:g}")
    if isinstance(value, int | float):
        return float(value)
    return None


def _numbers_of_names(
    labels: Mapping[float, str], names: tuple[str, ...], work: Work, zones: Zones
) -> list[float]:
    """Return the numbers of the zones that are asked for, in their order; of all where none is."""
    if not names:
        return list(labels)
    by_label = {label.casefold(): key for key, label in labels.items()}
    missing = [name for name in names if name.casefold() not in by_label and name not in by_label]
    if missing:
        raise CannotAnswer(
            f"There is no {zones.by} {missing[0]!r} there.",
            f"There are {', '.join(list(labels.values())[:12])}.",
        )
    return [by_label[name.casefold()] for name in names]


def _tabulate(
    work: Work, node: Aggregate, value: Rasters, zones: ZoneRaster
) -> Steps[list[Mapping[str, object]]]:
    statistic = of_truths(node.statistic)
    files = value.layer.argument
    if statistic == "area":
        return (yield from _areas(work, node, value, zones))
    if node.statistic == "count" and value.truth:
        statistic = "sum"
    arguments: dict[str, object] = {"file_list": files, "classes_path": zones.address, "statistic": statistic}
    if node.parameter is not None:
        arguments["parameter"] = parameter_of(node)
    if node.over == "all":
        arguments["pooled"] = True
    result = yield from work.plan.call(
        "statistics_by_class",
        f"The {node.statistic} of {short_title(value.layer.role)} in each zone.",
        **arguments,
    )
    return list(result.rows)


def _areas(
    work: Work, node: Aggregate, value: Rasters, zones: ZoneRaster
) -> Steps[list[Mapping[str, object]]]:
    """Return the areas of the marked part of each zone: zones of which only marked pixels are kept."""
    unit = node.unit or "ha"
    if unit not in UNITS_OF_AREA:
        raise CannotAnswer(f"Areas by zone are told in {', '.join(UNITS_OF_AREA)}, not {unit}.")
    counted = yield from work.plan.call(
        "statistics_by_class",
        "How many pixels of each zone are marked, and where none has a value.",
        file_list=value.layer.argument,
        classes_path=zones.address,
        statistic="sum",
    )
    rows: list[Mapping[str, object]] = []
    for item, counts in zip(value.items, counted.rows, strict=True):
        if not any(counts.values()):
            rows.append(counts)
            continue
        output = work.plan.name("zones_marked", item.mark)
        yield from work.plan.call(
            "keep_where",
            "The zones where it holds.",
            image_path=zones.address,
            condition_path=item.address,
            threshold=0.5,
            output_path=output,
        )
        result = yield from work.plan.call(
            "area_by_class", "How much ground each zone has of it.", input_path=output, unit=unit
        )
        found = {f"{row['class']:g}": row["area"] for row in result.rows}
        rows.append({key: found.get(key, count) for key, count in counts.items()})
    return rows


def map_of_zones(work: Work, node: Node, numbers: Numbers) -> Steps[Rasters]:
    """Return the raster in which each pixel has what is told of its zone.

    Parameters
    ----------
    work : Work
    node : Node
        What the numbers are; the first table in it says which the zones are.
    numbers : Numbers
        One for each zone.
    """
    table = next(part for part in node.walk() if isinstance(part, Aggregate) and isinstance(part.by, Zones))
    assert isinstance(table.by, Zones)
    if [scale.axis for scale in numbers.scales] != ["zone"]:
        raise CannotAnswer("A map of zones has one value for each.", "Name a date, or ask for a table.")
    value = yield from work.rasters(table.of)
    found = yield from zone_raster(work, value.items[0], table.by)
    keys = {label: f"{number:g}" for number, label in found.labels.items()}
    levels = isinstance(node, Aggregate) and node.statistic in _LEVELS and not value.truth
    role = value.layer.role if levels else "difference" if isinstance(node, Combine) else "zone_values"
    output = work.plan.name(f"{role}_by_zone")
    yield from work.plan.call(
        "map_values_of_classes",
        "Each pixel with the value of its zone.",
        classes_path=found.address,
        values={
            keys[label]: one for label, one in zip(numbers.scales[0].labels, numbers.values, strict=True)
        },
        output_path=output,
        role=role,
        unit=numbers.unit,
    )
    shown = replace(value, layer=replace(value.layer, items=value.items[:1]), axis=None)
    return shown.at([output], role, numbers.unit)


_LEVELS = ("mean", "median", "min", "max", "percentile", "mode", "trimmed_mean")


# --- Zones as a raster ----------------------------------------------------------------------------


def zone_raster(work: Work, reference: Item, zones: Zones) -> Steps[ZoneRaster]:
    """Return the raster of numbered zones, on the grid of a reference where it has none of its own."""
    key = (zones, reference.address.partition("#")[0])
    if key not in work.zone_rasters:
        making = _ZONES.get(zones.by)
        if making is None:
            raise CannotAnswer(f"I cannot group pixels by {zones.by}.")
        work.zone_rasters[key] = yield from making(work, reference, zones)
    return work.zone_rasters[key]


def _classes(work: Work, reference: Item, zones: Zones) -> Steps[ZoneRaster]:
    ground = work.grounds.class_ground(zones.source, zones.names)
    layer = yield from class_layer(work, ground)
    items = [i for i in layer.items if i.date and reference.date and i.date.date() == reference.date.date()]
    chosen = (items or list(layer.items))[0]
    if len(layer.items) > 1 and not items:
        raise CannotAnswer(f"There are {len(layer.items)} rasters of {ground.role}; I cannot tell which.")
    if ground.names:
        labels = {float(number): name for number, name in sorted(ground.names.items())}
        if len(set(labels.values())) < len(labels):
            return (yield from _one_number_each(work, chosen, labels))
    else:
        result = yield from work.plan.call(
            "area_by_class", "Which classes there are.", input_path=chosen.address
        )
        labels = {}
        for row in result.rows:
            key = row.get("class")
            if isinstance(key, int | float):
                labels[float(key)] = ground.label(float(key))
    return ZoneRaster(chosen.address, labels)


def _one_number_each(work: Work, classes: Item, labels: Mapping[float, str]) -> Steps[ZoneRaster]:
    """Return classes by the first number of each name; of days of burning hundreds have one name."""
    first: dict[str, float] = {}
    for number, name in labels.items():
        first.setdefault(name, number)
    output = work.plan.name("classes", classes.mark)
    yield from work.plan.call(
        "reclassify_raster",
        "One number for each name.",
        input_path=classes.address,
        output_path=output,
        mapping={f"{number:g}": int(first[name]) for number, name in labels.items()},
    )
    return ZoneRaster(output, {number: name for name, number in first.items()})


def _features(work: Work, reference: Item, zones: Zones) -> Steps[ZoneRaster]:
    """Return the features of a file, those of one name together, as numbered zones."""
    ground = work.grounds.file(zones.source, zones.names)
    labels = _feature_labels(ground, zones)
    output = work.plan.name("zones", ground.name)
    yield from work.plan.call(
        "number_features",
        "The features as numbered zones.",
        vector_path=ground.name,
        reference_path=reference.address,
        output_path=output,
        **({"attribute": labels[0]} if labels[0] else {}),
    )
    return ZoneRaster(output, {float(n): label for n, label in enumerate(labels[1], start=1)})


def _feature_labels(ground: FeatureGround, zones: Zones) -> tuple[str, list[str]]:
    """Return the attribute that names the zones and their labels; each feature by itself without one."""
    if zones.attribute:
        return zones.attribute, ground.members(zones.attribute)
    if zones.names and (attribute := ground.attribute_with(zones.names)):
        return attribute, ground.members(attribute)
    attribute, labels = ground.labels()
    return ("" if attribute == "zone" else attribute), labels


def _facings(work: Work, reference: Item, zones: Zones) -> Steps[ZoneRaster]:
    names = zones.names or ("north", "east", "south", "west")
    aspect = yield from work.rasters(Variable("terrain_aspect", timeless=True))
    return (yield from _number(work, aspect, [sector_formula(name) for name in names], names, "facing"))


def _number(
    work: Work, rasters: Rasters, conditions: list[str], names: tuple[str, ...], stem: str
) -> Steps[ZoneRaster]:
    """Return zones by conditions on one raster that exclude each other: masks, then their numbered sum."""
    masks = []
    for name, text in zip(names, conditions, strict=True):
        output = work.plan.name(f"zone_{stem}", name)
        yield from work.plan.call(
            "calculate_batch_formula",
            f"Where it is {name}.",
            formula=text,
            rasters={"x0": rasters.layer.addresses[:1]},
            output_paths=[output],
        )
        masks.append(output)
    return (yield from _number_masks(work, masks, names, stem))


def _number_masks(work: Work, masks: Sequence[str], names: Sequence[str], stem: str) -> Steps[ZoneRaster]:
    """Return masks, of which no two share ground, as one raster of their numbers."""
    output = work.plan.name(f"zones_{stem}")
    yield from work.plan.call(
        "calculate_batch_formula",
        "The zones with their numbers.",
        output_paths=[output],
        role="classes",
        formula=" + ".join(f"{n} * x{n}" for n in range(1, len(masks) + 1)),
        unit="class",
        rasters={f"x{n}": [mask] for n, mask in enumerate(masks, start=1)},
    )
    return ZoneRaster(output, {float(n): name for n, name in enumerate(names, start=1)})


def _bands(work: Work, reference: Item, zones: Zones) -> Steps[ZoneRaster]:
    """Return steps of a variable between each two limits, the lower one included."""
    if zones.of is None or (len(zones.limits) < 2 and zones.step <= 0):
        raise CannotAnswer("Steps need a variable and limits.", "Say, for example, by 200 m of elevation.")
    rasters = yield from work.rasters(zones.of)
    limits = list(zones.limits) or (yield from _equal_limits(work, zones))
    if len(rasters.items) > 1:
        raise CannotAnswer(f"There are {len(rasters.items)} rasters to make steps of.", "Name a date.")
    output = work.plan.name("zones_band")
    yield from work.plan.call(
        "reclassify_raster",
        "The steps with their numbers.",
        input_path=rasters.layer.addresses[0],
        output_path=output,
        limits=limits,
    )
    names = _band_names(limits, rasters.unit)
    return ZoneRaster(output, {float(n): name for n, name in enumerate(names, start=2)})


def _equal_limits(work: Work, zones: Zones) -> Steps[list[float]]:
    """Return the limits of bands of one width from the lowest value to the highest."""
    assert zones.of is not None
    ends = []
    for statistic in ("min", "max"):
        found = yield from work.value(Aggregate(statistic, zones.of, "pixel"))
        if not isinstance(found, Numbers) or found.single is None:
            raise CannotAnswer("Bands need a raster with values.")
        ends.append(math.floor(found.single / zones.step))
    if ends[1] - ends[0] >= _MOST_BANDS:
        count = f"There would be {ends[1] - ends[0] + 1} bands of {zones.step:g}"
        raise CannotAnswer(f"{count}; I tell at most {_MOST_BANDS} apart.", "Ask for wider ones.")
    return [round(k * zones.step, 9) for k in range(ends[0], ends[1] + 2)]


def _band_names(limits: Sequence[float], unit: str) -> list[str]:
    return [f"{low:g} to {high:g}{unit_suffix(unit)}" for low, high in zip(limits, limits[1:], strict=False)]


def _patches(work: Work, reference: Item, zones: Zones) -> Steps[ZoneRaster]:
    """Return the connected parts of a mask, the largest first."""
    if zones.of is None:
        raise CannotAnswer("Patches are of a mask.")
    mask = yield from work.draw_on(reference, zones.of)
    if not isinstance(mask, Rasters) or len(mask.items) != 1:
        raise CannotAnswer("Patches are of one mask.", "Name a date.")
    output = work.plan.name("zones_patch")
    result = yield from work.plan.call(
        "label_patches",
        "The connected parts, the largest first.",
        mask_path=mask.layer.addresses[0],
        output_path=output,
    )
    count = int(result.numbers[-1] or 0)
    if not count:
        raise CannotAnswer("The mask marks no pixel, so it has no patches.")
    if count > _MOST_PATCHES:
        raise CannotAnswer(f"There are {count} patches; I tell at most {_MOST_PATCHES} apart.")
    return ZoneRaster(output, {float(n): str(n) for n in range(1, count + 1)})


def _sides(work: Work, reference: Item, zones: Zones) -> Steps[ZoneRaster]:
    names = zones.names or ("northwest", "northeast", "southwest", "southeast")
    masks = []
    for name in names:
        mask = yield from work.draw_on(reference, Place("side", (name,)))
        assert isinstance(mask, Rasters)
        masks.append(mask.layer.addresses[0])
    return (yield from _number_masks(work, masks, names, "side"))


_ZONES: Mapping[str, Callable[[Work, Item, Zones], Steps[ZoneRaster]]] = {
    "class": _classes,
    "feature": _features,
    "facing": _facings,
    "band": _bands,
    "patch": _patches,
    "side": _sides,
}
