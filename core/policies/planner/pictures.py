"""How questions about pictures are worked on with the perception tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, cast

from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.plan import CannotAnswer, Plan, Steps, abreast
from treeline.core.policies.planner.values import Text, Value
from treeline.core.policies.planner.work import Work, computes
from treeline.core.query.objects import Objects
from treeline.toolkit.tool import Tool

PICTURE_ROLES = frozenset({"rgb", "rgb_pre", "rgb_post"})


@dataclass(frozen=True)
class PictureResult:
    """What was found in pictures.

    Attributes
    ----------
    rows : tuple of (picture, number)
        Where each picture has a number of its own.
    boxes : list
        Coordinates, where these are the answer.
    """

    value: float | None = None
    unit: str = ""
    text: str = ""
    rows: tuple[tuple[str, float], ...] = ()
    boxes: list[Any] = field(default_factory=list)

    @property
    def ranking(self) -> str:
        """The pictures from the highest number to the lowest, such as ``A = B > C``."""
        ordered = sorted(self.rows, key=lambda row: (-row[1], row[0]))
        text = ordered[0][0] if ordered else ""
        for (_, before), (name, value) in zip(ordered, ordered[1:], strict=False):
            text += f" {'=' if value == before else '>'} {name}"
        return text


@computes(Objects)
def objects(work: Work, node: Objects) -> Steps[Value]:
    """Return what pictures show."""
    layers = [layer for layer in work.materials.derivation.layers if layer.role in PICTURE_ROLES]
    if not layers:
        raise CannotAnswer("There are no plain pictures in which objects could be looked for.")
    seen: PictureResult = yield from look(work.plan, layers, node)
    numbers = (*(value for _, value in seen.rows), *_flat(seen.boxes))
    return Text(
        seen.text, seen.value, seen.unit, labels=(seen.ranking,) if seen.rows else (), numbers=numbers
    )


def look(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    """Return a :class:`PictureResult`.

    Raises
    ------
    CannotAnswer
        The object is not named, or a tool has no backend.
    """
    if not node.name and node.about in ("count", "area", "distance", "pair", "centroids"):
        raise CannotAnswer(
            "I did not recognise which objects are meant.", "Name them, such as: storage tanks."
        )
    return (yield from _WAYS[node.about](plan, layers, node))


def _scene(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    tool = plan.registry.givers_of("scene_class")[0]
    found = []
    for item in _pictures(layers):
        result = yield from plan.call(
            tool, f"What does {item.label} show?", **{tool.inputs[0].name: item.address}
        )
        name = (
            result.value.get("predicted_class", "") if isinstance(result.value, dict) else str(result.value)
        )
        found.append((item.label, name))
    wanted = node.name.casefold()
    number = sum(name.casefold() == wanted for _, name in found)
    listed = ", ".join(label for label, name in found if name.casefold() == wanted) or "none"
    return PictureResult(
        float(number), "pictures", f"{number} of {len(found)} pictures show {node.name}: {listed}."
    )


def _count(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    tool = next(
        t
        for t in plan.registry.givers_of("count_objects")
        if any(p.name == "text_prompt" for p in t.parameters)
    )
    rows = []
    for item in _pictures(layers):
        arguments = {tool.inputs[0].name: item.address, "text_prompt": node.name}
        result = yield from plan.call(tool, f"How many {node.name}s are in {item.label}?", **arguments)
        rows.append((item.label, _amount(result.value)))
    return _of_rows(tuple(rows), "", f"number of {node.name}s")


def _area(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    measure = _outlined_area if node.outlined else _box_area
    rows = yield from _each(_pictures(layers), lambda item: measure(plan, item, node))
    unit = "m2" if node.gsd is not None or node.gsds else "pixels"
    if node.each is None or len(rows) != 1:
        return _of_rows(rows, unit, f"area of the {node.name}s")
    share = yield from plan.call("division", "In units of the area given.", a=node.each, b=rows[0][1])
    whole = yield from plan.call("ceil_number", "A whole number of them.", n=share.value)
    return PictureResult(
        float(cast(float, whole.value)),
        "",
        f"The area equals {whole.value} of {node.each:g} m2 each, rounded up.",
    )


def _each(items: Sequence[Item], measure: Callable[[Item], Steps[Any]]) -> Steps[Any]:
    """Return what is measured of each picture, a step for all of them before the next."""
    values = yield from abreast([measure(item) for item in items])
    return tuple((item.label, value) for item, value in zip(items, values, strict=True))


def _box_area(plan: Plan, item: Item, node: Objects) -> Steps[Any]:
    tool = plan.registry.givers_of("box_area")[0]
    boxes = yield from _boxes(plan, item, node)
    arguments = {tool.parameters[0].name: boxes, "gsd": node.gsd_of(item.label)}
    result = yield from plan.call(tool, "The area of the boxes.", **arguments)
    return _amount(result.value)


def _outlined_area(plan: Plan, item: Item, node: Objects) -> Steps[Any]:
    """Return the area within the objects' outlines, not within their boxes."""
    tool = plan.registry.givers_of("object_mask")[0]
    boxes = yield from _boxes(plan, item, node)
    output = plan.name("outlines", item.label)
    arguments = {tool.inputs[0].name: item.address, "bbox": boxes, tool.outputs[0].name: output}
    yield from plan.call(tool, f"Outline every {node.name}.", **arguments)
    return (yield from _mask_area(plan, output, node.gsd_of(item.label)))


def _mask_area(plan: Plan, mask: str, gsd: float | None) -> Steps[Any]:
    tool = next(t for t in plan.registry.givers_of("area") if any(p.name == "gsd" for p in t.parameters))
    arguments = {tool.inputs[0].name: mask, "gsd": gsd}
    result = yield from plan.call(tool, "The area of the mask.", **arguments)
    return _amount(result.value)


def _distance(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    _, first, second, apart = yield from _extreme_pair(plan, layers, node)
    unit = "pixels"
    if node.gsd is not None:
        metres = yield from plan.call("multiply", "Pixels to metres.", a=apart, b=node.gsd)
        apart, unit = metres.value, "m"
    which = "farthest" if node.farthest else "closest"
    return PictureResult(
        apart,
        unit,
        f"The {which} two {node.name}s (numbers {first} and {second}) are {apart:.2f} {unit} apart.",
    )


def _pair(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    boxes, first, second, _ = yield from _extreme_pair(plan, layers, node)
    arguments = {"input_list": boxes, "indexes": [first, second]}
    result = yield from plan.call("get_list_object_via_indexes", "The boxes of the two.", **arguments)
    return PictureResult(
        text=f"The two boxes are {result.value}.", boxes=list(cast(list[Any], result.value or []))
    )


def _extreme_pair(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    boxes = yield from _boxes(plan, _pictures(layers)[0], node)
    centres = yield from _centres(plan, boxes)
    tool = plan.registry.givers_of("distance_extremes")[0]
    result = yield from plan.call(tool, "Which two are meant?", **{tool.parameters[0].name: centres})
    extremes = cast(dict[str, list[Any]], result.value)
    first, second, apart = extremes["max" if node.farthest else "min"]
    return boxes, int(first), int(second), apart


def _centroids(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    boxes = yield from _boxes(plan, _pictures(layers)[0], node)
    centres = yield from _centres(plan, boxes)
    return PictureResult(text=f"The centroids are {centres}.", boxes=list(centres or []))


def _find_described(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    tool = plan.registry.givers_of("object", "boxes")[0]
    arguments = {tool.inputs[0].name: _pictures(layers)[0].address, "text_prompt": node.name}
    found = yield from plan.call(tool, "Find the one object that is described.", **arguments)
    box = found.value if _is_nested(found.value) else [found.value]
    centres = yield from _centres(plan, box)
    return PictureResult(text=f"The centroid is {centres}.", boxes=list(centres or []))


def _change(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    def measure_change(pair: Item) -> Steps[Any]:
        mask = yield from _change_mask(plan, pair.label, *pairs[pair.label])
        return (yield from _mask_area(plan, mask, node.gsd))

    places, pairs = _before_and_after(layers)
    rows = yield from _each(places, measure_change)
    unit = "m2" if node.gsd is not None else "pixels"
    return _of_rows(rows, unit, "building area of the mask")


def _count_destroyed(plan: Plan, layers: Sequence[Layer], node: Objects) -> Steps[Any]:
    def count(pair: Item) -> Steps[Any]:
        tool = plan.registry.get("count_skeleton_contours")
        mask = yield from _change_mask(plan, pair.label, *pairs[pair.label])
        result = yield from plan.call(tool, "Count the buildings in the mask.", **{tool.inputs[0].name: mask})
        return _amount(result.value)

    places, pairs = _before_and_after(layers)
    rows = yield from _each(places, count)
    return _of_rows(rows, "", "number of destroyed buildings")


_WAYS: dict[str, Callable[[Plan, Sequence[Layer], Objects], Steps[Any]]] = {
    "scene": _scene,
    "count": _count,
    "area": _area,
    "distance": _distance,
    "pair": _pair,
    "centroids": _centroids,
    "described": _find_described,
    "change": _change,
    "destroyed": _count_destroyed,
}


def _boxes(plan: Plan, item: Item, node: Objects) -> Steps[Any]:
    """Return the boxes of all objects of a kind, by the detector that looks for the most kinds."""
    tools: list[Tool] = plan.registry.givers_of("objects", "boxes")
    tool = max(tools, key=lambda t: (t.name == "SM3Det", t.name))
    arguments = {tool.inputs[0].name: item.address, "text_prompt": node.name}
    result = yield from plan.call(tool, f"Find every {node.name} in {item.label}.", **arguments)
    return result.value


def _centres(plan: Plan, boxes: Any) -> Steps[Any]:
    tool = plan.registry.givers_of("centroids")[0]
    result = yield from plan.call(tool, "Where their middles are.", **{tool.parameters[0].name: boxes})
    return result.value


def _change_mask(plan: Plan, place: str, before: Item, after: Item) -> Steps[Any]:
    tool = next(t for t in plan.registry.givers_of("change_mask") if t.kit == "Perception")
    picture = PurePath(before.address)
    name = f"{place}_change_mask" if place else "building_change"
    name = f"{picture.stem}_mask" if before == after else name
    plain = picture.suffix.lower() in (".png", ".jpg", ".jpeg")
    output = plan.name(name, "", suffix=".png" if plain else ".tif")
    names = [*(p.name for p in tool.inputs), tool.outputs[0].name]
    arguments = dict(zip(names, (before.address, after.address, output), strict=True))
    yield from plan.call(tool, "What changed between before and after?", **arguments)
    return output


def _pictures(layers: Sequence[Layer]) -> list[Item]:
    return sorted((item for layer in layers for item in layer.items), key=lambda item: item.address)


_MOMENT = re.compile(
    r"(?<![a-z])(?:(?P<pre>pre|before|t1|time ?1)|(?P<post>post|after|t2|time ?2))(?![a-z0-9])", re.IGNORECASE
)


def _before_and_after(layers: Sequence[Layer]) -> tuple[list[Item], dict[str, tuple[Item, Item]]]:
    """Return the places, and for each the pictures before and after; a single picture stands for both."""
    pictures = _pictures(layers)
    moments: dict[str, dict[str, Item]] = {}
    for picture in pictures:
        marked = _MOMENT.search(PurePath(picture.address).stem)
        if marked:
            stem = PurePath(picture.address).stem
            place = re.sub(r"(?:(?:^|[_ -]+)time)?[_ -]*$|^[_ -]+", "", stem[: marked.start()])
            place = place or stem[marked.end() :]
            moments.setdefault(place.strip("_- "), {})["post" if marked["post"] else "pre"] = picture
    pairs = {place: (m["pre"], m["post"]) for place, m in sorted(moments.items()) if len(m) == 2}
    if not pairs and len(pictures) > 2:
        raise CannotAnswer(
            "I cannot tell which pictures are before and after.", "Call them NAME_pre and NAME_post."
        )
    pairs = pairs or {pictures[0].place: (pictures[0], pictures[-1])}
    return [replace(first, label=place) for place, (first, _) in pairs.items()], pairs


def _of_rows(rows: tuple[tuple[str, float], ...], unit: str, what: str) -> PictureResult:
    if len(rows) == 1:
        value = rows[0][1]
        return PictureResult(value, unit, f"The {what} is {value:g} {unit}".rstrip() + ".")
    listed = ", ".join(f"{name}: {value:g} {unit}".rstrip() for name, value in rows)
    seen = PictureResult(None, unit, "", rows)
    return PictureResult(None, unit, f"The {what}: {listed}; {seen.ranking}.", rows)


def _amount(value: Any) -> float:
    """Return a number, or how many there are of a list."""
    if isinstance(value, dict):
        value = value.get("count", value.get("boxes"))
    return float(len(value)) if isinstance(value, list) else float(value or 0)


def _is_nested(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)


def _flat(boxes: Sequence[Any]) -> tuple[float, ...]:
    return tuple(float(v) for box in boxes for v in (box if isinstance(box, list | tuple) else [box]))
