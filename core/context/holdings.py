"""What the data of a run hold beside their collections: dates, classes with names, vector files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeline.core.engine.rundata import RunData
from treeline.core.workspace import Collection
from treeline.core.workspace.class_names import class_names, is_of_classes, vectors_beside
from treeline.toolkit import ToolContext, use_context
from treeline.toolkit.raster import Source
from treeline.toolkit.vector import Features

CONTEXT_PART = "holdings"

_MOST_CLASSES = 60
_MOST_ATTRIBUTES = 12
_MOST_VALUES = 6
_LONGEST_VALUE = 30
_SEVERAL_DATES = 6


def holdings(data: RunData) -> dict[str, str]:
    """Return what a policy is told of the data of a run, as part of its context."""
    with use_context(ToolContext(output_folder=data.folder, resolver=data.resolver, area=data.area)):
        vectors = dict(vectors_beside(data.workspace))
        collections = list(data.collections.values())
        lines = [*_dates(collections), *_classes(collections, vectors), *_files(vectors)]
    return {CONTEXT_PART: "\n".join(lines)} if lines else {}


def _dates(collections: Sequence[Collection]) -> Iterator[str]:
    """Yield how many dates of a year collections have, and those that are there twice."""
    told: dict[str, list[str]] = {}
    for collection in collections:
        days = [member.date_text for member in collection.members if member.date]
        if len(days) < _SEVERAL_DATES:
            continue
        years = Counter(day[:4] for day in days)
        twice = [day for day, count in Counter(day[:10] for day in days).items() if count > 1]
        said = "rasters of " + ", ".join(f"{year}: {count}" for year, count in sorted(years.items()))
        said += f"; there twice: {', '.join(twice)}" if twice else ""
        told.setdefault(said, []).append(collection.handle)
    yield from (f"{' '.join(handles)}: {said}" for said, handles in told.items())


def _classes(collections: Sequence[Collection], vectors: Mapping[str, Features | str]) -> Iterator[str]:
    read = {name: found for name, found in vectors.items() if isinstance(found, Features)}
    for collection in collections:
        first = collection.members[0]
        source = Source(first.description, first.band)
        if not is_of_classes(source):
            continue
        found = class_names(source, read)
        names = found.names
        if names:
            origin = f" ({found.origin}, whose numbers are those of the raster)" if found.origin else ""
            listed = ", ".join(f"{value} {names[value]}" for value in sorted(names)[:_MOST_CLASSES])
            more = f" and {len(names) - _MOST_CLASSES} more" if len(names) > _MOST_CLASSES else ""
            yield f"{collection.handle} classes{origin}: {listed}{more}"


def _attributes(features: Features) -> list[str]:
    return list(features.items[0].attributes)


def _files(vectors: Mapping[str, Features | str]) -> Iterator[str]:
    for name, found in vectors.items():
        if isinstance(found, str):
            yield f"{name}: {found}"
            continue
        kinds = Counter(item.geometry.geom_type for item in found.items)
        what = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        attributes = "; ".join(_attribute(found, a) for a in _attributes(found)[:_MOST_ATTRIBUTES])
        yield f"{name}: {what}" + (f"; attributes {attributes}" if attributes else "")


def _attribute(features: Features, name: str) -> str:
    """Return an attribute with its values where they are few words."""
    values: list[Any] = [item.attributes.get(name) for item in features.items]
    distinct = sorted({str(value).strip() for value in values if value is not None} - {""})
    # A list of values is not given for numbers: each feature may have another one.
    words = [value for value in distinct if not value.replace(".", "").replace("-", "").isdigit()]
    short = all(len(value) <= _LONGEST_VALUE for value in words)
    told = words and len(distinct) <= _MOST_VALUES and short
    return f"{name} ({', '.join(distinct)})" if told else name
