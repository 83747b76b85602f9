"""What metadata beside a raster say of it, in whichever form they are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

# Metadata of a scene has some hundred kilobytes; XML is parsed in memory, and grows tenfold there.
LARGEST = 4_000_000


@dataclass(frozen=True, slots=True)
class BandStatement:
    """What metadata say of one band.

    Attributes
    ----------
    planck : tuple of float, optional
        K1 and K2, where scale and offset give a radiance.
    fill : tuple of float
        Stored values that mean no data.
    """

    name: str
    role: str | None = None
    scale: float | None = None
    offset: float = 0.0
    unit: str | None = None
    planck: tuple[float, float] | None = None
    fill: tuple[float, ...] = ()


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


def load(path: Path, parse: Callable[[str], Any]) -> Any:
    """Return a small text file parsed, or ``None`` if it is too large or not what it seems."""
    try:
        state = path.stat()
        return None if state.st_size > LARGEST else _parse(path, state.st_mtime_ns, parse)
    except OSError:
        return None


@lru_cache(maxsize=256)
def _parse(path: Path, changed: int, parse: Callable[[str], Any]) -> Any:
    try:
        return parse(_decode(path.read_bytes()))
    except (ValueError, RecursionError):
        return None


def _decode(content: bytes) -> str:
    """Return text in UTF-8, else in Latin-1, in which DIMAP files write the owners of their rights."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def parse_xml(text: str) -> ElementTree.Element:
    """Return the root of an XML file without a document type, which could make it grow without end.

    Raises
    ------
    ValueError
        It has one, or is no XML.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("A file of metadata has no document type.")
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(str(error)) from error
