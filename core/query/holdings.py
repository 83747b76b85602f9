"""What a workspace holds by name, for the reader: variables with their dates, classes, features, sites."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from treeline.core.confinement import call
from treeline.core.query.expression import REFLECTANCE
from treeline.core.query.inventory import STATIC_ROLES, Holding, Inventory, NamedGround
from treeline.core.query.words import noun_of_attribute
from treeline.core.workspace import Collection, Workspace
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import CLASS_ROLES, Source, class_legend
from treeline.toolkit.recognition.periods import depth_factor
from treeline.toolkit.variables import CLOUD_ROLES, VARIABLES
from treeline.toolkit.vector import Features, read_features

_MOST_NAMES = 300
_NAMING = re.compile(
    r"name|title|site|station|label|class|type|kind|category|crop|owner|region", re.IGNORECASE
)
_GEOMETRY = {"Polygon": "polygon", "LineString": "line", "Point": "point"}


@dataclass
class _RoleSummary:
    """What the collections of one role say together."""

    unit: str = ""
    dates: set[dt.date] = field(default_factory=set)
    sensors: set[str] = field(default_factory=set)
    sites: set[str] = field(default_factory=set)
    bands: set[str] = field(default_factory=set)
    periods: bool = True
    images: int = 0


def inventory_of(
    workspace: Workspace,
    derivable: Iterable[str] = (),
    methods: Iterable[str] = (),
    area_of_interest: bool = False,
) -> Inventory:
    """Return what a workspace holds by name.

    Parameters
    ----------
    derivable : iterable of str
        Roles that tools can make from what is there.
    methods : iterable of str
        Usual names of methods that can be carried out.
    area_of_interest : bool
        ``@aoi`` is set.
    """
    collections = workspace.collections
    gathered = _gather(collections)
    several = {role for role, found in gathered.items() if len(found.sites) > 1}
    held = [
        Holding(
            role,
            found.unit,
            tuple(sorted(found.dates)),
            sensors=tuple(sorted(found.sensors)),
            sites=tuple(sorted(found.sites)) if role in several else (),
            bands=tuple(sorted(found.bands)),
            periods=found.periods,
            images=found.images,
        )
        for role, found in gathered.items()
    ]
    bands = [role for role in gathered if role in VARIABLES and VARIABLES[role].kind == "reflectance"]
    if len(bands) > 1:  # what each of them measures
        derivable = {*derivable, REFLECTANCE}
    made = [Holding(role, _usual_unit(role), made=True) for role in sorted(set(derivable) - set(gathered))]
    return Inventory(
        tuple(sorted((*held, *made), key=lambda holding: holding.role)),
        tuple(sorted(_grounds(workspace), key=repr)),
        tuple(sorted(method.lower() for method in methods)),
        tuple(sorted({date for role in CLOUD_ROLES if role in gathered for date in gathered[role].dates})),
        area_of_interest,
        any(role in gathered and not gathered[role].dates for role in CLOUD_ROLES),
    )


def _gather(collections: Mapping[str, Collection]) -> dict[str, _RoleSummary]:
    gathered: dict[str, _RoleSummary] = {}
    for collection in collections.values():
        found = gathered.setdefault(collection.role, _RoleSummary())
        for member in collection.members:
            unit = member.band.unit or _usual_unit(collection.role)
            # Where some are rates, no total is right of all.
            found.unit = unit if not found.unit or "/" in unit else found.unit
            found.periods &= depth_factor(member.band.unit or "", member.band.period_days) is not None
            if member.date and collection.role not in STATIC_ROLES:
                found.dates.add(member.date.date())
                found.images += 1
            if member.band.name:
                found.bands.add(member.band.name)
            if member.description.sensor:
                found.sensors.add(member.description.sensor)
        if collection.place:
            found.sites.add(collection.place)
    return gathered


def _usual_unit(role: str) -> str:
    known = VARIABLES.get(role)
    return known.unit if known else "1"


def _grounds(workspace: Workspace) -> Iterable[NamedGround]:
    for collection in workspace.collections.values():
        if collection.role not in CLASS_ROLES:
            continue
        first = collection.members[0]
        names = class_legend(Source(first.description, first.band)).names
        dates = tuple(sorted({member.date.date() for member in collection.members if member.date}))
        yield NamedGround(
            "class", collection.role, "", tuple(dict.fromkeys(names.values())), "class", dates=dates
        )
    for path in workspace.vector_files():
        yield from _of_file(str(path))


def _of_file(path: str) -> Iterable[NamedGround]:
    try:
        features = call(read_features, path)
    except TreelineError:
        return
    kinds = {item.geometry.geom_type.removeprefix("Multi") for item in features.items}
    geometry = _GEOMETRY.get(kinds.pop(), "") if len(kinds) == 1 else ""
    if not geometry:
        return
    named = {
        attribute: names
        for attribute in _text_attributes(features)
        if _NAMING.search(attribute) and (names := _names_in(features, attribute))
    }
    finest = max(named, key=lambda attribute: len(named[attribute]), default="")
    for attribute, names in named.items():
        noun = noun_of_attribute(attribute, geometry)
        # What tells the most features apart names the polygons; a kind or type has several of them.
        noun = attribute.lower() if noun == geometry and attribute != finest else noun
        yield NamedGround("feature", features.name, attribute, names, noun, geometry)
    if not named:
        yield NamedGround("feature", features.name, "", (), geometry, geometry)


def _text_attributes(features: Features) -> list[str]:
    known = {name: None for item in features.items for name in item.attributes}
    return [name for name in known if all(isinstance(v, str | None) for v in features.values_of(name))]


def _names_in(features: Features, attribute: str) -> tuple[str, ...]:
    found = {str(v) for v in features.values_of(attribute) if v and not re.fullmatch(r"[\d\W]+", str(v))}
    return tuple(sorted(found)) if len(found) <= _MOST_NAMES else ()
