"""What the classes of a raster are called: by itself, or by a vector file beside it whose numbers fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from treeline.core.confinement import call
from treeline.core.workspace.workspace import Workspace
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Source, class_legend, read_small
from treeline.toolkit.variables import variable
from treeline.toolkit.vector import Features, read_features

# This is looked for at every question: a folder of hundreds of vector files would delay each.
_MOST_FILES = 8
_LARGEST_FILE = 20_000_000
_SAMPLE = 512


@dataclass(frozen=True)
class ClassNames:
    """Names of classes by value.

    Attributes
    ----------
    names : mapping of int to str
        Empty where nothing names them.
    origin : str
        The attribute and the vector file that they are from; empty where the raster has them itself.
    """

    names: Mapping[int, str] = field(default_factory=dict)
    origin: str = ""


def is_of_classes(source: Source) -> bool:
    """Return whether the values of a band are classes."""
    known = variable(source.role)
    return known is not None and known.kind == "class"


def class_names(source: Source, vectors: Mapping[str, Features]) -> ClassNames:
    """Return what the classes of a band are called.

    Its own names come first. Else those of the first of some vector files in which an attribute of text
    names the numbers of another one, each number once, and every value of the raster but 0 is among them.
    """
    own = class_legend(source).names
    if own or not vectors:
        return ClassNames(own)
    try:
        values = read_small(source, _SAMPLE)
    except TreelineError:
        return ClassNames()
    present = {int(value) for value in np.unique(values[np.isfinite(values)])}
    for file, features in vectors.items():
        for attribute, names in _pairings(features):
            # Zero is often the ground that no polygon covers, which has no name in the file.
            if present and present <= names.keys() | {0}:
                return ClassNames(names, f"{attribute} of {file}")
    return ClassNames()


def vectors_beside(workspace: Workspace) -> Iterator[tuple[str, Features | str]]:
    """Yield the vector files of a workspace by name, or why one is left out."""
    for path in workspace.vector_files()[:_MOST_FILES]:
        yield path.name, _read(path, path.stat().st_mtime_ns)


@dataclass(frozen=True)
class NamesBeside:
    """The names that the vector files of a workspace, looked for once, give the classes of its rasters."""

    workspace: Workspace

    @cached_property
    def _files(self) -> tuple[tuple[Path, int], ...]:
        return tuple((path, path.stat().st_mtime_ns) for path in self.workspace.vector_files()[:_MOST_FILES])

    def of(self, source: Source) -> Mapping[int, str]:
        """Return the names for a band.

        Empty for one that is not of classes or names them itself, and where a file is gone.
        """
        if not is_of_classes(source):
            return {}
        try:
            return _names_from(source, source.path.stat().st_mtime_ns, self._files)
        except OSError:
            return {}


@lru_cache(maxsize=512)
def _names_from(source: Source, changed: int, files: tuple[tuple[Path, int], ...]) -> Mapping[int, str]:
    """Return the names for one state of a raster and of the files beside it."""
    found = ((path.name, _read(path, written)) for path, written in files)
    read = {name: features for name, features in found if isinstance(features, Features)}
    try:
        named = call(class_names, source, read) if read else ClassNames()
    except TreelineError:
        return {}
    return named.names if named.origin else {}


@lru_cache(maxsize=32)
def _read(path: Path, changed: int) -> Features | str:
    """Return one state of a vector file, or why it is left out."""
    if path.stat().st_size > _LARGEST_FILE:
        return "a large vector file"
    try:
        return call(read_features, str(path))
    except TreelineError as error:
        return f"not usable: {error.message}"


def _pairings(features: Features) -> Iterator[tuple[str, dict[int, str]]]:
    """Yield the attributes of text that name the numbers of another one, each number once."""
    attributes = list(features.items[0].attributes)
    numbers = [name for name in attributes if _are(features, name, int)]
    texts = [name for name in attributes if _are(features, name, str)]
    for number in numbers:
        for text in texts:
            pairs = {(int(item.attributes[number]), item.attributes[text].strip()) for item in features.items}
            pairs = {(value, name) for value, name in pairs if name}
            named = dict(pairs)
            # Each number has one name and each name one number, and some repeat: otherwise the text is an
            # identifier of single features.
            if 1 < len(pairs) == len(named) == len(set(named.values())) < len(features.items):
                yield text, named


def _are(features: Features, attribute: str, kind: type) -> bool:
    values = [item.attributes.get(attribute) for item in features.items]
    # Shapefiles, and some writers of GeoJSON, store whole numbers as floats.
    whole = kind is int and all(isinstance(v, float) and v.is_integer() for v in values)
    return whole or all(isinstance(v, kind) and not isinstance(v, bool) for v in values)
