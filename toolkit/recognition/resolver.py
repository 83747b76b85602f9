"""Finding rasters by what a caller wrote, within the folders that may be read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz
from rapidfuzz import process as fuzzy

from toolkit.errors import PathOutside, RasterMissing
from toolkit.recognition.describe import describe
from toolkit.recognition.model import Correction, RasterDescription
from toolkit.recognition.siblings import SUFFIXES

LIMIT = 50_000
_Key = tuple[str, int, int]


class FileResolver:
    """Rasters on disk as a resolver for tools.

    Parameters
    ----------
    root : Path, optional
        The folder (or the one file) that may be read. Without any root every local file may be read, by an absolute
        path or one relative to the working directory.
    roots : sequence of Path
        More of the same; looked through in their order.
    corrections : mapping of str to Correction, optional
        What a person said, by ``file name`` or ``file name#band``.
    """

    def __init__(
        self,
        root: str | os.PathLike[str] | None = None,
        roots: Sequence[str | os.PathLike[str]] = (),
        corrections: Mapping[str, Correction] | None = None,
    ) -> None:
        given = [*([root] if root is not None else []), *roots]
        self.roots = tuple(Path(each).resolve() for each in given)
        self.corrections = dict(corrections or {})
        self._cache: dict[_Key, RasterDescription] = {}
        self._folders: dict[Path, tuple[int, tuple[Path, ...]]] = {}

    def __getstate__(self) -> dict[str, Any]:
        # Workers get the places, not what was found there.
        return {**self.__dict__, "_cache": {}, "_folders": {}}

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        """Return the description of a file and the band that the address names (``file.tif#B04``), if any.

        Raises
        ------
        RasterMissing
            No file, or no band of that name, with the nearest names.
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
        for candidate in self._candidates(os.fspath(address)):
            if candidate.is_dir():
                return sorted(p.name for p in candidate.iterdir() if not p.name.startswith("."))
        folders = sorted({path.parent.name for path in self._files()})[:5]
        there = f"Folders with rasters: {', '.join(folders)}." if folders else ""
        raise RasterMissing(f"There is no folder {str(address)!r}.", there)

    def _split(self, address: str) -> tuple[Path, str | None]:
        found = self._find(address)
        if found is not None:
            return found, None
        file, mark, band = address.rpartition("#")
        if mark and file and (found := self._find(file)) is not None:
            return found, band.strip() or None
        raise self._missing(file if mark and file else address)

    def _find(self, address: str) -> Path | None:
        candidates = self._candidates(address)
        return next((c for c in candidates if c.is_file()), None) or self._by_name(address)

    def _by_name(self, address: str) -> Path | None:
        """Return the only file of that name below the roots, for callers that leave out folders."""
        name = Path(address).name
        if not self.roots or Path(address).is_absolute() or not name:
            return None
        found = [path for path in self._files() if path.name == name and str(path).endswith(str(Path(address)))]
        return found[0] if len(found) == 1 else None

    def _candidates(self, address: str) -> list[Path]:
        if "\x00" in address or not address.strip():
            raise RasterMissing("The address of the raster is empty or holds a zero byte.")
        if not self.roots:
            return [Path(address).expanduser().resolve()]
        places = [Path(os.path.abspath(root / address)) for root in self.roots if root.is_dir()]
        places += [root for root in self.roots if root.is_file() and address in (root.name, str(root))]
        inside = [place for place in places if self._confined(place)]
        if not inside and places:
            raise PathOutside(
                f"The path {address!r} leaves the folders that may be read.",
                "Give a name or a path below the workspace.",
            )
        return inside

    def _confined(self, place: Path) -> bool:
        real = place.resolve()
        return any(real == root or real.is_relative_to(root) for root in self.roots)

    def _description(self, path: Path) -> RasterDescription:
        state = path.stat()
        key = (str(path), state.st_mtime_ns, state.st_size)
        if key not in self._cache:
            beside = self._beside(path.parent)
            said = self._corrections_of(path)
            self._cache[key] = describe(path, beside, said)
        return self._cache[key]

    def _corrections_of(self, path: Path) -> dict[str, Correction]:
        """Return the corrections of a file under its bare name, whether they were made by name or by path."""
        said = {}
        for key, correction in self.corrections.items():
            file, mark, band = key.partition("#")
            if path.name == file or str(path).endswith(f"/{file}"):
                said[f"{path.name}{mark}{band}"] = correction
        return said

    def _beside(self, folder: Path) -> tuple[Path, ...]:
        changed = folder.stat().st_mtime_ns
        known = self._folders.get(folder)
        if known is None or known[0] != changed:
            names = tuple(sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES))
            known = self._folders[folder] = (changed, names)
        return known[1]

    def _files(self) -> Iterator[Path]:
        count = 0
        for root in self.roots or (Path.cwd(),):
            for folder, _, names in os.walk(root):
                for name in names:
                    count += 1
                    if count > LIMIT:
                        return
                    yield Path(folder) / name
            if root.is_file():
                yield root

    def _missing(self, address: str) -> RasterMissing:
        wanted = Path(address).name
        folder = Path(address).expanduser().resolve().parent
        if self.roots:
            names = {path.name for path in self._files()}
        else:
            names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
        rasters = [name for name in names if Path(name).suffix.lower() in SUFFIXES]
        near = [name for name, *_ in fuzzy.extract(wanted, rasters, scorer=fuzz.WRatio, limit=3)]
        hint = f"Nearest: {', '.join(near)}." if near else "There are no rasters here."
        return RasterMissing(f"There is no raster {address!r}.", hint)
