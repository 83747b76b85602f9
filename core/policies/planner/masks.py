"""Conditions on pixels: masks of where they hold, and rasters of which only those pixels are kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pyproj.exceptions import CRSError

from treeline.core.policies.planner.centres import centre_of
from treeline.core.policies.planner.conditions import MODES
from treeline.core.policies.planner.derivation import AvailableRole, RoleRequest, Source
from treeline.core.policies.planner.figures import join_words
from treeline.core.policies.planner.grounds import ClassGround, FeatureGround, split_where
from treeline.core.policies.planner.layers import Ground, Item, Layer, near
from treeline.core.policies.planner.measures import is_difference, limit_in
from treeline.core.policies.planner.phrases import phrase
from treeline.core.policies.planner.plan import CannotAnswer, NoPixel, Steps, one_or_list
from treeline.core.policies.planner.times import holds, period_text
from treeline.core.policies.planner.values import Numbers, Rasters, Value, common_scales, match_items
from treeline.core.policies.planner.work import Work, computes
from treeline.core.query.expression import ALWAYS, Centroid, Compare, Node, Place, Valid, Variable, When
from treeline.core.query.titles import short_title
from treeline.toolkit.geodesy import way_between
from treeline.toolkit.terrain.relief import LEVEL_PERCENT, SECTORS, Direction


def keep(work: Work, rasters: Rasters, condition: Node) -> Steps[Rasters]:
    """Return rasters of which only the pixels are kept where a condition holds."""
    if not rasters.items:
        return rasters
    tested, mode, limit = yield from _test(work, rasters, condition)
    scales = common_scales([rasters, tested])
    axis = scales[0].axis if scales else None
    values, others = match_items(rasters, scales), match_items(tested, scales)
    labels = [(mark.label, mark.date) for mark in scales[0].marks] if scales else [("", None)]
    # What is kept is of the day of the values; where one of them is kept on several days, of each of these.
    named = values if len({item.mark for item in values}) == len(values) else others
    outputs = [work.plan.name(f"{rasters.layer.role}_where", item.mark) for item in named]
    tool = work.plan.registry.get("keep_where")
    result = yield from work.plan.call(
        tool,
        f"Keep {short_title(rasters.layer.role)} where {short_title(tested.layer.role)} is "
        f"{mode.replace('_', ' or ')} {limit:g}.",
        image_path=one_or_list([item.address for item in values]),
        condition_path=one_or_list([item.address for item in others]),
        threshold=limit,
        output_path=one_or_list(outputs),
        mode=mode,
    )
    work.note_empty(
        result,
        f"{short_title(rasters.layer.role)} where {short_title(tested.layer.role)} is "
        f"{mode.replace('_', ' or ')} {limit:g}",
    )
    items = tuple(
        Item(
            output,
            label[1] if axis else item.date,
            label[0] if axis else item.label,
            item.place,
            item.stamp,
            item.days,
        )
        for output, label, item in zip(outputs, labels, values, strict=True)
    )
    return Rasters(Layer(rasters.layer.role, items, rasters.unit), axis, rasters.truth)


def _test(work: Work, rasters: Rasters, condition: Node) -> Steps[tuple[Rasters, str, float]]:
    """Return what a condition compares, how, and with what; a mask of it where it is no single comparison."""
    # A class with one number is compared with it, which saves a mask of the class.
    if isinstance(condition, Place) and condition.by == "class" and len(condition.names) == 1:
        ground = work.grounds.class_ground(condition.source, condition.names)
        numbers = ground.numbers(condition.names[0])
        if len(numbers) == 1:
            with work.on_grid(rasters.items[0]):
                return (yield from class_rasters(work, ground, condition.when)), "equal", numbers[0]
    if isinstance(condition, Compare) and condition.operator in MODES:
        left = yield from work.draw_on(rasters.items[0], condition.of)
        limit = yield from work.draw_on(rasters.items[0], condition.limit)
        if isinstance(left, Rasters) and isinstance(limit, Numbers) and not limit.scales:
            bound = limit_in(limit, left.unit, difference=is_difference(condition.of))
            return left, MODES[condition.operator], bound
    mask = yield from work.draw_on(rasters.items[0], condition)
    if not isinstance(mask, Rasters):
        raise CannotAnswer("Only a mask says where pixels count.")
    return mask, "above", 0.5


def class_layer(work: Work, ground: ClassGround) -> Steps[Layer]:
    """Return the rasters of classes: of adjoining tiles together, else of one place, which is said.

    Raises
    ------
    CannotAnswer
        Two of them are of one date: which classes are meant, nothing tells.
    """
    layers, own = work.materials.derivation.layers, work.grounds.handles_alike(ground)
    place = work.reference.place if work.reference else ""
    all_of_role = [layer for layer in layers if layer.role == ground.role]
    alike = [layer for layer in all_of_role if layer.handle in own] or all_of_role
    layer = (near(alike, place, layers) or alike)[0]
    source: Source = AvailableRole(ground.role, layer)
    if len(alike) > 1:
        request = RoleRequest(lambda item: True, place=layer.items[0].place if place else "")
        source = work.materials.find(ground.role, request)
    if len(all_of_role) > 1:
        work.materials.whence(source, sensor="", place=place)
        if len(alike) == 1:  # the name of the class tells of which map it is
            work.plan.account.places.clear()
    layer = yield from work.materials.realise(source, masked=False)
    for date, count in Counter(item.date for item in layer.items if item.date).items():
        if count > 1:
            names = join_words([item.address for item in layer.items if item.date == date])
            raise CannotAnswer(
                f"{names} are classes of one date, and nothing tells which are meant.",
                "Remove one of them, or correct its variable on Data.",
            )
    return layer


def class_rasters(work: Work, ground: ClassGround, when: When = ALWAYS) -> Steps[Rasters]:
    """Return the rasters of classes, of a time where one is said.

    Raises
    ------
    CannotAnswer
        There are several without a date, or none of that time.
    """
    layer = yield from class_layer(work, ground)
    if when != ALWAYS:
        items = tuple(item for item in layer.items if item.date is not None and holds(when, item.date))
        if not items:
            known = join_words([item.label for item in layer.items])
            raise CannotAnswer(f"There is no map of classes {period_text(when)}.", f"There is {known}.")
        layer = replace(layer, items=items)
    dated = len(layer.items) > 1 and all(item.date for item in layer.items)
    if len(layer.items) > 1 and not dated:
        raise CannotAnswer(f"There are {len(layer.items)} rasters of {ground.role}; I cannot tell which.")
    return Rasters(layer, "date" if dated else None)


@computes(Valid)
def valid(work: Work, node: Valid) -> Steps[Value]:
    """Return where a variable has a value; beyond the ground that it is asked of, nothing is told."""
    site, conditions = split_where(node.of.where)
    where = Place("site", (site,)) if site else None
    rasters = yield from work.rasters(replace(node.of, where=where))
    outputs = [work.plan.name("valid", rasters.layer.role, item.mark) for item in rasters.items]
    yield from work.plan.call(
        "mark_valid_pixels",
        f"Where {short_title(rasters.layer.role)} has a value.",
        image_path=one_or_list(rasters.layer.addresses),
        output_path=one_or_list(outputs),
    )
    marked = rasters.at(outputs, "mask", "class", truth=True)
    for condition in conditions:
        marked = yield from keep(work, marked, condition)
    return marked


# --- Places ---------------------------------------------------------------------------------------


@computes(Place)
def place(work: Work, node: Place) -> Steps[Value]:
    """Return the mask of a place; of one that is looked for, after it was found."""
    if isinstance(node.at, Centroid):
        centre = yield from centre_of(work, (yield from work.rasters(node.at.of)))
        return (yield from work.value(Place("point", (repr(centre.longitude), repr(centre.latitude)))))
    if node.at is not None:
        return (yield from work.value((yield from found_place(work, node, node.at))))
    drawing = _PLACES.get(node.by)
    if drawing is None:
        raise CannotAnswer(f"A {node.by} is no part of the ground that I can draw.")
    return (yield from drawing(work, node))


def found_place(work: Work, node: Place, at: Node) -> Steps[Place]:
    """Return a place that is looked for by the names that were found.

    Raises
    ------
    CannotAnswer
        None was found, or several where one is meant.
    """
    told = work.known_value(at) is not None
    found = yield from work.choose(at)
    names = tuple(mark.label for mark in found.marks)
    said = phrase(at)
    if not names or (found.alone and len(names) > 1):
        raise CannotAnswer(f"{said.capitalize()} is none, so nothing lies in it.")
    if not told:
        work.plan.remark(f"{join_words(list(names))} {'is' if len(names) == 1 else 'are'} {said}.")
    return replace(node, names=names, at=None)


def _of_class(work: Work, node: Place) -> Steps[Value]:
    ground = work.grounds.class_ground(node.source, node.names)
    rasters = yield from class_rasters(work, ground, node.when)
    numbers = [number for name in node.names for number in ground.numbers(name)]
    name = rasters.layer.role
    text = " | ".join(_is_among(first, last) for first, last in _runs(sorted(numbers)))
    outputs = [
        work.plan.name("mask", *node.names, item.mark if rasters.axis else "") for item in rasters.items
    ]
    yield from work.plan.call(
        "calculate_batch_formula",
        f"Where {name} is {' or '.join(node.names)}.",
        formula=text,
        rasters={"x0": rasters.layer.addresses},
        output_paths=outputs,
    )
    return rasters.at(outputs, "mask", "class", truth=True)


def _runs(numbers: Sequence[float]) -> list[tuple[float, float]]:
    """Return first and last of those that follow each other: a name may stand for hundreds, as of days."""
    runs: list[tuple[float, float]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _is_among(first: float, last: float) -> str:
    """Return the condition of whole numbers from one to another."""
    return f"(x0 == {first!r})" if first == last else f"((x0 >= {first!r}) & (x0 <= {last!r}))"


def _of_features(work: Work, node: Place) -> Steps[Value]:
    ground = work.grounds.file(node.source, node.names)
    masks = []
    for only in _selections(ground, node):
        masks.append((yield from _draw(work, ground.name, only, node.names, ground.geometry == "LineString")))
    return (yield from _unite(work, masks))


def _selections(ground: FeatureGround, node: Place) -> list[dict[str, object]]:
    """Return for each name which features of a file are meant."""
    if not node.names:
        return [{}]
    attribute = node.attribute or ground.attribute_with(node.names)
    if attribute:
        return [{attribute: ground.spelling(attribute, name)} for name in node.names]
    labels = [label.casefold() for label in ground.labels()[1]]
    numbers = [int(n) if n.isdigit() else labels.index(n.casefold()) + 1 for n in node.names]
    return [{"zone": number} for number in numbers]


def _draw(
    work: Work, vector: str, only: dict[str, object], names: Sequence[str], touched: bool = False
) -> Steps[Rasters]:
    """Return the mask of features on the grid of the raster in hand."""
    layers = work.materials.derivation.layers
    if not layers:
        raise CannotAnswer("There is no raster here on whose pixels the polygons could be drawn.")
    reference = work.reference or layers[0].items[0]
    output = work.plan.name("mask", *map(str, only.values()))
    arguments: dict[str, object] = {"vector_path": vector, "reference_path": reference.address}
    arguments["output_path"] = output
    if only:
        arguments["only"] = only
    # A line seldom meets the centre of a pixel, by which polygons are drawn.
    if touched:
        arguments["all_touched"] = True
    what = " and ".join(names) or vector
    try:
        yield from work.plan.call("rasterize_features", f"Where {what} lies.", **arguments)
    except NoPixel:
        raise CannotAnswer(f"{what[:1].upper()}{what[1:]} lies outside {reference.label}.") from None
    return Rasters(Layer("mask", (Item(output, None, " and ".join(names) or vector),), "class"), None, True)


def _unite(work: Work, masks: list[Rasters]) -> Steps[Rasters]:
    if len(masks) == 1:
        return masks[0]
    output = work.plan.name("mask_joined")
    given = {f"x{n}": mask.layer.addresses for n, mask in enumerate(masks)}
    yield from work.plan.call(
        "calculate_batch_formula",
        "All of them together.",
        rasters=given,
        output_paths=[output],
        formula=" | ".join(f"({name} > 0.5)" for name in given),
    )
    return masks[0].at([output], "mask", "class", truth=True)


def sector_formula(name: str, operand: str = "x0") -> str:
    """Return the condition that a slope faces a compass direction.

    Raises
    ------
    CannotAnswer
        There is no such direction.
    """
    low, high = SECTORS[_direction(name)]
    join = "|" if low > high else "&"
    return f"(({operand} >= {low}) {join} ({operand} < {high}))"


def _direction(name: str) -> Direction:
    plain = name.casefold().replace("-", "").replace(" ", "")
    for direction in SECTORS:
        if direction == plain:
            return direction
    raise CannotAnswer(f"Slopes face no direction {name!r}.", f"Directions are {', '.join(SECTORS)}.")


def _of_facing(work: Work, node: Place) -> Steps[Value]:
    directions = [_direction(name) for name in node.names]
    if not work.materials.derivation.has("terrain_aspect") and work.materials.derivation.has("dem"):
        dem = yield from work.rasters(Variable("dem", timeless=True))
        output = work.plan.name("mask_facing", *node.names)
        yield from work.plan.call(
            "mask_slopes_facing",
            f"Where slopes face {' or '.join(node.names)}.",
            dem_path=dem.layer.addresses[0],
            directions=directions,
            level_percent=LEVEL_PERCENT,
            output_path=output,
        )
        work.plan.remark(f"Ground of less than {LEVEL_PERCENT:g} % slope counts as level and faces nowhere.")
        return dem.at([output], "mask", "class", truth=True)
    # An aspect alone does not tell flat ground from what is not known.
    aspect = yield from work.rasters(Variable("terrain_aspect", timeless=True))
    output = work.plan.name("mask_facing", *node.names)
    yield from work.plan.call(
        "calculate_batch_formula",
        f"Where slopes face {' or '.join(node.names)}.",
        formula=" | ".join(sector_formula(name) for name in node.names),
        rasters={"x0": aspect.layer.addresses},
        output_paths=[output],
    )
    return aspect.at([output], "mask", "class", truth=True)


def _of_sides(work: Work, node: Place) -> Steps[Value]:
    masks = []
    for name in node.names:
        masks.append((yield from _draw(work, _side(work, name), {}, (f"the {name}",))))
    return (yield from _unite(work, masks))


def _of_outline(work: Work, node: Place) -> Steps[Value]:
    outline = _outlines(work, node)
    return (yield from _draw(work, outline, {}, (phrase(node),), node.by == "point"))


def _outlines(work: Work, node: Place) -> str:
    """Return the outline of a box or a point as GeoJSON in degrees, or the area's file."""
    if node.by == "aoi":
        return "@aoi"
    if node.by == "point":
        return json.dumps({"type": "Point", "coordinates": point_in_degrees(work, node)})
    west, south, east, north = (float(name) for name in node.names)
    return _ring([(west, south), (east, south), (east, north), (west, north)])


def point_in_degrees(work: Work, node: Place) -> list[float]:
    """Return the longitude and latitude of a point.

    Raises
    ------
    CannotAnswer
        There is no such reference system.
    """
    if not node.attribute:
        return [float(name) for name in node.names]
    if node.attribute.startswith("EPSG:"):
        system, point = node.attribute, _numbers_of(node)
    else:
        ground = _ground_in_hand(work)
        system, point = str(ground.crs), _POINTS[node.attribute](ground, node)
    try:
        return list(way_between(system, "EPSG:4326").transform(*point))
    except CRSError as error:
        raise CannotAnswer(f"There is no reference system {node.attribute}.") from error


def _numbers_of(node: Place) -> tuple[float, float]:
    return float(node.names[0]), float(node.names[1])


def _corner(ground: Ground, node: Place) -> tuple[float, float]:
    """Return a point in the outermost pixel towards a quarter of a raster."""
    left, bottom, right, top = ground.bounds
    name = node.names[0]
    x = right - (right - left) * _NUDGE if "east" in name else left + (right - left) * _NUDGE
    y = top - (top - bottom) * _NUDGE if "north" in name else bottom + (top - bottom) * _NUDGE
    return x, y


def _ring(corners: Sequence[tuple[float, float]]) -> str:
    closed = [*corners, corners[0]]
    return json.dumps({"type": "Polygon", "coordinates": [[list(corner) for corner in closed]]})


def _side(work: Work, name: str) -> str:
    """Return the half (north) or the quarter (northeast) of the raster in hand that a name means."""
    ground = _ground_in_hand(work)
    left, bottom, right, top = ground.bounds
    words = [part for part in ("north", "south", "east", "west") if part in name.casefold()]
    if not words:
        raise CannotAnswer(f"The image has no side {name!r}.", "Sides are north, south, east, west.")
    middle_x, middle_y = (left + right) / 2, (bottom + top) / 2
    left, right = (middle_x if "east" in words else left), (middle_x if "west" in words else right)
    bottom, top = (middle_y if "north" in words else bottom), (middle_y if "south" in words else top)
    corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
    way = way_between(ground.crs, "EPSG:4326")
    return _ring([_point(way.transform(x, y)) for x, y in corners])


def _ground_in_hand(work: Work) -> Ground:
    """Return where the raster in hand lies."""
    reference = work.reference or work.materials.derivation.layers[0].items[0]
    layers = [layer for layer in work.materials.derivation.layers if layer.ground is not None]
    here = [layer for layer in layers if layer.items[0].place == reference.place]
    ground = next((layer.ground for layer in (*here, *layers)), None)
    if ground is None:
        raise CannotAnswer(f"{reference.label} has no georeference, so nothing tells where its parts are.")
    if work.area is None:
        return ground
    work.plan.remark("Sides and centre are those of the area of interest.")
    own, area = ground.bounds, work.area.in_crs(ground.crs).bounds
    return Ground(ground.crs, (*map(max, own[:2], area[:2]), *map(min, own[2:], area[2:])))


def _centre(ground: Ground) -> tuple[float, float]:
    """Return the middle of a raster; on the edge of two pixels it is in the one to the lower right."""
    left, bottom, right, top = ground.bounds
    return (left + right) / 2 + (right - left) * _NUDGE, (bottom + top) / 2 - (top - bottom) * _NUDGE


# Of a side: moves the middle off the edge of two pixels, so that rounding does not choose between them.
_NUDGE = 1e-6


_POINTS: Mapping[str, Callable[[Ground, Place], tuple[float, float]]] = {
    "map": lambda ground, node: _numbers_of(node),
    "centre": lambda ground, node: _centre(ground),
    "corner": _corner,
}


def _point(pair: tuple[float, float]) -> tuple[float, float]:
    return float(pair[0]), float(pair[1])


_PLACES: Mapping[str, Callable[[Work, Place], Steps[Value]]] = {
    "class": _of_class,
    "feature": _of_features,
    "facing": _of_facing,
    "side": _of_sides,
    "box": _of_outline,
    "point": _of_outline,
    "aoi": _of_outline,
}
