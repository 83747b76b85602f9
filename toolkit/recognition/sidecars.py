"""Metadata beside a raster: of STAC, Landsat, DIMAP or Planet, or those of a Sentinel-2 product above it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from treeline.toolkit.recognition.dimap import PREFIX, read_dimap
from treeline.toolkit.recognition.landsat import read_mtl
from treeline.toolkit.recognition.planet import is_planet, read_planet
from treeline.toolkit.recognition.safe import product_folder, read_safe
from treeline.toolkit.recognition.stac import read_item
from treeline.toolkit.recognition.statements import Sidecar

# A folder may hold ten thousand JSON files that are no metadata, and each would be parsed for each raster.
MOST = 200
_LANDSAT = re.compile(r"L[COTEM]\d\d?_?\w*_B\d", re.IGNORECASE)
_METADATA = ("metadata", "Metadata", "meta", "MTL", "mtl")


def read_sidecar(path: Path) -> Sidecar | None:
    """Return what a STAC item or an MTL file beside a raster says of it; ``None`` when there is none.

    A file that cannot be read as metadata is no metadata; addresses in it are never followed.
    """
    stated = read_safe(path)
    if stated is not None:
        return stated
    for candidate in _candidates(path):
        found = _reader(candidate)(candidate, path)
        if found is not None:
            return found
    return None


def _reader(candidate: Path) -> Callable[[Path, Path], Sidecar | None]:
    if candidate.name.lower().startswith(PREFIX):
        return read_dimap
    if is_planet(candidate.name):
        return read_planet
    return read_mtl if candidate.stem.upper().endswith("_MTL") else read_item


def _candidates(path: Path) -> Iterator[Path]:
    """Yield the metadata files beside a raster, the one of its own name first.

    That of a Landsat scene may lie above the folder of its bands, or in a folder for metadata.
    """
    names = _names_in(path.parent)
    # Before the limit is applied, so that the raster's own metadata are always looked at.
    own = [name for name in names if name.startswith(path.stem)]
    for name in dict.fromkeys([*own, *names][:MOST]):
        yield path.parent / name
    for folder in _folders_of_landsat(path):
        yield from (folder / name for name in _names_in(folder) if "_mtl." in name.lower())


def _folders_of_landsat(path: Path) -> tuple[Path, ...]:
    if not _LANDSAT.match(path.name):
        return ()
    above = path.parent.parent
    return above, *(each / called for each in (path.parent, above) for called in _METADATA)


def folders_read(path: Path) -> tuple[Path, ...]:
    """Return the folders whose files may say something of a raster; not all of them need be there."""
    product = product_folder(path)
    return path.parent, *(() if product is None else (product,)), *_folders_of_landsat(path)


def _names_in(folder: Path) -> tuple[str, ...]:
    try:
        return _metadata_names(folder, folder.stat().st_mtime_ns)
    except OSError:
        return ()


@lru_cache(maxsize=256)
def _metadata_names(folder: Path, changed: int) -> tuple[str, ...]:
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if not entry.name.startswith(".")]
    return tuple(sorted(name for name in names if _may_tell(name.lower())))


def _may_tell(name: str) -> bool:
    dimap = name.startswith(PREFIX) and name.endswith(".xml")
    return dimap or is_planet(name) or name.endswith((".json", "_mtl.txt", "_mtl.xml"))
