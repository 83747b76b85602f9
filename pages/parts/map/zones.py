"""The zones that an answer rests on, as outlines with what they are called and what was found in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import folium
import shapely
from folium.map import Layer
from shapely.geometry.base import BaseGeometry

from treeline.core.confinement import call
from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.state import Step
from treeline.core.policies.planner import figures
from treeline.core.serving.tiles import unit_text
from treeline.core.workspace import Workspace
from treeline.pages.parts.map.layers import Bounds
from treeline.pages.parts.map.marks import add_label, as_layer, rings
from treeline.pages.parts.map.zone_numbers import numbers_of_zones, values_by_value
from treeline.pages.parts.shared.run_view import RunView
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.vector import Features, read_features

ZONE_CLASS = "treeline-zone"

_OF_ZONES = ("zones_path", "vector_path")
_MOST = 400
_SEVERAL = 2
# So many labels can stand on the map at once; of more zones each is told under the pointer.
MOST_LABELLED = 12
# So many columns and rows of places in a zone are tried for its label.
_PLACES = 8
_LONGEST = 40
# About a metre: an outline on the screen needs no more corners.
_FINE = 1e-5
_NAMING = re.compile(r"name|title|label", re.IGNORECASE)


@dataclass(frozen=True)
class Zone:
    """A polygon of an answer.

    Attributes
    ----------
    value : float, optional
        What was found in it, in its unit.
    """

    geometry: BaseGeometry
    name: str
    value: float | None = None
    unit: str = ""

    @property
    def label(self) -> str:
        """Its name and what was found in it."""
        name = self.name[:_LONGEST]
        # With the digits of the answer: another number would look like another result.
        return name if self.value is None else f"{name}: {figures.plain(self.value, self.unit)}"


def zones_of(view: RunView, workspace: Workspace, extent: Bounds | None = None) -> list[Zone]:
    """Return the polygons of vector files that the steps of an answer used; none of too many.

    Parameters
    ----------
    extent : Bounds, optional
        What the rasters cover: zones end there, since nothing of them was measured beyond.
    """
    answer = view.finished.answer if view.finished else None
    if answer is None:
        return []
    steps = [step for number in answer.evidence if (step := view.step(number)) is not None]
    files = {path.name: path for path in workspace.vector_files()}
    by_name = values_by_value(steps)
    used = list(
        dict.fromkeys(found for step in steps if (found := _zones_of_call(step, files, by_name.attribute)))
    )
    if not used:
        return []
    named = tuple(by_name.values.items())
    numbers = None if named else numbers_of_zones(steps, answer)
    numbered = tuple(numbers.values.items()) if numbers else ()
    names = tuple(_zone_names(steps))
    zones = _name_zones(used[0], names, named or numbered, extent)
    # What is set against one another is named part by part: forest, then grassland.
    known = named or (numbered if names else ())
    others = [zone for each in used[1:] if each.only for zone in _name_zones(each, names, known, extent)]
    together = list({zone.name: zone for zone in (*others, *zones)}.values())
    measured = [zone for zone in together if zone.value is not None]
    # Where one alone of several was measured, the others are not of the answer.
    shown = measured if len(named) == len(measured) == 1 else together[:_MOST]
    unit = numbers.unit_beside(answer) if numbers else unit_text(answer.unit)
    return [replace(zone, unit=unit) for zone in shown]


def zone_that_answers(zones: Sequence[Zone], text: str) -> str:
    """Return the name of the one of several zones that an answer begins with; empty where none does."""
    if len(zones) < _SEVERAL:
        return ""
    named = [zone.name for zone in zones if re.match(rf"{re.escape(zone.name)} (?:has|is)\b", text)]
    return max(named, key=len, default="")


def zone_outlines(zones: Sequence[Zone], chosen: str = "") -> list[Layer]:
    """Return zones as outlines with their labels, the one that is chosen last and stronger."""
    made = []
    labelled = len(zones) <= MOST_LABELLED
    for zone in sorted(zones, key=lambda zone: zone.name == chosen):
        own = f"{ZONE_CLASS} {ZONE_CLASS}-chosen" if zone.name == chosen else ZONE_CLASS
        parts = sorted(shapely.get_parts(zone.geometry), key=shapely.area, reverse=True)
        for place, part in enumerate(parts):
            outline = folium.Polygon(rings(part), fill=False, class_name=own)
            # A zone of many parts is labelled once, on its largest; the others tell it under the pointer.
            if place or not (labelled or zone.name == chosen):
                add_label(outline, zone.label)
            else:
                made.append(_label(zone, part))
            made.append(as_layer(outline))
    return made


def _label(zone: Zone, part: BaseGeometry) -> Layer:
    """Return a zone's label; the map puts it to the first of its places that nothing lies over."""
    places = _places_in(part)
    place = folium.CircleMarker(places[0], radius=0, weight=0, opacity=0)
    place.options["places"] = list(map(list, places))
    add_label(place, zone.label, permanent=True, direction="center")
    return as_layer(place)


@lru_cache(maxsize=64)
def _places_in(part: BaseGeometry) -> tuple[tuple[float, float], ...]:
    """Return places in a polygon as latitude and longitude, the farthest from its edge first."""
    west, south, east, north = part.bounds
    shares = [(step + 0.5) / _PLACES for step in range(_PLACES)]
    grid = shapely.points(
        [(west + x * (east - west), south + y * (north - south)) for y in shares for x in shares]
    )
    inside = grid[shapely.contains(part, grid)]
    ranked = inside[shapely.distance(part.boundary, inside).argsort()[::-1]]
    widest = shapely.get_coordinates(shapely.maximum_inscribed_circle(part))[:1]
    found = [*widest, *shapely.get_coordinates(ranked)]
    return tuple((round(float(y), 6), round(float(x), 6)) for x, y in found)


def zone_at(zones: Sequence[Zone], latitude: float, longitude: float) -> Zone | None:
    """Return the zone that a place lies in."""
    point = shapely.Point(longitude, latitude)
    return next((zone for zone in zones if zone.geometry.intersects(point)), None)


@dataclass(frozen=True)
class _ZonesOfCall:
    """The polygons of a file that a call named, of those ``only`` the ones with these values."""

    path: Path
    changed: int
    only: tuple[tuple[str, Any], ...]
    attribute: str

    @property
    def features(self) -> Features:
        """The polygons, in longitude and latitude."""
        return _polygons(self.path, self.changed).with_values(dict(self.only))


def _zones_of_call(step: Step, files: Mapping[str, Path], by: str = "") -> _ZonesOfCall | None:
    """Return the polygons that a call names; nothing for too many.

    Parameters
    ----------
    by : str
        The attribute that tells the zones apart where the call names none.
    """
    arguments = step.observation.arguments or {}
    if not isinstance(step.action, Call) or not step.observation.is_success:
        return None
    named = next((str(arguments[name]) for name in _OF_ZONES if name in arguments), "")
    path = files.get(Path(named.partition("#")[0]).name) if named else None
    if path is None:
        return None
    only = {
        name: value if isinstance(value, str | int | float) else tuple(value)
        for name, value in (arguments.get("only") or {}).items()
    }
    attribute = str(arguments.get("attribute") or next(iter(only), by))
    try:
        used = _ZonesOfCall(path, path.stat().st_mtime_ns, tuple(only.items()), attribute)
        return used if len(used.features.items) <= _MOST else None
    except (TreelineError, OSError):
        return None


@lru_cache(maxsize=16)
def _polygons(path: Path, changed: int) -> Features:
    return call(read_features, str(path)).of_kind("Polygon").in_crs(LONGITUDE_LATITUDE)


# Pages ask twice a second while a run goes on.
@lru_cache(maxsize=64)
def _name_zones(
    used: _ZonesOfCall, numbered: tuple[str, ...], found: tuple[tuple[str, float], ...], extent: Bounds | None
) -> list[Zone]:
    """Return features by name; those that one attribute numbers together are one zone.

    A feature without a value of the attribute is in no zone. Numbers of zones are those that the step
    gave which numbered them; where none did, the order of the file.
    """
    features = used.features
    attribute = used.attribute or _name_attribute(features)
    shapes = [shapely.simplify(shapely.make_valid(g), _FINE) for g in features.geometries]
    together: dict[str, list[BaseGeometry]] = {}
    for name, shape in zip(_names(features, attribute), shapes, strict=True):
        if name:
            together.setdefault(name, []).append(shape)
    numbers = {name: str(number) for number, name in enumerate(numbered or together, start=1)}
    values = dict(found)
    zones = [
        Zone(
            _clip(shapely.union_all(parts), extent),
            name,
            values.get(numbers.get(name, ""), values.get(name)),
        )
        for name, parts in together.items()
    ]
    return [zone for zone in zones if not zone.geometry.is_empty]


def _zone_names(steps: list[Step]) -> list[str]:
    """Return the names of zones in the order of their numbers, as the step told that wrote them."""
    for step in reversed(steps):
        value = step.observation.value
        if action_name(step.action) == "number_features" and isinstance(value, list):
            return [str(name) for name in value[1:]]
    return []


def _clip(geometry: BaseGeometry, extent: Bounds | None) -> BaseGeometry:
    """Return the polygons of a geometry, as far as an extent goes."""
    if extent is not None:
        geometry = shapely.clip_by_rect(geometry, *extent)
    parts = [part for part in shapely.get_parts(geometry) if part.geom_type == "Polygon"]
    return shapely.MultiPolygon(parts)


def _names(features: Features, attribute: str) -> list[str]:
    """Return what features are called; their numbers where no attribute names them."""
    if not any(attribute in item.attributes for item in features.items):
        return [str(number) for number in range(1, len(features.items) + 1)]
    return [str(value) if value else "" for value in features.values_of(attribute)]


def _name_attribute(features: Features) -> str:
    """Return the attribute that looks like a name and tells each feature apart."""
    for attribute in {name: None for item in features.items for name in item.attributes}:
        values = [str(value or "") for value in features.values_of(attribute)]
        if _NAMING.search(attribute) and all(values) and len(set(values)) == len(values):
            return attribute
    return ""
