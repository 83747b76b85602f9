"""Calls that are made in a confined process where that is switched on, and here where not."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar, cast

from treeline.core.confinement.network import can_cut_network
from treeline.core.confinement.turns import Turns
from treeline.core.confinement.worker import Attendant, TooLong, Worker, WorkerDied
from treeline.toolkit.errors import InputError, RasterUnreadable, Stopped, TreelineError
from treeline.toolkit.isolation import set_reader
from treeline.toolkit.limits import Limits

Result = TypeVar("Result")

# A library may keep memory for itself; a process that has done so many calls is replaced.
_MOST_CALLS = 1_000

SETTING = "TREELINE_CONFINEMENT"
_LOG = logging.getLogger(__name__)

_confining = False
_tool_memory = 0


def _nobody() -> str:
    return ""


_asker: Callable[[], str] = _nobody


class Workers:
    """So many confined processes at most; each makes one call at a time.

    Parameters
    ----------
    each : int, optional
        How many one person has at most; all where it is not said.
    patient : bool
        See :class:`~treeline.core.confinement.worker.Worker`.
    """

    def __init__(self, places: int, each: int | None = None, *, patient: bool = False) -> None:
        self._patient = patient
        self._free: deque[Worker] = deque()
        self._turns = Turns(places, places if each is None else each)

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        limits: Limits,
        attendant: Attendant | None = None,
    ) -> Any:
        """Make a call in one of the workers, which is replaced if it ends.

        Parameters
        ----------
        function : callable
            Importable, as its name goes to another process.
        arguments : tuple
            What can be pickled.
        limits : Limits
            Seconds and memory of the call.
        attendant : Attendant, optional
            Serves what the call asks back while it works.
        """
        with self._lend(limits) as worker:
            return worker.call(function, arguments, limits.seconds, attendant)

    @contextmanager
    def _lend(self, limits: Limits) -> Iterator[Worker]:
        with self._turns.take(_asker()):
            worker = self._take(limits)
            try:
                yield worker
            finally:
                if worker.alive and worker.calls < _MOST_CALLS:
                    self._free.append(worker)
                else:
                    worker.end()

    def _take(self, limits: Limits) -> Worker:
        while True:
            try:
                worker = self._free.pop()
            except IndexError:  # another thread may have taken the last one just now
                return Worker(limits, patient=self._patient)
            if worker.alive and worker.limits == limits:
                return worker
            worker.end()


# A file may be made to take all the time that there is: whoever draws it leaves one place to the others.
_EACH = max(os.cpu_count() or 1, 2)
_WORKERS = Workers(_EACH + 1, _EACH)
# What takes minutes has a place of its own, so that nothing short waits for it.
_PATIENT = Workers(1, patient=True)
_PATIENCE = 60
# How many runs and calls at once there may be is limited elsewhere.
_TOOLS = Workers(32, patient=True)


def confine(tool_memory: int = 0, asker: Callable[[], str] = _nobody) -> None:
    """Make calls in confined processes from now on.

    Parameters
    ----------
    tool_memory : int
        Bytes of a process in which a tool works; 0 for as many as one that reads a file has.
    asker : callable, optional
        Returns who makes a call, by whom turns are taken; empty for the server itself.

    Raises
    ------
    InputError
        The network cannot be cut off on this machine, and nobody has said that this is meant.
    """
    global _confining, _tool_memory, _asker
    _tool_memory, _asker = tool_memory, asker
    if os.environ.get(SETTING, "") == "off":
        _LOG.warning("%s is off: files of others are opened in the server itself.", SETTING)
        return
    if not can_cut_network():
        raise InputError(
            "The files of a team are opened without network, which cannot be cut off on this machine.",
            f"Use Linux on x86-64 or ARM64, or set {SETTING}=off and take the risk.",
        )
    _confining = True
    set_reader(call)


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


def call_and_attend(function: Callable[..., Result], attendant: Attendant, *arguments: Any) -> Result:
    """Call a tool's function, which is stopped and tells and asks while it works.

    Parameters
    ----------
    function : callable
        Takes a :class:`~treeline.core.confinement.worker.Line` to its attendant before the arguments.

    Raises
    ------
    TreelineError
        The process was ended, or took sixty times as long as reading a file may.
    Stopped
        The person stopped the work.
    """
    limits = Limits.from_environment()
    limits = replace(limits, seconds=limits.seconds * _PATIENCE, memory=_tool_memory or limits.memory)
    try:
        return cast(Result, _TOOLS.call(function, arguments, limits, attendant))
    except TooLong:
        if attendant.stop.is_set():
            raise Stopped("The work was stopped.") from None
        raise TreelineError(
            f"It takes longer than {limits.seconds} seconds, which is the limit.",
            "Ask of fewer or smaller rasters.",
        ) from None
    except WorkerDied as error:
        _LOG.warning("A process in which a tool worked was lost: %s", error)
        raise TreelineError(
            f"The process in which it worked was lost; it may need more than {limits.memory / 2**30:.3g} GiB "
            "of memory, or a file may be damaged.",
            "Ask of fewer or smaller rasters.",
        ) from None


def _call(workers: Workers, limits: Limits, function: Callable[..., Result], *arguments: Any) -> Result:
    if not _confining:
        return function(*arguments)
    try:
        return cast(Result, workers.call(function, arguments, limits))
    except TooLong:
        raise RasterUnreadable(
            f"Reading it takes longer than {limits.seconds} seconds, which is the limit.",
            "Cut it, or write it again as a tiled GeoTIFF with overviews.",
        ) from None
    except WorkerDied as error:
        _LOG.warning("A process that read a file was lost: %s", error)
        raise RasterUnreadable(
            f"Reading it ended the process that did so; it may need more than {limits.memory / 2**30:.3g} "
            "GiB of memory, or be damaged.",
            "Cut it, or write it again as a tiled GeoTIFF with overviews.",
        ) from None
