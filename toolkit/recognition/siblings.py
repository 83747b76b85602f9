"""The names that came in the same upload: what they say about a name among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path, PurePath

from treeline.toolkit.recognition.dates import find_date

SUFFIXES = (
    ".tif",
    ".tiff",
    ".jp2",
    ".png",
    ".jpg",
    ".jpeg",
    ".hdf",
    ".h5",
    ".hdf5",
    ".nc",
    ".vrt",
    ".img",
    ".hgt",
    ".safe",
    ".sen3",
    ".gz",
    ".zip",
    ".tar",
    ".j2k",
    ".dat",
    ".bsq",
    ".bil",
    ".bip",
    ".nc4",
    ".he5",
    ".zarr",
)


# The row and column at which a part of a large export of Earth Engine begins.
_PART = re.compile(r"-(\d{10}-\d{10})$")


def stem(name: str) -> str:
    """Return a file name without folder and endings.

    A ``.tif`` that a script left inside goes, and the row and column that Earth Engine appends to the parts
    of a large export.
    """
    plain = _PART.sub("", _without_endings(name))
    return re.sub(r"\.tiff?(?=_)", "", plain, flags=re.IGNORECASE)


def part_of_export(name: str) -> str:
    """Return which part of a large export of Earth Engine a file is; nothing of any other file."""
    found = _PART.search(_without_endings(name))
    return found[1] if found else ""


def _without_endings(name: str) -> str:
    plain = PurePath(name.replace("\\", "/")).name
    # Several endings may follow each other, as in scene.SAFE.zip; a dot within a name begins none of these.
    while (dot := plain.rfind(".")) > 0 and plain[dot:].lower() in SUFFIXES:
        plain = plain[:dot]
    return plain


class Names(tuple[str, ...]):
    """The names of an upload, by which is looked up what they say: each of many files asks for it.

    A plain tuple counts its hash again each time, which for thousands of names is most of the time of a file.
    """

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        """Return the hash of the tuple, counted once."""
        return self._hash


class Siblings(tuple[Path, ...]):
    """The files of an upload."""

    @cached_property
    def names(self) -> Names:
        """What they are called, without their folders."""
        return Names(path.name for path in self)


def names_in(siblings: Iterable[str]) -> Names:
    """Return names as what is fast to look up."""
    return siblings if isinstance(siblings, Names) else Names(siblings)


class Company:
    """The names beside a name.

    Searching many names for many patterns is quadratic; each pattern is searched once.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._text: dict[datetime | None, str] = {}
        stems = [stem(name) for name in names]
        by_date: dict[datetime | None, list[str]] = {None: stems}
        for plain in stems:
            found = find_date(plain)
            if found is not None:
                by_date.setdefault(found.date, []).append(plain)
        self._text = {date: "\n".join(group) for date, group in by_date.items()}
        self._seen: dict[tuple[str, datetime | None], bool] = {}

    def has(self, pattern: str, date: datetime | None = None) -> bool:
        """Tell whether a name beside it, of the same date if one is given, holds a pattern."""
        key = (pattern, date)
        if key not in self._seen:
            bounded = rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])"
            self._seen[key] = re.search(bounded, self._text.get(date, ""), re.IGNORECASE) is not None
        return self._seen[key]


@lru_cache(maxsize=64)
def _company(names: tuple[str, ...]) -> Company:
    return Company(names)


def company_of(names: Sequence[str]) -> Company:
    """Return the company of a sequence of names."""
    return _company(names_in(names))
