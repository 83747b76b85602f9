"""Zipped shapefiles: the parts are taken out by name, nothing else of the archive is."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path, PurePosixPath

from treeline.toolkit.errors import InputError
from treeline.toolkit.files import ARCHIVE_FAULTS, SHAPEFILE_PARTS

NEEDED = (".shp", ".shx", ".dbf")
# What a packed shapefile may come to when unpacked: a few kilobytes can claim any size.
LARGEST = 2 * 2**30
_CHUNK = 2**20


def unpack_shapefile(archive: Path, folder: Path, name: str) -> dict[str, Path]:
    """Put the parts of the one shapefile of an archive into a folder, and return them by suffix.

    Parameters
    ----------
    archive : Path
    folder : Path
        Where the parts go, under the name of the archive.
    name : str
        What the archive is called, for messages too.

    Raises
    ------
    InputError
        It is no archive, holds no whole shapefile or several, or is too large.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            parts = {}
            for suffix, member in _members(opened, name).items():
                parts[suffix] = folder / f"{Path(name).stem}{suffix}"
                with opened.open(member) as source, parts[suffix].open("wb") as stream:
                    shutil.copyfileobj(source, stream, _CHUNK)
            return parts
    except ARCHIVE_FAULTS as error:
        raise InputError(f"{name} is no usable archive ({error}).", "Zip the shapefile again.") from None


def _members(opened: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    found = [(PurePosixPath(info.filename), info) for info in opened.infolist() if not info.is_dir()]
    shapes = [path for path, _ in found if path.suffix.lower() == ".shp" and not path.name.startswith(".")]
    if len(shapes) != 1:
        raise InputError(f"{name} holds {len(shapes)} shapefiles.", "Zip one shapefile with its parts.")
    parts = {
        path.suffix.lower(): info
        for path, info in found
        if path.with_suffix("") == shapes[0].with_suffix("") and path.suffix.lower() in SHAPEFILE_PARTS
    }
    missing = [suffix for suffix in NEEDED if suffix not in parts]
    if missing:
        raise InputError(f"{name} lacks the part {missing[0]} of its shapefile.", "Zip all its parts.")
    size = sum(info.file_size for info in parts.values())
    if size > LARGEST:
        raise InputError(f"{name} holds {size / 2**30:.1f} GiB.", "Give a GeoPackage.")
    return parts
