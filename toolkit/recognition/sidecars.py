"""Metadata beside a raster: a STAC item or a Landsat MTL file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

LARGEST = 4_000_000
MOST = 200


@dataclass(frozen=True, slots=True)
class BandStatement:
    """What metadata say of one band."""

    name: str
    role: str | None = None
    scale: float | None = None
    offset: float = 0.0
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What the metadata beside a file say of it.

    Attributes
    ----------
    source : str
        What kind of metadata, for people.
    groups : mapping
        What product names say by their parts: ``baseline``, ``satellite``, ``instrument``.
    """

    source: str
    date: datetime | None = None
    sensor: str | None = None
    product: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    bands: tuple[BandStatement, ...] = ()


def read_sidecar(path: Path) -> Sidecar | None:
    """Return what a STAC item or an MTL file beside a raster says of it; ``None`` when there is none.

    A file that cannot be read as metadata is no metadata; addresses in it are never followed.
    """
    from treeline.toolkit.recognition.landsat import read_mtl
    from treeline.toolkit.recognition.stac import read_item

    for candidate in _candidates(path):
        reader = read_mtl if candidate.stem.upper().endswith("_MTL") else read_item
        found = reader(candidate, path)
        if found is not None:
            return found
    return None


def load(path: Path, parse: Callable[[str], Any]) -> Any:
    """Return a small text file parsed, or ``None`` if it is too large or not what it seems."""
    try:
        state = path.stat()
        return None if state.st_size > LARGEST else _parsed(path, state.st_mtime_ns, parse)
    except OSError:
        return None


@lru_cache(maxsize=256)
def _parsed(path: Path, changed: int, parse: Callable[[str], Any]) -> Any:
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None


def _candidates(path: Path) -> Iterator[Path]:
    """Yield the metadata files beside a raster, the one of its own name first."""
    try:
        names = _metadata_names(path.parent, path.parent.stat().st_mtime_ns)
    except OSError:
        return
    own = [name for name in names if name.startswith(path.stem)]
    for name in dict.fromkeys([*own, *names][:MOST]):
        yield path.parent / name


@lru_cache(maxsize=256)
def _metadata_names(folder: Path, changed: int) -> tuple[str, ...]:
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if not entry.name.startswith(".")]
    return tuple(sorted(n for n in names if n.lower().endswith((".json", "_mtl.txt", "_mtl.xml"))))
