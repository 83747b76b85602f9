"""Where the parts of an unpacked archive lie: beside what names them, above it, or some levels below."""

from __future__ import annotations

import os
import time
from functools import lru_cache
from pathlib import Path, PurePosixPath

# An archive adds one folder of its own, a benchmark three (``benchmark/data/question1``), a person some more.
_LEVELS = 8
# A folder of everything that somebody has is not searched to its end.
_MOST_FOLDERS = 5000
# All questions of a file ask one after the other; what is unpacked later is seen.
_SECONDS = 10.0


def find_folder(root: Path, written: str, *, deep: bool = True) -> Path | None:
    """Return a folder by the path that a benchmark writes for it; ``None`` where there is none.

    It may lie whole below the root, the root may be part of it or the folder itself, and an archive may
    have put other folders between. A folder with nothing but one folder of its own name stands for that.

    Parameters
    ----------
    deep : bool
        Whether folders between are looked into.
    """
    parts = [part for part in PurePosixPath(written).parts if part not in ("/", "..", ".")]
    if not parts:
        return None
    places = [root.joinpath(*parts[start:]) for start in range(len(parts))]
    found = next((place for place in places if place.is_dir()), None)
    if found is None and root.name == parts[-1] and root.is_dir():
        found = root
    if found is None and deep:
        found = _most_alike(folders_below(root), parts)
    return _inner(found).resolve() if found else None


def find_file(root: Path, name: str, levels: int = _LEVELS) -> Path | None:
    """Return a file by its name, of several the one that lies least deep; ``None`` where there is none."""
    found = (folder / name for folder in (root, *folders_below(root, levels)))
    return next((file for file in found if file.is_file()), None)


def folders_below(root: Path, levels: int = _LEVELS) -> tuple[Path, ...]:
    """Return the folders below one, the less deep first; of links and hidden ones nothing."""
    return _folders_below(root, levels, int(time.monotonic() / _SECONDS))


@lru_cache(maxsize=8)
def _folders_below(root: Path, levels: int, moment: int) -> tuple[Path, ...]:
    found: list[Path] = []
    level = [root]
    for _ in range(levels):
        level = [below for folder in level for below in _folders_in(folder)]
        found += level
        if not level or len(found) > _MOST_FOLDERS:
            break
    return tuple(found)


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
            )
    except OSError:
        return []
    return [folder / name for name in names]


def _most_alike(folders: tuple[Path, ...], parts: list[str]) -> Path | None:
    """Return the folder whose path ends most as the written one does; of several the least deep."""
    likeness = [(_common_end(folder.parts, parts), -number) for number, folder in enumerate(folders)]
    best = max(likeness, default=(0, 0))
    return folders[-best[1]] if best[0] else None


def _common_end(path: tuple[str, ...], parts: list[str]) -> int:
    count = 0
    for mine, theirs in zip(reversed(path), reversed(parts), strict=False):
        if mine.casefold() != theirs.casefold():
            break
        count += 1
    return count


def _inner(place: Path) -> Path:
    inside = place / place.name
    return inside if inside.is_dir() and len(list(place.iterdir())) == 1 else place
