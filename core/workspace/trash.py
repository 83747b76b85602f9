"""The trash of a workspace: uploads that were removed, kept for a while so that a removal can be undone."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from treeline.toolkit.errors import InputError
from treeline.toolkit.files import COMPANIONS, SHAPEFILE_PARTS
from treeline.toolkit.whole_files import whole_file

# Long enough to notice a mistake after a weekend; a disk must not fill with what nobody wants any more.
KEPT = timedelta(days=7)
_NOTE = "removal.json"
_FILES = "files"


@dataclass(frozen=True, slots=True)
class Removal:
    """Files that were removed together and can come back.

    Attributes
    ----------
    key : str
        Names the removal; the same file may have been removed twice.
    names : tuple of str
        The files, relative to the folder they were in.
    time : datetime
        When they were removed, in UTC.
    """

    key: str
    names: tuple[str, ...]
    time: datetime

    @property
    def name(self) -> str:
        """The file; of several the first, and how many more there are."""
        first, *others = self.names
        return f"{first} and {len(others)} more" if others else first

    @property
    def until(self) -> datetime:
        """When it is deleted for good."""
        return self.time + KEPT


class Trash:
    """What was removed from a folder.

    Parameters
    ----------
    folder : Path
        Where it is kept; made when something is removed.
    origin : Path
        The folder that files are removed from and come back to; on the same disk.
    """

    def __init__(self, folder: Path, origin: Path) -> None:
        self.folder = folder
        self.origin = origin

    def put(self, *names: str) -> Removal:
        """Move files here, each with what belongs to it."""
        self.expire()
        removal = Removal(uuid.uuid4().hex[:16], names, datetime.now(UTC))
        note = {"names": names, "time": removal.time.isoformat()}
        # The note is written before anything is moved: files without one could not be brought back.
        with whole_file(self.folder / removal.key / _NOTE) as temporary:
            temporary.write_text(json.dumps(note), "utf-8")
        parts = dict.fromkeys(part for name in names for part in parts_of(self.origin / name))
        _move(parts, self.origin, self.folder / removal.key / _FILES)
        return removal

    def restore(self, key: str) -> str:
        """Move what was removed back to where it was, and return its name.

        Raises
        ------
        InputError
            It is not here any more, or another file has its name now.
        """
        removal = next((found for found in self.removals() if found.key == key), None)
        if removal is None:
            raise InputError("The file is not in the trash any more.", "Add it again from where it came.")
        files = self.folder / key / _FILES
        kept = [path for path in files.rglob("*") if path.is_file()]
        taken = [path for path in kept if (self.origin / path.relative_to(files)).exists()]
        if taken:
            raise InputError(
                f"{removal.name!r} cannot come back: {taken[0].name!r} is there again.",
                "Remove that one first.",
            )
        _move(kept, files, self.origin)
        shutil.rmtree(self.folder / key)
        return removal.name

    def removals(self) -> list[Removal]:
        """Return what can come back, the newest first."""
        now = datetime.now(UTC)
        found = [removal for removal in self._all() if removal.until > now]
        return sorted(found, key=lambda removal: removal.time, reverse=True)

    def expire(self) -> None:
        """Delete for good what was removed long ago; what has no readable note stays until it is emptied."""
        now = datetime.now(UTC)
        for removal in self._all():
            if removal.until <= now:
                shutil.rmtree(self.folder / removal.key, ignore_errors=True)

    def empty(self) -> None:
        """Delete everything here for good."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _all(self) -> list[Removal]:
        folders = self.folder.iterdir() if self.folder.is_dir() else ()
        return [removal for removal in map(_read, folders) if removal is not None]


def parts_of(path: Path) -> list[Path]:
    """Return a file and its parts beside it: those of a shapefile, or what GDAL puts beside a raster."""
    if path.suffix.lower() == ".shp":
        beside = [path.with_suffix(suffix) for suffix in SHAPEFILE_PARTS]
    else:
        beside = [path.with_name(path.name + suffix) for suffix in COMPANIONS]
    return [path, *(part for part in beside if part != path and part.is_file())]


def _move(paths: Iterable[Path], origin: Path, target: Path) -> None:
    for path in paths:
        moved = target / path.relative_to(origin)
        moved.parent.mkdir(parents=True, exist_ok=True)
        path.replace(moved)


def _read(folder: Path) -> Removal | None:
    try:
        note = json.loads((folder / _NOTE).read_text("utf-8"))
        # One file had a note of its own before several could be removed together.
        names = tuple(map(str, note["names"] if "names" in note else [note["name"]]))
        return Removal(folder.name, names, datetime.fromisoformat(note["time"])) if names else None
    except (OSError, KeyError, TypeError, ValueError):
        return None
