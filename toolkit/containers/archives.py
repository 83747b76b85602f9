"""ZIP, TAR and gzip: the rasters and their metadata are taken out by checked names, nothing else is."""

from __future__ import annotations

import gzip
import math
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from treeline.toolkit.containers.formats import TAKEN, TARS, ZARR, ZARR_MARKS, ZARR_STARTS
from treeline.toolkit.errors import InputError
from treeline.toolkit.files import ARCHIVE_FAULTS, is_usable
from treeline.toolkit.limits import Limits

# Products nest four or five folders; a crafted archive nests thousands, which no path can name.
DEEPEST = 12
_CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in an archive."""

    name: str
    open: Opener


class Stream(Protocol):
    """Bytes that are read one part after the other."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most so many."""
        ...


class Opener(Protocol):
    """Opens a file of an archive for reading."""

    def __call__(self) -> AbstractContextManager[Stream]:
        """Return its bytes as a stream."""
        ...


def take_out(archive: Path, folder: Path, most: float = math.inf) -> list[Path]:
    """Put the rasters of an archive, and metadata beside them, into a folder; return what was put there.

    Parameters
    ----------
    most : float
        Bytes that may be taken out, where that is less than the limits allow.

    Raises
    ------
    InputError
        It is damaged, encrypted, or holds more than may be read here.
    """
    limits, taken = Limits.from_environment(), []
    room = min(limits.unpacked, shutil.disk_usage(folder).free - limits.free, most)
    try:
        store = folder / f"{archive.stem.removesuffix(ZARR)}{ZARR}" if _is_zarr(archive) else None
        for number, entry in enumerate(_entries(archive)):
            if number >= limits.members:
                raise _too_many(archive, limits.members)
            target = _target(entry.name, folder, store)
            # The first of several entries of one name counts: a second one could replace what was checked.
            if target is None or target.exists():
                continue
            room -= _copy(entry, target, room, archive)
            taken.append(target)
    except ARCHIVE_FAULTS as error:
        raise InputError(f"{archive.name} is no usable archive ({error}).", "Load it again.") from None
    return taken


def _too_many(archive: Path, most: int) -> InputError:
    return InputError(f"{archive.name} holds more than {most:,} files.", "Give those that matter.")


def check_archive(archive: Path) -> None:
    """Refuse what is no archive, by its first file.

    Raises
    ------
    InputError
    """
    try:
        next(_entries(archive), None)
        if archive.suffix.lower() == ".gz":
            with gzip.open(archive) as stream:
                stream.read(1)
    except ARCHIVE_FAULTS as error:
        raise InputError(f"{archive.name} is no usable archive ({error}).", "Load it again.") from None


def has_shapefile(archive: Path) -> bool:
    """Return whether an archive holds a shapefile, which is no raster but an area."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return any(name.lower().endswith(".shp") for name in opened.namelist())
    except ARCHIVE_FAULTS:
        return False


def _is_zarr(archive: Path) -> bool:
    """Return whether a ZIP archive is itself a store of Zarr, whose files lie in no folder."""
    if archive.suffix.lower() != ".zip":
        return False
    with zipfile.ZipFile(archive) as opened:
        return any(name in ZARR_STARTS for name in opened.namelist())


def _entries(archive: Path) -> Iterator[Entry]:
    name = archive.name.lower()
    if name.endswith(TARS):
        yield from _of_tar(archive)
    elif name.endswith(".zip"):
        yield from _of_zip(archive)
    else:
        yield Entry(archive.stem, lambda: gzip.GzipFile(archive))


def _of_zip(archive: Path) -> Iterator[Entry]:
    with zipfile.ZipFile(archive) as opened:
        most = Limits.from_environment().members
        if len(opened.infolist()) > most:
            raise _too_many(archive, most)
        for info in opened.infolist():
            # The upper half holds the mode of Unix, by which links are recognised; programs of other systems
            # write none.
            mode = info.external_attr >> 16
            if not info.is_dir() and (not mode or stat.S_ISREG(mode) or not stat.S_IFMT(mode)):
                yield Entry(info.filename, lambda info=info: opened.open(info))


def _of_tar(archive: Path) -> Iterator[Entry]:
    with tarfile.open(archive) as opened:
        for member in opened:
            stream = opened.extractfile(member) if member.isreg() else None
            if stream is not None:
                yield Entry(member.name, lambda stream=stream: stream)


def _target(name: str, folder: Path, store: Path | None) -> Path | None:
    """Return where a file of an archive goes; ``None`` for what is not taken out, or has no usable name.

    Of a folder of Zarr, or where the whole archive is one, everything is taken out.
    """
    parts = PurePosixPath(name).parts
    if not parts or len(parts) > DEEPEST or not name.isprintable() or not is_usable(name):
        return None
    in_zarr = store is not None or any(part.lower().endswith(ZARR) for part in parts[:-1])
    shown = parts[:-1] if in_zarr and parts[-1] in ZARR_MARKS else parts
    if any(part.startswith((".", "/")) or "\\" in part or ":" in part for part in shown):
        return None
    if "__MACOSX" in parts or not (in_zarr or PurePosixPath(name).suffix.lower() in TAKEN):
        return None
    return (store or folder).joinpath(*parts)


def zarr_folders(folder: Path) -> list[Path]:
    """Return the folders of Zarr below a folder, none of them within another."""
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ZARR and path.is_dir())
    return [path for path in found if not any(parent in found for parent in path.parents)]


def _copy(entry: Entry, target: Path, room: float, archive: Path) -> int:
    """Write a file and return its bytes, counted as they come and not as the archive has it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with entry.open() as stream, target.open("wb") as written:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > room:
                raise InputError(
                    f"{archive.name} holds more than may be taken out here.",
                    "Give fewer files, make room, or raise TREELINE_LIMITS (unpacked).",
                )
            written.write(chunk)
    return size
