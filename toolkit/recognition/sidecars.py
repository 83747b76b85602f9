"""Metadata beside a raster: a STAC item or a Landsat MTL file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class BandStatement:
    """What metadata say of one band."""

    name: str
    role: str | None = None
    scale: float | None = None
    offset: float = 0.0
    unit: str | None = None
    fill: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What the metadata beside a file say of it."""

    source: str
    date: datetime | None = None
    sensor: str | None = None
    product: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    bands: tuple[BandStatement, ...] = ()


def read_sidecar(path: Path) -> Sidecar | None:
    """Return what a STAC item or an MTL file beside a raster says of it."""
    return None
