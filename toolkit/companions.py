"""Files beside a raster that are read with it by their names: headers of ENVI, and what GDAL keeps.

Apart from what opens rasters, as a workspace looks for them before anything is opened.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from treeline.toolkit.erdas import MAGIC
from treeline.toolkit.errors import RasterUnreadable

# GDAL reads all of what it keeps beside a file, each time that the file is opened.
_KEPT_BESIDE = ".aux.xml"


def last_change(file: Path) -> int:
    """Return when a raster was last written, or what is read with it by its own name, in nanoseconds.

    A header that was put right makes another raster of the same bytes.
    """
    changes = [file.stat().st_mtime_ns]
    for companion in texts_beside(file):
        with contextlib.suppress(OSError):
            changes.append(companion.stat().st_mtime_ns)
    return max(changes)


def texts_beside(file: Path) -> tuple[Path, ...]:
    """Return where what GDAL reads as text beside a raster may lie."""
    return *_headers(file), file.with_name(file.name + _KEPT_BESIDE), file.with_suffix(_KEPT_BESIDE)


def _headers(file: Path) -> tuple[Path, Path]:
    return file.with_suffix(".hdr"), file.with_name(file.name + ".hdr")


def is_raw_raster(file: Path) -> bool:
    """Return whether a file whose ending stands for several formats is read, by its header or its start."""
    return envi_header(file) is not None or (file.is_file() and first_bytes(file).startswith(MAGIC))


def envi_header(file: Path) -> Path | None:
    """Return the header beside a raw file that says how ENVI stored it; ``None`` where there is none."""
    for header in _headers(file):
        if header != file and header.is_file() and first_bytes(header).startswith(b"ENVI"):
            return header
    return None


def check_one_header(file: Path) -> None:
    """Refuse a raw file beside which GDAL would find a header by other letters than those looked at here.

    Raises
    ------
    RasterUnreadable
    """
    looked_at = {header.name for header in _headers(file)}
    # GDAL looks for a header in any spelling of its suffix, of which only these were checked.
    names = {name.casefold() for name in looked_at}
    others = sorted(set(os.listdir(file.parent)) - looked_at)
    found = [name for name in others if name.casefold() in names]
    if found:
        raise RasterUnreadable(f"{found[0]} beside {file.name} is a second header of it.", "Remove it.")


def first_bytes(file: Path) -> bytes:
    """Return the first eight bytes of a file, by which formats are told apart.

    Raises
    ------
    RasterUnreadable
    """
    try:
        with file.open("rb") as stream:
            return stream.read(8)
    except OSError as error:
        raise RasterUnreadable(f"{file.name} cannot be read: {error.strerror}.") from error
