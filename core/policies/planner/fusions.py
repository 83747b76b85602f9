"""Shorter ways over several images: means of means, pairs of images, dates beyond the usual."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.policies.planner.arithmetic import unit_of
from treeline.core.policies.planner.conditions import MODES
from treeline.core.policies.planner.derivation import DerivedRole, RoleRequest, UnavailableRole
from treeline.core.policies.planner.grounds import split_where
from treeline.core.policies.planner.measures import limit_in
from treeline.core.policies.planner.phrases import phrase
from treeline.core.policies.planner.plan import Steps
from treeline.core.policies.planner.statistics import name_partial_periods
from treeline.core.policies.planner.times import group
from treeline.core.policies.planner.values import Mark, Numbers, Rasters, Scale, Value, number
from treeline.core.policies.planner.work import Work, shortcut
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Compare,
    Node,
    Number,
    Trend,
    Variable,
)
from treeline.core.query.titles import short_title
from treeline.toolkit.decibels import is_decibel

_FEWEST_OF_LIST = 2
# Each takes two calls, which more periods than these would spend most of the steps of a run on.
_MOST_PERIODS = 20
_BESIDE_NDVI = ("red", "nir")
# By statistic: the tool for where it is green, and what it calls the red and near-infrared bands and the LST.
_WHERE_GREEN = {
    "max": ("calculate_max_lst_by_ndvi", ("red_path", "nir_path", "lst_path")),
    "mean": ("calculate_mean_lst_by_ndvi", ("red_paths", "nir_paths", "lst_paths")),
}


def _is_retrieved(work: Work, node: Node) -> bool:
    """Return whether a variable is retrieved by a method, so that its images are products of the run."""
    if not isinstance(node, Variable) or split_where(node.where)[1]:
        return False
    site, _ = split_where(node.where)
    found = work.materials.derivation.find(
        node.role, RoleRequest(lambda item: True, place=site, sensor=node.sensor)
    )
    return (
        not isinstance(found, UnavailableRole)
        and isinstance(found, DerivedRole)
        and (found.tool.kit == "Inversion" or found.role == "tvdi")
    )


def means_of(node: Node) -> Aggregate | None:
    """Return the means of the images of a variable, where that is all that a node is."""
    plain = isinstance(node, Aggregate) and (node.statistic, node.over, node.by, node.weight) == (
        "mean",
        "pixel",
        None,
        None,
    )
    return node if plain and isinstance(node, Aggregate) else None


@shortcut(Aggregate)
def mean_of_means(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the mean of the images' means of a retrieved variable, of all dates or for each period."""
    means = means_of(node.of)
    if means is None or (node.statistic, node.over) != ("mean", "date") or not _is_retrieved(work, means.of):
        return None
    rasters = yield from work.rasters(means.of)
    if rasters.axis != "date" or len(rasters.items) < _FEWEST_OF_LIST:
        return None
    what = short_title(rasters.layer.role)
    if node.by is None:
        result = yield from work.plan.call(
            "calc_batch_image_mean_mean",
            f"Mean of {what} over {len(rasters.items)} images.",
            file_list=rasters.layer.argument,
        )
        return number(result.number, rasters.unit)
    if not isinstance(node.by, str):
        return None
    marks: list[Mark] = []
    values: list[float | None] = []
    groups = group(rasters.scales[0].marks, node.by)
    name_partial_periods(work, node, groups, rasters.scales[0])
    for mark, members in groups:
        layer = rasters.layer.only(rasters.items[n] for n in members)
        result = yield from work.plan.call(
            "calc_batch_image_mean_mean", f"Mean of {what} in {mark.label}.", file_list=layer.argument
        )
        marks.append(mark)
        values.append(result.number)
    return Numbers((Scale("period", tuple(marks)),), tuple(values), rasters.unit)


@shortcut(Trend)
def means_of_periods(work: Work, node: Trend) -> Steps[Value | None]:
    """Work out the mean of each period, image by image, before a line is laid through them."""
    course = node.of
    if (
        not isinstance(course, Aggregate)
        or not isinstance(course.by, str)
        or work.known_value(course) is not None
    ):
        return None
    means = means_of(course.of)
    if means is None or (course.statistic, course.over) != ("mean", "date"):
        return None
    rasters = yield from work.rasters(means.of)
    groups = group(rasters.scales[0].marks, course.by) if rasters.axis == "date" else []
    if not 0 < len(groups) <= _MOST_PERIODS:
        return None
    marks: list[Mark] = []
    values: list[float | None] = []
    for mark, members in groups:
        layer = rasters.layer.only(rasters.items[n] for n in members)
        each = yield from work.plan.call(
            "calc_batch_image_mean", f"Mean of each image in {mark.label}.", file_list=layer.argument
        )
        whole = yield from work.plan.call("mean", f"The mean of {mark.label}.", x=each.reference)
        marks.append(mark)
        values.append(whole.number)
    work.settle(course, Numbers((Scale("period", tuple(marks)),), tuple(values), rasters.unit))
    return None


@shortcut(Combine)
def multiple(work: Work, node: Combine) -> Steps[Value | None]:
    """Return a number times one that the question names; no tool is needed for that.

    A whole number may stand in the question as a word, so that its product is worked out in sight.
    """
    if node.how != "product" or not isinstance(node.right, Number) or node.right.unit:
        return None
    if node.right.value == int(node.right.value):
        return None
    value = yield from work.numbers(node.left)
    if value.scales or value.single is None:
        return None
    made = value.single * node.right.value
    work.plan.remark(f"The limit is {node.right.value:g} times the {phrase(node.left)}: {made:.6g}.")
    return number(made, value.unit)


@shortcut(Aggregate)
def dates_beyond_the_usual(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Count the dates whose mean lies beyond a multiple of the mean of all of them."""
    test = node.of
    if (node.statistic, node.over, node.by) != ("count", "date", None) or not isinstance(test, Compare):
        return None
    means, limit = means_of(test.of), test.limit
    if means is None or not isinstance(limit, Combine) or limit.how != "product":
        return None
    usual = limit.left
    same = isinstance(usual, Aggregate) and (usual.statistic, usual.over, usual.by, usual.of) == (
        "mean",
        "date",
        None,
        means,
    )
    if not same or not isinstance(limit.right, Number) or test.operator not in MODES:
        return None
    rasters = yield from work.rasters(means.of)
    if rasters.axis is None:
        return None
    mode = MODES[test.operator]
    result = yield from work.plan.call(
        "count_images_exceeding_mean_multiplier",
        "Count the dates beyond a multiple of the usual.",
        image_paths=rasters.layer.argument,
        mean_multiplier=limit.right.value,
        **({} if mode == "above" else {"mode": mode}),
    )
    return number(result.number, "dates")


@shortcut(Aggregate)
def mean_of_ratios(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the mean over the pixels of one variable divided by another, of one image each."""
    means, ratio = means_of(node), node.of
    if means is None or not isinstance(ratio, Combine) or ratio.how != "ratio":
        return None
    if not isinstance(ratio.left, Variable) or not isinstance(ratio.right, Variable):
        return None
    above = yield from work.rasters(ratio.left)
    below = yield from work.rasters(ratio.right)
    if len(above.items) != 1 or len(below.items) != 1 or is_decibel(above.unit):
        return None
    result = yield from work.plan.call(
        "image_division_mean",
        "Mean of the one divided by the other, pixel by pixel.",
        **_divide(above.layer.addresses[0], below.layer.addresses[0]),
    )
    return Numbers(above.scales, (result.number,), unit_of("ratio", above.unit, below.unit))


def _divide(above: str, below: str) -> dict[str, object]:
    """Return the arguments of a division; two bands of one file that have no names are told by numbers."""
    one, _, first = above.partition("#")
    other, _, second = below.partition("#")
    if one != other or not (first or "1").isdigit() or not (second or "1").isdigit():
        return {"image_path1": above, "image_path2": below}
    return {"image_path1": one, "band1": int(first or 1), "band2": int(second or 1)}


@shortcut(Aggregate)
def heat_where_green(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the highest or the mean surface temperature where the NDVI of an image is beyond a limit."""
    of = node.of
    if node.statistic not in _WHERE_GREEN or node.over not in ("pixel", "all") or node.by or node.weight:
        return None
    if not isinstance(of, Variable) or of.role != "lst" or not isinstance(of.where, Compare):
        return None
    test = of.where
    mode = {"gt": "above", "ge": "above", "lt": "below"}.get(test.operator)
    if not isinstance(test.of, Variable) or test.of.role != "ndvi" or work.materials.derivation.has("ndvi"):
        return None
    derivation = work.materials.derivation
    if mode is None or not isinstance(test.limit, Number) or not all(derivation.has(r) for r in _BESIDE_NDVI):
        return None
    if node.statistic == "mean" and not _is_retrieved(work, replace(of, where=None)):
        return None
    rasters = yield from work.rasters(replace(of, where=None))
    bands = []
    for role in _BESIDE_NDVI:
        band = yield from work.rasters(Variable(role, of.when, timeless=of.timeless))
        bands.append(band)
    if any(len(given.items) != 1 for given in (rasters, *bands)):
        return None
    tool, names = _WHERE_GREEN[node.statistic]
    addresses = (given.layer.addresses[0] for given in (*bands, rasters))
    result = yield from work.plan.call(
        tool,
        f"The {node.statistic} where NDVI is {mode} {test.limit.value:g}.",
        **dict(zip(names, addresses, strict=True)),
        ndvi_threshold=test.limit.value,
        **({} if mode == "above" else {"mode": mode}),
    )
    scales = () if node.over == "all" else rasters.scales
    return Numbers(scales, (result.number,), rasters.unit)


@shortcut(Aggregate)
def highest_of_means(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the highest of the images' means of a retrieved variable."""
    means = means_of(node.of)
    if (node.statistic, node.over, node.by) != ("max", "date", None) or means is None:
        return None
    if work.known_value(means) is not None or not _is_retrieved(work, means.of):
        return None
    rasters = yield from work.rasters(means.of)
    if rasters.axis != "date" or len(rasters.items) < _FEWEST_OF_LIST:
        return None
    result = yield from work.plan.call(
        "calc_batch_image_mean_max",
        f"The highest mean of {len(rasters.items)} images.",
        file_list=rasters.layer.argument,
    )
    return number(result.number, rasters.unit)


@shortcut(Aggregate)
def fire_pixels(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return how many pixels of each image burn more than a limit."""
    test = node.of
    if (node.statistic, node.over, node.by) != ("count", "pixel", None) or not isinstance(test, Compare):
        return None
    if test.operator != "gt" or not isinstance(test.of, Variable) or test.of.role != "frp":
        return None
    limit = yield from work.numbers(test.limit)
    rasters = yield from work.rasters(test.of)
    if limit.scales or test.of.where is not None:
        return None
    bound = limit_in(limit, rasters.unit)
    result = yield from work.plan.call(
        "calc_batch_fire_pixels",
        "How many pixels burn.",
        file_list=rasters.layer.argument,
        **({"fire_threshold": bound} if bound else {}),
    )
    return Numbers(
        rasters.scales, result.numbers, "pixels", reference=result.reference if rasters.axis else ""
    )


@shortcut(Aggregate)
def mean_of_pairs(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the mean of one variable where another exceeds a limit, the pixels of all dates pooled."""
    of = node.of
    if (node.statistic, node.over, node.by) != ("mean", "all", None) or not isinstance(of, Variable):
        return None
    test = of.where
    if not isinstance(test, Compare) or test.operator != "gt" or not isinstance(test.of, Variable):
        return None
    limit = yield from work.numbers(test.limit)
    other = yield from work.rasters(test.of)
    rasters = yield from work.rasters(replace(of, where=None))
    if limit.scales or len(other.items) != len(rasters.items):
        return None
    many = len(rasters.items) > 1
    result = yield from work.plan.call(
        "calc_threshold_value_mean",
        f"Mean {short_title(of.role)} where {short_title(other.layer.role)} is higher.",
        path1=other.layer.argument if many else other.layer.addresses[0],
        path2=rasters.layer.argument if many else rasters.layer.addresses[0],
        threshold=limit_in(limit, other.unit),
    )
    return number(result.number, rasters.unit)


@shortcut(Aggregate)
def share_above_its_own_mean(work: Work, node: Aggregate) -> Steps[Value | None]:
    """Return the share of a single map that lies above a multiple of its mean."""
    test = node.of
    if (node.statistic, node.over, node.by, node.within) != ("share", "pixel", None, None):
        return None
    if not isinstance(test, Compare) or test.operator != "gt" or not isinstance(test.of, Aggregate):
        return None
    if not isinstance(test.limit, Combine | Number):
        return None
    value = yield from work.value(test.of)
    limit = yield from work.numbers(test.limit)
    if not isinstance(value, Rasters) or value.axis is not None or limit.scales:
        return None
    result = yield from work.plan.call(
        "calc_batch_image_hotspot_percentage",
        "What share of the map lies above the limit.",
        file_list=value.layer.argument,
        threshold=limit_in(limit, value.unit),
    )
    return number(None if result.number is None else 100 * result.number, "%")
