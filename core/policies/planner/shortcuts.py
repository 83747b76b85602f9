"""Shorter ways: one tool that does what several nodes say, as the tools' reference would be called.

Each gives the value that the nodes' own rules would give, or ``None`` where it does not apply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from treeline.core.policies.planner.conditions import MODES
from treeline.core.policies.planner.grounds import FeatureGround, split_where
from treeline.core.policies.planner.masks import class_rasters, found_place
from treeline.core.policies.planner.measures import limit_in
from treeline.core.policies.planner.plan import NoPixel, Steps
from treeline.core.policies.planner.values import (
    Mark,
    Numbers,
    Rasters,
    Scale,
    Value,
    common_scales,
    match_items,
    number,
)
from treeline.core.policies.planner.variables import cloud_rasters, cloud_shares
from treeline.core.policies.planner.work import Work, shortcut
from treeline.core.query.expression import Aggregate, And, Cloud, Compare, Node, Place, Variable, Which, Zones
from treeline.core.query.titles import short_title

Row = Mapping[str, object]

_OPPOSITE = {"above": "below_equal", "below": "above_equal", "above_equal": "below", "below_equal": "above"}


def _threshold(work: Work, node: Node) -> Steps[tuple[Rasters, str, float] | None]:
    """Return variable, comparison and limit of a comparison of one variable with a number."""
    if not isinstance(node, Compare) or node.operator not in MODES or not isinstance(node.of, Variable):
        return None
    limit = yield from work.value(node.limit)
    if not isinstance(limit, Numbers) or limit.scales:
        return None
    rasters = yield from work.rasters(node.of)
    return rasters, MODES[node.operator], limit_in(limit, rasters.unit)


def _unusual(mode: str) -> dict[str, str]:
    return {} if mode == "above" else {"mode": mode}


# Each costs a mask of the whole raster.
_MOST_NAMES = 24


@shortcut(Aggregate)
def share_beyond_a_limit(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the share of pixels beyond a limit, for one image or for each."""
    if (node.statistic, node.over, node.by, node.within) != ("share", "pixel", None, None):
        return None
    found = yield from _threshold(work, node.of)
    if found is None:
        return None
    rasters, mode, limit = found
    several = len(rasters.items) > 1
    tool = "calc_batch_threshold_ratio" if several else "calculate_threshold_ratio"
    what = f"{short_title(rasters.layer.role)} {mode.replace('_', ' or ')} {limit:g}"
    result = yield from work.plan.call(
        tool,
        f"Share of the pixels with {what}.",
        image_paths=rasters.layer.argument if several else rasters.layer.addresses[0],
        threshold=limit,
        **_unusual(mode),
    )
    reference = result.reference if several else ""
    return Numbers(rasters.scales, result.numbers, "%", reference=reference)


@shortcut(Aggregate)
def mean_share(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the mean of the dates' shares beyond a limit."""
    inner = node.of
    if node.statistic != "mean" or node.over != "date" or node.by is not None or node.weight is not None:
        return None
    if not isinstance(inner, Aggregate) or (inner.statistic, inner.over, inner.by) != (
        "share",
        "pixel",
        None,
    ):
        return None
    found = yield from _threshold(work, inner.of)
    if found is None or found[0].axis is None or len(found[0].items) < 2:
        return None
    rasters, mode, limit = found
    result = yield from work.plan.call(
        "calculate_threshold_ratio",
        "Mean of the dates' shares.",
        image_paths=rasters.layer.argument,
        threshold=limit,
        **_unusual(mode),
    )
    return number(result.number, "%")


@shortcut(Aggregate)
def dates_beyond_a_share(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Count the dates on which more (or less) than a share of the pixels lies beyond a limit."""
    if (node.statistic, node.over, node.by) != ("count", "date", None):
        return None
    test = node.of
    if not isinstance(test, Compare) or test.operator not in ("gt", "lt"):
        return None
    shares = test.of
    if not isinstance(shares, Aggregate) or (shares.statistic, shares.over, shares.by) != (
        "share",
        "pixel",
        None,
    ):
        return None
    if shares.within is not None:
        return None
    found = yield from _threshold(work, shares.of)
    bound = yield from work.value(test.limit)
    if found is None or not isinstance(bound, Numbers) or bound.scales or found[0].axis is None:
        return None
    rasters, mode, limit = found
    ratio = limit_in(bound, "%")
    if test.operator == "lt":
        # Fewer than r per cent meet the limit where more than 100 - r per cent do not.
        if mode not in _OPPOSITE:
            return None
        mode, ratio = _OPPOSITE[mode], 100.0 - ratio
    result = yield from work.plan.call(
        "count_images_exceeding_threshold_ratio",
        "Count the dates whose share passes the limit.",
        image_paths=rasters.layer.argument,
        value_threshold=limit,
        ratio_threshold=ratio,
        **_unusual(mode),
    )
    return number(result.number, "dates")


@shortcut(Aggregate)
def dates_beyond_a_mean(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Count the dates whose mean lies above or below a limit, or tell their share."""
    if node.statistic not in ("count", "share") or node.over != "date" or node.by is not None:
        return None
    test = node.of
    if not isinstance(test, Compare) or test.operator not in ("gt", "lt"):
        return None
    means = test.of
    if not isinstance(means, Aggregate) or not isinstance(means.of, Variable) or means.weight is not None:
        return None
    if (means.statistic, means.over, means.by) != ("mean", "pixel", None):
        return None
    limit = yield from work.value(test.limit)
    rasters = yield from work.rasters(means.of)
    if not isinstance(limit, Numbers) or limit.scales or rasters.axis is None:
        return None
    result = yield from work.plan.call(
        "calc_batch_image_mean_threshold",
        "Count the dates whose mean passes the limit.",
        file_list=rasters.layer.argument,
        threshold=limit_in(limit, rasters.unit),
        above=test.operator == "gt",
        return_type="count" if node.statistic == "count" else "ratio",
    )
    return number(result.number, "dates" if node.statistic == "count" else "%")


@shortcut(Aggregate)
def mean_where_another_passes(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the mean of one variable where another exceeds a limit, on one date."""
    if (node.statistic, node.over, node.by, node.weight) != ("mean", "pixel", None, None):
        return None
    of = node.of
    if not isinstance(of, Variable) or not isinstance(of.where, Compare) or of.where.operator != "gt":
        return None
    found = yield from _threshold(work, of.where)
    if found is None:
        return None
    other, _, limit = found
    rasters = yield from work.rasters(replace(of, where=None))
    if len(rasters.items) != 1 or common_scales([rasters, other]):
        return None
    try:
        result = yield from work.plan.call(
            "calc_threshold_value_mean",
            f"Mean {short_title(of.role)} where {short_title(other.layer.role)} is higher.",
            path1=match_items(other, ())[0].address,
            path2=rasters.items[0].address,
            threshold=limit,
        )
    except NoPixel:
        work.emptied.append(f"No pixel of {short_title(other.layer.role)} is above {limit:g}.")
        return Numbers((), (None,), rasters.unit)
    return number(result.number, rasters.unit)


@shortcut(Aggregate)
def share_of_two_limits(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the share of pixels where two variables both pass their limits, on one date."""
    if (node.statistic, node.over, node.by) != ("share", "pixel", None):
        return None
    if not isinstance(node.of, And) or len(node.of.of) != 2 or node.within is not None:
        return None
    sides = []
    for part in node.of.of:
        found = yield from _threshold(work, part)
        if found is None or len(found[0].items) != 1:
            return None
        sides.append(found)
    (one, first_mode, first), (other, second_mode, second) = sides
    modes = {"mode1": first_mode, "mode2": second_mode}
    result = yield from work.plan.call(
        "calculate_intersection_percentage",
        "Share of the pixels where both hold.",
        path1=one.layer.addresses[0],
        threshold1=first,
        path2=other.layer.addresses[0],
        threshold2=second,
        **{name: mode for name, mode in modes.items() if mode != "above"},
    )
    return Numbers(one.scales or other.scales, (result.number,), "%")


@shortcut(Aggregate)
def cloud_cover(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return how cloudy an image is, or each."""
    if (node.statistic, node.over, node.by) != ("share", "pixel", None) or not isinstance(node.of, Cloud):
        return None
    if node.within is not None:
        return None
    site, where = split_where(node.of.where)
    if where:
        return None
    rasters = yield from cloud_rasters(work, node.of, site)
    shares = yield from cloud_shares(work, rasters.layer)
    return Numbers(rasters.scales, shares.values, "%", reference=shares.reference if rasters.axis else "")


@shortcut(Aggregate)
def size_of_what_is_found(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the size of a place that is looked for, once it has a name: the shorter ways go by names.

    What is found by its size has just that size: whole, or cut at the edge of the rasters, as it was then.
    """
    if not isinstance(node.of, Place) or node.of.at is None:
        return None
    at = node.of.at
    of = yield from found_place(work, node.of, at)
    if isinstance(at, Which) and _is_found_by_its_size(node, at.of):
        in_unit = at.of if node.unit in ("", "ha") else replace(at.of, unit=node.unit)  # type: ignore[call-arg]
        found = yield from work.choose(replace(at, of=in_unit))
        return number(found.values[0], node.unit or "ha")
    return (yield from work.value(replace(node, of=of)))


def _is_found_by_its_size(node: Aggregate, by: Node) -> bool:
    """Return whether a place was looked for by the area of the polygons of its own file."""
    return (
        (node.statistic, node.over, node.by) == ("area", "pixel", None)
        and isinstance(node.of, Place)
        and isinstance(by, Aggregate)
        and by.statistic == "area"
        and isinstance(by.of, Place)
        and node.of.by == by.of.by == "feature"
        and node.of.source == by.of.source
    )


@shortcut(Aggregate)
def size_of_a_class(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return area, share or number of pixels of classes of one raster."""
    of = node.of
    if node.over != "pixel" or node.by is not None or not isinstance(of, Place) or of.by != "class":
        return None
    column = {"area": "area", "share": "percent", "count": "pixels"}.get(node.statistic)
    unit = node.unit or "ha"
    if column is None or node.within is not None or unit not in ("ha", "m2", "km2"):
        return None
    ground = work.grounds.class_ground(of.source, of.names)
    rasters = yield from class_rasters(work, ground, of.when)
    if len(rasters.items) != 1:
        return None
    result = yield from work.plan.call(
        "area_by_class", "How much ground each class has.", input_path=rasters.items[0].address, unit=unit
    )
    wanted = {n for name in of.names for n in ground.numbers(name)}
    parts = [row[column] for row in result.rows if row.get("class") in wanted]
    sizes = [float(part) for part in parts if isinstance(part, int | float)]
    given = {"area": unit, "share": "%", "count": "pixels"}[node.statistic]
    if len(sizes) < 2:
        return number(sizes[0] if sizes else 0.0, given)
    total = yield from work.plan.call(
        "summarize_values", "All of these classes together.", values=sizes, statistic="sum"
    )
    return number(total.number, given)


@shortcut(Aggregate)
def share_of_each_name(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the share that the polygons or the class of each name have of all pixels.

    Within its own ground each name has all of them: that is never what is asked.
    """
    of, by = node.of, node.by
    if (node.statistic, node.over) != ("share", "pixel") or not isinstance(of, Place) or len(of.names) < 2:
        return None
    if not isinstance(by, Zones) or by.by != of.by or by.by not in ("feature", "class"):
        return None
    if (by.source, by.attribute) != (of.source, of.attribute) or len(of.names) > _MOST_NAMES:
        return None
    shares = []
    for name in of.names:
        one = yield from work.numbers(replace(node, of=replace(of, names=(name,)), by=None))
        shares.append(one.single)
    return Numbers((Scale("zone", tuple(Mark(name) for name in of.names)),), tuple(shares), "%")


@shortcut(Aggregate)
def size_of_polygons(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the area of the polygons of a file: together, each, or those of each name.

    Ground that polygons share a name for is asked of the rasters' extent: where the polygons reach beyond it,
    its pixels are counted, as shares and means count them. Polygons asked for one by one are whole.
    """
    of = node.of
    if (node.statistic, node.over) != ("area", "pixel") or not isinstance(of, Place) or of.by != "feature":
        return None
    unit, by = node.unit or "ha", node.by
    ground = work.grounds.file(of.source, of.names)
    apart = isinstance(by, Zones) and (by.by, by.names) == ("feature", ())
    if unit not in ("ha", "m2", "km2") or ground.geometry != "Polygon" or (by is not None and not apart):
        return None
    attribute = of.attribute or ground.attribute_with(of.names) or ""
    if of.names and not attribute:
        return None
    beyond = work.area is None and _reaches_beyond_rasters(work, ground, attribute, of.names)
    by_name = by.attribute if isinstance(by, Zones) else of.names
    if beyond and by_name:
        work.plan.remark("Counted inside the rasters, which the polygons reach beyond.")
        return None
    result = yield from work.plan.call(
        "polygon_areas", "How large the polygons are.", vector_path=ground.name, unit=unit
    )
    if work.area is not None:
        work.plan.remark("Polygons are cut at the edge of the area of interest.")
    elif ground.overlap:
        work.plan.remark("Some of the polygons overlap; ground of several counts for each of them.")
    if beyond:
        work.plan.remark("That is the area of whole polygons, which reach beyond the rasters.")
    sizes = _sizes(work, result.rows, attribute, of.names)
    if isinstance(by, Zones) and by.attribute:
        return (yield from _by_name(work, ground, by.attribute, sizes, result.rows, unit))
    if by is not None:
        scale = Scale("zone", tuple(Mark(_zone_name(ground, zone)) for zone in sizes))
        return Numbers((scale,), tuple(sizes.values()), unit)
    if len(sizes) < 2:
        return number(next(iter(sizes.values()), 0.0), unit)
    total = yield from work.plan.call(
        "summarize_values", "All of these polygons together.", values=list(sizes.values()), statistic="sum"
    )
    return number(total.number, unit)


def _sizes(work: Work, rows: Sequence[Row], attribute: str, names: Sequence[str]) -> dict[str, float]:
    """Return the area of each polygon that has one of some names, by its number; of all without names."""
    wanted = {name.casefold() for name in names}
    sizes = {}
    for row in rows:
        size, named = row.get("area_on_ground"), str(row.get(attribute, "")).casefold()
        if not isinstance(size, int | float) or row.get("zone") == "all" or (wanted and named not in wanted):
            continue
        if size or work.area is None:
            sizes[str(row.get("zone"))] = float(size)
    return sizes


def _zone_name(ground: FeatureGround, zone: str) -> str:
    """Return what a polygon is called: by its own name, else by its number and what is said of it."""
    attribute, labels = ground.labels()
    label = labels[int(zone) - 1]
    said = next(iter(ground.attributes), None) if attribute == "zone" else None
    kind = ground.features.items[int(zone) - 1].attributes.get(said) if said else None
    return f"{label} ({kind})" if kind else label


def _by_name(
    work: Work,
    ground: FeatureGround,
    attribute: str,
    sizes: Mapping[str, float],
    rows: Sequence[Row],
    unit: str,
) -> Steps[Numbers]:
    """Return the area of the polygons of each name together."""
    totals = {}
    for name in ground.members(attribute):
        parts = [sizes.get(str(row.get("zone")), 0.0) for row in rows if str(row.get(attribute)) == name]
        if len(parts) > 1:
            total = yield from work.plan.call(
                "summarize_values", f"All polygons of {name} together.", values=parts, statistic="sum"
            )
            parts = [total.number or 0.0]
        totals[name] = parts[0]
    return Numbers((Scale("zone", tuple(map(Mark, totals))),), tuple(totals.values()), unit)


def _reaches_beyond_rasters(
    work: Work, ground: FeatureGround, attribute: str, names: tuple[str, ...]
) -> bool:
    """Return whether no raster holds the polygons as a whole; not so where there is no raster."""
    scenes = {layer.ground for layer in work.materials.derivation.layers if layer.ground}
    return bool(scenes) and not any(
        all(scene.holds(box) for box in ground.boxes(scene.crs, attribute, names)) for scene in scenes
    )
