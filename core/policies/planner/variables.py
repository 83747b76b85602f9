"""Leaves of an expression: variables at their dates and places, and clouds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from treeline.core.policies.planner.derivation import (
    AvailableRole,
    DerivedRole,
    RoleRequest,
    Source,
    UnavailableRole,
)
from treeline.core.policies.planner.grounds import split_where
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.masks import keep
from treeline.core.policies.planner.materials import leaves_of, what_would_do, without_mask
from treeline.core.policies.planner.phrases import phrase, time_text
from treeline.core.policies.planner.plan import CannotAnswer, Steps, one_or_list
from treeline.core.policies.planner.times import holds, no_dates_error, period_label, pick, select
from treeline.core.policies.planner.values import Mark, Numbers, Rasters, Value, number
from treeline.core.policies.planner.work import Work, computes
from treeline.core.query.canonical import both
from treeline.core.query.expression import (
    ALWAYS,
    Cloud,
    Node,
    Number,
    Period,
    Place,
    Variable,
    When,
    Which,
)
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves
from treeline.core.query.titles import short_title

Found = frozenset[dt.date] | None
_PAIR_ROLES = (
    "cloud_mask",
    "qa_pixel",
    "pixel_qa",
    "sr_cloud_qa",
    "bqa",
    "scl",
    "qa60",
    "fmask",
    "state_1km",
    "vi_reliability",
    "vi_rank",
)


@computes(Number)
def _number(work: Work, node: Number) -> Steps[Value]:
    return number(node.value, node.unit)
    yield  # a rule is a generator


@computes(Variable)
def variable(work: Work, node: Variable) -> Steps[Value]:
    """Return the rasters of a variable for the dates and the ground that are meant."""
    site, where = split_where(node.where)
    found = yield from dates_of(work, node.when)
    source, items = _source(work, node, site, found)
    work.materials.whence(source, sensor=node.sensor, place=site)
    work.materials.say_grounds(source, items)
    work.materials.say_form(source)
    work.materials.say_kind(node.role)
    masked = node.clouds == "masked"
    layer = yield from work.materials.realise(source, masked=masked)
    layer = layer.only(item for item in layer.items if item.label in {i.label for i in items})
    if not layer.items:
        raise CannotAnswer(f"None of the dates of {short_title(node.role)} is left once clouds are masked.")
    if node.clouds == "clear_dates":
        layer = yield from _clear_dates(work, layer)
        layer = layer.only(pick(node.when, layer.items, node.role))
    _tell_date_picked(work, node.when, layer.items)
    if "clouds" in node.assumed and node.clouds == "included":
        work.under_clouds.append(layer)
    rasters = Rasters(layer, None if _single(node, layer) else "date")
    for part in where:
        rasters = yield from keep(work, rasters, at_site(site, part))
    return rasters


def _tell_date_picked(work: Work, when: When, items: Sequence[Item]) -> None:
    """Say which date the first or last one is: of the same question it is another one with new images."""
    if when.pick and len(items) == 1 and items[0].date is not None:
        work.plan.remark(f"{items[0].label} is {time_text(replace(when, at=None)).removeprefix('on ')}.")


def at_site(site: str, node: Node) -> Node:
    """Return an expression whose variables are of a site, where they are of none."""
    if not site:
        return node

    def move(node: Variable) -> Variable:
        named, parts = split_where(node.where)
        return node if named else replace(node, where=both(here, *parts))

    here = Place("site", (site,))
    if any(isinstance(part, Variable) for part in node.walk()):
        return rewrite(node, Variable, move)
    return rewrite(node, Place, lambda ground: both(here, ground) if ground.by == "class" else ground)


def _single(node: Variable, layer: Layer) -> bool:
    if node.timeless:
        if len(layer.items) > 1:
            raise CannotAnswer(
                f"There are {len(layer.items)} rasters of {short_title(node.role)}, not one without a date.",
                f"Name one of {', '.join(item.label for item in layer.items[:6])}.",
            )
        return True
    return node.when.single


def _source(work: Work, node: Variable, site: str, found: Found) -> tuple[Source, tuple[Item, ...]]:
    """Return how the variable can be had for just the dates that are meant, and these."""
    methods = _tools_of(work, node.method)
    everywhere = RoleRequest(lambda item: True, methods, site, node.sensor)
    whole = work.materials.find(node.role, everywhere)
    if methods and not (isinstance(whole, DerivedRole) and whole.tool.name in methods):
        raise CannotAnswer(
            f"{short_title(node.role)} cannot be had by {node.method}: its inputs are not all there."
        )
    when = ALWAYS if node.timeless else node.when
    whole = _of_those_dates(work, node, everywhere, whole, found)
    static = all(item.date is None for item in whole.items)
    if static and not node.timeless and when != ALWAYS:
        raise no_dates_error(when, whole.items, node.role)
    if node.clouds == "clear_dates":
        when = replace(when, pick=0)  # the first clear date is picked once it is known which are clear
    items = whole.items if static else select(when, whole.items, node.role, found)
    days = {item.date for item in items}

    def is_kept(item: Item) -> bool:
        return item.date is None or any(_same_day(item.date, day) for day in days)

    return work.materials.find(node.role, replace(everywhere, keep=is_kept)), items


def _of_those_dates(work: Work, node: Variable, request: RoleRequest, whole: Source, found: Found) -> Source:
    """Return what has the variable on the dates that are meant, where the largest series has it on none."""

    def is_meant(item: Item) -> bool:
        return holds(node.when, item.date, found)

    dated = any(item.date for item in whole.items)
    if node.timeless or not dated or any(map(is_meant, whole.items)):
        return whole
    then = replace(request, keep=lambda item: item.date is None or is_meant(item))
    other = work.materials.derivation.find_joined(node.role, then)
    return whole if isinstance(other, UnavailableRole) or not any(map(is_meant, other.items)) else other


def _same_day(one: dt.datetime, other: dt.datetime | None) -> bool:
    return other is None or one == other or one.date() == other.date()


def _on(days: set[dt.datetime | None]) -> Callable[[Item], bool]:
    """Return whether an item is of one of some days; an image without a date is of no day, ``None``."""
    return lambda item: any(item.date is None if day is None else _same_day(day, item.date) for day in days)


def _tools_of(work: Work, method: str) -> tuple[str, ...]:
    """Return the tools that carry out a published method.

    Raises
    ------
    CannotAnswer
        None does.
    """
    if not method:
        return ()
    words = method.casefold().replace("-", " ").replace(" ", "_")
    tools = [t.name for t in work.plan.registry if words in t.name.casefold() or t.name == method]
    if not tools:
        raise CannotAnswer(f"No tool carries out the method {method!r}.")
    return tuple(tools)


def dates_of(work: Work, when: When) -> Steps[Found]:
    """Return the dates that an expression in ``when`` finds; ``None`` where it holds none."""
    if when.at is None:
        return None
    told = work.known_value(when.at) is not None
    chosen = yield from work.choose(when.at)
    days = frozenset(mark.date.date() for mark in chosen.marks if mark.date is not None)
    if not days:
        raise CannotAnswer("There is no date on which that holds.")
    if len(days) == 1 and not told:
        work.plan.remark(f"{chosen.marks[0].label} is {phrase(when.at)}.")
    if isinstance(when.at, Which) and when.at.period:
        return _days_within(work, when.at, when.at.period, chosen.marks)
    return days if when.side == "on" else _days_beside(work, days, when)


def _days_beside(work: Work, found: frozenset[dt.date], when: When) -> frozenset[dt.date]:
    """Return the days of all images after the last of the days that were found, or before the first of them.

    Raises
    ------
    CannotAnswer
        There is no image then.
    """
    layers = work.materials.derivation.layers
    dates = {item.date.date() for layer in layers for item in layer.items if item.date}
    beside = (day for day in dates if (day > max(found) if when.side == "after" else day < min(found)))
    days = frozenset(beside)
    if not days:
        raise CannotAnswer(f"There is no image {time_text(when)}, {max(found)}.")
    return days


def _days_within(work: Work, found: Which, period: Period, marks: Sequence[Mark]) -> frozenset[dt.date]:
    """Return the days of all images in a month, season or year that was found in some time."""
    labels = {mark.label for mark in marks}
    dates = {item.date for layer in work.materials.derivation.layers for item in layer.items if item.date}
    whens = {leaf.when for leaf in leaves(found) if leaf.when.at is None}
    return frozenset(
        date.date()
        for date in dates
        if period_label(date, period) in labels and any(holds(when, date) for when in whens)
    )


def make_together(work: Work, nodes: list[Node]) -> Steps[None]:
    """Make what several nodes need of each variable, for all their dates in one go."""
    groups: dict[Variable, list[Variable]] = {}
    for node in nodes:
        for leaf in _measured_variables(node):
            if leaf.when.at is None:
                groups.setdefault(replace(leaf, when=ALWAYS, where=None), []).append(leaf)
    for common, same in groups.items():
        yield from _make_once(work, common, same)


def _measured_variables(node: Node) -> Iterator[Variable]:
    """Yield the variables of an expression, those in masks of others left out."""
    if isinstance(node, Variable):
        yield node
        return
    for part in node.parts():
        yield from _measured_variables(part)


def _make_once(work: Work, common: Variable, same: list[Variable]) -> Steps[None]:
    by_site: dict[str, set[dt.datetime | None]] = {}
    for leaf in same:
        site, _ = split_where(leaf.where)
        try:
            source, items = _source(work, leaf, site, None)
        except CannotAnswer:
            return
        apart = work.materials.one_by_one and common.clouds != "masked"
        if isinstance(source, AvailableRole) or (apart and source.tool.aliases):
            return
        by_site.setdefault(site, set()).update(item.date for item in items)
    for site, days in by_site.items():
        request = RoleRequest(_on(days), _tools_of(work, common.method), site, common.sensor)
        source = work.materials.find(common.role, request)
        yield from work.materials.realise(source, masked=common.clouds == "masked")


# --- Clouds ---------------------------------------------------------------------------------------


def _how_cloudy(dates: int) -> str:
    return "How cloudy the one date is." if dates == 1 else f"How cloudy {dates} dates are."


def _how_clear(clear: int, dates: int) -> str:
    if dates == 1:
        return "The one date is without any cloud."
    return f"{clear} of {dates} dates {'is' if clear == 1 else 'are'} without any cloud."


def cloud_shares(work: Work, layer: Layer) -> Steps[Numbers]:
    """Return the share of cloud on each date of a layer of masks or quality bands, in per cent."""
    tool = work.plan.registry.get("calculate_cloud_cover")
    arguments = {tool.inputs[0].name: one_or_list(layer.addresses)}
    result = yield from work.plan.call(tool, _how_cloudy(len(layer.items)), **arguments)
    scales = Rasters(layer, "date").scales
    reference = result.reference if len(layer.items) > 1 else ""
    return Numbers(scales, result.numbers, "%", reference=reference)


def _clear_dates(work: Work, layer: Layer) -> Steps[Layer]:
    """Return the items of a layer on whose dates there is no cloud at all.

    Raises
    ------
    CannotAnswer
        Nothing tells where clouds are, or no date is clear.
    """
    cloudy = yield from cloud_share_by_date(work, layer)
    known = [item for item in layer.items if item.label in cloudy]
    clear = [item for item in known if cloudy[item.label] == 0]
    if len(known) < len(layer.items):
        work.plan.remark(without_mask(len(layer.items) - len(known)))
    if not clear:
        what = f"None of the {len(known)} dates" if len(known) > 1 else "No date"
        raise CannotAnswer(f"{what} of {short_title(layer.role)} is without clouds.")
    work.plan.remark(_how_clear(len(clear), len(known)))
    return layer.only(clear)


def cloud_share_by_date(work: Work, layer: Layer) -> Steps[dict[str, float]]:
    """Return the share of cloud on those dates of a layer whose clouds are known, by their label.

    Raises
    ------
    CannotAnswer
        Nothing tells where clouds are.
    """
    clouds = work.materials.cloud_layer(layer.items[0].place)
    if clouds is None:
        raise CannotAnswer("There is no cloud mask or quality band that tells where clouds are.")
    pairs = work.materials.clouds_of(layer)
    if not pairs:
        raise CannotAnswer("No cloud mask is of one of these dates.", work.materials.undated_clouds(layer))
    masks = clouds.only(dict.fromkeys(mask for _, mask in pairs))
    shares = yield from cloud_shares(work, masks)
    share_of = dict(zip(masks.addresses, shares.values, strict=True))
    if clouds.role == "cloud_mask":  # a quality band tells other pixels to leave out besides clouds
        work.materials.cloudless.update(address for address, share in share_of.items() if share == 0)
    known = ((item.label, share_of[mask.address]) for item, mask in pairs)
    return {label: share for label, share in known if share is not None}


@computes(Cloud)
def _cloud(work: Work, node: Cloud) -> Steps[Value]:
    site, where = split_where(node.where)
    rasters = yield from cloud_rasters(work, node, site)
    from_quality = rasters.layer.role != "cloud_mask"
    if from_quality:
        outputs = [work.plan.name("cloud_mask", item.mark) for item in rasters.items]
        tool = work.plan.registry.get("cloud_mask")
        yield from work.plan.call(
            tool,
            "Where clouds are.",
            quality_path=one_or_list(rasters.layer.addresses),
            output_path=one_or_list(outputs),
        )
        rasters = rasters.at(outputs, "cloud_mask", "class")
    rasters = replace(rasters, truth=True)
    for part in where:
        rasters = yield from keep(work, rasters, part)
    return replace(rasters, truth=True)


def cloud_rasters(work: Work, node: Cloud, site: str) -> Steps[Rasters]:
    """Return the masks or quality bands of the dates that are meant."""
    if node.role:
        source = work.materials.find(node.role, RoleRequest(lambda item: True, place=site))
        layer = leaves_of(source)[0] if isinstance(source, AvailableRole) else None
    else:
        layer = yield from work.materials.clouds_of_all(site)
    if layer is None:
        raise CannotAnswer(
            "There is no cloud mask or quality band that tells where clouds are.",
            what_would_do(_PAIR_ROLES),
        )
    found = yield from dates_of(work, node.when)
    items = select(node.when, layer.items, layer.role, found)
    _tell_date_picked(work, node.when, items)
    return Rasters(layer.only(items), None if node.when.single else "date")
