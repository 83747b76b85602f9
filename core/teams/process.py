"""A member's run in a process of its own, so that members work side by side and die alone."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any

import rasterio  # noqa: F401

import core.policies.planner  # noqa: F401  (loaded once in the server that the processes are forked from)
from core.runs import RunManager
from core.settings import Endpoint
from core.store import Store
from core.teams import executors  # noqa: F401
from core.workspace import Workspace
from toolkit import registry

# The same: every kit is in memory before the first process is forked.
registry()


_STARTING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run is recorded and what it reads."""

    store: str
    folder: Path
    sources: tuple[Path, ...]


def start_process(place: Place, run: str, endpoint: Endpoint | None) -> tuple[BaseProcess, Any]:
    """Start a recorded run in a process and return it with the event that stops it."""
    context = process_context()
    stop = context.Event()
    process = context.Process(target=_work, args=(place, run, endpoint, stop), daemon=True)
    with without_main():
        process.start()
    return process, stop


def process_context() -> Any:
    """Return how processes are started: forked from a server that has everything in memory."""
    context: Any = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
    if sys.platform != "win32":
        context.set_forkserver_preload([__name__])
    return context


@contextmanager
def without_main() -> Iterator[None]:
    """Hide the main module while a process starts: a child would run it, which a page must not be."""
    with _STARTING:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def _work(place: Place, run: str, endpoint: Endpoint | None, stop: Any) -> None:
    local = as_local(stop)
    manager = RunManager(Store(place.store), lambda name: Workspace(place.folder, place.sources))
    manager.work(run, endpoint, local)


def as_local(stop: Any) -> threading.Event:
    """Return an event of this process that is set as soon as one of several processes is."""
    local = threading.Event()

    def listen() -> None:
        stop.wait()
        local.set()

    threading.Thread(target=listen, daemon=True).start()
    return local
