"""Parts of the ground that the workspace names: classes of a land cover, features of a vector file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from treeline.core.policies.planner.intent import Zone
from treeline.core.workspace import Collection, Workspace
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Source, class_legend
from treeline.toolkit.vector import Features, read_features

ZONE = "zone"
CLASS_ROLES = ("landcover", "classes", "scl")
_MOST_ZONES = 200
# What features are called, and where things are that they hold.
_KINDS: Mapping[str, tuple[str, Literal["in", "at", "along"]]] = {
    "Polygon": ("polygon", "in"),
    "Point": ("point", "at"),
    "LineString": ("line", "along"),
}
_NAMING = re.compile(r"name|title|site|station|label|class|type|kind|category|crop|owner", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ZoneGroup:
    """Zones of one kind.

    Attributes
    ----------
    kind : str
        ``class``, ``polygon`` (those of one name together) or ``feature`` (each by itself).
    role : str
        Of the classes' raster; empty for features.
    attribute : str
        That names the features.
    whole : Zone, optional
        All features of the file together.
    """

    kind: str
    zones: tuple[Zone, ...]
    role: str = ""
    attribute: str = ""
    whole: Zone | None = None


def zone_groups(workspace: Workspace) -> tuple[ZoneGroup, ...]:
    """Return the classes and features of a workspace; classes without names are there by number alone."""
    classes = [_of_classes(c) for c in workspace.collections.values() if c.role in CLASS_ROLES]
    vectors = [group for path in workspace.vector_files() for group in _of_file(str(path))]
    return (*classes, *sorted(vectors, key=lambda group: group.kind == "feature"))


def _of_classes(collection: Collection) -> ZoneGroup:
    first = collection.members[0]
    names = class_legend(Source(first.description, first.band)).names
    zones = tuple(
        Zone(name.lower(), collection.role, (float(value),), (name.lower(),)) for value, name in names.items()
    )
    return ZoneGroup("class", zones, collection.role)


def _of_file(path: str) -> list[ZoneGroup]:
    try:
        features = read_features(path)
    except TreelineError:
        return []
    kinds = {item.geometry.geom_type.removeprefix("Multi") for item in features.items}
    if len(kinds) != 1 or not kinds <= set(_KINDS):
        return []
    kind = kinds.pop()
    attributes = {name: _members(features, name) for name in _text_attributes(features)}
    telling = {a: found for a, found in attributes.items() if _NAMING.search(a) or len(found) > 1}
    named = _by_name(telling) if kind == "Polygon" else []
    groups = [ZoneGroup("polygon", _zones(features, a, found), "", a) for a, found in named]
    return [*groups, _each_feature(features, kind)]


def _each_feature(features: Features, kind: str) -> ZoneGroup:
    noun, preposition = _KINDS[kind]
    plural = f"the {noun}s of {features.name}"
    whole = Zone(plural, file=features.name, preposition=preposition)
    labels = _labels(features, noun)
    zones = tuple(
        Zone(label, file=features.name, number=n, preposition=preposition)
        for n, label in enumerate(labels, start=1)
    )
    return ZoneGroup("feature", zones if len(zones) <= _MOST_ZONES else (), whole=whole)


def _labels(features: Features, noun: str) -> list[str]:
    """Return what each feature is called: by an attribute that tells them all apart, else by its number."""
    for attribute in sorted(_text_attributes(features), key=lambda name: _NAMING.search(name) is None):
        values = [str(value or "") for value in features.values_of(attribute)]
        if all(values) and len(set(values)) == len(values):
            return values
    return [f"{noun} {number}" for number in range(1, len(features.items) + 1)]


def _by_name(attributes: Mapping[str, list[str]]) -> list[tuple[str, list[str]]]:
    """Return attributes, those that are called a name or a class first."""
    return sorted(attributes.items(), key=lambda entry: _NAMING.search(entry[0]) is None)


def _text_attributes(features: Features) -> list[str]:
    known = {name: None for item in features.items for name in item.attributes}
    return [name for name in known if all(isinstance(v, str | None) for v in features.values_of(name))]


def _members(features: Features, attribute: str) -> list[str]:
    found = {str(v): None for v in features.values_of(attribute) if v and not re.fullmatch(r"[\d\W]+", v)}
    return list(found)[: _MOST_ZONES + 1]


def _zones(features: Features, attribute: str, members: list[str]) -> tuple[Zone, ...]:
    if len(members) > _MOST_ZONES:
        return ()
    return tuple(Zone(m, file=features.name, attribute=attribute, member=m) for m in members)
