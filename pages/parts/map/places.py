"""The places that an answer is about: where it says that something lies, and the pixels of an extreme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import folium
import shapely
from folium.map import Layer

from treeline.core.confinement import call
from treeline.core.engine.actions import Answer, action_name
from treeline.core.serving import MapLayer
from treeline.core.serving.pixel import places_of_value
from treeline.core.serving.tiles import unit_text
from treeline.pages.parts.map.layers import Entry
from treeline.pages.parts.map.marks import add_label, as_layer
from treeline.pages.parts.shared.origin import evidence_steps, origin_of, tells_several
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.text import number
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.interest import AreaOfInterest

_EXTREMES = frozenset({"calc_batch_image_max", "calc_batch_image_min"})
# More pixels of one value are a surface, not a place.
_MOST, _MOST_PIXELS = 5, 9


@dataclass(frozen=True)
class Place:
    """A point of the map and what it is called there."""

    latitude: float
    longitude: float
    label: str


def places_of(
    view: RunView, entries: Sequence[Entry], area: AreaOfInterest | None = None, shown: Entry | None = None
) -> tuple[Place, ...]:
    """Return the places that the answer of a run is about; of an extreme of a raster its pixels.

    Parameters
    ----------
    shown : Entry, optional
        The layer on the map: of an answer that tells the extremes of several rasters it marks its own.
    """
    answer = view.finished.answer if view.finished else None
    if answer is None:
        return ()
    return places_of_answer(view, answer) or _extreme_pixels(view, answer, entries, area, shown)


def places_of_answer(view: RunView, answer: Answer) -> tuple[Place, ...]:
    """Return the points that the steps of an answer found, each the middle of few pixels."""
    found = []
    for step in evidence_steps(view, answer):
        value = step.observation.value
        if not isinstance(value, dict) or not {"longitude", "latitude", "pixels"} <= value.keys():
            continue
        latitude, longitude = float(value["latitude"]), float(value["longitude"])
        if value["pixels"] <= _MOST_PIXELS:
            found.append(Place(latitude, longitude, f"{latitude:.5f}, {longitude:.5f}"))
    return tuple(found)


def _extreme_pixels(
    view: RunView,
    answer: Answer,
    entries: Sequence[Entry],
    area: AreaOfInterest | None,
    shown: Entry | None,
) -> tuple[Place, ...]:
    origin = origin_of(view, answer, [entry for entry in entries if entry.layer.on_map])
    if origin is not None and tells_several(origin.step, answer):
        origin = origin_of(view, answer, [shown] if shown is not None and shown.layer.on_map else [])
    if origin is None or origin.value is None or action_name(origin.step.action) not in _EXTREMES:
        return ()
    layer = origin.layers[0].layer
    told = f"{number(origin.value, 4)} {unit_text(layer.unit)}".strip()
    points = _pixels(layer, origin.value)
    if area is not None:
        inside = area.in_crs(LONGITUDE_LATITUDE)
        points = tuple(point for point in points if inside.contains(shapely.Point(point)))
    return tuple(Place(latitude, longitude, told) for longitude, latitude in points if len(points) <= _MOST)


@lru_cache(maxsize=128)
def _pixels(layer: MapLayer, value: float) -> tuple[tuple[float, float], ...]:
    try:
        return call(places_of_value, layer.sources[0], value)
    except TreelineError:  # the file is gone, or larger than is read for a mark
        return ()


def place_marks(places: Sequence[Place]) -> list[Layer]:
    """Return places as points with their labels."""
    marks = []
    for place in places:
        point = folium.CircleMarker((place.latitude, place.longitude), radius=9, class_name="treeline-place")
        add_label(point, place.label, permanent=True, direction="top", offset=(0, -8))
        marks.append(as_layer(point))
    return marks
