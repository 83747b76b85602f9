"""Zipped shapefiles: the parts are taken out by name, nothing else of the archive is."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from toolkit.errors import InputError
from toolkit.vector import read_features

PARTS = frozenset({".shp", ".shx", ".dbf", ".prj", ".cpg"})
NEEDED = (".shp", ".shx", ".dbf")
LARGEST = 2 * 2**30
_CHUNK = 2**20


def keep_shapefile(archive: Path, target: Path) -> None:
    """Put the one shapefile of an archive beside ``target``, under the name of the archive.

    Raises
    ------
    InputError
        It is no archive, holds no whole shapefile or several, is too large, or is there already.
    """
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".") as folder:
        parts = _unpacked(archive, Path(folder), target)
        read_features(str(parts[".shp"]))
        places = {suffix: target.with_suffix(suffix) for suffix in parts}
        if any(place.exists() for place in places.values()):
            raise InputError(
                f"There is a shapefile {target.stem!r} already.", "Give the archive another name."
            )
        for suffix, part in parts.items():
            part.replace(places[suffix])


def _unpacked(archive: Path, folder: Path, target: Path) -> dict[str, Path]:
    try:
        with zipfile.ZipFile(archive) as opened:
            members = _members(opened, target.name)
            parts = {}
            for suffix, member in members.items():
                parts[suffix] = folder / f"{target.stem}{suffix}"
                with opened.open(member) as source, parts[suffix].open("wb") as stream:
                    shutil.copyfileobj(source, stream, _CHUNK)
            return parts
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise InputError(
            f"{target.name} is no usable archive ({error}).", "Zip the shapefile anew."
        ) from None


def _members(opened: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    found = [(PurePosixPath(info.filename), info) for info in opened.infolist() if not info.is_dir()]
    shapes = [path for path, _ in found if path.suffix.lower() == ".shp" and not path.name.startswith(".")]
    if len(shapes) != 1:
        raise InputError(f"{name} holds {len(shapes)} shapefiles.", "Zip one shapefile with its parts.")
    parts = {
        path.suffix.lower(): info
        for path, info in found
        if path.with_suffix("") == shapes[0].with_suffix("") and path.suffix.lower() in PARTS
    }
    missing = [suffix for suffix in NEEDED if suffix not in parts]
    if missing:
        raise InputError(f"{name} lacks the part {missing[0]} of its shapefile.", "Zip all its parts.")
    size = sum(info.file_size for info in parts.values())
    if size > LARGEST:
        raise InputError(f"{name} holds {size / 2**30:.1f} GiB.", "Give a GeoPackage.")
    return parts
