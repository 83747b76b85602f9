"""Files by name and on the disk: which names are usable, and what is said where one cannot be written."""

from __future__ import annotations

import contextlib
import errno
import lzma
import os
import shutil
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from treeline.toolkit.errors import InputError, RasterError, ResourceLost
from treeline.toolkit.whole_files import whole_file

# In bytes: what file systems allow, and half of it, for a folder may come before.
LONGEST_NAME = 255
LONGEST_PATH = 2047
# What GDAL may have left beside a raster.
COMPANIONS = (".aux.xml", ".ovr", ".msk")
_WITHOUT_ROOM = (errno.ENOSPC, errno.EDQUOT)
# More than one write of a block takes: on a disk with less, a write that failed failed for that.
_LEAST_ROOM = 16 * 2**20
# What the reading of a ZIP, a TAR or a gzip raises where its bytes were altered.
ARCHIVE_FAULTS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
)
SHAPEFILE_PARTS = frozenset({".shp", ".shx", ".dbf", ".prj", ".cpg"})


def mend_text(text: str) -> str:
    """Return a text that can be written anywhere.

    Halves of a surrogate pair, as models write them and file names of another encoding hold them, are
    joined where they meet and replaced where they stand alone.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_usable(path: str, longest_name: int = LONGEST_NAME) -> bool:
    """Return whether a text can be the path of a file: no NUL, not too long, writable as UTF-8."""
    try:
        parts = [part.encode() for part in path.split("/")]
    except UnicodeEncodeError:
        return False
    length = sum(len(part) + 1 for part in parts)
    return "\0" not in path and length <= LONGEST_PATH and max(map(len, parts)) <= longest_name


def resolve_links(path: Path) -> Path:
    """Return a path with its links followed, as far as they lead somewhere."""
    # pathlib raises where links lead round in a circle.
    return Path(os.path.realpath(path))


def leads_elsewhere(companion: Path, file: Path) -> bool:
    """Return whether what is read together with a file is a link out of its folder.

    Whoever may write one folder could have a file of another read by it. A file that is a link itself may
    have its companions where it lies.
    """
    if not companion.is_symlink():
        return False
    return resolve_links(companion).parent not in {resolve_links(file.parent), resolve_links(file).parent}


def make_folder(folder: Path) -> Path:
    """Return a folder, which is made if it is not there.

    Raises
    ------
    InputError
        It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"The folder {mend_text(str(folder))!r} cannot be made: {reason}.",
            "Name one that can be written.",
        ) from None
    return folder


@contextlib.contextmanager
def output_file(target: Path, *faults: type[Exception]) -> Iterator[Path]:
    """Yield where to write a product that appears whole or not at all.

    As :func:`treeline.toolkit.whole_files.whole_file` does it.

    Parameters
    ----------
    *faults : type of Exception
        What the library that writes raises besides ``OSError``.

    Raises
    ------
    RasterError
        It cannot be written; nothing is left behind.
    ResourceLost
        There is no room for it.
    """
    watched: tuple[type[Exception], ...] = (OSError, *faults)
    make_folder(target.parent)
    try:
        with whole_file(target, COMPANIONS) as temporary:
            yield temporary
    except watched as error:
        raise writing_error(target, error) from error


def writing_error(target: Path, error: Exception) -> RasterError | ResourceLost:
    """Return the error of a file that cannot be written, with the reason that was told."""
    if _is_for_room(target, error):
        reason = os.strerror(errno.ENOSPC)
        return ResourceLost(f"{target.name} cannot be written: {reason}.", "Make room on the disk.")
    told = getattr(error, "strerror", None) or str(error)
    reason = (told.splitlines() or ["unknown fault"])[0].rstrip(".")
    # What has no number may be a limit of this file or folder, while the disk has room.
    hint = "" if getattr(error, "errno", None) is not None else "Is there room for it?"
    return RasterError(f"{target.name} cannot be written: {reason}.", hint)


def _is_for_room(target: Path, error: Exception) -> bool:
    number = getattr(error, "errno", None)
    if number is not None:
        return number in _WITHOUT_ROOM
    # What a library of rasters raises has no number.
    return target.parent.is_dir() and shutil.disk_usage(target.parent).free < _LEAST_ROOM
