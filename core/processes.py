"""Processes beside this one: how they start and stop.

This module is light, so that the server that they are forked from can be started before anything
else is loaded.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_PRELOADED = "treeline.core.runs.preloading"

# Enough that a page gets the processor when it wants it, and little enough that work goes on under load.
_NICENESS = 5
# Of linux/prctl.h.
_SET_DUMPABLE = 4

# What a child is told of the main module.
_MAIN = ("init_main_from_name", "init_main_from_path")

_changing, _of_thread = threading.Lock(), threading.local()


def process_context() -> Any:
    """Return how processes are started: forked from a server that has everything in memory."""
    import multiprocessing  # most commands start no process

    context: Any = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
    if sys.platform != "win32":
        context.set_forkserver_preload([_PRELOADED])
    return context


def share_fork_server() -> None:
    """Start processes from the server that this one was forked from.

    The library would start a second server here, which takes seconds to have everything in memory.
    """
    from multiprocessing import forkserver  # there is none on Windows

    server: Any = forkserver._forkserver
    if server._forkserver_address is not None and server._forkserver_pid is None:
        server.ensure_running = lambda: None


@contextmanager
def without_main() -> Iterator[None]:
    """Keep the main module from processes that this thread starts: a child would run it, a page for example.

    To hide the module itself would not do: Streamlit puts another one in its place whenever any thread begins
    to draw a page.
    """
    _leave_out_main_where_hidden()
    _of_thread.hides_main = True
    try:
        yield
    finally:
        _of_thread.hides_main = False


def _leave_out_main_where_hidden() -> None:
    from multiprocessing import spawn

    library: Any = spawn
    with _changing:
        if hasattr(library.get_preparation_data, "may_hide_main"):
            return
        whole = library.get_preparation_data

        def prepare(name: str) -> dict[str, Any]:
            hidden = _MAIN if getattr(_of_thread, "hides_main", False) else ()
            return {key: value for key, value in whole(name).items() if key not in hidden}

        prepare.may_hide_main = True  # type: ignore[attr-defined]
        library.get_preparation_data = prepare


def give_way() -> None:
    """Let other processes come first, so that pages stay quick while this one computes."""
    if sys.platform != "win32":
        os.nice(_NICENESS)


def limit_memory(more: int) -> None:
    """Let this process take so many bytes of addresses beyond those it has; 0 takes the limit away.

    Libraries, stacks and what is only reserved count, so the limit has to be generous.
    """
    if sys.platform == "win32":
        return
    import resource  # there is none on Windows

    import psutil

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(
        resource.RLIMIT_AS, (psutil.Process().memory_info().vms + more if more else most, most)
    )


def close_memory() -> None:
    """Refuse other processes of this account to read this one's memory and first environment.

    Whoever may read any process, as root may, is not kept out.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def local_event(stop: Any) -> threading.Event:
    """Return an event of this process that is set as soon as one of several processes is."""
    local = threading.Event()

    def listen() -> None:
        stop.wait()
        local.set()

    threading.Thread(target=listen, daemon=True).start()
    return local
