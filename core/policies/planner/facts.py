"""What the data themselves say, and what is shown as a picture."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any

from treeline.core.policies.planner.acquisitions import availability, calendar_of
from treeline.core.policies.planner.grounds import class_layer
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.phrases import join_words, phrase, plain
from treeline.core.policies.planner.plan import CannotAnswer, Steps, one_or_list
from treeline.core.policies.planner.statistics import area_of
from treeline.core.policies.planner.times import group, holds, months_between, period_text
from treeline.core.policies.planner.values import Mark, Numbers, Rasters, Scale, Selection, Text, Value
from treeline.core.policies.planner.work import Work, computes, describe
from treeline.core.query.expression import (
    Aggregate,
    Cloud,
    Composite,
    Dates,
    Facts,
    Node,
    Place,
    Show,
    Variable,
    When,
)
from treeline.core.query.titles import short_title

_MOST = 60


@computes(Facts)
def facts(work: Work, node: Facts) -> Steps[Value]:
    """Return what the data say of themselves."""
    if node.about in _OF_CALENDAR:
        return _OF_CALENDAR[node.about](node)
    if node.about == "available":
        return (yield from availability(work, node))
    teller = _FACTS.get(node.about)
    if teller is None:
        raise CannotAnswer(f"The data do not say their {node.about}.", f"They say {', '.join(_FACTS)}.")
    layers = yield from _layers(work, node.of)
    if not layers:
        return (yield from _without_rasters(work, node))
    found = teller(work, node, layers)
    return (yield from found) if isinstance(found, Generator) else found


def _without_rasters(work: Work, node: Facts) -> Steps[Value]:
    """Return what polygons alone tell: the ground that they cover together."""
    files = [ground for ground in work.grounds.files if ground.geometry == "Polygon"]
    if node.about != "ground_area" or len(files) != 1:
        raise CannotAnswer("There is no raster here that could tell.")
    every, unit = Place("feature", source=files[0].name), node.unit or "ha"
    found = yield from work.numbers(Aggregate("area", every, "pixel", unit=unit))
    if found.single is None:
        raise CannotAnswer("The polygons have no area.")
    text = f"The area of all polygons is {plain(found.single, unit)}."
    return Text(text, found.single, unit)


def _days_between(node: Facts) -> Value:
    """Return how many days lie between two days, which no raster needs to tell."""
    if not isinstance(node.of, When) or len(node.of.spans) != 2:
        raise CannotAnswer("Days are counted between two days.")
    one, other = sorted(span.first for span in node.of.spans if span.first is not None)
    days = (other - one).days
    return Text(f"{days} days lie between {one} and {other}.", float(days), "days")


_OF_CALENDAR: Mapping[str, Callable[[Facts], Value]] = {"days_between": _days_between}


def _layers(work: Work, of: Node | None) -> Steps[list[Layer]]:
    """Return the layers that a fact is asked of; all of them where none is named."""
    if of is None:
        return list(work.materials.derivation.layers)
    if isinstance(of, Cloud):
        layer = work.materials.cloud_layer()
        if layer is None:
            raise CannotAnswer("There is no cloud mask or quality band.")
        return [layer]
    if isinstance(of, When):
        return _then(work, of)
    if isinstance(of, Dates):
        return (yield from _on_dates(work, of))
    if isinstance(of, Variable):
        own = [layer for layer in work.materials.derivation.layers if layer.role == of.role]
        if own and of.where is None and not of.when.spans and not of.when.months and of.when.at is None:
            return own
    value = yield from work.value(of)
    if not isinstance(value, Rasters):
        raise CannotAnswer(f"Such a fact is of rasters, not of {describe(value)}.")
    return [value.layer]


def _then(work: Work, when: When) -> list[Layer]:
    """Return what there is of a time, layer by layer."""
    kept = []
    for layer in work.materials.derivation.layers:
        items = tuple(item for item in layer.items if item.date is not None and holds(when, item.date))
        if items:
            kept.append(replace(layer, items=items))
    if not kept:
        raise CannotAnswer("There is no raster of that time.")
    return kept


def _on_dates(work: Work, of: Dates) -> Steps[list[Layer]]:
    """Return the layers of a condition, of the dates alone on which it holds."""
    chosen = yield from work.value(of)
    days = {mark.date for mark in chosen.marks} if isinstance(chosen, Selection) else set()
    value = yield from work.value(next(part for part in of.walk() if isinstance(part, Variable | Cloud)))
    if not isinstance(value, Rasters):
        raise CannotAnswer("The dates that are meant are of no raster.")
    items = tuple(item for item in value.layer.items if item.date in days)
    return [replace(value.layer, items=items)]


def _dated_items(layers: list[Layer]) -> list[Item]:
    items = [item for layer in layers for item in layer.items if item.date is not None]
    if not items:
        raise CannotAnswer("None of the rasters has a date.")
    return sorted(items, key=lambda item: item.date or dt.datetime.min)


def _names_of(layers: list[Layer]) -> str:
    return join_words(sorted({short_title(layer.role) for layer in layers}))


def _images_by_period(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    """Return how many images each period has: those of one moment are one."""
    assert node.by is not None
    yield from calendar_of(work, layers)
    moments = sorted({item.date for item in _dated_items(layers) if item.date})
    groups = group([Mark(str(moment.date()), moment) for moment in moments], node.by)
    counts = {mark.label: float(len(members)) for mark, members in groups}
    # Periods between the first and the last image that have none count as well.
    every = [mark for mark, _ in group(months_between(moments[0], moments[-1]), node.by)]
    found = tuple(counts.get(mark.label, 0.0) for mark in every)
    return Numbers((Scale("period", tuple(every)),), found, "images")


def _images(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    if node.by is not None:
        return (yield from _images_by_period(work, node, layers))
    counts = {layer.role: 0 for layer in layers}
    for layer in layers:
        counts[layer.role] += len(layer.items)
    if node.of is None and len(set(counts.values())) > 1:
        listed = "; ".join(f"{short_title(role)} {count}" for role, count in sorted(counts.items()))
        dates = (yield from calendar_of(work, layers))["dates"]
        return Text(f"There are rasters of {dates} dates: {listed}.", float(dates), "dates")
    told = yield from calendar_of(work, layers)
    each = yield from _of_each_span(work, node, layers)
    return Text(
        f"There are {told['count']} images of {_names_of(layers)}{each}.", float(told["count"]), "images"
    )


def _of_each_span(work: Work, node: Facts, layers: list[Layer]) -> Steps[str]:
    """Say how many images each of several times has that are named: they may be asked one by one."""
    when = getattr(node.of, "when", node.of)
    spans = when.spans if isinstance(when, When) else ()
    counts = []
    for time in (When((span,)) for span in spans if len(spans) > 1):
        inside = [
            replace(layer, items=tuple(item for item in layer.items if item.date and holds(time, item.date)))
            for layer in layers
        ]
        told = (
            (yield from calendar_of(work, inside)) if any(layer.items for layer in inside) else {"count": 0}
        )
        counts.append(f"{period_text(time)} {told['count']}")
    return f": {', '.join(counts)}" if counts else ""


def _dates(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    yield from calendar_of(work, layers)
    by_day = {item.label: item for item in reversed(_dated_items(layers))}
    items = sorted(by_day.values(), key=lambda item: item.date or dt.datetime.min)
    return Selection("date", tuple(Mark(item.label, item.date) for item in items), alone=False)


def _first_date(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    yield from calendar_of(work, layers)
    item = _dated_items(layers)[0]
    return Selection("date", (Mark(item.label, item.date),))


def _last_date(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    yield from calendar_of(work, layers)
    item = _dated_items(layers)[-1]
    return Selection("date", (Mark(item.label, item.date),))


def _variables(work: Work, node: Facts, layers: list[Layer]) -> Value:
    roles = sorted({layer.role for layer in layers})
    return Text(
        f"There are {len(roles)}: {join_words([short_title(role) for role in roles])}.", float(len(roles)), ""
    )


def _crs(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    grids = yield from _grids(work, layers)
    known = sorted({str(grid["crs"]) for grid in grids if grid["crs"]})
    if not known:
        raise CannotAnswer("The rasters have no georeference.")
    return Text(f"The CRS is {join_words(known)}.")


def _pixel_size(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    grids = yield from _grids(work, layers)
    sizes = sorted({(grid["pixel_width"], grid["pixel_height"], grid["unit"]) for grid in grids})
    told = join_words([f"{x:g} x {y:g} {unit}" for x, y, unit in sizes])
    width, _, unit = sizes[0] if len(sizes) == 1 else (None, None, "")
    return Text(f"A pixel is {told}.", width, unit)


def _shape(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    grids = yield from _grids(work, layers)
    sizes = sorted({(grid["height"], grid["width"]) for grid in grids})
    told = [f"{height:,} rows and {width:,} columns, {height * width:,} pixels" for height, width in sizes]
    if len(sizes) > 1:
        return Text(f"The rasters have {join_words(told)}.")
    height, width = sizes[0]
    yield from work.plan.call("multiply", "How many pixels that makes.", a=height, b=width)
    return Text(f"The rasters have {told[0]}.", float(height * width), "pixels")


def _extent(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    grids = yield from _grids(work, layers)
    told = {
        f"x {plain(g['left'])} to {plain(g['right'])}, y {plain(g['bottom'])} to {plain(g['top'])} "
        f"({g['crs'] or 'no CRS'})"
        for g in grids
    }
    return Text(f"The rasters cover {join_words(sorted(told))}.")


def _grids(work: Work, layers: list[Layer]) -> Steps[list[dict[str, Any]]]:
    """Return where the rasters of each layer lie, as the tool for it tells; one of each ground."""
    grids = []
    seen: set[object] = set()
    for layer in layers:
        if layer.ground is not None and layer.ground in seen:
            continue
        seen.add(layer.ground)
        result = yield from work.plan.call("describe_grid", "Where it lies.", raster=layer.addresses[0])
        grids.append(result.table)
    return grids


def _ground_area(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    first = layers[0]
    output = work.plan.name("ground", first.role)
    yield from work.plan.call(
        "calculate_batch_formula",
        "Every pixel of the raster that has data.",
        formula="x0 == x0",
        rasters={"x0": first.addresses[:1]},
        output_paths=[output],
    )
    found = yield from area_of(work, Rasters(Layer("mask", (Item(output, None, ""),))), node.unit or "ha")
    work.plan.remark(f"Of the pixels of {short_title(first.role)} that have data.")
    return found


def _sensors(work: Work, node: Facts, layers: list[Layer]) -> Value:
    known = sorted({layer.sensor for layer in layers if layer.sensor})
    if not known:
        raise CannotAnswer("The files do not say which sensor they are of.")
    return Text(f"They are of {join_words(known)}.")


def _files(work: Work, node: Facts, layers: list[Layer]) -> Value:
    names = sorted(
        {item.address.split("#")[0].rsplit("/", 1)[-1] for layer in layers for item in layer.items}
    )
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return Text(
        f"There are {len(names)} files: {', '.join(names[:_MOST])}{more}.", float(len(names)), "files"
    )


def _classes(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    """Return which classes each raster of classes has, as its pixels tell: of several dates the last one."""
    if not work.grounds.classes:
        raise CannotAnswer("There is no raster of classes.")
    told, counts = list[str](), list[float]()
    for ground in work.grounds.classes:
        items = class_layer(ground, work.materials.derivation.layers).items
        result = yield from work.plan.call(
            "area_by_class", "Which classes there are.", input_path=items[-1].address
        )
        numbers = [n for row in result.rows if isinstance(n := row.get("class"), int | float)]
        of = f" of {short_title(ground.role)}" if len(work.grounds.classes) > 1 else ""
        on = f" on {items[-1].label}" if len(items) > 1 else ""
        names = join_words([ground.label(float(number)) for number in numbers])
        unnamed = "" if ground.names else _polygon_names(work)
        told.append(f"There are {len(numbers)} classes{of}{on}: {names}.{unnamed}")
        counts.append(float(len(numbers)))
    return Text(" ".join(told), counts[0] if len(counts) == 1 else None, "classes")


def _polygon_names(work: Work) -> str:
    """Return what polygons are called, where they and not the raster may name its classes."""
    files = [ground for ground in work.grounds.files if ground.geometry == "Polygon" and ground.attributes]
    told = [
        f"{ground.name} are called {join_words(ground.members(ground.attributes[0]))}" for ground in files
    ]
    return "".join(f" The polygons of {text}." for text in told)


def _features(work: Work, node: Facts, layers: list[Layer]) -> Value:
    if not work.grounds.files:
        raise CannotAnswer("There is no vector file.")
    told = [f"{ground.name} with {len(ground.features.items)} features" for ground in work.grounds.files]
    only = float(len(work.grounds.files[0].features.items)) if len(told) == 1 else None
    return Text(f"There is {join_words(told)}.", only, "features")


def _gap(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    told = yield from _intervals(work, layers)
    days, start, end = (told[f"longest_gap_{part}"] for part in ("days", "from", "to"))
    return Text(f"The longest gap is {days} days, from {start} to {end}.", float(days), "days")


def _span(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    told = yield from calendar_of(work, layers)
    days = told["span_days"]
    return Text(f"{days} days lie between {told['first']} and {told['last']}.", float(days), "days")


def _interval(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    told = yield from _intervals(work, layers)
    mean, usual = told["mean_interval_days"], told["median_interval_days"]
    return Text(
        f"On average {plain(mean)} days lie between two images that follow one another; "
        f"the median is {plain(usual)} days.",
        mean,
        "days",
    )


def _intervals(work: Work, layers: list[Layer]) -> Steps[dict[str, Any]]:
    told = yield from calendar_of(work, layers)
    if told["dates"] < 2:
        raise CannotAnswer("There is only one date.")
    return told


_FACTS: Mapping[str, Callable[[Work, Facts, list[Layer]], Value | Steps[Value]]] = {
    "ground_area": _ground_area,
    "images": _images,
    "dates": _dates,
    "first_date": _first_date,
    "last_date": _last_date,
    "bands": _variables,
    "variables": _variables,
    "crs": _crs,
    "pixel_size": _pixel_size,
    "extent": _extent,
    "shape": _shape,
    "sensors": _sensors,
    "files": _files,
    "classes": _classes,
    "features": _features,
    "span": _span,
    "gap": _gap,
    "interval": _interval,
}


# --- Pictures -------------------------------------------------------------------------------------


@computes(Show)
def show(work: Work, node: Show) -> Steps[Value]:
    """Return what is asked for as a map, a chart or a table; a map or histogram ends in a product."""
    value = yield from work.value(node.of)
    if node.form == "map":
        return (yield from _map(work, value))
    if node.form == "histogram" and isinstance(value, Rasters) and not value.truth:
        return (yield from _histogram(work, node, value))
    if node.form in ("chart", "table") and isinstance(value, Numbers | Selection):
        return value
    raise CannotAnswer(f"A {node.form} of {describe(value)} is not drawn here.", "Ask for a map or a table.")


def _histogram(work: Work, node: Show, value: Rasters) -> Steps[Value]:
    name = work.plan.name(f"{value.layer.role}_histogram", *(i.mark for i in value.items[:1]), suffix=".png")
    result = yield from work.plan.call(
        "draw_histogram",
        f"How {short_title(value.layer.role)} is distributed.",
        file_list=one_or_list(value.layer.addresses),
        save_name=name,
        **({"bins": node.bins} if node.bins else {"width": node.width} if node.width else {}),
    )
    edges, counts = (result.table.get(part) for part in ("edges", "counts"))
    if not isinstance(edges, list) or not isinstance(counts, list):
        raise CannotAnswer("The histogram holds no counts.")
    if node.bins or node.width:
        rows = zip(edges, edges[1:], counts, strict=False)
        told = "; ".join(f"{plain(low)} to {plain(high, value.unit)} {n:,}" for low, high, n in rows)
        text = f"The histogram of {phrase(node.of)} is {name}. Pixels in each bin: {told}."
        return Text(text, product=name, numbers=tuple(float(count) for count in counts))
    most = counts.index(max(counts))
    low, high = (plain(edges[n], value.unit) for n in (most, most + 1))
    return Text(
        f"The histogram of {phrase(node.of)} is {name}: {sum(counts):,} pixels from "
        f"{plain(edges[0], value.unit)} to {plain(edges[-1], value.unit)}, most of them "
        f"({counts[most]:,}) between {low} and {high}.",
        product=name,
    )


def _map(work: Work, value: Value) -> Steps[Value]:
    if not isinstance(value, Rasters):
        raise CannotAnswer(f"A map is of a raster, not of {describe(value)}.")
    if all(item.address.split("#")[0] in work.plan.names for item in value.items):
        return value
    outputs = [work.plan.name(f"{value.layer.role}_map", item.mark) for item in value.items]
    role = "mask" if value.truth else value.layer.role
    yield from work.plan.call(
        "calculate_batch_formula",
        "As a product of its own.",
        formula="x0 > 0.5" if value.truth else "x0 + 0",
        rasters={"x0": value.layer.addresses},
        output_paths=outputs,
        role=role,
        unit=value.unit,
    )
    return value.at(outputs, role, value.unit, truth=value.truth)


@computes(Composite)
def composite(work: Work, node: Composite) -> Steps[Value]:
    """Return three variables of one date as the bands of one file."""
    bands = []
    for part in node.bands:
        value = yield from work.rasters(part)
        if len(value.items) != 1:
            raise CannotAnswer(
                f"A picture is of one date; there are {len(value.items)}.",
                f"Name one, such as {value.items[0].label}.",
            )
        bands.append(value.items[0])
    output = work.plan.name("picture", bands[0].mark)
    yield from work.plan.call(
        "stack_bands",
        "The three bands as one file.",
        file_list=[band.address for band in bands],
        output_path=output,
    )
    return Rasters(Layer("picture", (Item(output, bands[0].date, bands[0].label, bands[0].place),)))
