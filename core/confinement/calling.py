"""Calls that are made in a confined process where that is switched on, and here where not."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar, cast

from treeline.core.confinement.network import can_cut_network
from treeline.core.confinement.worker import Died, TooLong, Worker
from treeline.toolkit.errors import InputError, RasterUnreadable
from treeline.toolkit.limits import Limits

Result = TypeVar("Result")

# A library may keep memory for itself; a process that has done so many calls is replaced.
_MOST_CALLS = 1_000

SETTING = "TREELINE_CONFINEMENT"
_LOG = logging.getLogger(__name__)

_confining = False


class Workers:
    """So many confined processes at most; each makes one call at a time."""

    def __init__(self, places: int) -> None:
        self._free: list[Worker] = []
        self._places = threading.Semaphore(places)

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], limits: Limits) -> Any:
        """Make a call in one of them."""
        with self._lend(limits) as worker:
            return worker.call(function, arguments, limits.seconds)

    @contextmanager
    def _lend(self, limits: Limits) -> Iterator[Worker]:
        with self._places:
            worker = self._take(limits)
            try:
                yield worker
            finally:
                if worker.alive and worker.calls < _MOST_CALLS:
                    self._free.append(worker)
                else:
                    worker.end()

    def _take(self, limits: Limits) -> Worker:
        while self._free:
            worker = self._free.pop()
            if worker.alive and worker.limits == limits:
                return worker
            worker.end()
        return Worker(limits)


_WORKERS = Workers(max(os.cpu_count() or 1, 2))
# What takes minutes has a place of its own, so that nothing short waits for it.
_PATIENT = Workers(1)
_PATIENCE = 60


def confine() -> None:
    """Make calls in confined processes from now on.

    Raises
    ------
    InputError
        The network cannot be cut off on this machine, and nobody has said that this is meant.
    """
    global _confining
    if os.environ.get(SETTING, "") == "off":
        _LOG.warning("%s is off: files of others are opened in the server itself.", SETTING)
        return
    if not can_cut_network():
        raise InputError(
            "The files of a team are opened without network, which cannot be cut off on this machine.",
            f"Use Linux on x86-64 or ARM64, or set {SETTING}=off and take the risk.",
        )
    _confining = True


def is_confining() -> bool:
    """Return whether calls are made in confined processes."""
    return _confining


def call(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function that reads what others wrote; it, its arguments and its result are picklable.

    Raises
    ------
    RasterUnreadable
        It took too long, or the process was ended.
    """
    return _call(_WORKERS, Limits.from_environment(), function, *arguments)


def call_patiently(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function that takes minutes, such as one that copies a raster; see :func:`call`.

    Raises
    ------
    RasterUnreadable
        It took sixty times as long as a call may, or the process was ended.
    """
    limits = Limits.from_environment()
    return _call(_PATIENT, replace(limits, seconds=limits.seconds * _PATIENCE), function, *arguments)


def _call(workers: Workers, limits: Limits, function: Callable[..., Result], *arguments: Any) -> Result:
    if not _confining:
        return function(*arguments)
    try:
        return cast(Result, workers.call(function, arguments, limits))
    except TooLong:
        raise RasterUnreadable(
            f"Reading it takes longer than {limits.seconds} seconds, which is as long as is waited.",
            "Cut it, or write it anew as a tiled GeoTIFF with overviews.",
        ) from None
    except Died:
        raise RasterUnreadable(
            f"Reading it ended the process that did so; it may need more than {limits.memory / 2**30:.3g} "
            "GiB of memory, or be damaged.",
            "Cut it, or write it anew as a tiled GeoTIFF with overviews.",
        ) from None
