"""A run with its products and their hashes in one archive, which another Treeline opens.

The inputs are named with their hashes and are not in it. What is opened comes from a stranger: names are
checked, hashes too, and paths of the products are those of the run as it is opened here.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from treeline.core.engine.calls import texts
from treeline.core.engine.events import StepFinished, from_json
from treeline.core.record.status import FINISHED, Status
from treeline.core.record.store import RunRecord
from treeline.core.runs.exports.exported_run import digest_of, take
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError
from treeline.toolkit.files import ARCHIVE_FAULTS, is_usable, make_folder, mend_text, output_file

# A bundle may be anybody's: both are checked against its list before a byte is unpacked.
MOST_FILES = 20_000
MOST_BYTES = 50 * 2**30

Kept = TypeVar("Kept", bound=BaseModel)

NOTHING_MOVED: Mapping[str, str] = {}

_MANIFEST = "manifest.json"
# It is parsed as a whole in memory.
_LONGEST_MANIFEST = 64 * 2**20
# Read at a time: what a bundle says of its sizes is checked while it is unpacked.
_PIECE = 2**20
_VERSION = 1


class _BundlePart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class StoredFile(_BundlePart):
    """A file by its name below the run's products, or of an input by its name alone."""

    name: str
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class StoredRun(_BundlePart):
    """A run, or one that is a part of it, with its events as the record keeps them.

    Attributes
    ----------
    created : datetime, optional
        When it was asked; a bundle of an earlier Treeline does not say.
    times : tuple of datetime
        When each event happened; none where the bundle does not say.
    """

    id: str
    parent: str | None
    question: str
    options: dict[str, object]
    status: Status
    events: tuple[str, ...]
    created: AwareDatetime | None = None
    times: tuple[AwareDatetime, ...] = ()

    @property
    def moments(self) -> list[float | None]:
        """When it was asked and when each event happened, in seconds since 1970."""
        told = (self.created, *(self.times or [None] * len(self.events)))
        return [moment and moment.timestamp() for moment in told]


class Manifest(_BundlePart):
    """What a bundle holds."""

    version: int
    treeline: str
    folder: str
    runs: tuple[StoredRun, ...]
    products: tuple[StoredFile, ...]
    inputs: tuple[StoredFile, ...]


def write_bundle(manager: RunManager, run: str, target: Path, version: str) -> None:
    """Write a run with its parts and products as one archive.

    Raises
    ------
    InputError
        There is no such run.
    RasterError
        The archive cannot be written.
    """
    manifest = run_manifest(manager, run, version)
    # Products are compressed already.
    with output_file(target, OSError) as place, zipfile.ZipFile(place, "w", zipfile.ZIP_STORED) as archive:
        write_products(archive, manifest)


def run_manifest(manager: RunManager, run: str, version: str) -> Manifest:
    """Return what a run consists of, with the hashes of its files.

    Raises
    ------
    InputError
        There is no such run.
    """
    record = manager.record(run)
    folder = manager.data(run).folder
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    return Manifest(
        version=_VERSION,
        treeline=version,
        folder=str(folder),
        runs=tuple(_stored_run(manager, each) for each in _with_parts(manager, record)),
        products=tuple(file_entry(path, path.relative_to(folder).as_posix()) for path in files),
        inputs=tuple(file_entry(path, path.name) for path in inputs_of_run(manager, run)),
    )


def write_products(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Write a manifest and the products that it lists."""
    archive.writestr(_MANIFEST, manifest.model_dump_json(indent=1))
    for stored in manifest.products:
        archive.write(Path(manifest.folder) / stored.name, f"products/{stored.name}")


def open_bundle(manager: RunManager, path: Path, workspace: str) -> str:
    """Check a bundle and take its run into the record of a workspace; return its identifier here.

    Raises
    ------
    InputError
        It is no bundle, was changed since it was written, or holds what no bundle may.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = manifest_in(archive)
            check_names(manifest, archive)
            return take_in(manager, manifest, archive, workspace)
    except ARCHIVE_FAULTS as error:
        raise InputError(
            f"{path.name!r} is no bundle: {error}.", "`treeline export --as bundle` writes one."
        ) from None


def compare_inputs(path: Path, workspace: Workspace) -> dict[str, str]:
    """Return of each input that a bundle's run read whether a workspace has it, by its name.

    Returns
    -------
    dict
        ``same``, ``different`` where a file of the name has other bytes, or ``missing``.

    Raises
    ------
    InputError
        It is no bundle.
    """
    with zipfile.ZipFile(path) as archive:
        inputs = manifest_in(archive).inputs
    files = {file.name: file for file in (*workspace.files(), *workspace.vector_files())}
    return {stored.name: _compare(stored, files.get(stored.name)) for stored in inputs}


def _compare(stored: StoredFile, file: Path | None) -> str:
    if file is None:
        return "missing"
    return "same" if file.is_file() and digest_of(file) == stored.sha256 else "different"


def take_in(
    manager: RunManager,
    manifest: Manifest,
    archive: zipfile.ZipFile,
    workspace: str,
    moved: Mapping[str, str] = NOTHING_MOVED,
) -> str:
    """Record a run whose archive was checked, with its products; return its identifier here.

    Parameters
    ----------
    moved : mapping
        Where files that the run read are now, by where they were.
    """
    names = {stored.id: uuid.uuid4().hex[:12] for stored in manifest.runs}
    root = names[manifest.runs[0].id]
    folder = manager.workspace_of(workspace).products_folder / root
    places = {**moved, manifest.folder: str(folder)}
    events = {stored.id: _events(stored, places, folder) for stored in manifest.runs}
    # The files first: what is in the record has its products, wherever the process is killed.
    make_folder(folder)
    try:
        for product in manifest.products:
            with archive.open(f"products/{product.name}") as content:
                extract(content, folder / PurePosixPath(product.name), product)
    except InputError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    for stored in manifest.runs:
        options = RunOptions.from_json({**RunOptions().to_json(), **_harmless(stored.options)})
        parent = names[stored.parent] if stored.parent else None
        asked, *moments = stored.moments
        manager.store.create_run(
            names[stored.id], workspace, stored.question, options.to_json(), parent, asked
        )
        for (kind, body), moment in zip(events[stored.id], moments, strict=True):
            manager.store.append(names[stored.id], kind, body, moment=moment)
        manager.store.set_status(names[stored.id], stored.status)
    return root


def model_in(archive: zipfile.ZipFile, name: str, model: type[Kept], longest: int, kind: str) -> Kept:
    """Return what an archive keeps as JSON.

    Parameters
    ----------
    name : str
        The file in the archive.
    model : type
        What it holds.
    longest : int
        So many bytes are read at the most.
    kind : str
        What the archive is to be: a bundle, a lesson.

    Raises
    ------
    InputError
        There is none, it is too long, or it cannot be used.
    """
    try:
        if archive.getinfo(name).file_size > longest:
            raise InputError(f"The {kind}'s {name} is too long.", f"{longest:,} bytes are read.")
        return model.model_validate_json(archive.read(name))
    except KeyError:
        raise InputError(f"The archive is no {kind}: it has no {name}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"The {kind}'s {name} is not usable: {where}: {first['msg']}.") from None


def manifest_in(archive: zipfile.ZipFile) -> Manifest:
    """Return the manifest of an archive.

    Raises
    ------
    InputError
        There is none, or it cannot be used.
    """
    manifest = model_in(archive, _MANIFEST, Manifest, _LONGEST_MANIFEST, "bundle")
    if manifest.version != _VERSION:
        raise InputError(
            f"The bundle has the version {manifest.version}.", f"This Treeline opens {_VERSION}."
        )
    known = {stored.id for stored in manifest.runs}
    if not manifest.runs or any(stored.parent not in known for stored in manifest.runs[1:]):
        raise InputError("The bundle's manifest is not usable: its runs do not belong together.")
    if any(stored.status not in FINISHED for stored in manifest.runs):
        raise InputError("The bundle's run has not ended.", "Export it again once it has.")
    if any(stored.times and len(stored.times) != len(stored.events) for stored in manifest.runs):
        raise InputError("The bundle's manifest is not usable: its events and their times differ in number.")
    return manifest


def check_names(
    manifest: Manifest,
    archive: zipfile.ZipFile,
    besides: Sequence[str] = (),
    others: Sequence[StoredFile] = (),
) -> None:
    """Refuse names that lead out of the folder, files that are not listed, and more than is taken in.

    Parameters
    ----------
    besides : sequence of str
        Files of the archive that the manifest does not list.
    others : sequence of StoredFile
        Those of them that are checked as products are.

    Raises
    ------
    InputError
    """
    listed = {_MANIFEST, *besides, *(f"products/{stored.name}" for stored in manifest.products)}
    files = (*manifest.products, *others)
    for stored in files:
        path = PurePosixPath(stored.name)
        if path.is_absolute() or ".." in path.parts or "\\" in stored.name or not is_usable(stored.name):
            raise InputError(f"The bundle holds a file of the name {mend_text(stored.name)[:80]!r}.")
    found = archive.infolist()
    # A name may be in an archive twice; only one of the two would have been checked.
    if {info.filename for info in found} != listed or len(found) != len(listed):
        raise InputError("The bundle does not hold the files that its manifest lists.", "Export it again.")
    if len(listed) > MOST_FILES or sum(stored.size for stored in files) > MOST_BYTES:
        raise InputError(
            f"The bundle is too large: {MOST_FILES:,} files and {MOST_BYTES:,} bytes are taken in."
        )


def extract(content: IO[bytes], target: Path, stored: StoredFile) -> None:
    """Write a file while its size and hash are checked.

    Raises
    ------
    InputError
        It is not what the bundle lists; nothing of it stays.
    """
    make_folder(target.parent)
    with output_file(target) as place, place.open("wb") as file:
        if not _copy(content, file, stored):
            raise InputError(
                f"The file {stored.name!r} was changed after the bundle was written.",
                "Ask for a new bundle.",
            )


def _copy(content: IO[bytes], file: IO[bytes], stored: StoredFile) -> bool:
    """Copy a file of a bundle; return whether it is the one that is stated."""
    digest, size = hashlib.sha256(), 0
    try:
        # One byte more than is stated shows that a file is longer, without unpacking all that it may hold.
        while piece := content.read(min(_PIECE, stored.size - size + 1)):
            size += len(piece)
            if size > stored.size:
                return False
            digest.update(piece)
            file.write(piece)
    except zipfile.BadZipFile:  # the archive's own checksum
        return False
    return size == stored.size and digest.hexdigest() == stored.sha256


def _events(stored: StoredRun, moved: Mapping[str, str], folder: Path) -> list[tuple[str, str]]:
    """Return a run's events, by kind, with the products where they are here.

    Raises
    ------
    InputError
        One is no event, or names a product elsewhere.
    """
    found: list[tuple[str, str]] = []
    for body in stored.events:
        here = body
        # The longest first: a folder's name may be the beginning of another's.
        for former, place in sorted(moved.items(), key=lambda one: -len(one[0])):
            here = here.replace(_quote(former), _quote(place))
        try:
            event = from_json(here)
        except ValueError:
            raise InputError("The bundle's run holds an event that is none of this version.") from None
        if isinstance(event, StepFinished):
            for product in event.observation.products:
                if not Path(product.path).resolve().is_relative_to(folder.resolve()):
                    raise InputError(f"The bundle names a product elsewhere: {product.name!r}.")
        found.append((event.kind, here))
    return found


def _quote(path: str) -> str:
    """Return a path as it is written in the text of an event."""
    return json.dumps(path, ensure_ascii=False)[1:-1]


def _harmless(options: dict[str, object]) -> dict[str, object]:
    """Return a run's options without paths of the machine that it comes from, and without unknown ones."""
    known = set(RunOptions.__dataclass_fields__) - {"data", "out", "after", "person"}
    return {name: value for name, value in options.items() if name in known}


def _with_parts(manager: RunManager, record: RunRecord) -> Iterator[RunRecord]:
    yield record
    for part in manager.store.runs(parent=record.id):
        yield from _with_parts(manager, part)


def _stored_run(manager: RunManager, record: RunRecord) -> StoredRun:
    rows = manager.store.event_rows(record.id)
    return StoredRun(
        id=record.id,
        parent=record.parent,
        question=record.question,
        options=_harmless(record.options),
        status=record.status,
        events=tuple(row.body for row in rows),
        created=record.created,
        times=tuple(row.time for row in rows),
    )


def inputs_of_run(manager: RunManager, run: str) -> list[Path]:
    """Return the files that the calls of a run read and did not write."""
    taken, folder = take(manager.store, run), manager.data(run).folder
    read = (text for step in taken.calls for text in texts(step.observation.arguments))
    paths = {Path(text.partition("#")[0]) for text in read if Path(text).is_absolute()}
    return sorted(path for path in paths if path.is_file() and not path.is_relative_to(folder))


def file_entry(path: Path, name: str) -> StoredFile:
    """Return a file with its size and hash."""
    return StoredFile(name=name, size=path.stat().st_size, sha256=digest_of(path))
