"""Which pixels belong to a place, and of which it is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.core.query.values import Value
from tests.core.query.world import World
from treeline.core.query.expression import Place


def place_mask(node: Place, world: World) -> Value:
    """Return where a place is."""
    return world.ground(*PLACES[node.by](node, world))


def _class_mask(node: Place, world: World) -> tuple[Any, Any]:
    classes = world.classes_at
    return np.isin(classes, [world.class_number(name) for name in node.names]), ~np.isnan(classes)


def _feature_mask(node: Place, world: World) -> tuple[Any, Any]:
    features = world.features_of(node.source)
    return np.any([features[name] for name in node.names], axis=0), True


def _facing_mask(node: Place, world: World) -> tuple[Any, Any]:
    gradients, aspect = world.gradients, world.aspect
    inside = np.zeros(world.shape, bool)
    for name in node.names:
        middle = _COMPASS.index(name) * 45.0
        half = 45.0 if name in QUARTERS else 22.5
        inside |= (aspect - middle + half) % 360 < 2 * half
    # Ground of less than 8 % slope is level and faces nowhere; at the rim nothing is known.
    sloping = np.hypot(*gradients) >= 0.08
    return inside & sloping, ~np.isnan(gradients[0])


def _side_mask(node: Place, world: World) -> tuple[Any, Any]:
    rows, columns = np.indices(world.shape)
    north, west = rows < world.shape[0] / 2, columns < world.shape[1] / 2
    halves = {"north": north, "south": ~north, "west": west, "east": ~west}
    parts = [np.all([half for side, half in halves.items() if side in name], axis=0) for name in node.names]
    return np.any(parts, axis=0), True


def _box_mask(node: Place, world: World) -> tuple[Any, Any]:
    west, south, east, north = map(float, node.names)
    longitude, latitude = world.degrees
    return (west <= longitude) & (longitude <= east) & (south <= latitude) & (latitude <= north), True


def _point_mask(node: Place, world: World) -> tuple[Any, Any]:
    mask = np.zeros(world.shape, bool)
    mask[world.pixel_at(*map(float, node.names))] = True
    return mask, True


_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
QUARTERS = ("north", "east", "south", "west")
PLACES: dict[str, Callable[[Place, World], tuple[Any, Any]]] = {
    "class": _class_mask,
    "feature": _feature_mask,
    "facing": _facing_mask,
    "side": _side_mask,
    "box": _box_mask,
    "point": _point_mask,
}
