"""What the data themselves say, and what is shown as a picture."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeline.core.policies.planner.acquisitions import availability, calendar_of
from treeline.core.policies.planner.figures import join_words, plain
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.masks import class_layer
from treeline.core.policies.planner.phrases import phrase, time_text
from treeline.core.policies.planner.plan import CannotAnswer, Steps, one_or_list
from treeline.core.policies.planner.statistics import area_of
from treeline.core.policies.planner.times import group, holds, months_between, period_text
from treeline.core.policies.planner.values import Mark, Numbers, Rasters, Scale, Selection, Text, Value
from treeline.core.policies.planner.variables import dates_of
from treeline.core.policies.planner.work import Work, computes, describe
from treeline.core.policies.planner.zones import map_of_zones
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
from treeline.toolkit.variables import variable

# A list of more names ends in "others".
_MOST = 60
# More variables than these are counted where a sentence only mentions them.
_MOST_NAMED = 4
# What vector files tell where there is no raster.
_OF_FEATURES = frozenset({"files", "features", "crs", "extent", "ground_area"})


@computes(Facts)
def facts(work: Work, node: Facts) -> Steps[Value]:
    """Return what the data say of themselves."""
    if node.about == "days_between":
        return (yield from _days_between(work, node))
    if node.about == "nearest_date":  # its day is no time that images are of
        return (yield from _nearest_date(work, node, list(work.materials.derivation.layers)))
    if node.about == "available":
        return (yield from availability(work, node))
    teller = _FACTS.get(node.about)
    if teller is None:
        raise CannotAnswer(f"The data do not say their {node.about}.", f"They say {', '.join(_FACTS)}.")
    layers = yield from _layers(work, node.of)
    if not layers and not (node.about in _OF_FEATURES and work.grounds.files):
        raise CannotAnswer("There is no raster here that could tell.")
    return (yield from teller(work, node, layers))


def _days_between(work: Work, node: Facts) -> Steps[Value]:
    """Return how many days lie between two days, which no raster needs to tell."""
    if not isinstance(node.of, When) or len(node.of.spans) != 2:
        raise CannotAnswer("Days are counted between two days.")
    one, other = sorted(span.first for span in node.of.spans if span.first is not None)
    result = yield from work.plan.call(
        "days_between", "How many days lie between.", earlier=str(one), later=str(other)
    )
    days = result.number
    return Text(f"{days:.0f} days lie between {one} and {other}.", days, "days")


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
        return (yield from _then(work, of))
    if isinstance(of, Dates):
        return (yield from _on_dates(work, of))
    if isinstance(of, Variable):
        # A variable that nothing limits is all that there is of it; one on some ground or date is a value.
        own = [layer for layer in work.materials.derivation.layers if layer.role == of.role]
        if own and of.where is None and not of.when.spans and not of.when.months and of.when.at is None:
            return own
    value = yield from work.value(of)
    if not isinstance(value, Rasters):
        raise CannotAnswer(f"Such a fact is of rasters, not of {describe(value)}.")
    return [value.layer]


def _then(work: Work, when: When) -> Steps[list[Layer]]:
    """Return what there is of a time, layer by layer."""
    kept = []
    found = yield from dates_of(work, when)
    for layer in work.materials.derivation.layers:
        items = tuple(item for item in layer.items if item.date and holds(when, item.date, found))
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
    names = sorted({short_title(layer.role) for layer in layers})
    return join_words(names) if len(names) <= _MOST_NAMED else f"{len(names)} variables"


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
    if all(item.date is None for layer in layers for item in layer.items):
        rows = yield from _describe(work, layers, "file")
        several = "s" * (len(rows) != 1)
        text = f"There {'are' if several else 'is'} {len(rows)} raster{several} of {_names_of(layers)}"
        return Text(f"{text}, without a date.")
    counts = {layer.role: 0 for layer in layers}
    for layer in layers:
        counts[layer.role] += len(layer.items)
    # No one number is that of several variables with unlike numbers of images.
    if node.of is None and len(set(counts.values())) > 1:
        listed = "; ".join(f"{short_title(role)} {count}" for role, count in sorted(counts.items()))
        dates = (yield from calendar_of(work, layers))["dates"]
        return Text(
            f"There are rasters of {dates} date{'s' * (dates != 1)}: {listed}.", float(dates), "dates"
        )
    told = yield from calendar_of(work, layers)
    each = yield from _of_each_span(work, node, layers)
    are = "is 1 image" if told["count"] == 1 else f"are {told['count']} images"
    places = sorted({layer.items[0].place for layer in layers} - {""})
    shared = places[1:] and max(counts.values()) > told["count"]
    where = f", each date counted once for {len(places)} places: {join_words(places)}" if shared else ""
    return Text(f"There {are} of {_names_of(layers)}{each}{where}.", float(told["count"]), "images")


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
    if isinstance(when, When) and (len(spans) == 1 or when.at is not None):
        return f" {time_text(when)}"
    return f": {', '.join(counts)}" if counts else ""


def _dates(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    yield from calendar_of(work, layers)
    # Of several rasters of one day the first stands for it.
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


def _nearest_date(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    """Return the date of the image that lies nearest to a day, and how far it is; of two alike, both."""
    yield from calendar_of(work, layers)
    day = node.of.spans[0].first if isinstance(node.of, When) and node.of.spans else None
    if day is None:
        raise CannotAnswer("The image nearest to a day is asked for, and there is no day.")
    by_day = {item.date.date(): item for item in reversed(_dated_items(layers)) if item.date}
    fewest = min(abs((each - day).days) for each in by_day)
    found = [by_day[each] for each in sorted(by_day) if abs((each - day).days) == fewest]
    if fewest:
        lie = "lies" if len(found) == 1 else "lie"
        work.plan.remark(f"{join_words([item.label for item in found])} {lie} {fewest} days from {day}.")
    return Selection("date", tuple(Mark(item.label, item.date) for item in found), alone=len(found) == 1)


def _variables(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    rows = yield from _describe(work, layers, "variable")
    names = sorted({short_title(layer.role) for layer in layers})
    return _list_names(names, "variable", len(rows))


def _bands(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    """Return what sensors measured, where anything was, and not what was made of it: NDVI is no band."""
    measured = [layer for layer in layers if _is_band(layer.role)]
    if not measured:
        return (yield from _variables(work, node, layers))
    rows = yield from _describe(work, measured, "variable")
    called = {str(row["variable"]): row["bands"] for row in rows}
    names = []
    for role in sorted({layer.role for layer in measured}, key=short_title):
        known = variable(role)
        own = called.get(known.title if known else role)
        one = own[0] if isinstance(own, list) and len(own) == 1 and not own[0].startswith("band ") else ""
        names.append(f"{short_title(role)} ({one})" if one else short_title(role))
    return _list_names(names, "band", len(rows))


def _is_band(role: str) -> bool:
    known = variable(role)
    return known is not None and (known.kind in ("reflectance", "radar") or role.startswith(("bt", "tir")))


def _list_names(names: Sequence[str], noun: str, count: int) -> Text:
    """Return how many things there are, and which."""
    number = f"is 1 {noun}" if count == 1 else f"are {count} {noun}s"
    told = join_words(names if len(names) <= _MOST else [*names[:_MOST], "others"])
    return Text(f"There {number}: {told}.", float(count), f"{noun}s")


def _describe(work: Work, layers: list[Layer], by: str) -> Steps[tuple[dict[str, Any], ...]]:
    """Return what the rasters of layers hold as the tool for it tells: a row for each ``by``."""
    addresses = [item.address for layer in layers for item in layer.items]
    result = yield from work.plan.call("describe_rasters", "What there is.", file_list=addresses, by=by)
    return result.rows


def _crs(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    grids = yield from _grids(work, layers)
    known = sorted({str(grid["crs"]) for grid in grids if grid["crs"]})
    if not known:
        raise CannotAnswer("The files have no georeference.")
    return Text(f"The CRS is {join_words(known)}.")


def _pixel_size(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    grids = yield from _grids(work, layers)
    sizes = sorted({(grid["pixel_width"], grid["pixel_height"], grid["unit"]) for grid in grids})
    told = join_words([f"{x:g} x {y:g} {unit}" for x, y, unit in sizes])
    width, _, unit = sizes[0] if len(sizes) == 1 else (None, None, "")
    return Text(f"A pixel is {told}.", width, unit)


def _shape(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    grids = yield from _grids(work, layers)
    sizes = sorted({(grid["height"], grid["width"], grid["pixels"]) for grid in grids})
    told = [f"{height:,} rows and {width:,} columns, {pixels:,} pixels" for height, width, pixels in sizes]
    if len(sizes) > 1:
        return Text(f"The rasters have {join_words(told)}.")
    return Text(f"The rasters have {told[0]}.", float(sizes[0][2]), "pixels")


def _extent(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    grids = yield from _grids(work, layers)
    told = {
        f"x {plain(g['left'])} to {plain(g['right'])}, y {plain(g['bottom'])} to {plain(g['top'])} "
        f"({g['crs'] or 'no CRS'})"
        for g in grids
    }
    return Text(f"The data cover {join_words(sorted(told))}.")


def _grids(work: Work, layers: list[Layer]) -> Steps[list[dict[str, Any]]]:
    """Return where rasters lie as the tool for it tells, those of one ground once; else where features do."""
    if not layers:
        return (yield from _vector_files(work))
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
    if not layers:
        return (yield from _area_of_polygons(work, node))
    first = layers[0]
    output = work.plan.name("ground", first.role)
    # No data equal nothing, not even themselves: the formula holds where there are data.
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


def _area_of_polygons(work: Work, node: Facts) -> Steps[Value]:
    """Return the ground that the polygons of the only file of such cover together."""
    files = [ground for ground in work.grounds.files if ground.geometry == "Polygon"]
    if len(files) != 1:
        raise CannotAnswer("There is neither a raster nor one file of polygons that could tell.")
    every, unit = Place("feature", source=files[0].name), node.unit or "ha"
    found = yield from work.numbers(Aggregate("area", every, "pixel", unit=unit))
    if found.single is None:
        raise CannotAnswer("The polygons have no area.")
    text = f"The area of all polygons is {plain(found.single, unit)}."
    return Text(text, found.single, unit)


def _sensors(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    rows = yield from _describe(work, layers, "sensor")
    known = [row["sensor"] for row in rows if row["sensor"]]
    if not known:
        raise CannotAnswer("The files do not say which sensor they are of.")
    untold = sum(row["files"] for row in rows if not row["sensor"])
    rest = f" Of {untold} files that is not told." if untold else ""
    return Text(f"They are of {join_words(known)}.{rest}")


def _files(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    rows = (yield from _describe(work, layers, "file")) if layers else ()
    tables = (yield from _vector_files(work)) if node.of is None else []
    names = [[str(one["file"]) for one in of_kind] for of_kind in (rows, tables)]
    told = [
        _list_names(each, noun, len(each))
        for each, noun in zip(names, ("raster file", "vector file"), strict=True)
        if each
    ]
    return Text(" ".join(one.text for one in told), told[0].value if len(told) == 1 else None, "files")


def _vector_files(work: Work) -> Steps[list[dict[str, Any]]]:
    tables = []
    for ground in work.grounds.files:
        result = yield from work.plan.call("describe_features", "What it holds.", vector_path=ground.name)
        tables.append(result.table)
    return tables


def _no_data(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    rows = yield from _describe(work, layers, "variable")
    told = {row["no_data"] for row in rows}
    if told == {None}:
        raise CannotAnswer("The files declare no value for missing data, or several.")
    if len(told) == 1:
        value = told.pop()
        single = float(value) if isinstance(value, int | float) else None
        return Text(f"The value for missing data is {_fill_text(value)}.", single)
    each = [f"{row['variable']} {_fill_text(row['no_data'])}" for row in rows]
    return Text(f"The values for missing data: {'; '.join(each)}.")


def _fill_text(value: object) -> str:
    return plain(float(value)) if isinstance(value, int | float) else str(value or "none")


def _classes(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    """Return which classes each raster of classes has, as its pixels tell: of several dates the last one."""
    if not work.grounds.classes:
        raise CannotAnswer("There is no raster of classes.")
    told, counts = list[str](), list[float]()
    # Tiles of one map are told of together.
    grounds = list({min(work.grounds.handles_alike(each)): each for each in work.grounds.classes}.values())
    for ground in grounds:
        items = (yield from class_layer(work, ground)).items
        result = yield from work.plan.call(
            "area_by_class", "Which classes there are.", input_path=items[-1].address
        )
        numbers = [n for row in result.rows if isinstance(n := row.get("class"), int | float)]
        of = f" of {short_title(ground.role)}" if len(grounds) > 1 else ""
        on = f" on {items[-1].label}" if len(items) > 1 else ""
        names = list(dict.fromkeys(ground.label(float(number)) for number in numbers))
        unnamed = "" if ground.names else _polygon_names(work)
        if len(names) < len(numbers):  # the step counts numbers, of which several have one name
            told.append(f"The classes{of}{on} are {join_words(names)}.")
            continue
        told.append(f"There are {len(names)} classes{of}{on}: {join_words(names)}.{unnamed}")
        counts.append(float(len(names)))
    return Text(" ".join(told), counts[0] if len(counts) == 1 else None, "classes")


def _polygon_names(work: Work) -> str:
    """Return what polygons are called, where they and not the raster may name its classes."""
    files = [ground for ground in work.grounds.files if ground.geometry == "Polygon" and ground.attributes]
    told = [
        f"{ground.name} are called {join_words(ground.members(ground.attributes[0]))}" for ground in files
    ]
    return "".join(f" The polygons of {text}." for text in told)


def _features(work: Work, node: Facts, layers: list[Layer]) -> Steps[Value]:
    tables = yield from _vector_files(work)
    if not tables:
        raise CannotAnswer("There is no vector file.")
    told = [
        f"{table['file']} with {table['features']} features"
        + (f" ({join_words(table['attributes'])} of each)" if table["attributes"] else "")
        for table in tables
    ]
    only = float(tables[0]["features"]) if len(tables) == 1 else None
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


_FACTS: Mapping[str, Callable[[Work, Facts, list[Layer]], Steps[Value]]] = {
    "ground_area": _ground_area,
    "images": _images,
    "dates": _dates,
    "first_date": _first_date,
    "last_date": _last_date,
    "bands": _bands,
    "variables": _variables,
    "crs": _crs,
    "pixel_size": _pixel_size,
    "extent": _extent,
    "shape": _shape,
    "sensors": _sensors,
    "files": _files,
    "classes": _classes,
    "features": _features,
    "nodata": _no_data,
    "span": _span,
    "gap": _gap,
    "interval": _interval,
}


# --- Pictures -------------------------------------------------------------------------------------


@computes(Show)
def show(work: Work, node: Show) -> Steps[Value]:
    """Return what is asked for as a map, a chart or a table; a map or histogram ends in a product."""
    value = yield from work.value(node.of)
    if node.form == "map" and isinstance(value, Numbers) and value.has("zone"):
        return (yield from map_of_zones(work, node.of, value))
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
    # What a step has just written is a product already.
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
