"""A number for each point or polygon of a file, from one table for all of them."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from treeline.core.policies.planner.intent import Subject, Zone
from treeline.core.policies.planner.layers import Layer
from treeline.core.policies.planner.measured import Number, unit_of
from treeline.core.policies.planner.plan import Steps

if TYPE_CHECKING:
    from treeline.core.policies.planner.measuring import Measuring

# What a table gives of polygons, as its tool calls it, and what is taken of a point's dates.
_OF_POLYGONS = {"mean": "mean", "median": "median", "min": "min", "max": "max", "std": "stdev"}
_OF_DATES = {"mean": fmean, "median": median, "min": min, "max": max}


def one_table_serves(subjects: tuple[Subject, ...]) -> bool:
    """Return whether the subjects are the single features of one file, of which a table has the numbers."""
    zones = [subject.zone for subject in subjects]
    first = subjects[0]
    alike = {replace(subject, zone=None) for subject in subjects}
    of_file = all(zone is not None and zone.number and zone.file == _file(first) for zone in zones)
    known = _OF_DATES if _preposition(first) == "at" else _OF_POLYGONS
    return of_file and len(alike) == 1 and not first.conditions and first.statistic in known


def numbers_of_table(measuring: Measuring, subjects: tuple[Subject, ...]) -> Steps:
    """Return a :class:`Number` for each subject; over several dates the mean of their numbers."""
    first = subjects[0]
    layer: Layer = yield from measuring.materials.layer(first.role, replace(first, zone=None))
    tables = yield from _tables(measuring, first, layer)
    at_points = _preposition(first) == "at"
    reduce: Any = _OF_DATES[first.statistic] if at_points else fmean
    how = "" if len(tables) == 1 else f"{'values' if at_points else 'numbers'} of the dates"
    if how:
        how = f"{first.statistic if at_points else 'mean'} of the {how}"
    found = []
    for subject in subjects:
        assert subject.zone is not None
        values = [table[subject.zone.number - 1] for table in tables]
        known = [value for value in values if value is not None]
        number = reduce(known) if known else None
        found.append(Number(number, unit_of(first, layer), how, len(layer.items)))
    return found


def _tables(measuring: Measuring, subject: Subject, layer: Layer) -> Steps:
    """Return for each raster the numbers of all features, in the order of the file."""
    zone = subject.zone
    assert zone is not None
    name = "value" if zone.preposition == "at" else _OF_POLYGONS[subject.statistic]
    several = len(layer.items) > 1
    arguments: dict[str, Any] = {"input_path": layer.argument if several else layer.addresses[0]}
    if zone.preposition == "at":
        call = measuring.plan.call("sample_points", _all(zone), **arguments, points_path=zone.file)
    else:
        call = measuring.plan.call(
            "zonal_statistics", _all(zone), **arguments, zones_path=zone.file, statistics=[name]
        )
    result = yield from call
    tables = result.value if several else [result.value]
    return [[row[name] for row in table] for table in tables]


def _all(zone: Zone) -> str:
    return f"One table for all {'points' if zone.preposition == 'at' else 'polygons'} of {zone.file}."


def _file(subject: Subject) -> str:
    return subject.zone.file if subject.zone else ""


def _preposition(subject: Subject) -> str:
    return subject.zone.preposition if subject.zone else ""
