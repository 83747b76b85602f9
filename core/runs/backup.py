"""The home as one archive: record, workspaces and task cards, taken while runs go on, and put back whole.

What can be made again (the cache) is left out, as are files that are being written. The archive is tied to
SQLite: a PostgreSQL record has tools of its own for this. A home may be put back elsewhere: the record names
products by their paths, which follow it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path, PurePosixPath

from treeline.core.context.names import CARDS_FOLDER
from treeline.toolkit.errors import InputError
from treeline.toolkit.files import ARCHIVE_FAULTS, is_usable, make_folder, output_file

RECORD = "treeline.sqlite"
WORKSPACES = "workspaces"

# What a home holds that nobody can make again, besides the record.
_KEPT = (WORKSPACES, CARDS_FOLDER)
# Where the record names files: columns of JSON.
_NAMING_FILES = (("events", "body"), ("runs", "options"))

_MANIFEST = "backup.json"
_VERSION = 1
# Read at a time, so that a backup takes no memory for its files.
_PIECE = 2**20


def back_up(home: Path, target: Path) -> int:
    """Write record, workspaces and cards of a home as one archive; return how many files it holds.

    Raises
    ------
    InputError
        The home holds no SQLite record.
    RasterError
        The archive cannot be written.
    """
    record = home / RECORD
    if not record.is_file():
        raise InputError(
            f"There is no record in {str(home)!r}.",
            "A PostgreSQL record is saved by pg_dump, its files by a copy.",
        )
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        copy = Path(folder) / RECORD
        _copy_record(record, copy)
        hashes: dict[str, str] = {}
        with (
            output_file(target, OSError) as place,
            zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            for name, path in [(RECORD, copy), *_files(home)]:
                try:
                    hashes[name] = _store(archive, name, path)
                except FileNotFoundError:
                    # Deleted since it was listed: a run or a person goes on.
                    continue
            content = {"version": _VERSION, "home": str(home), "files": hashes}
            archive.writestr(_MANIFEST, json.dumps(content))
    return len(hashes)


def restore(archive_path: Path, home: Path) -> int:
    """Put a home back from an archive, whole or not at all; return how many files it holds.

    Raises
    ------
    InputError
        The file is no backup or was changed, or the home is in use.
    """
    if any((home / name).exists() for name in (RECORD, *_KEPT)):
        raise InputError(
            f"{str(home)!r} holds a record, workspaces or cards already.",
            "Move them away, or set TREELINE_HOME to a folder that is not there yet.",
        )
    try:
        with zipfile.ZipFile(archive_path) as archive:
            former, hashes = _manifest(archive)
            building = Path(tempfile.mkdtemp(prefix=".restore-", dir=make_folder(home)))
            try:
                for name, digest in hashes.items():
                    _take_out(archive, name, digest, building)
                if RECORD in hashes:
                    _change_record(building / RECORD, former or str(home), str(home))
                for name in (*_KEPT, RECORD):
                    if (building / name).exists():
                        (building / name).replace(home / name)
            finally:
                shutil.rmtree(building, ignore_errors=True)
    except ARCHIVE_FAULTS as error:
        raise InputError(
            f"{archive_path.name!r} is no backup: {error}.", "`treeline backup` writes one."
        ) from None
    return len(hashes)


def _copy_record(record: Path, target: Path) -> None:
    """Copy a record as it is at one moment, while others write to it."""
    try:
        with closing(sqlite3.connect(record)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        raise InputError(f"The record cannot be copied: {error}.", "Is treeline.sqlite damaged?") from None


def _change_record(record: Path, former: str, home: str) -> None:
    """Have a record name the files of its home where they are now, and its unfinished runs interrupted.

    Whoever worked on a run when the backup was taken may still do so, and would be taken for a worker of this
    record.
    """
    try:
        with closing(sqlite3.connect(record)) as connection, connection:
            connection.execute(
                "UPDATE runs SET status = 'interrupted', owner = '' WHERE status IN ('waiting', 'running')"
            )
            if former != home:
                _move_paths(connection, former, home)
    except sqlite3.Error as error:
        raise InputError(f"The backup holds a record that cannot be read: {error}.") from None


def _move_paths(connection: sqlite3.Connection, former: str, home: str) -> None:
    # A path begins a text; within one the same letters may mean anything.
    for ascii_only, (table, column) in product((True, False), _NAMING_FILES):
        before, after = (json.dumps(f"{folder}/", ensure_ascii=ascii_only)[:-1] for folder in (former, home))
        moved = f"UPDATE {table} SET {column} = replace({column}, ?, ?) WHERE instr({column}, ?)"
        connection.execute(moved, (before, after, before))


def _files(home: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files that are kept with their names in the archive; links are not followed."""
    for path in sorted(path for kept in _KEPT for path in (home / kept).rglob("*")):
        name = path.relative_to(home)
        if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in name.parts):
            yield name.as_posix(), path


def _store(archive: zipfile.ZipFile, name: str, path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file, archive.open(name, "w", force_zip64=True) as entry:
        while piece := file.read(_PIECE):
            digest.update(piece)
            entry.write(piece)
    return digest.hexdigest()


def _manifest(archive: zipfile.ZipFile) -> tuple[str, dict[str, str]]:
    """Return where the home lay, empty where an earlier version did not say it, and its files' checksums."""
    try:
        content = json.loads(archive.read(_MANIFEST))
        version, hashes, former = content["version"], dict(content["files"]), str(content.get("home", ""))
    except (KeyError, TypeError, ValueError):
        raise InputError("The archive is no backup: it has no usable backup.json.") from None
    if version != _VERSION:
        raise InputError(f"The backup has the version {version}.", f"This Treeline restores {_VERSION}.")
    for name in hashes:
        path = PurePosixPath(name)
        inside = name == RECORD or path.parts[:1] in {(kept,) for kept in _KEPT}
        if not inside or path.is_absolute() or ".." in path.parts or "\\" in name or not is_usable(name):
            raise InputError(f"The backup holds a file of the name {name[:80]!r}, which no backup has.")
    return former, hashes


def _take_out(archive: zipfile.ZipFile, name: str, expected: str, building: Path) -> None:
    target = building / PurePosixPath(name)
    make_folder(target.parent)
    digest = hashlib.sha256()
    try:
        entry = archive.open(name)
    except KeyError:
        raise InputError(f"The backup lacks {name!r}, which it lists.") from None
    with entry, target.open("wb") as file:
        while piece := entry.read(_PIECE):
            digest.update(piece)
            file.write(piece)
    if digest.hexdigest() != expected:
        raise InputError(f"{name!r} was changed after the backup was written.", "Take another backup.")
