"""Whether the server lives, and whether it can work.

Whoever reaches the port can read the answers, so they name no folder and no address.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from treeline.core.confinement import call
from treeline.core.errors import RecordError
from treeline.core.home import home, store_url
from treeline.core.record.leases import beat
from treeline.core.record.store import Store
from treeline.core.serving.drawing import draw_tile
from treeline.core.serving.layers import MapLayer
from treeline.core.serving.styles import Style
from treeline.toolkit import cluster
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.raster import Grid, Source, write_array
from treeline.toolkit.recognition.describe import describe

_FRESH = {"Cache-Control": "no-store"}
# Whoever asks decides within seconds whether to send visitors elsewhere; a run waits far longer.
_PATIENCE = 2.0
_PROBE = "readyz"
# A raster where the equator and the meridian of Greenwich cross, and zoom, column and row of a tile there.
_PIXELS = 16
_PROBE_GRID = Grid("EPSG:3857", (10.0, 0.0, 0.0, 0.0, -10.0, 160.0), _PIXELS, _PIXELS)
_PROBE_TILE = (14, 8192, 8191)


async def livez(request: Request) -> Response:
    """Answer ``/livez`` while the process lives."""
    return PlainTextResponse("ok", headers=_FRESH)


def readyz(request: Request) -> Response:
    """Answer ``/readyz``: 200 while every part can be used, 503 with the reason otherwise."""
    faults = {part: find() for part, find in PARTS.items()}
    reason = " ".join(fault for fault in faults.values() if fault)
    body = {
        "ready": not reason,
        "reason": reason or None,
        "parts": {part: fault or "ok" for part, fault in faults.items()},
    }
    return JSONResponse(body, status_code=503 if reason else 200, headers=_FRESH)


def home_fault() -> str:
    """Return why no file can be written in the home; empty if one can."""
    try:
        home().mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=home()) as probe:
            probe.write(b"ready")
    except OSError as error:
        return f"The home cannot be written to ({error.strerror or type(error).__name__})."
    return ""


def record_fault() -> str:
    """Return why the record cannot be read or written; empty if it can."""
    try:
        store = Store(store_url())
    except (SQLAlchemyError, RecordError, OSError, ImportError) as error:
        return f"The record cannot be opened ({type(error).__name__})."
    store.patience = _PATIENCE
    try:
        store.runs(limit=1)
        beat(store, _PROBE)
    except RecordError as error:
        return error.message
    finally:
        store.close()
    return ""


def tile_fault() -> str:
    """Return why a tile of a raster cannot be drawn; empty if it can."""
    values = np.linspace(0.0, 1.0, _PIXELS**2, dtype="float32").reshape(_PIXELS, _PIXELS)
    try:
        with use_context(ToolContext(_probe_folder())):
            written = write_array(values, _PROBE_GRID, "probe.tif", role="unknown")
        description = call(describe, written.path)
        layer = MapLayer.of((Source(description, description.bands[0]),), "probe")
        drawn = call(draw_tile, layer, Style("gray", 0.0, 1.0), *_PROBE_TILE)
    except (TreelineError, OSError) as error:
        return f"A tile cannot be drawn ({type(error).__name__})."
    return "" if drawn else "A tile that has to show something is empty."


@cache
def _probe_folder() -> Path:
    """Return a folder of this process, removed at its end."""
    folder = TemporaryDirectory(prefix="treeline-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


def worker_fault() -> str:
    """Return why the worker processes of the settings cannot be used; empty if they can, or none are set."""
    try:
        cluster.check_workers()
    except TreelineError as error:
        return f"The workers cannot be used ({type(error).__name__})."
    return ""


PARTS: dict[str, Callable[[], str]] = {
    "home": home_fault,
    "record": record_fault,
    "workers": worker_fault,
    "tile": tile_fault,
}
