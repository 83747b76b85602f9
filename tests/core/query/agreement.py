"""Whether what the planner found is what the evaluator says."""

from __future__ import annotations

import datetime as dt
import math
from itertools import product
from typing import Any

import numpy as np

from tests.core.policies.planner.running import Outcome
from tests.core.query.values import AXES, Value
from tests.core.query.world import World, read_back

# The tools write rasters of 32 bits.
RELATIVE, ABSOLUTE = 2e-5, 2e-5
# Areas of polygons are those on the ellipsoid, which the scale of the projection changes.
OF_POLYGONS = 2e-3


def disagreement(expected: Any, outcome: Outcome, world: World, relative: float = RELATIVE) -> str:
    """Return in which way an outcome is not what is expected; empty where it is."""
    if isinstance(expected, tuple):
        if outcome.kind == "declined":
            return "" if any(map(is_nothing, expected)) else f"declined: {outcome.text}"
        pairs = zip(expected, outcome.parts, strict=True)
        found = [disagreement(one, part, world, relative) for one, part in pairs]
        return "; ".join(filter(None, found))
    if outcome.kind == "declined":
        return "" if is_nothing(expected) else f"declined: {outcome.text}"
    if outcome.kind == "text":
        return _of_yes_or_no(expected, outcome)
    if outcome.kind == "chosen":
        return _of_labels(expected, outcome)
    if "pixel" in expected.labels:
        return _of_rasters(expected, outcome, world)
    return _of_numbers(expected, outcome, relative)


def _of_yes_or_no(expected: Value, outcome: Outcome) -> str:
    """Return in which way words that say yes or no are not what is expected; other words are not judged."""
    said = {"Yes": 1.0, "No": 0.0}.get(outcome.text.partition(":")[0])
    return "" if said in (None, expected.item) else f"{outcome.text!r} instead of {expected.item:g}"


def is_nothing(expected: Value) -> bool:
    """Return whether there is no value at all."""
    if expected.data.dtype == object:
        return all(isinstance(value, float) for value in expected.flat)
    return bool(np.isnan(expected.data.astype(float)).all())


def _of_labels(expected: Value, outcome: Outcome) -> str:
    wanted = [label for value in expected.flat if (label := _as_text(value))]
    labels = list(outcome.labels)
    return "" if labels == wanted or [", ".join(labels)] == wanted else f"{labels} instead of {wanted}"


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if math.isnan(value) else dt.date.fromordinal(int(value)).isoformat()


def _of_rasters(expected: Value, outcome: Outcome, world: World) -> str:
    axes = [axis for axis in AXES[:-1] if axis in expected.labels]
    if [axis for axis, _ in outcome.axes] != axes or not outcome.paths:
        return f"{outcome.kind} over {outcome.axes} instead of rasters over {axes}"
    wanted = expected.without_gaps(axes[0]) if axes else expected
    rasters = wanted.data.reshape(-1, *world.shape)
    arrays = [read_back(path) for path in outcome.paths]
    found = np.array([array for array in arrays if not axes or not np.isnan(array).all()])
    if found.shape != rasters.shape:
        return f"{len(found)} rasters instead of {len(rasters)}"
    if np.allclose(found, rasters, RELATIVE, ABSOLUTE, equal_nan=True):
        return ""
    gone, more = (np.isnan(found) & ~np.isnan(rasters)).sum(), (~np.isnan(found) & np.isnan(rasters)).sum()
    furthest = np.nanmax(abs(found - rasters), initial=0)
    return f"rasters differ by {furthest:g}; {gone} pixels missing, {more} too many"


def _of_numbers(expected: Value, outcome: Outcome, relative: float) -> str:
    wanted, found = _entries(expected), _outcome_entries(outcome)
    if len(wanted) != len(found):
        return f"{found} instead of {wanted}"
    for (at, value), (other_at, other) in zip(wanted.items(), found.items(), strict=True):
        if not math.isclose(value, other, rel_tol=relative, abs_tol=ABSOLUTE):
            return f"{other} at {other_at} instead of {value} at {at}"
        if any(isinstance(label, str) and label != there for label, there in zip(at, other_at, strict=True)):
            return f"labels {other_at} instead of {at}"
    return ""


def _entries(value: Value) -> dict[tuple[Any, ...], float]:
    """Return the numbers that there are by their labels, in order."""
    labels = [value.labels.get(axis, (None,)) for axis in AXES]
    entries = {}
    for place, number in zip(product(*labels), value.flat, strict=True):
        if not math.isnan(number):
            at = tuple(
                _label_text(label) for axis, label in zip(AXES, place, strict=True) if axis in value.labels
            )
            entries[at] = float(number)
    return entries


def _label_text(label: Any) -> Any:
    return label.isoformat() if isinstance(label, dt.date) else label


def _outcome_entries(outcome: Outcome) -> dict[tuple[str, ...], float]:
    order = sorted(range(len(outcome.axes)), key=lambda n: AXES.index(outcome.axes[n][0]))
    rows = []
    for place, number in zip(
        product(*(list(enumerate(labels)) for _, labels in outcome.axes)), outcome.values, strict=True
    ):
        if number is not None and not math.isnan(number):
            rows.append(([place[n][0] for n in order], tuple(place[n][1] for n in order), number))
    return {at: number for _, at, number in sorted(rows)}
