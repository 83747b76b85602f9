"""Descriptions of a workspace's files that outlast the process that made them.

Pages, and the process of each run, need all descriptions; of a thousand files it takes seconds to make them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

import treeline.toolkit
from treeline.core.confinement import call
from treeline.toolkit.caching import CachedPerObject
from treeline.toolkit.companions import last_change
from treeline.toolkit.limits import Limits
from treeline.toolkit.recognition.model import Correction, RasterDescription
from treeline.toolkit.recognition.resolver import Beside, describe_in_folder
from treeline.toolkit.recognition.sidecars import folders_read
from treeline.toolkit.whole_files import whole_file

NAME = "descriptions.json"
# A band takes a kilobyte of the file and 0.03 ms to read it.
MOST_BANDS = 20_000
LARGEST = 128 * 2**20


@dataclass(frozen=True, slots=True, config={"extra": "forbid"})
class _Entry:
    """A description and of what state of things it was made."""

    state: str
    description: RasterDescription


@dataclass(frozen=True, slots=True, config={"extra": "forbid"})
class _Content:
    maker: str
    files: dict[str, _Entry]


_CONTENT: TypeAdapter[_Content] = TypeAdapter(_Content)
_DESCRIPTION: TypeAdapter[RasterDescription] = TypeAdapter(RasterDescription)


def describe_confined(path: Path, beside: Beside, corrections: Mapping[str, Correction]) -> RasterDescription:
    """Return the description of a file, made where others' files are read; see :func:`describe_in_folder`."""
    return call(describe_in_folder, path, beside, corrections)


class KeptDescriptions:
    """Makes the descriptions of a workspace's files, or takes them from its folder if they still hold.

    One holds as long as the file, all that lies beside it, what a person said, and what makes descriptions
    stay as they were. Each workspace has its own: a person's names and paths are nobody else's business.

    Parameters
    ----------
    folder : Path
        The workspace's own.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._is_new = False

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process reads for itself what is kept.
        return kept_descriptions, (self.folder,)

    def __call__(
        self, path: Path, beside: Beside, corrections: Mapping[str, Correction]
    ) -> RasterDescription:
        """Return the description of a file; see :func:`describe_in_folder`."""
        # Before the file is read: what changes meanwhile makes another state.
        state = _state(path, beside, corrections)
        known = self._known.get(str(path))
        if known is not None and known.state == state:
            return known.description
        made = describe_confined(path, beside, corrections)
        # What runs write is described here too; of it as well as of files there may be any number.
        if state and len(self._known) < MOST_BANDS:
            self._known[str(path)] = _Entry(state, made)
            self._is_new = True
        return made

    @CachedPerObject
    def _known(self) -> dict[str, _Entry]:
        """What is kept, by the path of the file; nothing where it was made by others or is damaged."""
        file = self.folder / NAME
        try:
            if file.stat().st_size > LARGEST:
                return {}
            content = _CONTENT.validate_json(file.read_bytes())
        except (OSError, ValidationError):
            return {}
        if content.maker != _maker():
            return {}
        return {path: each for path, each in content.files.items() if str(each.description.path) == path}

    def keep(self, paths: Iterable[Path]) -> None:
        """Write what is known of the files of the workspace and forget all else, unless that is done."""
        there = dict.fromkeys(map(str, paths))
        if not self._is_new and self._known.keys() <= there.keys():
            return
        self._is_new = False
        self.__dict__["_known"] = files = dict(self._within_bounds(there))
        # The work is done without it, only slower the next time.
        with contextlib.suppress(OSError), whole_file(self.folder / NAME) as temporary:
            temporary.write_bytes(_CONTENT.dump_json(_Content(_maker(), files)))

    def _within_bounds(self, paths: Iterable[str]) -> Iterator[tuple[str, _Entry]]:
        bands = 0
        for path in paths:
            known = self._known.get(path)
            if known is not None and _comes_back(known.description):
                bands += len(known.description.bands)
                if bands > MOST_BANDS:
                    return
                yield path, known


@lru_cache(maxsize=256)
def kept_descriptions(folder: Path) -> KeptDescriptions:
    """Return what makes and keeps the descriptions of a workspace; one in a process."""
    return KeptDescriptions(folder)


def _comes_back(description: RasterDescription) -> bool:
    """Return whether a description is the same after it was written and read."""
    try:
        again = _DESCRIPTION.validate_json(_DESCRIPTION.dump_json(description))
    except ValueError:  # a path that is no text, as of a file with a name in another encoding
        return False
    return repr(again) == repr(description)


def _state(path: Path, beside: Beside, corrections: Mapping[str, Correction]) -> str:
    """Return a text that changes with all that a description is made of; empty where it cannot be told."""
    second = int(time.monotonic())
    try:
        around = [_state_of_folder(folder, _change_of(folder), second) for folder in folders_read(path)]
        own = (path, _facts(path.stat()), last_change(path))
        parts = (*own, around, beside is not None, sorted(corrections.items()))
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()
    except OSError:
        return ""


def _change_of(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:  # there is none
        return 0


# Asked for each of a thousand files; looked at again when a name comes or goes, and each second, as what lies
# beside them may be written anew in place.
@lru_cache(maxsize=256)
def _state_of_folder(folder: Path, changed: int, second: int) -> str:
    """Return a text that changes with any file in a folder, as all may say something of those beside them."""
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.name, _state_of_entry(entry)) for entry in entries)
    except OSError:  # there is none
        return ""
    return hashlib.sha256(repr(found).encode("utf-8", "surrogateescape")).hexdigest()


def _state_of_entry(entry: os.DirEntry[str]) -> tuple[int, ...]:
    try:
        return _facts(entry.stat())
    except OSError:  # a link to nothing
        return ()


def _facts(found: os.stat_result) -> tuple[int, ...]:
    # The time of the last change of the inode cannot be set back, as a copy that keeps times does the other.
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev


@cache
def _maker() -> str:
    """Return a text that changes with whatever makes descriptions: rules, code, limits and libraries."""
    root = Path(treeline.toolkit.__file__).parent
    digest = hashlib.sha256(repr((Limits.from_environment(), *map(version, ("rasterio", "numpy")))).encode())
    for file in sorted(root.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            digest.update(f"{file.relative_to(root)}:".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
