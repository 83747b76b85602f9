"""ERDAS IMAGINE files: what one names outside of itself, read before GDAL would follow it.

A file is a tree of entries with names. GDAL follows three of them to other files: pixels that are kept apart,
the file that another depends on, and the names of overviews.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from treeline.toolkit.errors import RasterUnreadable

MAGIC = b"EHFA"
OUTSIDE = frozenset({"externalrasterdms", "dependentfile", "rrdnameslist"})
# Bytes of the format's own name, with which a file begins.
_HEADER_TAG = 16
_HEADER = struct.Struct("<3Ihi")
_ENTRY = struct.Struct("<6I64s")
# Entries point to each other; in a broken or crafted file the pointers go round.
_MOST = 100_000


class Entry(NamedTuple):
    """An entry of the tree: its name, and where its data lie, in bytes."""

    name: str
    data: int
    size: int


class _Bytes(Protocol):
    def read(self, size: int, /) -> bytes: ...

    def seek(self, offset: int, /) -> int: ...


def entries(stream: _Bytes) -> Iterator[Entry]:
    """Yield the entries of an ERDAS IMAGINE file.

    Raises
    ------
    struct.error
        They cannot be read, or are more than any file has.
    """
    stream.seek(_HEADER_TAG)
    (header,) = struct.unpack("<I", stream.read(4))
    stream.seek(header)
    # The third number of the header is the place of the first entry.
    waiting, seen = [_HEADER.unpack(stream.read(_HEADER.size))[2]], set()
    while waiting:
        place = waiting.pop()
        if place == 0 or place in seen:
            continue
        seen.add(place)
        if len(seen) > _MOST:
            raise struct.error(f"it has more than {_MOST:,} entries")
        stream.seek(place)
        following, _, _, child, data, size, name = _ENTRY.unpack(stream.read(_ENTRY.size))
        yield Entry(name.split(b"\0")[0].decode("latin-1"), data, size)
        waiting += [following, child]


def check_alone(file: Path) -> None:
    """Refuse an ERDAS IMAGINE file that names others, or whose entries cannot be read.

    Raises
    ------
    RasterUnreadable
    """
    try:
        with file.open("rb") as stream:
            for entry in entries(stream):
                if entry.name.casefold() in OUTSIDE:
                    raise RasterUnreadable(
                        f"{file.name} keeps a part of itself in other files ({entry.name}).",
                        "Write it as one GeoTIFF, such as with gdal_translate, and give that.",
                    )
    except (OSError, struct.error) as error:
        raise RasterUnreadable(
            f"{file.name} is a damaged ERDAS IMAGINE file ({error}).", "Copy it again."
        ) from error
