"""Overviews of the products that are shown, built when the first tile is asked for."""

from __future__ import annotations

import contextlib
import threading
from collections import defaultdict
from pathlib import Path

from treeline.core.serving.layers import MapLayer
from treeline.toolkit.errors import RasterError
from treeline.toolkit.raster import complete_overviews

_done: dict[Path, int] = {}
_locks: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)


def prepare(layer: MapLayer) -> None:
    """Build the overviews that a layer's files lack, once; where they cannot be written, do without.

    Several tiles are asked for at once: the first has the overviews built and the others wait, which
    is sooner than each of them reading the whole raster.
    """
    for path in {source.path for source in layer.sources}:
        if _done.get(path) == layer.modified:
            continue
        with _locks[path]:
            if _done.get(path) != layer.modified:
                with contextlib.suppress(RasterError):
                    complete_overviews(path)
                _done[path] = layer.modified
