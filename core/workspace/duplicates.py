"""Files with the same bytes: the second of two counts its ground or its date twice."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from treeline.toolkit.recognition.model import RasterDescription
from treeline.toolkit.variables import variable

# Hashed at a time, whatever the size of a file.
_BLOCK = 2**20
# Headers and last blocks differ between scenes almost always, and are read in a moment of the largest file.
_ENDS = 2**16
Key = TypeVar("Key")


def find_duplicates(rasters: Iterable[RasterDescription]) -> dict[Path, Path]:
    """Return for each file whose bytes are those of an earlier file, that earlier one.

    Files of one size are told apart by their ends first, so that a whole file is read only where it is a copy
    almost certainly. Two dates may have the same mask, clear as a whole or cloudy: these are no copies.
    """
    dates = {raster.path: raster.date if _is_quality(raster) else None for raster in rasters}
    # From cheap to dear: only files of one size are opened, and only those with equal ends are read whole.
    alike = _groups(sorted(dates), lambda path: (path.stat().st_size, dates[path]))
    alike = [group for each in alike for group in _groups(each, lambda path: _digest(*_state(path), _ENDS))]
    alike = [group for each in alike for group in _groups(each, lambda path: _digest(*_state(path), None))]
    return {path: group[0] for group in alike for path in group[1:]}


def _is_quality(raster: RasterDescription) -> bool:
    known = [variable(band.role or "") for band in raster.bands]
    return all(each is not None and each.kind == "quality" for each in known)


def _groups(paths: Iterable[Path], key: Callable[[Path], Key]) -> list[list[Path]]:
    """Return the paths that have their key in common with another; what cannot be read is in none."""
    found: defaultdict[Key, list[Path]] = defaultdict(list)
    for path in paths:
        try:
            found[key(path)].append(path)
        except OSError:
            continue
    return [group for group in found.values() if len(group) > 1]


def _state(path: Path) -> tuple[Path, int, int]:
    state = path.stat()
    return path, state.st_mtime_ns, state.st_size


@lru_cache(maxsize=20_000)
def _digest(path: Path, changed: int, size: int, ends: int | None) -> bytes:
    """Return the digest of a file, or of so many bytes at its start and its end."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        if ends is None:
            while block := file.read(_BLOCK):
                digest.update(block)
        else:
            digest.update(file.read(ends))
            file.seek(max(size - ends, 0))
            digest.update(file.read(ends))
    return digest.digest()
