"""What a raster file itself says of its coordinate reference system, read before GDAL is.

GDAL makes a system of it while it opens the file, and PROJ then opens what that names.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from treeline.toolkit.erdas import entries
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.geodesy import names_file

# A system takes a few kilobytes, with the names of its parts in several languages.
LONGEST = 4 * 2**20
# In all of one file: its parts may be told to lie in the same place.
LONGEST_IN_ALL = 16 * LONGEST
# The tag of a TIFF file with every text of its geographic keys.
_GEO_TEXTS = 34737
_SIZES = {
    1: 1,
    2: 1,
    3: 2,
    4: 4,
    5: 8,
    6: 1,
    7: 1,
    8: 2,
    9: 4,
    10: 8,
    11: 4,
    12: 8,
    13: 4,
    16: 8,
    17: 8,
    18: 8,
}
_MOST_TAGS = 65_535
_MOST_BOXES = 10_000
_CODESTREAM, _CODESTREAM_ALONE = b"jp2c", b"\xff\x4f\xff\x51"
_TO_THE_END, _LONG_BOX = 0, 1
# The places of blocks, which grow with the raster.
_ERDAS_BLOCKS = "RasterDMS"


class Bytes(Protocol):
    """A file whose parts can be read."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most so many."""
        ...

    def seek(self, offset: int, /) -> int:
        """Go to a place."""
        ...


def check_stated_system(file: Path, driver: str) -> None:
    """Refuse a raster file whose own text of a CRS names another file.

    Parameters
    ----------
    driver : str
        By which GDAL will open it. Only those are looked into that keep a CRS in the file.

    Raises
    ------
    RasterUnreadable
        It does, or is damaged where the text would be.
    """
    texts = _TEXTS.get(driver)
    if texts is None:
        return
    with file.open("rb") as stream:
        check_stream(stream, file.name, texts)


def check_stream(stream: Bytes, name: str, texts: Callable[[Bytes], Iterator[bytes]] | None = None) -> None:
    """Refuse a raster whose own text of a CRS names another file; a TIFF file unless said otherwise.

    Raises
    ------
    RasterUnreadable
    """
    left = LONGEST_IN_ALL
    try:
        for text in (texts or _of_tiff)(stream):
            left -= len(text)
            if len(text) > LONGEST or left < 0:
                raise RasterUnreadable(
                    f"{name} says more of its coordinate reference system than is read here.",
                    "Write it again.",
                )
            if names_file(_plain(text)):
                raise names_another_file(name)
    except (OSError, struct.error) as error:
        raise RasterUnreadable(f"{name} is damaged: {error}.", "Copy it again.") from error


def names_another_file(name: str) -> RasterUnreadable:
    """Return the refusal of a raster whose CRS names another file."""
    return RasterUnreadable(
        f"{name} names another file in its coordinate reference system.",
        "Write it again with the code of the system, such as with gdal_edit -a_srs EPSG:32633.",
    )


def _plain(text: bytes) -> str:
    """Return bytes as text; characters of two bytes become those of one."""
    return text.replace(b"\0", b"").decode("utf-8", "replace")


def _of_tiff(stream: Bytes) -> Iterator[bytes]:
    """Yield the texts of the geographic keys of a TIFF file, which are those of its first image."""
    stream.seek(0)
    head = stream.read(16)
    if not head.startswith((b"II", b"MM")):
        return  # GDAL, which will open it as TIFF, says that it is none.
    order = "<" if head.startswith(b"II") else ">"
    big = head[2:4] in (b"+\0", b"\0+")
    # BigTIFF has places of 8 bytes, and begins them later in its head.
    number, place, wide = ("Q", 8, 8) if big else ("I", 4, 4)
    stream.seek(struct.unpack_from(order + number, head, place)[0])
    (count,) = struct.unpack(order + ("Q" if big else "H"), stream.read(8 if big else 2))
    entry = struct.Struct(f"{order}HH{number}{wide}s")
    tags = entry.iter_unpack(stream.read(entry.size * min(count, _MOST_TAGS)))
    for tag, kind, values, where in tags:
        # One more than is allowed, so that a longer text is noticed without being read.
        size = min(values * _SIZES.get(kind, 1), LONGEST + 1)
        if tag != _GEO_TEXTS:
            continue
        # A value that fits is in the entry itself, in place of where it would be.
        if size <= wide:
            yield where[:size]
            continue
        stream.seek(struct.unpack(order + number, where)[0])
        yield stream.read(size)


def _of_jpeg2000(stream: Bytes) -> Iterator[bytes]:
    """Yield every box of a JPEG 2000 file but that of its pixels."""
    place = 0
    for _ in range(_MOST_BOXES):
        stream.seek(place)
        head = stream.read(16)
        if len(head) < 8 or head.startswith(_CODESTREAM_ALONE):
            return
        size, begin = int.from_bytes(head[:4], "big"), 8
        if size == _LONG_BOX:
            size, begin = int.from_bytes(head[8:], "big"), 16
        to_the_end = size == _TO_THE_END
        if not to_the_end and size < begin:
            raise struct.error("a box is shorter than its own head")
        if head[4:8] != _CODESTREAM:
            stream.seek(place + begin)
            yield stream.read(LONGEST + 1 if to_the_end else min(size - begin, LONGEST + 1))
        if to_the_end:
            return
        place += size
    raise struct.error(f"it has more than {_MOST_BOXES:,} boxes")


def _of_erdas(stream: Bytes) -> Iterator[bytes]:
    """Yield what an ERDAS IMAGINE file says in its entries, but for the places of its pixels."""
    for entry in entries(stream):
        if entry.size and entry.name != _ERDAS_BLOCKS:
            stream.seek(entry.data)
            yield stream.read(min(entry.size, LONGEST + 1))


_TEXTS: Mapping[str, Callable[[Bytes], Iterator[bytes]]] = {
    "GTiff": _of_tiff,
    "JP2OpenJPEG": _of_jpeg2000,
    "HFA": _of_erdas,
}
