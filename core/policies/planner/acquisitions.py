"""When images were taken, and whether there is one of a variable or a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treeline.core.policies.planner.derivation import AvailableRole, RoleRequest, Source, UnavailableRole
from treeline.core.policies.planner.figures import join_words
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.materials import leaves_of
from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.times import holds, no_dates_error
from treeline.core.policies.planner.values import Text, Value
from treeline.core.policies.planner.work import Work
from treeline.core.query.expression import ALWAYS, Facts, Variable, When
from treeline.core.query.titles import short_title


def calendar_of(work: Work, layers: Sequence[Layer]) -> Steps[dict[str, Any]]:
    """Return the dates of layers as the tool for them tells, so that the answer has evidence.

    Raises
    ------
    CannotAnswer
        None of the rasters has a date.
    """
    addresses = [item.address for layer in layers for item in layer.items if item.date is not None]
    if not addresses:
        raise CannotAnswer("None of the rasters has a date.")
    result = yield from work.plan.call("summarize_dates", "When the images are of.", file_list=addresses)
    return result.table


def availability(work: Work, node: Facts) -> Steps[Value]:
    """Return yes with what there is of a variable or a time, or no with what there is instead."""
    if isinstance(node.of, Variable):
        return (yield from _of_variable(work, node.of))
    when = node.of if isinstance(node.of, When) else ALWAYS
    layers = work.materials.derivation.layers
    kept = [layer.only(_then(when, layer.items)) for layer in layers]
    kept = [layer for layer in kept if layer.items]
    if not kept:
        by_label = {item.label: item for layer in layers for item in layer.items if item.date is not None}
        yield from _look_at(work, layers)
        return _no(no_dates_error(when, [by_label[label] for label in sorted(by_label)], "acquisition"))
    yield from _look_at(work, kept)
    return Text(f"Yes: {join_words([_describe_layer(layer) for layer in kept])}.")


def _of_variable(work: Work, wanted: Variable) -> Steps[Value]:
    """Return whether a variable is there, or can be made, at a time."""
    title = short_title(wanted.role)
    source = work.materials.derivation.find(wanted.role, RoleRequest(lambda item: True, sensor=wanted.sensor))
    if isinstance(source, UnavailableRole):
        layers = work.materials.derivation.layers
        yield from _look_at(work, layers)
        here = sorted({short_title(layer.role) for layer in layers})
        there = f"There is {join_words(here)}." if here else "There is no raster at all."
        return Text(f"No: there is no {title}, and nothing to make it from. {there}")
    items = source.items
    if not wanted.timeless and wanted.when != ALWAYS:
        items = _then(wanted.when, items)
        if not items:
            yield from _look_at(work, leaves_of(source))
            return _no(no_dates_error(wanted.when, source.items, wanted.role))
    yield from _look_at(work, [leaf.only(_then(wanted.when, leaf.items)) for leaf in leaves_of(source)])
    return Text(f"Yes: {_describe_layer(Layer(wanted.role, items))}{_origin(source)}.")


def _look_at(work: Work, layers: Sequence[Layer]) -> Steps[None]:
    """Ask the tools for the dates of layers, or where the first one lies if none is dated: the evidence."""
    if any(item.date is not None for layer in layers for item in layer.items):
        yield from calendar_of(work, layers)
    elif (there := next((layer for layer in layers if layer.items), None)) is not None:
        yield from work.plan.call("describe_grid", "That it is there.", raster=there.addresses[0])


def _no(error: CannotAnswer) -> Text:
    """Return no, with the nearest dates."""
    return Text(f"No: {error.text[:1].lower()}{error.text[1:]}")


def _then(when: When, items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the rasters of a time; one without a date is of no time."""
    return tuple(item for item in items if when == ALWAYS or item.date is not None and holds(when, item.date))


def _describe_layer(layer: Layer) -> str:
    """Return what there is of a variable: its dates, or that it has none."""
    labels = list(dict.fromkeys(item.label for item in layer.items if item.date is not None))
    title = short_title(layer.role)
    if not labels:
        return f"{title}, without a date"
    if len(labels) <= _MOST_LISTED:
        return f"{title} of {join_words(labels)}"
    return f"{title} of {len(labels)} dates from {labels[0]} to {labels[-1]}"


_MOST_LISTED = 4


def _origin(source: Source) -> str:
    """Return in which file a variable is, or from what it can be made."""
    if isinstance(source, AvailableRole):
        files = dict.fromkeys(item.address.split("#")[0].rsplit("/", 1)[-1] for item in source.layer.items)
        return f", in {next(iter(files))}" if len(files) == 1 else ""
    return f", to be made from {join_words(sorted({short_title(leaf.role) for leaf in leaves_of(source)}))}"
