"""Colour composites: any three variables of a scene as red, green and blue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from treeline.core.serving import MapLayer
from treeline.core.workspace import date_text
from treeline.pages.parts.map.layers import Entry
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition.model import RasterDescription

Roles = tuple[str, str, str]
_KEY = "composite "

# What analysts know by name, the usual first.
USUAL: Mapping[str, Roles] = {
    "True colour": ("red", "green", "blue"),
    "False colour": ("nir", "red", "green"),
    "SWIR": ("swir2", "nir", "red"),
    "Agriculture": ("swir1", "nir", "blue"),
    "Moisture": ("nir", "swir1", "red"),
}


@lru_cache(maxsize=16)
def scenes_of(rasters: tuple[RasterDescription, ...]) -> dict[tuple[str, str], dict[str, Source]]:
    """Return the bands of each place and date by what they are; a scene may be a file a band."""
    scenes: dict[tuple[str, str], dict[str, Source]] = {}
    for raster in rasters:
        if raster.crs is None:
            continue
        bands = scenes.setdefault((raster.place, date_text(raster)), {})
        for band in raster.bands:
            if band.role:
                bands.setdefault(band.role, Source(raster, band))
    return scenes


def bands_beside(entry: Entry, rasters: tuple[RasterDescription, ...]) -> dict[str, Source]:
    """Return the bands of the scene that a layer is of."""
    description = entry.layer.description
    return scenes_of(rasters).get((description.place, date_text(description)), {})


def composite_entries(rasters: tuple[RasterDescription, ...], wanted: Iterable[Roles]) -> list[Entry]:
    """Return a layer for each scene that has the three variables of a composite."""
    entries = []
    for roles in wanted:
        for (place, date), bands in scenes_of(rasters).items():
            if not bands.keys() >= set(roles):
                continue
            sources = tuple(bands[role] for role in roles)
            try:
                layer = MapLayer.of(sources, f"{_name(roles)} \u00b7 {date or place}")
            except OSError:  # a file went away since the catalogue was made
                continue
            entries.append(Entry(key_of(roles, sources), layer, date))
    return entries


def _name(roles: Roles) -> str:
    """Return what three variables together are called, else which they are."""
    known = next((name for name, usual in USUAL.items() if usual == roles), "")
    told = ", ".join(roles)
    return f"{known} ({told})" if known else told


def key_of(roles: Roles, sources: Sequence[Source]) -> str:
    """Return the key of a composite, which tells its variables."""
    return f"{_KEY}{'+'.join(roles)} {sources[0].path.name}"


def roles_in(key: str) -> Roles | None:
    """Return the variables of a composite by its key; ``None`` for the key of any other layer."""
    if not key.startswith(_KEY):
        return None
    parts = key.removeprefix(_KEY).partition(" ")[0].split("+")
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None
