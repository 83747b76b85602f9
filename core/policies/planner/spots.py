"""Where things lie: hot spots, sides, centres, distances, profiles, spectra, the most frequent class."""

from __future__ import annotations

from treeline.core.policies.planner.centres import Centre, centre_of, one_of
from treeline.core.policies.planner.masks import point_in_degrees
from treeline.core.policies.planner.phrases import phrase
from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.values import (
    Mark,
    Numbers,
    Scale,
    Selection,
    Text,
    Value,
    number,
)
from treeline.core.policies.planner.work import Work, computes
from treeline.core.query.expression import (
    Centroid,
    Classified,
    Compare,
    Direction,
    Distance,
    Hotspots,
    Majority,
    Node,
    Profile,
)

_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_NEIGHBOURS = [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
# Two-sided probability of 5 %, as the tool for the direction has it.
_BOUND = 1.96
_DECIMALS = 5


@computes(Hotspots)
def hotspots(work: Work, node: Hotspots) -> Steps[Value]:
    """Return masks of the pixels among high, or low, neighbours."""
    value = yield from work.rasters(node.of)
    scores, outputs = [], []
    for item in value.items:
        score = work.plan.name("gi_star", item.mark)
        yield from work.plan.call(
            "getis_ord_gi_star",
            f"Which pixels lie among {'high' if node.side == 'hot' else 'low'} ones?",
            image_path=item.address,
            weight_matrix=_NEIGHBOURS,
            output_path=score,
        )
        scores.append(score)
        outputs.append(work.plan.name(f"mask_{node.side}", item.mark))
    sign = f"> {_BOUND}" if node.side == "hot" else f"< -{_BOUND}"
    yield from work.plan.call(
        "calculate_batch_formula",
        f"Where Gi* is {sign}.",
        formula=f"x0 {sign}",
        rasters={"x0": scores},
        output_paths=outputs,
    )
    work.plan.remark(f"{node.side.capitalize()} spots are pixels whose Gi* over 3 x 3 pixels is {sign}.")
    return value.at(outputs, "mask", "class", truth=True)


@computes(Classified)
def compute_classes(work: Work, node: Classified) -> Steps[Value]:
    """Return a raster of the numbers of the first conditions that hold."""
    masks = []
    for part in node.of:
        value = yield from work.rasters(part)
        masks.append((value, one_of(value, "A map of classes")))
    numbers = range(1, len(masks) + 1)
    # No class is no value: a root of what is below 0.
    formula = "".join(f"where(x{n} > 0.5, {n}, " for n in numbers) + "sqrt(-1 - x1)" + ")" * len(masks)
    output = work.plan.name("classes", masks[0][1].mark)
    yield from work.plan.call(
        "calculate_batch_formula",
        "The number of the class that each pixel is in.",
        formula=formula,
        rasters={f"x{n}": [item.address] for n, (_, item) in enumerate(masks, start=1)},
        output_paths=[output],
        role="classes",
        unit="class",
    )
    told = "; ".join(f"{n}: {phrase(part)}" for n, part in enumerate(node.of, start=1))
    work.plan.remark(f"The classes are {told}.")
    return masks[0][0].at([output], "classes", "class")


@computes(Direction)
def direction(work: Work, node: Direction) -> Steps[Value]:
    """Return on which side of the image most of a mask lies, or in which direction from another place."""
    value = yield from work.rasters(node.of)
    if node.origin is not None:
        origin = yield from work.rasters(node.origin)
        start, end = (yield from centre_of(work, origin)), (yield from centre_of(work, value))
        result = yield from work.plan.call(
            "bearing_between_points",
            "In which direction it lies.",
            first=[start.longitude, start.latitude],
            second=[end.longitude, end.latitude],
        )
        degrees = result.number or 0.0
        side = _COMPASS[round(degrees / 45) % 8]
        text = f"{phrase(node.of)} lies {side} of {phrase(node.origin)}: {degrees:.1f}\u00b0 from north."
        work.plan.remark("Seen from centre to centre.")
        return Text(text, degrees, "degree", labels=(side,))
    item = one_of(value, "A direction")
    result = yield from work.plan.call(
        "analyze_hotspot_direction", "On which side are they?", hotspot_map_path=item.address
    )
    side = str(result.value)
    if side not in ("north", "south", "east", "west"):
        raise CannotAnswer("The mask marks no pixel, so it lies on no side.")
    return Text(f"Most of it lies in the {side}.")


@computes(Centroid)
def centroid(work: Work, node: Centroid) -> Steps[Value]:
    """Return the centre of a mask."""
    value = yield from work.rasters(node.of)
    centre = yield from centre_of(work, value)
    what = "It" if _is_extreme(work, node.of, centre) else "The centre"
    place = f"{_degrees(centre.latitude, 'N', 'S')}, {_degrees(centre.longitude, 'E', 'W')}"
    text = f"{what} lies at {place} (x = {centre.x:,.1f}, y = {centre.y:,.1f} in the raster's CRS)."
    return Text(text, product=value.items[0].address)


def _is_extreme(work: Work, of: Node, centre: Centre) -> bool:
    """Return whether a mask marks a highest or lowest value, having said where several pixels have it."""
    extreme = isinstance(of, Compare) and of.operator == "eq"
    if extreme and centre.pixels > 1:
        work.plan.remark(f"{centre.pixels} pixels have {phrase(of)}; told is the middle of them.")
    return extreme


def _degrees(value: float, positive: str, negative: str) -> str:
    return f"{abs(value):.{_DECIMALS}f}\u00b0 {positive if value >= 0 else negative}"


@computes(Distance)
def distance(work: Work, node: Distance) -> Steps[Value]:
    """Return how far each pixel is from a mask, or how far the centres of two places are apart."""
    to = yield from work.rasters(node.to)
    if node.of is not None:
        of = yield from work.rasters(node.of)
        one = yield from centre_of(work, of)
        other = yield from centre_of(work, to)
        result = yield from work.plan.call(
            "distance_between_points",
            "How far they are apart.",
            first=[one.longitude, one.latitude],
            second=[other.longitude, other.latitude],
        )
        extremes = [_is_extreme(work, node.of, one), _is_extreme(work, node.to, other)]
        if not all(extremes):
            work.plan.remark("Measured between the centres.")
        return number(result.number, "m")
    outputs = []
    for item in to.items:
        output = work.plan.name("distance", item.mark)
        yield from work.plan.call(
            "distance_to_mask", "How far each pixel is from it.", mask_path=item.address, output_path=output
        )
        outputs.append(output)
    return to.at(outputs, "distance", "m")


@computes(Profile)
def profile(work: Work, node: Profile) -> Steps[Value]:
    """Return the values of a raster along a straight line, by distance from its start."""
    value = yield from work.rasters(node.of)
    item = one_of(value, "A profile")
    line = [point_in_degrees(work, end) for end in (node.start, node.end)]
    result = yield from work.plan.call(
        "profile_along_line",
        "The values along the line.",
        input_path=item.address,
        line=line,
        crs="EPSG:4326",
    )
    marks, values = [], []
    for row in result.rows:
        far, found = row.get("distance"), row.get("value")
        marks.append(Mark(f"at {far:.0f} m" if isinstance(far, int | float) else "?"))
        values.append(float(found) if isinstance(found, int | float) else None)
    return Numbers((Scale("zone", tuple(marks)),), tuple(values), value.unit)


@computes(Majority)
def majority(work: Work, node: Majority) -> Steps[Value]:
    """Return the most frequent class of a raster of classes."""
    value = yield from work.rasters(node.of)
    item = one_of(value, "The most frequent class")
    result = yield from work.plan.call(
        "image_statistics", "The most frequent class.", file_list=[item.address], statistic="mode"
    )
    if result.number is None:
        raise CannotAnswer("No pixel of the classes is valid.", " ".join(work.emptied))
    known = [ground for ground in work.grounds.classes if ground.role == value.layer.role]
    label = known[0].label(result.number) if known else f"class {result.number:g}"
    return Selection("zone", (Mark(label),))
