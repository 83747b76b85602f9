"""A TIFF whose geographic keys hold a coordinate reference system as text, as some software writes it."""

from __future__ import annotations

import struct

_SHORT, _LONG, _TEXT, _DOUBLE = 3, 4, 2, 12
_PLAIN = {256: 1, 257: 1, 258: 8, 259: 1, 262: 1, 277: 1, 278: 1, 279: 1}
_PIXELS, _SCALE, _PLACE, _KEYS, _TEXTS = 273, 33550, 33922, 34735, 34737
_USER_DEFINED, _CITATION = 32767, 3073


def keyed_tiff(system: str, *, big: bool = False, two_bytes: bool = False) -> bytes:
    """Return a TIFF of one pixel.

    Parameters
    ----------
    big : bool
        As a BigTIFF.
    two_bytes : bool
        Each character of the text as a number of two bytes.
    """
    text = f"ESRI PE String = {system}|\0"
    keys = (1, 1, 0, 2, 1024, 0, 1, _USER_DEFINED, _CITATION, _TEXTS, len(text) - 1, 0)
    kind, coding = (_SHORT, "utf-16-le") if two_bytes else (_TEXT, "ascii")
    far = {
        _SCALE: (_DOUBLE, 3, struct.pack("<3d", 0.01, 0.01, 0)),
        _PLACE: (_DOUBLE, 6, struct.pack("<6d", 0, 0, 0, 15, 46, 0)),
        _KEYS: (_SHORT, len(keys), struct.pack(f"<{len(keys)}H", *keys)),
        _TEXTS: (
            _SHORT if two_bytes else _TEXT,
            len(text),
            text.encode("utf-16-le" if two_bytes else "ascii"),
        ),
    }
    head = struct.pack("<2sHHHQ", b"II", 43, 8, 0, 16) if big else struct.pack("<2sHI", b"II", 42, 8)
    count, entry, end = ("<Q", "<HHQQ", "<Q") if big else ("<H", "<HHII", "<I")
    tags = len(_PLAIN) + 1 + len(far)
    begin = len(head) + struct.calcsize(count) + tags * struct.calcsize(entry) + struct.calcsize(end)
    entries = [(tag, _SHORT, 1, value) for tag, value in _PLAIN.items()]
    entries.append((_PIXELS, _LONG, 1, begin))
    data = b"\1" + bytes(7)
    for tag, (kind, values, content) in far.items():
        entries.append((tag, kind, values, begin + len(data)))
        data += content + bytes(-len(content) % 8)
    table = b"".join(struct.pack(entry, *each) for each in sorted(entries))
    return head + struct.pack(count, tags) + table + struct.pack(end, 0) + data
