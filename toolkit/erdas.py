"""ERDAS IMAGINE files: what one names outside of itself, read before GDAL would follow it.

A file is a tree of entries with names. GDAL follows three of them to other files: pixels that are kept apart,
the file that another depends on, and the names of overviews.
"""

from __future__ import annotations

import struct
from pathlib import Path

from treeline.toolkit.errors import RasterUnreadable

MAGIC = b"EHFA"
OUTSIDE = frozenset({"externalrasterdms", "dependentfile", "rrdnameslist"})
_HEADER_TAG = 16
_HEADER = struct.Struct("<3ihi")
_ENTRY = struct.Struct("<5Ii64s")
# Entries point to each other; in a broken or crafted file the pointers go round.
_MOST = 100_000


def check_alone(file: Path) -> None:
    """Refuse an ERDAS IMAGINE file that names others, or whose entries cannot be read.

    Raises
    ------
    RasterUnreadable
    """
    try:
        with file.open("rb") as stream:
            stream.seek(_HEADER_TAG)
            (header,) = struct.unpack("<I", stream.read(4))
            stream.seek(header)
            root = _HEADER.unpack(stream.read(_HEADER.size))[2]
            waiting, seen = [root], set()
            while waiting:
                place = waiting.pop()
                if place == 0 or place in seen:
                    continue
                seen.add(place)
                if len(seen) > _MOST:
                    raise RasterUnreadable(f"{file.name} has more than {_MOST:,} entries.")
                stream.seek(place)
                following, _, _, child, _, _, name = _ENTRY.unpack(stream.read(_ENTRY.size))
                text = name.split(b"\0")[0].decode("latin-1")
                if text.casefold() in OUTSIDE:
                    raise RasterUnreadable(
                        f"{file.name} keeps a part of itself in other files ({text}).",
                        "Write it as one GeoTIFF, such as with gdal_translate, and give that.",
                    )
                waiting += [following, child]
    except (OSError, struct.error) as error:
        raise RasterUnreadable(
            f"{file.name} is a damaged ERDAS IMAGINE file ({error}).", "Copy it again."
        ) from error
