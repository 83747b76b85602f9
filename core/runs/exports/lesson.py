"""A lesson as one file: its run as a bundle holds it, the notes, and the rasters that its steps read.

What is opened comes from a stranger: it is checked as a bundle is, and gets a workspace of its own.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from treeline.core.runs.exports.bundle import (
    Manifest,
    StoredFile,
    check_names,
    extract,
    file_entry,
    inputs_of_run,
    manifest_in,
    model_in,
    run_manifest,
    take_in,
    write_products,
)
from treeline.core.runs.lessons.lesson import Lesson, keep_lesson, lessons_in
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.toolkit.errors import InputError
from treeline.toolkit.files import ARCHIVE_FAULTS, output_file
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster.cropping import crop_file

NAME = "lesson.json"
_LONGEST = 16 * 2**20
_INPUTS = "inputs"


class LessonFile(BaseModel):
    """What a lesson's file says besides the manifest of its run.

    Attributes
    ----------
    rasters : tuple of StoredFile
        What the steps read, by their names in the archive.
    former : dict
        Where each of them was, by its name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    lesson: Lesson
    rasters: tuple[StoredFile, ...]
    former: dict[str, str]


def is_lesson(path: Path) -> bool:
    """Return whether an archive is a lesson."""
    try:
        with zipfile.ZipFile(path) as archive:
            return NAME in archive.namelist()
    except ARCHIVE_FAULTS:
        return False


def write_lesson(manager: RunManager, run: str, target: Path, version: str) -> None:
    """Write a lesson as one archive; a run that is none yet becomes one without notes.

    Raises
    ------
    InputError
        There is no such run.
    RasterError
        The archive cannot be written.
    """
    record = manager.record(run)
    known = lessons_in(manager.workspace_of(record.workspace).folder)
    lesson = next((each for each in known if each.run == run), None)
    lesson = lesson or Lesson(run=run, title=record.question[:200])
    former = _names(inputs_of_run(manager, run))
    manifest = run_manifest(manager, run, version)
    area = RunOptions.from_json(record.options).area
    with (
        tempfile.TemporaryDirectory(prefix="treeline-") as folder,
        output_file(target, OSError) as place,
        # Not compressed: GeoTIFFs are mostly compressed already.
        zipfile.ZipFile(place, "w", zipfile.ZIP_STORED) as archive,
    ):
        rasters = {name: _cut(path, Path(folder) / name, area) for name, path in former.items()}
        file = LessonFile(
            lesson=lesson,
            rasters=tuple(file_entry(path, name) for name, path in rasters.items()),
            former={name: str(path) for name, path in former.items()},
        )
        write_products(archive, manifest)
        archive.writestr(NAME, file.model_dump_json(indent=1))
        for name, path in rasters.items():
            archive.write(path, f"{_INPUTS}/{name}")


def _cut(path: Path, target: Path, area: AreaOfInterest | None) -> Path:
    """Return a raster as the lesson holds it: cut to the area where the run has one, else as it is."""
    return target if area is not None and crop_file(path, target, area) else path


def _names(paths: Sequence[Path]) -> Mapping[str, Path]:
    """Return files by names that differ; of two of one name the second has a number before it."""
    found: dict[str, Path] = {}
    for number, path in enumerate(paths):
        found[f"{number}_{path.name}" if path.name in found else path.name] = path
    return found


def open_lesson(manager: RunManager, library: WorkspaceLibrary, path: Path) -> str:
    """Check a lesson's file and take it in, in a new workspace; return its run's identifier here.

    Raises
    ------
    InputError
        It is no lesson, was changed since it was written, or holds what none may.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest, file = manifest_in(archive), _file_in(archive)
            held = [f"{_INPUTS}/{raster.name}" for raster in file.rasters]
            # Before anything is written: an archive may name files outside, or the same one twice.
            check_names(manifest, archive, (NAME, *held), file.rasters)
            return _open(manager, library, archive, manifest, file)
    except ARCHIVE_FAULTS as error:
        raise InputError(
            f"{path.name!r} is no lesson: {error}.", "`treeline export --as lesson` writes one."
        ) from None


def _open(
    manager: RunManager,
    library: WorkspaceLibrary,
    archive: zipfile.ZipFile,
    manifest: Manifest,
    file: LessonFile,
) -> str:
    workspace = library.create(f"Lesson: {file.lesson.title}"[:80])
    folder = library.folder / workspace
    moved: dict[str, str] = {}
    try:
        for raster in file.rasters:
            target = folder / _INPUTS / raster.name
            with archive.open(f"{_INPUTS}/{raster.name}") as content:
                extract(content, target, raster)
            moved[file.former[raster.name]] = str(target)
        run = take_in(manager, manifest, archive, workspace, moved)
    except Exception:
        # A workspace with half of the rasters would look like a whole one.
        shutil.rmtree(folder, ignore_errors=True)
        raise
    keep_lesson(folder, file.lesson.model_copy(update={"run": run}))
    return run


def _file_in(archive: zipfile.ZipFile) -> LessonFile:
    file = model_in(archive, NAME, LessonFile, _LONGEST, "lesson")
    if {raster.name for raster in file.rasters} != set(file.former):
        raise InputError("The lesson is not usable: its rasters and their former places differ.")
    # These paths are replaced wherever the record names them: a short one such as "a" would be found in
    # words.
    if not all(Path(former).is_absolute() and Path(former).name for former in file.former.values()):
        raise InputError("The lesson is not usable: a raster's former place is no path.")
    return file
