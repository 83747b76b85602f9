"""What the map of large rasters is drawn from: made one after the other when one comes in or is shown."""

from __future__ import annotations

import hashlib
import logging
import os
import queue
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from treeline.core.confinement import call_patiently
from treeline.core.home import cache_folder
from treeline.core.serving.layers import MapLayer
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.files import make_folder
from treeline.toolkit.limits import Limits
from treeline.toolkit.raster import Source, is_large, write_display
from treeline.toolkit.recognition.model import RasterDescription

_LOG = logging.getLogger(__name__)

_NAME, _ORIGIN = "display.tif", "origin"
# Compressed bytes of a copy with its overviews, of the bytes of its pixels: what a bar goes by.
_USUAL_SHARE = 0.8
# A copy that compresses badly outgrows what is expected; the bar is full only when the copy is there.
_MOST_SHOWN = 0.99


@dataclass(frozen=True, slots=True)
class CopyProgress:
    """A copy that is made or waits: of which raster, and how much of it there is, from 0 to 1."""

    name: str
    share: float


class Displays:
    """The copies of the rasters of a home.

    Parameters
    ----------
    folder : callable
        Returns where they are kept; whoever empties it loses nothing but time.
    """

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder
        self._orders: queue.SimpleQueue[tuple[str, RasterDescription]] = queue.SimpleQueue()
        self._waiting: dict[str, RasterDescription] = {}
        self._settled: set[str] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def layer(self, layer: MapLayer) -> MapLayer:
        """Return a layer as it is drawn: from copies of its files, which are made where there are none."""
        displays = tuple(map(self._source, layer.sources))
        return layer if displays == layer.sources else replace(layer, displays=displays)

    def layer_at_hand(self, layer: MapLayer) -> MapLayer | None:
        """Return a layer as it is drawn; ``None`` where a copy is still to be made, which is not ordered."""
        keys = (_key(source.path) for source in layer.sources if is_large(source.description))
        made = all(key in self._settled or (self._folder() / key / _NAME).is_file() for key in keys)
        return self.layer(layer) if made else None

    def _source(self, source: Source) -> Source:
        display = self.order(source.description)
        return source if display is None else Source(replace(source.description, path=display), source.band)

    def order(self, raster: RasterDescription) -> Path | None:
        """Return the copy of a raster; where there is none and one is needed, have it made meanwhile."""
        if not is_large(raster):
            return None
        key = _key(raster.path)
        display = self._folder() / key / _NAME
        if display.is_file():
            return display
        with self._lock:
            if key and key not in self._settled and key not in self._waiting:
                self._waiting[key] = raster
                self._orders.put((key, raster))
                if self._thread is None:
                    self._thread = threading.Thread(target=self._work, name="displays", daemon=True)
                    self._thread.start()
        return None

    def under_way(self, rasters: Iterable[RasterDescription]) -> list[CopyProgress]:
        """Return the copies of rasters that are made or wait."""
        paths = {raster.path for raster in rasters}
        with self._lock:
            waiting = list(self._waiting.items())
        return [CopyProgress(r.path.name, self._share(key, r)) for key, r in waiting if r.path in paths]

    def _share(self, key: str, raster: RasterDescription) -> float:
        begun = next(self._folder().glob(f".{key}*/{_NAME}"), None)
        try:
            size = begun.stat().st_size if begun is not None else 0
        except OSError:  # it has its name by now
            size = 0
        return min(size / (_bytes_of(raster) * _USUAL_SHARE), _MOST_SHOWN)

    def _work(self) -> None:
        while True:
            key, raster = self._orders.get()
            try:
                self._make(key, raster)
            except (TreelineError, OSError) as error:
                _LOG.warning("%s is drawn without a copy for the map: %s", raster.path.name, error)
            finally:
                with self._lock:
                    self._settled.add(key)
                    self._waiting.pop(key, None)

    def _make(self, key: str, raster: RasterDescription) -> None:
        folder = make_folder(self._folder())
        self._clear(folder)
        if shutil.disk_usage(folder).free < Limits.from_environment().free + 2 * _bytes_of(raster):
            raise OSError("the disk has too little room for it")
        with tempfile.TemporaryDirectory(dir=folder, prefix=f".{key}", ignore_cleanup_errors=True) as name:
            temporary = Path(name)
            if call_patiently(write_display, raster.path, temporary / _NAME):
                (temporary / _ORIGIN).symlink_to(raster.path)
                temporary.rename(folder / key)

    def _clear(self, folder: Path) -> None:
        """Remove the copies of rasters that are gone or were written anew."""
        for copied in folder.iterdir():
            origin = copied / _ORIGIN
            if origin.is_symlink() and _key(Path(os.readlink(origin))) != copied.name:
                shutil.rmtree(copied, ignore_errors=True)


def _key(path: Path) -> str:
    """Return what names the present state of a file; empty where there is none."""
    try:
        state = path.stat()
    except OSError:
        return ""
    stated = f"{path}:{state.st_mtime_ns}:{state.st_size}"
    return hashlib.sha256(stated.encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _bytes_of(raster: RasterDescription) -> int:
    return raster.width * raster.height * len(raster.bands) * int(np.dtype(raster.dtype).itemsize)


DISPLAYS = Displays(lambda: cache_folder() / "displays")
