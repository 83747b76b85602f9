"""What a workspace holds by name, for the reader of questions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from treeline.core.policies.planning.derivation import Derivation, Given, Missing, Wish
from treeline.core.policies.planning.grounds import FeatureGround, Grounds
from treeline.core.policies.planning.layers import Item, Layer
from treeline.core.policies.planning.materials import Materials
from treeline.core.query.inventory import Holding, Inventory, NamedGround
from treeline.toolkit import Registry
from treeline.toolkit.variables import VARIABLES, variable

_ANY = Wish(lambda item: True)
_NOUNS = {"Polygon": "polygon", "LineString": "line", "Point": "point"}


def inventory_of(materials: Materials, grounds: Grounds) -> Inventory:
    """Return what may be named in a question."""
    derivation = materials.derivation
    held = {layer.role for layer in derivation.layers}
    holdings = [_given(role, derivation.layers) for role in sorted(held)]
    holdings += [made for role in sorted(set(VARIABLES) - held) if (made := _made(role, derivation))]
    clouds = materials.cloud_layer() if "apply_cloud_mask" in materials.plan.registry else None
    return Inventory(
        tuple(holdings),
        tuple(_grounds_of(grounds)),
        methods_of(materials.plan.registry),
        _dates(clouds.items) if clouds else (),
    )


def _given(role: str, layers: Sequence[Layer]) -> Holding:
    own = [layer for layer in layers if layer.role == role]
    items = [item for layer in own for item in layer.items]
    known = variable(role)
    unit = own[0].unit or (known.unit if known else "")
    sensors = sorted({layer.sensor for layer in own if layer.sensor})
    sites = sorted({item.place for item in items if item.place})
    return Holding(role, unit, _dates(items), False, tuple(sensors), tuple(sites))


def _made(role: str, derivation: Derivation) -> Holding | None:
    found = derivation.find(role, _ANY)
    if isinstance(found, Missing | Given):
        return None
    known = variable(role)
    return Holding(role, known.unit if known else "", _dates(found.items), True)


def _dates(items: Sequence[Item]) -> tuple[dt.date, ...]:
    return tuple(sorted({item.date.date() for item in items if item.date}))


def _grounds_of(grounds: Grounds) -> list[NamedGround]:
    found = [
        NamedGround("class", ground.role, "", tuple(ground.names.values()), "class")
        for ground in grounds.classes
        if ground.names
    ]
    for file in grounds.files:
        found += _of_file(file)
    return found


def _of_file(file: FeatureGround) -> list[NamedGround]:
    noun = _NOUNS.get(file.geometry, "feature")
    geometry = {"LineString": "line"}.get(file.geometry, noun)
    named = [
        NamedGround("feature", file.name, attribute, tuple(file.members(attribute)), noun, geometry)
        for attribute in file.attributes
    ]
    attribute, labels = file.labels()
    return [*named, NamedGround("feature", file.name, "", tuple(labels), noun, geometry)]


def methods_of(registry: Registry) -> tuple[str, ...]:
    """Return the usual names of the methods that tools carry out: their names in words."""
    return tuple(sorted(tool.name.replace("_", " ").lower() for tool in registry if tool.kit == "Inversion"))
