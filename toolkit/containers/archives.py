"""ZIP, TAR and gzip: the rasters and their metadata are taken out by checked names, nothing else is."""

from __future__ import annotations

import gzip
import lzma
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from treeline.toolkit.errors import InputError
from treeline.toolkit.files import is_usable
from treeline.toolkit.limits import Limits

TARS = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
RAW = frozenset({".dat", ".bsq", ".bil", ".bip", ".img"})
RASTERS = frozenset({".tif", ".tiff", ".jp2", ".j2k", ".png", ".jpg", ".jpeg", *RAW})
ARRAYS = frozenset({".nc", ".nc4", ".cdf", ".h5", ".hdf5", ".he5", ".hdf"})
METADATA = frozenset({".xml", ".json", ".txt", ".hdr"})
HEIGHTS = ".hgt"
TAKEN = RASTERS | ARRAYS | METADATA | {HEIGHTS}
DEEPEST = 12
_CHUNK = 2**20
_DAMAGED = (
    zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError, EOFError, OSError, ValueError,
    struct.error, zlib.error, lzma.LZMAError,
)  # fmt: skip


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


def take_out(archive: Path, folder: Path) -> list[Path]:
    """Put the rasters of an archive, and metadata beside them, into a folder; return what was put there.

    Raises
    ------
    InputError
        It is damaged, encrypted, or holds more than may be read here.
    """
    limits, taken, room = Limits.from_environment(), [], 0
    room = min(limits.unpacked, shutil.disk_usage(folder).free - limits.free)
    try:
        for number, entry in enumerate(_entries(archive)):
            if number >= limits.members:
                raise _too_many(archive, limits.members)
            target = _target(entry.name, folder)
            if target is None or target.exists():
                continue
            room -= _copied(entry, target, room, archive)
            taken.append(target)
    except _DAMAGED as error:
        raise InputError(f"{archive.name} is no usable archive ({error}).", "Make or load it anew.") from None
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
    except _DAMAGED as error:
        raise InputError(f"{archive.name} is no usable archive ({error}).", "Make or load it anew.") from None


def has_shapefile(archive: Path) -> bool:
    """Return whether an archive holds a shapefile, which is no raster but an area."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return any(name.lower().endswith(".shp") for name in opened.namelist())
    except _DAMAGED:
        return False


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
            mode = info.external_attr >> 16
            if not info.is_dir() and (not mode or stat.S_ISREG(mode) or not stat.S_IFMT(mode)):
                yield Entry(info.filename, lambda info=info: opened.open(info))


def _of_tar(archive: Path) -> Iterator[Entry]:
    with tarfile.open(archive) as opened:
        for member in opened:
            stream = opened.extractfile(member) if member.isreg() else None
            if stream is not None:
                yield Entry(member.name, lambda stream=stream: stream)


def _target(name: str, folder: Path) -> Path | None:
    """Return where a file of an archive goes; ``None`` for what is not taken out, or has no honest name."""
    parts = PurePosixPath(name).parts
    if not parts or len(parts) > DEEPEST or not name.isprintable() or not is_usable(name):
        return None
    if any(part.startswith((".", "/")) or "\\" in part or ":" in part for part in parts):
        return None
    if PurePosixPath(name).suffix.lower() not in TAKEN or "__MACOSX" in parts:
        return None
    return folder.joinpath(*parts)


def _copied(entry: Entry, target: Path, room: int, archive: Path) -> int:
    """Write a file and return its bytes, counted as they come and not as the archive has it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with entry.open() as stream, target.open("wb") as written:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > room:
                raise InputError(
                    f"{archive.name} holds more than may be taken out here.",
                    "Give fewer files, make room on the disk, or raise TREELINE_LIMITS (unpacked).",
                )
            written.write(chunk)
    return size
