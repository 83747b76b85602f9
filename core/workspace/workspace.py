"""A user's data: rasters from folders and uploads, what is known of them, and what a person corrected."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path

from treeline import __version__
from treeline.core.confinement import call
from treeline.core.workspace.addresses import place_of_folders, short_addresses
from treeline.core.workspace.collections import Collection, Member, RolePlace, collect, summarise
from treeline.core.workspace.described import KeptDescriptions, describe_confined, kept_descriptions
from treeline.core.workspace.resolutions import apart_by_size, coarser_copies
from treeline.core.workspace.taken_back import TakenBack, TakenBackCorrections, as_json, file_of, split
from treeline.core.workspace.trash import Removal, Trash
from treeline.toolkit.caching import CachedPerObject
from treeline.toolkit.companions import is_raw_raster
from treeline.toolkit.containers import RAW, UNREAD, ZARR, has_shapefile, is_container, reason_unreadable
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, PathOutside, RasterMissing, TreelineError
from treeline.toolkit.files import make_folder, mend_text, resolve_links
from treeline.toolkit.recognition import Correction, FileResolver
from treeline.toolkit.recognition.model import RasterDescription
from treeline.toolkit.recognition.safe import data_images
from treeline.toolkit.recognition.siblings import stem
from treeline.toolkit.whole_files import whole_file

RASTER_SUFFIXES = frozenset({".tif", ".tiff", ".png", ".jpg", ".jpeg", ".jp2", ".j2k"})
CORRECTIONS = "corrections.json"
TAKEN_BACK = "taken_back.json"
HANDLES = "handles.json"
# Files that are looked at at once: half of the time of each is spent waiting for it.
_THREADS = 4
_UNPACKED = "unpacked"
# Begins the names of what was taken out of uploads, which goes with them.
_OWN = "own-"
# What was taken out of files outside the workspace is kept so many seconds after it was last used: commands
# that are given other data run in the same workspace at the same time.
_KEPT_UNPACKED = 86_400
VECTOR_SUFFIXES = frozenset({".geojson", ".gpkg", ".shp", ".fgb", ".zip"})


FindRoom = Callable[[Path], float]
_find_room: FindRoom = lambda folder: math.inf  # noqa: E731


def set_room(find: FindRoom) -> None:
    """Set how many bytes archives may still bring into the folder of a workspace in this process."""
    global _find_room
    _find_room = find


class Workspace:
    """Rasters that may be read, and one folder that may be written.

    Parameters
    ----------
    folder : Path
        The workspace's own folder: ``inputs/`` (uploads), ``products/`` (a folder for each run),
        ``trash/`` (removed uploads), ``unpacked/`` (what archives hold), ``corrections.json``,
        ``taken_back.json`` (corrections that no longer hold), ``handles.json`` and ``descriptions.json``.
    sources : sequence of Path
        Files or folders elsewhere that are read in place and never written.

    Attributes
    ----------
    writable : bool
        Whether files may be added to it, corrected and removed.
    """

    writable = True

    def __init__(self, folder: Path, sources: Sequence[Path] = ()) -> None:
        self.folder = Path(folder).resolve()
        self.sources = tuple(Path(source).resolve() for source in sources)
        self._containers: dict[Path, Path] = {}
        self._problems: dict[Path, str] = {}
        self._sealed: dict[Path, str] = {}
        self._lock = threading.RLock()
        for source in self.sources:
            if not source.exists():
                raise RasterMissing(
                    f"There is nothing at {str(source)!r}.", "Give a folder or a GeoTIFF that exists."
                )
        for part in (self.inputs_folder, self.products_folder):
            make_folder(part)

    @property
    def inputs_folder(self) -> Path:
        """Where uploads go."""
        return self.folder / "inputs"

    @property
    def places(self) -> tuple[str, ...]:
        """Where its rasters are: its own folder of inputs, and what is read in place."""
        return tuple(str(path) for path in (self.inputs_folder, *self.sources) if path.exists())

    @property
    def products_folder(self) -> Path:
        """Where runs write; each has a folder of its own in it."""
        return self.folder / "products"

    @CachedPerObject
    def resolver(self) -> FileResolver:
        """The description of each file that may be read."""
        roots = (self.inputs_folder, *self.sources, *self.unpacked_folders)
        return FileResolver(*roots, corrections=self.corrections, describing=self._descriptions)

    @CachedPerObject
    def unpacked_folders(self) -> tuple[Path, ...]:
        """The folders with what was taken out of archives, NetCDF and HDF5 files; each is unpacked once."""
        self._sealed.clear()
        # Before the files are listed: what another process unpacks meanwhile is not among these.
        earlier = set((self.folder / _UNPACKED).glob("[!.]*"))
        found: dict[Path, Path] = {}
        for path in self._all_files():
            sentence = reason_unreadable(path)
            if sentence is not None:
                self._sealed[path] = sentence
            elif is_container(path):
                try:
                    self._check_inside(path)
                    folder = self._unpack(path)
                    found[folder] = path
                    self._sealed.update(_unread(folder / stem(path.name)))
                except (TreelineError, OSError) as error:
                    self._sealed[path] = str(error)
        for left in earlier.difference(found):  # of archives that were removed or changed
            if left.name.startswith(_OWN) or _is_forgotten(left):
                shutil.rmtree(left, ignore_errors=True)
        self._containers = found
        return tuple(folder for folder in found if any(folder.iterdir()))

    def _check_inside(self, path: Path) -> None:
        """Refuse a link out of the folders that may be read; a source that is itself a file may be read.

        Raises
        ------
        PathOutside
        """
        target = resolve_links(path)
        if not any(target.is_relative_to(root) for root in (self.inputs_folder, *self.sources)):
            raise PathOutside(
                f"{path.name} is a link that leaves the folders that may be read.", "Give the file itself."
            )

    def _unpack(self, container: Path) -> Path:
        """Return the folder of what a container holds; it appears when it is whole."""
        states = [path.stat() for path in (container, *container.rglob("*"))]
        changed, size = max(each.st_mtime_ns for each in states), sum(each.st_size for each in states)
        # A container that was replaced has another time or size, and so another folder; another version of
        # Treeline may know more names, and so writes other rasters.
        key = f"{__version__}:{container}:{changed}:{size}"
        own = _OWN if container.is_relative_to(self.inputs_folder) else ""
        digest = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:16]
        folder = self.folder / _UNPACKED / f"{own}{digest}"
        if not folder.is_dir():
            make_folder(folder.parent)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as temporary:
                whole = make_folder(Path(temporary) / "whole")
                # Knows every format of containers, of which most workspaces hold none.
                from treeline.toolkit.containers.unpacking import unpack

                # What files of archives are called, the archive's name may tell apart.
                inner = make_folder(whole / stem(container.name))
                call(unpack, container, inner, _find_room(self.folder))
                with contextlib.suppress(OSError):  # another process was first
                    whole.rename(folder)
        with contextlib.suppress(OSError):
            os.utime(folder)  # when it was last used
        return folder

    @CachedPerObject
    def corrections(self) -> dict[str, Correction]:
        """What a person corrected, by ``file name`` or ``file name#band``.

        Raises
        ------
        InputError
            What was kept of it is damaged.
        """
        try:
            stored = json.loads((self.folder / CORRECTIONS).read_text("utf-8"))
            return {name: Correction.from_json(fields) for name, fields in stored.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, AttributeError, TypeError, RecursionError, InputError) as error:
            # What a person corrected is not guessed: values without it may be wrong, so it is reported.
            raise InputError(
                f"The corrections of this workspace cannot be read ({type(error).__name__}).",
                f"Mend {CORRECTIONS} in its folder, or remove it and correct the files again.",
            ) from error

    @CachedPerObject
    def rasters(self) -> tuple[RasterDescription, ...]:
        """The usable rasters, by name; the others are in :attr:`problems`.

        Raises
        ------
        Stopped
            The person stopped the work that is in force; whoever asks next begins anew.
        """
        described = []
        self._problems.clear()
        files = self.files()
        self._problems.update(self._sealed)
        # Threads of a pool begin without the context variables of the caller; one context cannot be entered
        # by two at once, so each file has a copy.
        resolver, context = self.resolver, copy_context()
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="describe") as pool:
            found = pool.map(lambda path: context.copy().run(_try_to_describe, resolver, path), files)
            for path, made in zip(files, found, strict=True):
                if isinstance(made, RasterDescription):
                    described.append(made)
                else:
                    self._problems[path] = str(made)
        self._descriptions.keep(files)
        return tuple(described)

    @property
    def _descriptions(self) -> KeptDescriptions:
        return kept_descriptions(self.folder)

    @property
    def problems(self) -> dict[str, str]:
        """Files that cannot be used, with one sentence each; the others stay usable."""
        return {mend_text(path.name): why for path, why in self.unusable.items()}

    @property
    def unusable(self) -> Mapping[Path, str]:
        """Files that cannot be used, by their path, with one sentence each."""
        self.rasters  # noqa: B018  (found while the rasters are described)
        return self._problems

    @CachedPerObject
    def collections(self) -> dict[str, Collection]:
        """The collections that the rasters make by themselves, each band of a date at its finest alone."""
        members = members_of(self.rasters)
        kept = [each for each in members if (each.description.path, each.band.index) not in self.coarser]
        return collect(apart_by_size(kept), kept=self.handles)

    @CachedPerObject
    def coarser(self) -> Mapping[tuple[Path, int], Path]:
        """Bands that another file shows with smaller pixels, by file and index, each with the finest file."""
        return coarser_copies(members_of(self.rasters))

    @CachedPerObject
    def handles(self) -> Mapping[str, RolePlace]:
        """Role and place of the handles that runs have used; other data do not change them."""
        try:
            stored = json.loads((self.folder / HANDLES).read_text("utf-8"))
            return {str(handle): (str(role), str(place)) for handle, (role, place) in stored.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def keep_handles(self) -> None:
        """Keep the handles as they are now, because a run is about to use them."""
        with self._lock:
            known = {**self.handles, **{c.handle: (c.role, c.place) for c in self.collections.values()}}
            if known == self.handles:
                return
            # A run is worth more than that its handles stay when other data come in.
            with contextlib.suppress(OSError), whole_file(self.folder / HANDLES) as temporary:
                temporary.write_text(json.dumps(known, indent=1), "utf-8")
                self.__dict__["handles"] = known

    def files(self) -> list[Path]:
        """Return every file that looks like a raster, sorted by path."""
        raw = (path for path in self._files(RAW) if is_raw_raster(path))
        return data_images([*self._files(RASTER_SUFFIXES), *raw])

    def vector_files(self) -> list[Path]:
        """Return every file that looks like one of polygons, lines or points, sorted by path."""
        files = self._files(VECTOR_SUFFIXES)
        return [path for path in files if path.suffix.lower() != ".zip" or has_shapefile(path)]

    def _files(self, suffixes: frozenset[str]) -> list[Path]:
        found = self._all_files()
        for folder in self.unpacked_folders:
            found.update(_files_below(folder))
        return sorted(path for path in found if path.suffix.lower() in suffixes)

    def _all_files(self) -> set[Path]:
        found: set[Path] = set()
        for root in (self.inputs_folder, *self.sources):
            found.update([root] if root.is_file() else _files_below(root))
        return found

    def raster(self, name: str) -> RasterDescription:
        """Return the description of a raster by its file name or path.

        Raises
        ------
        RasterMissing
            With the nearest names.
        """
        return self.resolver.describe(name)[0]

    def refresh(self) -> None:
        """Look at the files again: after an upload, a removal or a correction."""
        with self._lock:
            # By what they are, not by a list of names: one that is left out keeps new files from being seen.
            for name, attribute in vars(Workspace).items():
                if isinstance(attribute, CachedPerObject):
                    self.__dict__.pop(name, None)

    def correct(self, changed: Mapping[str, Correction]) -> None:
        """Keep what a person corrected, by ``file name`` or ``file name#band``."""
        with self._lock:
            self._write_corrections({**self.corrections, **changed})

    def _write_corrections(self, corrections: Mapping[str, Correction]) -> None:
        with whole_file(self.folder / CORRECTIONS) as temporary:
            temporary.write_text(json.dumps(as_json(corrections), indent=1, default=str), "utf-8")
        self.refresh()

    @CachedPerObject
    def taken_back(self) -> TakenBackCorrections:
        """Corrections that were taken back and can hold again."""
        return TakenBackCorrections(self.folder / TAKEN_BACK)

    def take_back(self, taken: Mapping[str, Sequence[str]]) -> TakenBack | None:
        """Take corrections back, so that what was found holds again; ``None`` where there are none of them.

        Parameters
        ----------
        taken : mapping of str to sequence of str
            Names of fields, each with the names under which it is kept.
        """
        with self._lock:
            stay, go = split(self.corrections, taken)
            if not go:
                return None
            # Kept before it goes: what is in neither file could not be brought back.
            made = self.taken_back.put(go)
            self._write_corrections(stay)
        return made

    def correct_again(self, key: str) -> str:
        """Let what was taken back together hold again, and return its name.

        Raises
        ------
        InputError
            It is not kept any more.
        """
        with self._lock:
            again = self.taken_back.take(key)
            known = self.corrections
            self.correct(
                {
                    name: replace(known.get(name, Correction()), **correction.stated_fields())
                    for name, correction in again.corrections.items()
                }
            )
        return again.name

    def as_found(self, path: Path) -> RasterDescription | None:
        """Return what was recognised of a file that a person corrected; ``None`` for any other.

        Raises
        ------
        TreelineError
            It is gone or cannot be read.
        """
        if path.name not in self._corrected_names:
            return None
        return self._resolver_of_found.describe(str(path))[0]

    @CachedPerObject
    def _corrected_names(self) -> frozenset[str]:
        return frozenset(map(file_of, self.corrections))

    @CachedPerObject
    def _resolver_of_found(self) -> FileResolver:
        roots = (self.inputs_folder, *self.sources, *self.unpacked_folders)
        return FileResolver(*roots, describing=describe_confined)

    @CachedPerObject
    def trash(self) -> Trash:
        """Uploads that were removed and can come back."""
        return Trash(self.folder / "trash", self.inputs_folder)

    def upload_of(self, path: Path) -> str | None:
        """Return the name of the uploaded file that a file is, or was taken out of; else ``None``."""
        origin = next((of for folder, of in self._containers.items() if path.is_relative_to(folder)), path)
        if not origin.is_relative_to(self.inputs_folder) or not origin.is_file():
            return None
        return origin.relative_to(self.inputs_folder).as_posix()

    def remove_input(self, *names: str) -> Removal:
        """Move uploaded files to the trash, with all their parts; other folders are never touched.

        Raises
        ------
        InputError
            A file is not an upload; none is removed.
        """
        with self._lock:
            removal = self.trash.put(*map(self._upload, names))
            self.refresh()
        return removal

    def _upload(self, name: str) -> str:
        path = (self.inputs_folder / name).resolve()
        if not path.is_relative_to(self.inputs_folder) or not path.is_file():
            raise InputError(f"{name!r} is not an upload of this workspace.", "Only uploads can be removed.")
        return path.relative_to(self.inputs_folder).as_posix()

    def restore_input(self, key: str) -> str:
        """Bring what was removed together back from the trash, and return its name.

        Raises
        ------
        InputError
            It is not there any more, or another file has the name of one of it now.
        """
        with self._lock:
            name = self.trash.restore(key)
            self.refresh()
        return name

    def catalogue(self) -> str:
        """Return the workspace in a few lines: a collection each, then what is not usable."""
        lines = summarise(self.collections.values())
        lines += [f"not usable: {name}: {why}" for name, why in self.problems.items()]
        return "\n".join(lines) or "The workspace is empty."


def _try_to_describe(resolver: FileResolver, path: Path) -> RasterDescription | TreelineError:
    """Return the description of a file, or why there is none."""
    current_context().check_stop()
    try:
        return resolver.describe(str(path))[0]
    except TreelineError as error:
        return error


def _unread(folder: Path) -> dict[Path, str]:
    """Return the files of an archive that could not be read, and why, as unpacking left it behind."""
    try:
        stated = json.loads((folder / UNREAD).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return {folder / name: why for name, why in stated.items()}


def _is_forgotten(folder: Path) -> bool:
    """Return whether nobody has used what was taken out for a day."""
    try:
        return time.time() - folder.stat().st_mtime > _KEPT_UNPACKED
    except OSError:  # another process removes it
        return False


def _files_below(folder: Path) -> list[Path]:
    """Return the files in a folder and below it; a folder of Zarr counts as one."""
    if folder.suffix.lower() == ZARR:
        return [folder]
    found, folders = [], [folder]
    while folders:
        with contextlib.suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                # As the folder tells it: pages list files at each click, and a thousand would be asked.
                if not entry.is_dir():
                    if not entry.name.startswith(".") and entry.is_file():
                        found.append(Path(entry.path))
                elif entry.name.lower().endswith(ZARR):  # has thousands of files, and counts as one
                    found.append(Path(entry.path))
                elif not entry.is_symlink():
                    folders.append(Path(entry.path))
    return found


def members_of(rasters: Iterable[RasterDescription]) -> list[Member]:
    """Return each band of each raster as a member of a collection."""
    rasters = tuple(rasters)
    members, addresses = [], short_addresses(raster.path for raster in rasters)
    for raster in rasters:
        file = addresses[raster.path]
        if place := place_of_folders(file):
            raster = replace(raster, place=f"{raster.place} {place}".strip())
        names = Counter(band.name.casefold() for band in raster.bands)
        for band in raster.bands:
            # Bands of several dates may have one name.
            only = band.name and names[band.name.casefold()] == 1
            several = len(raster.bands) > 1
            address = f"{file}#{band.name if only else band.index}" if several else file
            members.append(Member(address, raster.at_band(band), band))
    return members
