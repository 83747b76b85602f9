"""Finding rasters by what a caller wrote, within the folders that may be read."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from treeline.toolkit.companions import last_change
from treeline.toolkit.context import Resolver, current_context
from treeline.toolkit.errors import PathOutside, RasterMissing
from treeline.toolkit.files import is_usable, mend_text, resolve_links
from treeline.toolkit.likeness import nearest_names
from treeline.toolkit.recognition.model import Correction, RasterDescription
from treeline.toolkit.recognition.siblings import SUFFIXES, Siblings

# A root may be a whole disk, which nobody wants walked for one name.
LIMIT = 100_000
Beside = tuple[Path, int] | None
Describing = Callable[[Path, Beside, Mapping[str, Correction]], RasterDescription]


def describe_in_folder(
    path: Path, beside: Beside, corrections: Mapping[str, Correction]
) -> RasterDescription:
    """Return the description of a file, from what lies beside it too.

    Parameters
    ----------
    beside : tuple of Path and int, optional
        Its folder as it is now, with the time of its last change; without it the file alone is read. Whoever
        has this done elsewhere sends it there, which names of thousands of files would make slow.
    """
    # GDAL takes a quarter of the time of a start, which whoever opens no raster does without.
    from treeline.toolkit.recognition.describe import describe

    return describe(path, siblings_of(path, beside), corrections)


def siblings_of(path: Path, beside: Beside) -> Siblings:
    """Return the rasters beside a file, itself among them; itself alone where they may not be read."""
    return _list_rasters(*beside) if beside else Siblings((path,))


class FileResolver:
    """Rasters on disk as a resolver for tools.

    Parameters
    ----------
    *roots : Path
        The folders (or single files) that may be read, looked through in their order. Without any every
        local file may be read, by an absolute path or one relative to the working directory.
    corrections : mapping of str to Correction, optional
        What a person said, by ``file name`` or ``file name#band``.
    describing : callable, optional
        Makes a description, as :func:`describe_in_folder` does; picklable.
    """

    def __init__(
        self,
        *roots: str | os.PathLike[str],
        corrections: Mapping[str, Correction] | None = None,
        describing: Describing = describe_in_folder,
    ) -> None:
        self.roots = tuple(Path(each).resolve() for each in roots)
        self.corrections = dict(corrections or {})
        self.describing = describing
        self._index: dict[str, list[Path]] = {}
        # Every call asks for hundreds of files: what the roots are is looked up once, and compared as text.
        self._single = {str(root) for root in self.roots if root.is_file()}
        self._below = tuple(os.path.join(root, "") for root in self.roots)

    def __getstate__(self) -> dict[str, Any]:
        # Workers get the places, not what was found there.
        return {**self.__dict__, "_index": {}}

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        """Return the description of a file and the band that an address names (``file.tif#B04``), if any.

        Raises
        ------
        RasterMissing
            No file of that name, or several; with the nearest names.
        PathOutside
            The address leaves the folders that may be read.
        RasterUnreadable
            The file is no usable raster.
        """
        path, band = self._split(os.fspath(address))
        return self._description(path), band

    def list_folder(self, address: str) -> list[str]:
        """Return the sorted names in a folder, hidden ones left out.

        Raises
        ------
        RasterMissing
            There is no such folder.
        PathOutside
            The folder is none that may be read.
        """
        folders = [place for place in self._places(os.fspath(address)) if place.is_dir()]
        if not folders:
            there = ", ".join(sorted({path.parent.name for path in self._rasters()})[:5])
            hint = f"Folders with rasters: {there}." if there else "No folder here holds rasters."
            raise RasterMissing(f"There is no folder {str(address)!r}.", hint)
        names = {path.name for folder in folders for path in folder.iterdir()}
        return sorted(name for name in names if is_usable(name) and not name.startswith("."))

    def path_of(self, address: str) -> Path:
        """Return a file that is no raster, such as a vector file, by its path or its bare name.

        Raises
        ------
        RasterMissing
            No file of that name; with the nearest names.
        PathOutside
            The address leaves the folders that may be read.
        """
        places = [place for place in self._places(address) if place.exists()]
        if places:
            return places[0]
        suffix, wanted = Path(address).suffix.lower(), Path(address).parts
        alike = [path for path in self._files({suffix}) if self._may_read(path)] if self.roots else []
        found = [path for path in alike if path.parts[-len(wanted) :] == wanted]
        if len(found) == 1:
            return found[0]
        names = sorted({path.name for path in alike})
        near = nearest_names(Path(address).name, names)
        hint = f"Nearest: {', '.join(near)}." if near else f"There are no {suffix or 'such'} files here."
        raise RasterMissing(
            f"There is no file {address!r}." if not found else f"{address!r} is ambiguous.", hint
        )

    def _split(self, address: str) -> tuple[Path, str | None]:
        # A file may have the mark in its own name, so that the whole address is tried first.
        file, mark, band = address.rpartition("#")
        try:
            found = self._find(address)
        except PathOutside:
            if not mark:
                raise
            found = None
        if found is not None:
            return found, None
        if not (mark and file):
            raise self._missing_error(address)
        found = self._find(file)
        if found is None:
            raise self._missing_error(file)
        return found, band.strip() or None

    def _find(self, address: str) -> Path | None:
        places = self._places(address)
        return next((place for place in places if place.is_file()), None) or self._by_name(address)

    def _places(self, address: str) -> list[Path]:
        """Return where an address may lie; only within the folders that may be read."""
        if not address.strip() or not is_usable(address):
            raise RasterMissing(
                f"{mend_text(address)[:80]!r} is not the address of a raster: it is empty, too long, or has "
                "characters that no file may have.",
                "Give a file name such as 'red.tif'; rename a file that is not called so in UTF-8.",
            )
        if not self.roots:
            return [resolve_links(Path(address))]
        places = [
            Path(os.path.abspath(root / address))
            for root in self.roots
            if str(root) not in self._single and root.is_dir()
        ]
        places += [root for root in self.roots if address in (root.name, str(root)) and root.is_file()]
        inside = [place for place in places if self._may_read(place)]
        if places and not inside:
            raise PathOutside(
                f"The path {address!r} leaves the folders that may be read.",
                "Give a name or a path below the workspace.",
            )
        return inside

    def _may_read(self, place: Path) -> bool:
        # Links are resolved first, as one inside a root may lead out of it; the separator keeps /data2 from
        # counting as below /data.
        found = os.path.join(os.path.realpath(place), "")
        return found.startswith(self._below)

    def _by_name(self, address: str) -> Path | None:
        """Return the file whose path ends like the address, for callers that leave out folders."""
        if not self.roots or Path(address).is_absolute():
            return None
        found = self._find_files(address)
        if len(found) > 1:
            names = ", ".join(str(path.relative_to(self._root_of(path))) for path in found[:4])
            raise RasterMissing(f"{address!r} is the name of {len(found)} files.", f"Say which: {names}.")
        return found[0] if found else None

    def _find_files(self, address: str) -> list[Path]:
        wanted = Path(address).parts
        # What was found earlier first; where that is gone or holds no such name, the folders are looked
        # through once more.
        for fresh in (False, True):
            if fresh or not self._index:
                self._index = self._look_through()
            found = [p for p in self._index.get(Path(address).name, ()) if p.parts[-len(wanted) :] == wanted]
            standing = [path for path in found if path.is_file() and self._may_read(path)]
            if standing:
                return standing
        return []

    def _look_through(self) -> dict[str, list[Path]]:
        index: dict[str, list[Path]] = defaultdict(list)
        for path in self._rasters():
            index[path.name].append(path)
        return dict(index)

    def _rasters(self) -> Iterator[Path]:
        return self._files(SUFFIXES)

    def _files(self, suffixes: Collection[str]) -> Iterator[Path]:
        count = 0
        for root in self.roots or (Path.cwd(),):
            if root.is_file():
                yield root
            for folder, below, names in os.walk(root):
                below[:] = [name for name in below if not name.startswith(".")] if self.roots else []
                for name in filter(is_usable, names):
                    if Path(name).suffix.lower() in suffixes:
                        count += 1
                        yield Path(folder) / name
                if count > LIMIT:
                    return

    def _root_of(self, path: Path) -> Path:
        return next(root for root in self.roots if path == root or path.is_relative_to(root))

    def _description(self, path: Path) -> RasterDescription:
        corrections = tuple(self._corrections_of(path).items())
        changed, size = last_change(path), path.stat().st_size
        return _describe(self.describing, path, changed, size, self._upload(path), corrections)

    def _corrections_of(self, path: Path) -> dict[str, Correction]:
        """Return the corrections of a file under its bare name, made by name or by path."""
        return {
            f"{path.name}{band}": correction
            for parts, band, correction in self._corrections_by_file.get(path.name, ())
            if path.parts[-len(parts) :] == parts
        }

    @cached_property
    def _corrections_by_file(self) -> Mapping[str, Sequence[tuple[tuple[str, ...], str, Correction]]]:
        """The corrections by the name of their file, with the parts of its path and the band's mark."""
        found: defaultdict[str, list[tuple[tuple[str, ...], str, Correction]]] = defaultdict(list)
        for key, correction in self.corrections.items():
            file, mark, band = key.partition("#")
            if file:
                found[Path(file).name].append((Path(file).parts, mark + band, correction))
        return found

    def _upload(self, path: Path) -> Beside:
        """Return the folder of the same upload as it is now; ``None`` where the file alone may be read."""
        folder = path.parent
        if self.roots and not self._may_read(folder):
            return None
        return folder, folder.stat().st_mtime_ns

    def _missing_error(self, address: str) -> RasterMissing:
        names = sorted({path.name for path in self._rasters()} | self._names_near(address))
        near = nearest_names(Path(address).name, names)
        hint = f"Nearest: {', '.join(near)}." if near else "There are no rasters here."
        return RasterMissing(f"There is no raster {address!r}.", hint)

    def _names_near(self, address: str) -> set[str]:
        folder = resolve_links(Path(address)).parent
        if self.roots or not folder.is_dir():
            return set()
        return {path.name for path in folder.iterdir() if path.suffix.lower() in SUFFIXES}


@lru_cache(maxsize=50_000)
def _describe(
    describing: Describing,
    path: Path,
    changed: int,
    size: int,
    beside: Beside,
    corrections: tuple[tuple[str, Correction], ...],
) -> RasterDescription:
    """Return a description, made once a process for each state of a file, its folder and what was said."""
    return describing(path, beside, dict(corrections))


@lru_cache(maxsize=256)
def _list_rasters(folder: Path, changed: int) -> Siblings:
    return Siblings(sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES))


@lru_cache(maxsize=1)
def _default_resolver() -> Resolver:
    return FileResolver()


def current_resolver() -> Resolver:
    """Return the resolver in force; one of local files where the context has none."""
    return current_context().resolver or _default_resolver()
