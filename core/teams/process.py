"""A member's run in a process of its own, so that members work side by side and die alone."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import core.policies.planner  # noqa: F401  (loaded once in the server that the processes are forked from)
from core.runs import RunManager
from core.settings import Endpoint
from core.store import Store
from core.teams import executors  # noqa: F401
from core.workspace import Workspace
from toolkit import registry

# The same: every kit is in memory before the first process is forked.
registry()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run is recorded and what it reads."""

    store: str
    folder: Path
    sources: tuple[Path, ...]


def start_process(place: Place, run: str, endpoint: Endpoint | None) -> tuple[BaseProcess, Any]:
    """Start a recorded run in a process and return it with the event that stops it."""
    context: Any = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
    if sys.platform != "win32":
        context.set_forkserver_preload([__name__])
    stop = context.Event()
    process = context.Process(target=_work, args=(place, run, endpoint, stop), daemon=True)
    process.start()
    return process, stop


def _work(place: Place, run: str, endpoint: Endpoint | None, stop: Any) -> None:
    local = threading.Event()

    def listen() -> None:
        stop.wait()
        local.set()

    threading.Thread(target=listen, daemon=True).start()
    sources: Sequence[Path] = place.sources
    manager = RunManager(Store(place.store), lambda name: Workspace(place.folder, sources))
    manager.work(run, endpoint, local)
