"""What surrounds a tool while it works: where to write, which profile, how to tell and to stop.

Tools do not take these as parameters; the raster engine and :mod:`treeline.toolkit.execution` read them
from the context that is in force.
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from treeline.toolkit.errors import InputError, PathOutside, Stopped
from treeline.toolkit.files import COMPANIONS, LONGEST_NAME, is_usable, mend_text, resolve_links

if TYPE_CHECKING:
    from treeline.toolkit.interest import AreaOfInterest
    from treeline.toolkit.recognition.model import RasterDescription

TellProgress = Callable[[int, int, str], None]
"""Is told how much of the work is done, of how much, and at what it is."""

# Room for the name of what GDAL may write beside it.
LONGEST_OUTPUT = LONGEST_NAME - max(map(len, COMPANIONS))


@dataclass(frozen=True, slots=True)
class Product:
    """A raster or table that a tool wrote.

    Attributes
    ----------
    path : Path
        Where it stands.
    role, unit : str
        Of its (first) band.
    inputs : tuple of str
        The files that it was made from.
    kind : str
        ``raster``, ``table``, ``vector`` or ``image``.
    dated_by : tuple of str, optional
        Those of the inputs whose date it has; by default all. One that gives the grid alone dates nothing.
    valid_share, minimum, maximum, mean : float, optional
        Of the (first) band, gathered while it was written; the checks after a call read them.
    """

    path: Path
    role: str
    unit: str
    inputs: tuple[str, ...] = ()
    kind: str = "raster"
    dated_by: tuple[str, ...] | None = None
    valid_share: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None


class Resolver(Protocol):
    """Turns what a caller wrote for a raster into the description of a file.

    Implementations are picklable: worker processes get a copy.
    """

    def describe(self, address: str) -> tuple[RasterDescription, str | None]:
        """Return the description and the band that the address names (``file.tif#B04``), if any.

        Raises
        ------
        RasterMissing, RasterUnreadable, PathOutside
        """
        ...

    def list_folder(self, address: str) -> list[str]:
        """Return the sorted names in a folder."""
        ...

    def path_of(self, address: str) -> Path:
        """Return the place of a file or folder that is no raster, such as a vector file.

        Raises
        ------
        RasterMissing, PathOutside
        """
        ...


def _silent(done: int, total: int, label: str) -> None:
    return None


@dataclass
class ToolContext:
    """The surroundings of a tool call.

    Attributes
    ----------
    output_folder : Path
        Relative output paths go here; nothing is written outside it.
    resolver : Resolver, optional
        Default: files on disk, see :class:`treeline.toolkit.recognition.FileResolver`.
    profile : str
        ``science`` or ``earth_bench``.
    threads : int
        How many threads the raster engine may use.
    progress : callable
        ``progress(done, total, label)``.
    stop : threading.Event
        Set by the person who stops the work.
    warnings : list of str
        What the tool has to say besides its result; read by the caller afterwards.
    doubts : list of str
        Those of the warnings for which nobody should rely on the result.
    products : list of Product
        What was written; read by the caller afterwards.
    provenance : mapping
        Tool name and arguments, written into the tags of products.
    area : AreaOfInterest, optional
        Outside of it rasters have no data, those that are read and those that are written.
    """

    output_folder: Path = field(default_factory=Path.cwd)
    resolver: Resolver | None = None
    profile: str = "science"
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    progress: TellProgress = _silent
    stop: threading.Event = field(default_factory=threading.Event)
    warnings: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    area: AreaOfInterest | None = None

    def warn(self, message: str) -> None:
        """Say something once that the person should know besides the result."""
        if message not in self.warnings:
            self.warnings.append(message)

    def doubt(self, message: str) -> None:
        """Say something once for which nobody should rely on the result until it is settled."""
        self.warn(message)
        if message not in self.doubts:
            self.doubts.append(message)

    def check_stop(self) -> None:
        """Raise :class:`Stopped` if the person stopped the work."""
        if self.stop.is_set():
            raise Stopped("The work was stopped.")

    def output_path(self, path: str | Path, inputs: Iterable[Path] = (), suffix: str = "") -> Path:
        """Return the absolute path of an output, confined to the output folder.

        Parameters
        ----------
        inputs : iterable of Path
            What the output is made from, which it must not overwrite.
        suffix : str
            Is put behind a name that has none, such as ``.tif``.

        Raises
        ------
        InputError
            It is no usable name of a file, or that of an input.
        PathOutside
            The path leaves the output folder, by ``..``, an absolute path or a link.
        """
        if not is_usable(str(path), LONGEST_OUTPUT):
            raise InputError(
                f"The output path {mend_text(str(path))[:80]!r} is no usable name: it is too long, or holds "
                "characters that no file may have.",
                "Give a name such as 'ndvi_2021.tif'.",
            )
        # Both with their links resolved: a link inside the folder may lead out of it.
        folder = resolve_links(self.output_folder)
        target = resolve_links(folder / path)
        if target == folder or not target.is_relative_to(folder):
            raise PathOutside(
                f"The output path {str(path)!r} leaves the output folder.",
                "Give a relative path such as 'ndvi_2021.tif'.",
            )
        target = target if target.suffix else target.with_suffix(suffix)
        if any(each.resolve() == target for each in inputs):
            raise InputError(
                f"The output {target.name!r} would overwrite its own input.", "Choose another name."
            )
        if target.is_dir():
            raise InputError(f"The output {str(path)!r} is a folder.", "Name a file in it.")
        return target


_current: contextvars.ContextVar[ToolContext | None] = contextvars.ContextVar("treeline", default=None)


def current_context() -> ToolContext:
    """Return the context in force; a plain one over the working directory when none is set."""
    context = _current.get()
    return context if context is not None else ToolContext()


@contextlib.contextmanager
def use_context(context: ToolContext) -> Iterator[ToolContext]:
    """Make a context the one in force for the duration of a ``with`` block."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)
