"""Asking a question from Python: the rasters in, the run result out.

>>> from treeline.core.runs.asking import ask
>>> ask("What is the mean NDVI on 2021-06-01?", ["rasters/"]).value  # doctest: +SKIP
0.41
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeline.core.engine.events import Event
from treeline.core.home import store_url
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.names import COMMAND_LINE
from treeline.core.runs.options import RunOptions
from treeline.core.runs.places import workspace_of
from treeline.core.runs.reporting import run_result
from treeline.core.runs.result import RunResult
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace
from treeline.core.workspace.area import NONE, area_of
from treeline.toolkit.errors import InputError


def ask(
    question: str,
    data: Sequence[str | Path],
    *,
    endpoint: Endpoint | None = None,
    on_event: Callable[[Event], None] | None = None,
    manager: RunManager | None = None,
    aoi: str | None = None,
    attend: Callable[[RunManager, str], None] | None = None,
    **options: Any,
) -> RunResult:
    """Work on a question to its end and return the result.

    Parameters
    ----------
    question : str
        In plain words.
    data : sequence of str or Path
        Rasters, or folders of them, that are read in place.
    endpoint : Endpoint, optional
        What a language model is asked at; by default that of the environment.
    on_event : callable, optional
        Told of each event as it happens.
    manager : RunManager, optional
        By default one over the store of the settings.
    aoi : str
        The area of interest, see :func:`treeline.core.workspace.area.area_of`; ``none`` for none. A question
        that follows another has that one's unless it is given another.
    attend : callable
        Leads a person through the run, who chooses or approves its steps; the run is worked on meanwhile.
    **options
        Fields of :class:`~treeline.core.runs.options.RunOptions`, such as ``choices``, ``policy``, ``out``.

    Returns
    -------
    RunResult
        What ``treeline ask --json`` prints. A question that was declined has one too.

    Raises
    ------
    InputError
        There is nothing at a path, no raster in the data, or an option has no such value.
    BackendMissing
        A language model is wanted and none is set.
    """
    settings = _options(data, options)
    manager = manager or run_manager()
    manager.on_event = on_event or manager.on_event
    workspace = workspace_over(manager, data)
    settings = replace(settings, aoi=area_option(aoi, workspace))
    run = manager.create(COMMAND_LINE, question, settings, endpoint=endpoint)
    work_to_end(manager, run, endpoint, attend)
    return run_result(manager.store, run)


def work_to_end(
    manager: RunManager,
    run: str,
    endpoint: Endpoint | None = None,
    attend: Callable[[RunManager, str], None] | None = None,
) -> None:
    """Work on a recorded run to its end, in the background where somebody attends to it."""
    if attend is None:
        manager.work(run, endpoint)
        return
    manager.launch(run, lambda stop: manager.work(run, endpoint, stop))
    try:
        attend(manager, run)
    finally:
        # Where the person left in the middle (Ctrl-C), the run would go on in a thread that nobody sees; to
        # one that has ended it does nothing.
        manager.stop(run)
        manager.wait(run)


def workspace_over(manager: RunManager, data: Sequence[str | Path]) -> Workspace:
    """Return the workspace of a question on rasters that are read in place.

    Raises
    ------
    InputError
        There is nothing at a path, or no raster in the data.
    """
    for path in data:
        if not Path(path).exists():
            raise InputError(f"There is nothing at {str(path)!r}.", "Give a folder or a GeoTIFF that exists.")
    workspace = manager.workspace(COMMAND_LINE, _resolve(data))
    require_rasters(workspace)
    return workspace


def area_option(text: str | None, workspace: Workspace) -> dict[str, Any] | None:
    """Return what the options of a run keep of an area of interest that is given as text.

    Raises
    ------
    InputError
        See :func:`treeline.core.workspace.area.area_of`.
    """
    if text is None:
        return None
    return {} if text.strip().casefold() == NONE else area_of(text, workspace).to_json()


def _resolve(data: Sequence[str | Path]) -> tuple[str, ...]:
    return tuple(str(Path(path).resolve()) for path in data)


def run_manager() -> RunManager:
    """Return a run manager over the store of the settings."""
    return RunManager(Store(store_url()), workspace_of)


def _options(data: Sequence[str | Path], options: dict[str, Any]) -> RunOptions:
    known = RunOptions.__dataclass_fields__
    unknown = [name for name in options if name not in known]
    if unknown:
        raise InputError(f"A question has no option {unknown[0]!r}.", f"There are {', '.join(known)}.")
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}
    given = RunOptions(**values)
    return replace(
        given,
        data=_resolve(data),
        out=str(Path(given.out).resolve()) if given.out else "",
        # A round learns from the one before by way of the memory.
        memory="own" if given.rounds > 1 and given.memory == "off" else given.memory,
    )


def require_rasters(workspace: Workspace) -> None:
    """Refuse data without one usable raster or vector file.

    Raises
    ------
    InputError
        There is none; says what is wrong with the first three files.
    """
    if workspace.rasters:
        return
    if workspace.problems:
        raise InputError(" ".join(list(workspace.problems.values())[:3]))
    if workspace.vector_files():
        return
    raise InputError(
        "There is no raster in the data.",
        "Give GeoTIFF, JPEG 2000, PNG, JPEG, NetCDF or HDF5 files, or archives of them.",
    )
