"""What the data of a run hold beside their collections: dates, classes with names, vector files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from treeline.core.confinement import call
from treeline.core.engine.rundata import RunData
from treeline.core.workspace import Collection
from treeline.toolkit import ToolContext, use_context
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Source, class_legend, read_small
from treeline.toolkit.variables import variable
from treeline.toolkit.vector import Features, read_features

CONTEXT_PART = "holdings"

_MOST_CLASSES = 60
_MOST_FILES = 8
_MOST_ATTRIBUTES = 12
_MOST_VALUES = 6
_LARGEST_VECTOR = 20_000_000
_LONGEST_VALUE = 30
_SEVERAL_DATES = 6


def holdings(data: RunData) -> dict[str, str]:
    """Return what a policy is told of the data of a run, as part of its context."""
    with use_context(ToolContext(output_folder=data.folder, resolver=data.resolver, area=data.area)):
        vectors = dict(_vectors(data))
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
        twice = [day for day, count in Counter(days).items() if count > 1]
        said = "rasters of " + ", ".join(f"{year}: {count}" for year, count in sorted(years.items()))
        said += f"; there twice: {', '.join(twice)}" if twice else ""
        told.setdefault(said, []).append(collection.handle)
    yield from (f"{' '.join(handles)}: {said}" for said, handles in told.items())


def _classes(collections: Sequence[Collection], vectors: Mapping[str, Features | str]) -> Iterator[str]:
    for collection in collections:
        known = variable(collection.role)
        if known is None or known.kind != "class":
            continue
        names, origin = _names(collection, vectors)
        if names:
            listed = ", ".join(f"{value} {names[value]}" for value in sorted(names)[:_MOST_CLASSES])
            more = f" and {len(names) - _MOST_CLASSES} more" if len(names) > _MOST_CLASSES else ""
            yield f"{collection.handle} classes{origin}: {listed}{more}"


def _names(collection: Collection, vectors: Mapping[str, Features | str]) -> tuple[Mapping[int, str], str]:
    """Return the classes of a collection by value, and which other file their names are from."""
    first = collection.members[0]
    own = class_legend(Source(first.description, first.band)).names
    read = {name: found for name, found in vectors.items() if isinstance(found, Features)}
    if own or not read:
        return own, ""
    try:
        values = read_small(first.address, 512)
    except TreelineError:
        return {}, ""
    present = {int(value) for value in np.unique(values[np.isfinite(values)])}
    for name, features in read.items():
        for attribute, names in _pairings(features):
            if present and present <= names.keys() | {0}:
                return names, f" ({attribute} of {name}, whose numbers are those of the raster)"
    return {}, ""


def _pairings(features: Features) -> Iterator[tuple[str, dict[int, str]]]:
    """Yield the attributes of text that name the numbers of another one, each number once."""
    numbers = [name for name in _attributes(features) if _are(features, name, int)]
    texts = [name for name in _attributes(features) if _are(features, name, str)]
    for number in numbers:
        for text in texts:
            pairs = {(int(item.attributes[number]), item.attributes[text].strip()) for item in features.items}
            pairs = {(value, name) for value, name in pairs if name}
            named = dict(pairs)
            if 1 < len(pairs) == len(named) == len(set(named.values())) < len(features.items):
                yield text, named


def _attributes(features: Features) -> list[str]:
    return list(features.items[0].attributes)


def _are(features: Features, attribute: str, kind: type) -> bool:
    values = [item.attributes.get(attribute) for item in features.items]
    whole = kind is int and all(isinstance(v, float) and v.is_integer() for v in values)
    return whole or all(isinstance(v, kind) and not isinstance(v, bool) for v in values)


def _vectors(data: RunData) -> Iterator[tuple[str, Features | str]]:
    """Yield the vector files by name, or why one is not told of."""
    for path in data.workspace.vector_files()[:_MOST_FILES]:
        yield path.name, _read(path)


def _read(path: Path) -> Features | str:
    if path.stat().st_size > _LARGEST_VECTOR:
        return "a large vector file"
    try:
        return call(read_features, str(path))
    except TreelineError as error:
        return f"not usable: {error.message}"


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
    words = [value for value in distinct if not value.replace(".", "").replace("-", "").isdigit()]
    short = all(len(value) <= _LONGEST_VALUE for value in words)
    told = words and len(distinct) <= _MOST_VALUES and short
    return f"{name} ({', '.join(distinct)})" if told else name
