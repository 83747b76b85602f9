"""Parts of the ground that the workspace names: classes of a raster, features of a vector file."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from treeline.core.confinement import call
from treeline.core.policies.planner.layers import Ground
from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.query.expression import And, Node, Place, Zones
from treeline.core.workspace import Collection as RasterCollection
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.geodesy import way_between
from treeline.toolkit.raster import CLASS_ROLES, Source, class_legend
from treeline.toolkit.vector import Features, read_features

_MOST_COMPARED = 500
_NAMING = re.compile(r"name|title|site|station|label|class|type|kind|category|crop|owner", re.IGNORECASE)


def split_where(where: Node | None) -> tuple[str, list[Node]]:
    """Return the site that a ``where`` names, and the conditions that must all hold."""
    parts = list(where.of) if isinstance(where, And) else [where] if where is not None else []
    sites = [part for part in parts if isinstance(part, Place) and part.by == "site"]
    if len(sites) > 1 or any(len(site.names) != 1 for site in sites):
        raise CannotAnswer("One place at a time: compare two sites as two variables.")
    rest = [part for part in parts if part not in sites]
    return (sites[0].names[0] if sites else ""), rest


@dataclass(frozen=True, slots=True)
class ClassGround:
    """Rasters of classes: their layer's role, what the classes are called, and their collection's handle."""

    role: str
    names: Mapping[int, str]
    handle: str = ""

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return the classes that a name or a number in words means; empty where it means none."""
        known = tuple(float(n) for n, own in self.names.items() if own.casefold() == name.casefold())
        if known:
            return known
        return (float(name),) if re.fullmatch(r"-?\d+(?:\.\d+)?", name) else ()

    def label(self, number: float) -> str:
        """Return what a class is called."""
        return self.names.get(int(number), f"class {number:g}")


@dataclass(frozen=True)
class FeatureGround:
    """A vector file."""

    features: Features

    @property
    def name(self) -> str:
        """The file's name."""
        return self.features.name

    @cached_property
    def geometry(self) -> str:
        """``Polygon``, ``LineString`` or ``Point``."""
        return self.features.items[0].geometry.geom_type.removeprefix("Multi")

    @cached_property
    def overlap(self) -> bool:
        """Whether polygons share ground, so that one raster cannot number them; not looked at among many."""
        shapes = self.features.geometries
        if self.geometry != "Polygon" or len(shapes) > _MOST_COMPARED:
            return False
        for n, one in enumerate(shapes):
            for other in shapes[n + 1 :]:
                if one.intersects(other) and one.intersection(other).area > 1e-9 * min(one.area, other.area):
                    return True
        return False

    @property
    def attributes(self) -> list[str]:
        """The attributes that hold text, those that look like names first."""
        known = {name: None for item in self.features.items for name in item.attributes}
        texts = [n for n in known if all(isinstance(v, str | None) for v in self.features.values_of(n))]
        return sorted(texts, key=lambda name: _NAMING.search(name) is None)

    def attribute_with(self, names: tuple[str, ...]) -> str | None:
        """Return the attribute that holds all of some names, whatever their case."""
        wanted = {name.casefold() for name in names}
        for attribute in self.attributes:
            if wanted <= {str(v).casefold() for v in self.features.values_of(attribute) if v}:
                return attribute
        return None

    def spelling(self, attribute: str, name: str) -> str:
        """Return a name as the file writes it."""
        values = [str(v) for v in self.features.values_of(attribute) if v]
        return next((value for value in values if value.casefold() == name.casefold()), name)

    def members(self, attribute: str) -> list[str]:
        """Return the names that an attribute holds, each once, in the order of the file."""
        return list(dict.fromkeys(str(v) for v in self.features.values_of(attribute) if v))

    def boxes(self, crs: str, attribute: str = "", names: Collection[str] = ()) -> list[Ground]:
        """Return where, in a CRS, the features lie whose attribute holds one of some names, or all of them.

        Empty where that cannot be told. The corners are carried, not their box, which would grow as it turns.
        """
        from pyproj.exceptions import ProjError
        from shapely.ops import transform

        if not self.features.crs:
            return []
        try:
            way = way_between(self.features.crs, crs)
        except ProjError:
            return []
        wanted = {name.casefold() for name in names}
        return [
            Ground(crs, transform(way.transform, item.geometry).bounds)
            for item in self.features.items
            if not wanted or str(item.attributes.get(attribute, "")).casefold() in wanted
        ]

    def labels(self) -> tuple[str, list[str]]:
        """Return the attribute that tells the features apart and their labels; by number without one."""
        for attribute in self.attributes:
            values = [str(value or "") for value in self.features.values_of(attribute)]
            if all(values) and len(set(values)) == len(values):
                return attribute, values
        noun = {"Polygon": "polygon", "LineString": "line", "Point": "point"}.get(self.geometry, "feature")
        return "zone", [f"{noun} {number}" for number in range(1, len(self.features.items) + 1)]


class Grounds:
    """The named ground of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @cached_property
    def classes(self) -> tuple[ClassGround, ...]:
        """The rasters of classes."""
        return tuple(
            _classes_of(collection)
            for collection in self.workspace.collections.values()
            if collection.role in CLASS_ROLES
        )

    @cached_property
    def files(self) -> tuple[FeatureGround, ...]:
        """The vector files that can be read and hold features."""
        found = []
        for path in self.workspace.vector_files():
            try:
                features = call(read_features, str(path))
            except TreelineError:
                continue
            if features.items:
                found.append(FeatureGround(features))
        return tuple(found)

    def class_ground(self, source: str, names: tuple[str, ...] = ()) -> ClassGround:
        """Return the raster of classes of a role, or the one that has the names.

        Raises
        ------
        CannotAnswer
            There is none, or it has no such class; names those that there are.
        """
        known = [ground for ground in self.classes if source in ("", ground.role)]
        fitting = [ground for ground in known if all(ground.numbers(name) for name in names)]
        if fitting:
            return fitting[0]
        if not known:
            raise CannotAnswer(f"There is no raster of classes{f' called {source}' if source else ''}.")
        there = sorted({name for ground in known for name in ground.names.values()})
        lacking = next(name for name in names if not known[0].numbers(name))
        raise CannotAnswer(f"There is no class {lacking!r}.", f"The classes are {', '.join(there)}.")

    def handles_alike(self, ground: ClassGround) -> set[str]:
        """Return the handles of all rasters whose classes are those of a ground, such as tiles of one map."""
        return {
            each.handle for each in self.classes if (each.role, each.names) == (ground.role, ground.names)
        }

    def zone_names(self, zones: Zones) -> tuple[str, ...]:
        """Return what the classes or features of a kind are called.

        Raises
        ------
        CannotAnswer
            They have no names.
        """
        if zones.by == "class":
            names = tuple(dict.fromkeys(self.class_ground(zones.source).names.values()))
        elif zones.by == "feature" and zones.attribute:
            names = tuple(self.file(zones.source).members(zones.attribute))
        else:
            names = ()
        if not names:
            raise CannotAnswer(f"The {zones.by} zones have no names to be told apart by.")
        return names

    def file(self, source: str, names: tuple[str, ...] = ()) -> FeatureGround:
        """Return a vector file by its name, or the one that has features of these names.

        Raises
        ------
        CannotAnswer
            There is none.
        """
        known = [ground for ground in self.files if source in ("", ground.name, _stem(ground.name))]
        fitting = [g for g in known if not names or g.attribute_with(names) or _are_numbers(g, names)]
        if not fitting:
            held = ", ".join(ground.name for ground in self.files) or "no vector file"
            what = f"features called {', '.join(names)}" if names else source or "vector file"
            raise CannotAnswer(f"There is no {what}.", f"I see {held}.")
        return fitting[0]


def _are_numbers(ground: FeatureGround, names: tuple[str, ...]) -> bool:
    """Return whether names are numbers of features, or labels that were made of them."""
    labels = {label.casefold() for label in ground.labels()[1]}
    count = len(ground.features.items)
    return all(n.casefold() in labels or (n.isdigit() and 1 <= int(n) <= count) for n in names)


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0]


def _classes_of(collection: RasterCollection) -> ClassGround:
    first = collection.members[0]
    return ClassGround(
        collection.role, class_legend(Source(first.description, first.band)).names, collection.handle
    )
