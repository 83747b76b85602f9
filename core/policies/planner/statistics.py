"""Statistics over pixels, dates, periods and zones; a rule for each axis that is reduced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.masks import keep
from treeline.core.policies.planner.measures import (
    UNITS_OF_AREA,
    gives_truth,
    line,
    of_truths,
    parameter_of,
    statistic_name,
    unit_after,
)
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel, Steps, one_or_list
from treeline.core.policies.planner.times import group, months_between, partly_covered
from treeline.core.policies.planner.values import Mark, Numbers, Rasters, Scale, Value
from treeline.core.policies.planner.work import Work, computes, describe
from treeline.core.policies.planner.zones import by_zones
from treeline.core.query.expression import Aggregate, Convert, Node, Zones
from treeline.core.query.kinds import are_rates_of_known_times
from treeline.core.query.slots import leaves
from treeline.core.query.titles import short_title
from treeline.toolkit.units import becomes_decibels

# One number of each image, by the tools of the reference.
_OF_IMAGES = frozenset({"mean", "std", "median", "min", "max", "sum"})
# One number of a list, by its own tool, and the name of its argument.
_OF_LISTS: Mapping[str, str] = {
    "mean": "mean",
    "cv": "coefficient_of_variation",
    "kurtosis": "kurtosis",
    "skewness": "skewness",
}
_EXTREMES: Mapping[str, str] = {"max": "max_value_and_index", "min": "min_value_and_index"}
# What a single value is itself.
_OF_ONE = frozenset({"mean", "median", "min", "max", "sum"})
_COMPOSITES = frozenset({"median", "max", "min", "std", "percentile"})


@computes(Aggregate)
def aggregate(work: Work, node: Aggregate) -> Steps[Value]:
    """Return a statistic over one axis, or within groups of it."""
    total = node.statistic == "sum" and node.over == "date" and are_rates_of_known_times(node.of)
    value = yield from work.value(_as_depths(node.of) if total else node.of)
    if node.within is not None and isinstance(value, Rasters):
        value = yield from keep(work, value, node.within)
    if isinstance(value, Numbers):
        return (yield from of_numbers(work, node, value))
    if not isinstance(value, Rasters):
        raise CannotAnswer(f"The {node.statistic} cannot be taken of {describe(value)}.")
    if value.layer.role == "terrain_aspect" and not value.truth and node.statistic not in _OF_DIRECTIONS:
        raise CannotAnswer(
            f"Directions have no plain {statistic_name(node)}: 350° and 10° would give 180°, the opposite.",
            "Ask for the share that faces a direction, or for each facing direction.",
        )
    if node.weight is not None:
        return (yield from _weight(work, node, value))
    if isinstance(node.by, Zones):
        return (yield from by_zones(work, node, value, node.by))
    return (yield from _OVER[node.over](work, node, value))


def _as_depths(node: Node) -> Node:
    """Return what is added up over dates with the depth of each value's time instead of its rate."""
    if isinstance(node, Aggregate):
        return replace(node, of=_as_depths(node.of))
    return Convert(node, "mm")


# Whatever adds degrees up, or puts them in order, takes 359 and 1 for far apart.
_OF_DIRECTIONS = ("count", "mode", "entropy")

# --- Over pixels ----------------------------------------------------------------------------------


def _over_pixels(work: Work, node: Aggregate, value: Rasters) -> Steps[Value]:
    if value.truth:
        return (yield from _truths_of_pixels(work, node, value))
    what = f"{statistic_name(node)} of {short_title(value.layer.role)}"
    if node.statistic == "percentile" and (len(value.items) == 1 or work.materials.one_by_one):
        result = yield from work.plan.call(
            "get_percentile_value_from_image",
            f"{what.capitalize()} of {_dates(value.layer)}.",
            image_path=one_or_list(value.layer.addresses),
            percentile=node.parameter,
        )
    elif node.statistic in _OF_ONE_RASTER:
        return (yield from _of_each_raster(work, node, value))
    elif node.statistic in _OF_IMAGES or node.statistic in ("skewness", "kurtosis"):
        tool = f"calc_batch_image_{node.statistic}"
        thought = f"{what.capitalize()} of {_dates(value.layer)}."
        result = yield from work.plan.call(tool, thought, file_list=value.layer.argument)
    else:
        arguments = {} if node.parameter is None else {"parameter": parameter_of(node)}
        result = yield from work.plan.call(
            "image_statistics",
            f"{what.capitalize()} of {_dates(value.layer)}.",
            file_list=value.layer.argument,
            statistic=node.statistic,
            **arguments,
        )
    unit = unit_after(node, value.unit)
    return _numbers_of(value, result.numbers, unit, result.reference)


def _of_each_raster(work: Work, node: Aggregate, value: Rasters) -> Steps[Value]:
    """Return what a tool tells of one raster at a time."""
    tool, argument, field = _OF_ONE_RASTER[node.statistic]
    numbers: list[float | None] = []
    for item in value.items:
        thought = f"{statistic_name(node)} of {item.label}."
        result = yield from work.plan.call(tool, thought, **{argument: item.address})
        told = result.table.get(field) if field else result.number
        numbers.append(float(told) if isinstance(told, int | float) else None)
    return Numbers(value.scales, tuple(numbers), unit_after(node, value.unit))


# Tool, its argument, and the field of its table that holds the number.
_OF_ONE_RASTER = {"otsu": ("otsu_threshold", "input_path", ""), "moran": ("morans_i", "image_path", "i")}


def _numbers_of(
    value: Rasters, numbers: Sequence[float | None], unit: str, reference: str, *, truth: bool = False
) -> Numbers:
    scales = value.scales
    return Numbers(scales, tuple(numbers), unit, truth, reference if scales and len(scales[0]) > 1 else "")


def _truths_of_pixels(work: Work, node: Aggregate, value: Rasters) -> Steps[Value]:
    if node.statistic == "area":
        return (yield from area_of(work, value, node.unit or "ha"))
    files = value.layer.addresses
    if node.statistic == "share":
        return (yield from _share_of(work, value))
    if node.statistic == "count":
        result = yield from work.plan.call(
            "calc_batch_image_sum", "How many pixels are marked.", file_list=files
        )
        return _numbers_of(value, result.numbers, "pixels", result.reference)
    tool = f"calc_batch_image_{of_truths(node.statistic)}"
    result = yield from work.plan.call(tool, f"Whether {node.statistic} of the pixels are.", file_list=files)
    if len(files) == 1:
        share = yield from _share_of(work, value)
        if share.single is not None:
            work.shares[node] = share.single
    return _numbers_of(value, result.numbers, "", result.reference, truth=True)


def _share_of(work: Work, value: Rasters) -> Steps[Numbers]:
    result = yield from work.plan.call(
        "calc_batch_threshold_ratio",
        "What share of the pixels that count is marked.",
        image_paths=value.layer.addresses,
        threshold=0.5,
    )
    return _numbers_of(value, result.numbers, "%", result.reference)


def area_of(work: Work, value: Rasters, unit: str) -> Steps[Numbers]:
    """Return the area that masks mark; none where no pixel counts at all."""
    known = unit if unit in UNITS_OF_AREA else "m2"
    result = yield from work.plan.call(
        "calculate_area",
        "The area that is marked, from the georeference.",
        input_image_path=one_or_list(value.layer.addresses),
        gsd=None,
        unit=known,
    )
    if any("no georeference" in warning for warning in result.warnings):
        raise CannotAnswer("The raster has no georeference, so nothing tells how large a pixel is.")
    found = _numbers_of(value, result.numbers, known, result.reference)
    return found if known == unit else (yield from convert_numbers(work, found, unit))


def convert_numbers(work: Work, value: Numbers, unit: str, *, difference: bool = False) -> Steps[Numbers]:
    """Return numbers in another unit of the same quantity."""
    decibels = becomes_decibels(value.unit, unit) and not difference
    if value.values == (None,) or (
        not decibels and line(value.unit, unit, difference=difference) == (1.0, 0.0)
    ):
        return Numbers(value.scales, value.values, unit or value.unit, value.truth, value.reference)
    tools = {("K", "degC"): "kelvin_to_celsius", ("degC", "K"): "celsius_to_kelvin"}
    tool = tools.get((value.unit, unit))
    if tool is not None and not value.scales and not difference:
        parameter = work.plan.registry.get(tool).parameters[0].name
        result = yield from work.plan.call(tool, "In the unit asked for.", **{parameter: value.single})
    else:
        arguments: dict[str, object] = {"values": value.argument, "unit": value.unit, "wanted": unit}
        if difference:
            arguments["difference"] = True
        result = yield from work.plan.call("convert_units", "In the unit asked for.", **arguments)
    reference = result.reference if value.scales else ""
    return Numbers(value.scales, result.numbers, unit, value.truth, reference)


def _weight(work: Work, node: Aggregate, value: Rasters) -> Steps[Value]:
    if node.statistic != "mean" or node.over != "pixel" or node.weight is None or node.by is not None:
        raise CannotAnswer("Only a mean over pixels can be weighted by a raster.")
    weight = yield from work.rasters(node.weight)
    if len(weight.items) != 1:
        raise CannotAnswer("The weights must be one raster.", "Name its date.")
    result = yield from work.plan.call(
        "image_weighted_mean",
        f"Mean weighted by {short_title(weight.layer.role)}.",
        file_list=value.layer.argument,
        weight_path=weight.layer.addresses[0],
    )
    return _numbers_of(value, result.numbers, value.unit, result.reference)


# --- Over all pixels of all dates -----------------------------------------------------------------


def _pool(work: Work, node: Aggregate, value: Rasters) -> Steps[Value]:
    if isinstance(node.by, str):
        return (yield from _pool_by_period(work, node, value))
    found = yield from pooled_number(work, node, value.layer, truth=value.truth)
    unit = unit_after(node, value.unit)
    return Numbers((), (found,), unit, gives_truth(node))


def pooled_number(work: Work, node: Aggregate, layer: Layer, *, truth: bool) -> Steps[float | None]:
    """Return a statistic of the pixels of all rasters of a layer together."""
    statistic = of_truths(node.statistic)
    if statistic in _EXTREMES:
        thought = f"{statistic_name(node).capitalize()} of {_dates(layer)}."
        each = yield from work.plan.call(f"calc_batch_image_{statistic}", thought, file_list=layer.argument)
        if len(layer.items) == 1 or not any(value is not None for value in each.numbers):
            return each.number
        found = yield from work.plan.call(_EXTREMES[statistic], "Over all dates.", x=each.reference)
        return found.number
    thought = f"{statistic_name(node).capitalize()} of the pixels of {_dates(layer)} together."
    if statistic == "mean" and not truth:
        found = yield from work.plan.call(
            "calc_batch_image_pooled_statistics", thought, file_list=layer.argument
        )
        value = found.table.get("mean")
        return float(value) if isinstance(value, int | float) else None
    if statistic == "area":
        raise CannotAnswer("An area is of one date.", "Ask for the mean of the dates' areas.")
    arguments = {} if node.parameter is None else {"parameter": parameter_of(node)}
    found = yield from work.plan.call(
        "pooled_image_statistic", thought, file_list=layer.argument, statistic=statistic, **arguments
    )
    return found.number


def _pool_by_period(work: Work, node: Aggregate, value: Rasters) -> Steps[Value]:
    marks, numbers = [], []
    for mark, members in _groups(node, value.scales[0]):
        layer = value.layer.only(value.items[n] for n in members)
        marks.append(mark)
        try:
            numbers.append((yield from pooled_number(work, node, layer, truth=value.truth)))
        except NoPixel:
            numbers.append(None)
    return Numbers((Scale("period", tuple(marks)),), tuple(numbers), unit_after(node, value.unit))


# --- Through time, pixel by pixel -----------------------------------------------------------------


def _through_time(work: Work, node: Aggregate, value: Rasters) -> Steps[Value]:
    if not isinstance(node.by, str):
        return (yield from composite(work, node, value))
    items = []
    truth = gives_truth(node)
    unit, role = "", ""
    for mark, members in _groups(node, value.scales[0]):
        group = Rasters(value.layer.only(value.items[n] for n in members), value.axis, value.truth)
        made = yield from composite(work, node, group, mark.label)
        unit, role = made.unit, made.layer.role
        items.append(Item(made.items[0].address, mark.date, mark.label, value.items[0].place))
    return Rasters(Layer(role, tuple(items), unit), "period", truth)


def composite(work: Work, node: Aggregate, value: Rasters, label: str = "") -> Steps[Rasters]:
    """Return one raster of the statistic of each pixel's dates."""
    statistic = of_truths(node.statistic)
    first, last = value.items[0], value.items[-1]
    span = label or (first.label if first == last else f"{first.label} {last.label}")
    unit = unit_after(node, value.unit)
    truth = gives_truth(node)
    if len(value.items) == 1 and statistic in ("mean", "median", "min", "max", "sum"):
        return Rasters(value.layer, None, value.truth)
    output = work.plan.name(f"{value.layer.role}_{statistic}", span)
    thought = f"The {statistic_name(node)} of {len(value.items)} dates as a map."
    files = value.layer.argument
    if statistic == "mean":
        yield from work.plan.call("calculate_tif_average", thought, file_list=files, output_path=output)
    elif statistic in _COMPOSITES:
        more = {"percentile": node.parameter} if statistic == "percentile" else {}
        yield from work.plan.call(
            "calculate_composite", thought, file_list=files, output_path=output, method=statistic, **more
        )
    else:
        more = {} if node.parameter is None else {"parameter": parameter_of(node)}
        yield from work.plan.call(
            "summarize_stack", thought, file_list=files, output_path=output, statistic=statistic, **more
        )
    keeps = unit == value.unit and not value.truth
    role = value.layer.role if keeps else "mask" if truth else "composite"
    item = Item(output, None, span if label else f"{first.label} to {last.label}", first.place)
    return Rasters(Layer(role, (item,), unit), None, truth)


# --- Lists of numbers -----------------------------------------------------------------------------


def of_numbers(work: Work, node: Aggregate, value: Numbers) -> Steps[Value]:
    """Return a statistic of numbers along one of their axes."""
    if not value.has(node.over):
        raise CannotAnswer(f"{describe(value)} have no {node.over}.")
    if isinstance(node.by, str):
        return (yield from _by_period(work, node, value))
    unit, truth = unit_after(node, value.unit), gives_truth(node)
    others, rows = value.rows(node.over)
    if others:
        found = yield from _summarize(work, node, list(rows))
        return Numbers(others, found, unit, truth)
    known = [v for v in value.values if v is not None]
    if not known:
        return Numbers((), (None,), unit, truth)
    if len(value.values) == 1 and node.statistic in _OF_ONE:
        return Numbers((), value.values, unit, truth)
    number = yield from _of_list(work, node, value)
    return Numbers((), (number,), unit, truth)


def _of_list(work: Work, node: Aggregate, value: Numbers) -> Steps[float | None]:
    statistic = of_truths(node.statistic)
    count = len(value.values)
    thought = f"{statistic_name(node).capitalize()} of the {count} {node.over}s."
    if statistic in _EXTREMES:
        result = yield from work.plan.call(_EXTREMES[statistic], thought, x=value.argument)
    elif statistic in _OF_LISTS:
        result = yield from work.plan.call(_OF_LISTS[statistic], thought, x=value.argument)
    else:
        return (yield from _summarize(work, node, value.argument))[0]
    return result.number


def _summarize(work: Work, node: Aggregate, values: object) -> Steps[tuple[float | None, ...]]:
    statistic = of_truths(node.statistic)
    arguments = {} if node.parameter is None else {"parameter": parameter_of(node)}
    result = yield from work.plan.call(
        "summarize_values",
        f"{statistic_name(node).capitalize()} of the {node.over}s.",
        values=values,
        statistic=statistic,
        **arguments,
    )
    return result.numbers


def _by_period(work: Work, node: Aggregate, value: Numbers) -> Steps[Value]:
    scale = value.scale(node.over)
    groups = _groups(node, scale)
    others, rows = value.rows(node.over)
    if node.statistic == "count":
        _name_empty_periods(work, node, scale, len(groups))
    name_partial_periods(work, node, groups, scale)
    lists = [[row[n] for n in members] for row in rows for _, members in groups]
    found = yield from _summarize(work, node, lists)
    new = Scale("period", tuple(mark for mark, _ in groups))
    unit = unit_after(node, value.unit)
    return Numbers((*others, new), found, unit, gives_truth(node))


def _name_empty_periods(work: Work, node: Aggregate, scale: Scale, known: int) -> None:
    """Say how many periods between the first and the last date have no date, which are not counted."""
    dates = sorted(mark.date for mark in scale.marks if mark.date is not None)
    if not dates or not isinstance(node.by, str) or node.by == "day":
        return
    missing = len(group(months_between(dates[0], dates[-1]), node.by)) - known
    if missing > 0:
        what = "One period has" if missing == 1 else f"{missing} periods have"
        work.plan.remark(f"{what} no image at all and {'is' if missing == 1 else 'are'} left out.")


def name_partial_periods(
    work: Work, node: Aggregate, groups: Sequence[tuple[Mark, list[int]]], scale: Scale
) -> None:
    """Say which of the years or seasons set against each other have images of a part of them alone."""
    assert isinstance(node.by, str)
    months = {month for leaf in leaves(node) for month in leaf.when.months}
    told = partly_covered(groups, scale.marks, node.by, months)
    if told and len(groups) > 1:
        work.plan.remark(told)


def _groups(node: Aggregate, scale: Scale) -> list[tuple[Mark, list[int]]]:
    assert isinstance(node.by, str)
    return group(scale.marks, node.by)


_OVER: Mapping[str, Callable[[Work, Aggregate, Rasters], Steps[Value]]] = {
    "pixel": _over_pixels,
    "all": _pool,
    "date": _through_time,
    "period": _through_time,
}


def _dates(layer: Layer) -> str:
    labels = [item.label for item in layer.items]
    return labels[0] if len(labels) == 1 else f"{len(labels)} dates"
