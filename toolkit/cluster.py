"""Items of work on worker processes of this machine, or on a scheduler by its address."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from functools import lru_cache
from typing import Any

from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import BackendMissing, ResourceLost, Stopped, TreelineError
from treeline.toolkit.extras import import_optional
from treeline.toolkit.items import Outcome, Surroundings, collect, inside_item, run_item

POLL_SECONDS = 0.1
CONNECT_SECONDS = 10
# A worker that died is restarted within a few seconds.
WORKER_SECONDS = 60
# What is at work sees a stop at its next block.
END_SECONDS = 1.0
SCHEDULER, WORKERS = "TREELINE_SCHEDULER", "TREELINE_WORKERS"
# As the processes that work on runs do, workers let pages have the processor first.
_NICENESS = 5


def is_wanted() -> bool:
    """Return whether items go to other processes."""
    return not inside_item() and bool(os.environ.get(SCHEDULER) or os.environ.get(WORKERS))


def shared_settings() -> dict[str, str]:
    """Return the settings by which another process uses the workers of this one.

    Empty where it needs none: no workers are wanted, or it finds a scheduler by the settings that it has.
    Otherwise each process that works on a run would start as many workers as the settings say.

    Raises
    ------
    BackendMissing
        The workers cannot be started.
    """
    if not is_wanted() or os.environ.get(SCHEDULER):
        return {}
    return {SCHEDULER: _living_client().scheduler.address}


def check_workers() -> None:
    """Refuse settings whose workers cannot be used now; without settings threads of this process work.

    Raises
    ------
    BackendMissing
        There is no scheduler at the address, it has no worker, or the extra is not installed.
    """
    if is_wanted():
        client = _living_client()
        if not client.nthreads():
            raise _without_workers(client)


class RemoteStop(threading.Event):
    """The person's stop as an item sees it in another process: the scheduler is asked now and then."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._theirs = _distributed_library().Event(name)
        self._asked = 0.0

    def is_set(self) -> bool:
        """Return whether the person stopped the work."""
        if not super().is_set() and time.monotonic() - self._asked > POLL_SECONDS:
            self._asked = time.monotonic()
            if self._theirs.is_set():
                self.set()
        return super().is_set()


def run_items(
    function: Callable[..., Any], items: list[tuple[Any, ...]], context: ToolContext, label: str
) -> list[Outcome]:
    """Apply a function to the items and return the outcomes in order.

    A stop reaches the items that are at work; those that wait are taken back. An item whose worker
    dies is run again on another.

    Raises
    ------
    BackendMissing
        There is no scheduler at the address, or it has no worker.
    TreelineError
        The first fault of an item, its workers died again and again, or the scheduler was lost.
    Stopped
        The person stopped the work.
    """
    distributed = _distributed_library()
    client = _living_client()
    surroundings, name = Surroundings.of(context, 1), f"stop-{uuid.uuid4().hex}"
    # Not pure: dask would take two calls with equal arguments for one, and keep the result of an earlier
    # call.
    futures = [client.submit(_run_remotely, name, function, item, surroundings, pure=False) for item in items]
    what = label or "An item"
    try:
        return collect(_finished_items(client, futures, context), len(items), context, label)
    except (Stopped, TreelineError):
        _end(client, name, futures)
        raise
    except distributed.KilledWorker as fault:
        raise TreelineError(
            f"{what}: the workers died on it again and again ({fault.last_worker}).",
            "It may need more memory than a worker has; use fewer workers.",
        ) from None
    except (CancelledError, distributed.comm.CommClosedError):
        raise ResourceLost(
            f"{what}: the connection to the dask scheduler was lost.",
            "Start it again, or unset TREELINE_SCHEDULER, and repeat the call.",
        ) from None
    except ImportError as fault:
        raise TreelineError(
            f"{what}: a worker cannot load it ({fault}).", "Install Treeline where the workers run."
        ) from None
    finally:
        if client.status == "running":
            client.cancel(futures)


def _run_remotely(
    stop: str, function: Callable[..., Any], item: tuple[Any, ...], surroundings: Surroundings
) -> Outcome:
    return run_item(function, item, surroundings, RemoteStop(stop))


def _end(client: Any, name: str, futures: list[Any]) -> None:
    """Stop the items that are at work, and give them time to leave nothing half-written behind."""
    if client.status != "running":
        return
    distributed = _distributed_library()
    distributed.Event(name, client=client).set()
    with contextlib.suppress(distributed.TimeoutError, CancelledError, distributed.comm.CommClosedError):
        distributed.wait(futures, timeout=END_SECONDS)


def _finished_items(client: Any, futures: list[Any], context: ToolContext) -> Iterator[tuple[int, Any]]:
    numbers = {future.key: number for number, future in enumerate(futures)}
    waiting = _distributed_library().as_completed(futures)
    seen = time.monotonic()
    while not waiting.is_empty():
        context.check_stop()
        batch = list(waiting.next_batch(block=False))
        yield from ((numbers[future.key], future) for future in batch)
        if batch:
            seen = time.monotonic()
        else:
            seen = _find_last_contact(client, seen)
            context.stop.wait(POLL_SECONDS)


def _find_last_contact(client: Any, seen: float) -> float:
    """Return when the scheduler was last known to have a worker.

    Raises
    ------
    BackendMissing
        It has had none for a while.
    """
    now = time.monotonic()
    if now - seen < 1 or client.status != "running":
        return seen
    if client.nthreads():
        return now
    if now - seen > WORKER_SECONDS:
        raise _without_workers(client)
    return seen


def _without_workers(client: Any) -> ResourceLost:
    address = client.scheduler.address
    return ResourceLost(
        f"The dask scheduler at {address!r} has no worker.", f"Start one: `dask worker {address}`."
    )


def _living_client() -> Any:
    """Return the client of the settings, connected again if its scheduler was lost."""
    settings = os.environ.get(SCHEDULER, ""), os.environ.get(WORKERS, "")
    # Runs begin in threads: two that come first must not start a cluster each.
    with _connecting:
        client = _client(*settings)
        if client.status != "running":
            _client.cache_clear()
            client = _client(*settings)
        return client


_connecting = threading.Lock()


@lru_cache(maxsize=1)
def _client(scheduler: str, workers: str) -> Any:
    distributed = _distributed_library()
    # What goes wrong comes to us as errors.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if not scheduler:
        return _local_client(_worker_count(workers))
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as fault:
        raise ResourceLost(
            f"TREELINE_SCHEDULER is {scheduler!r}, where no dask scheduler answers ({fault}).",
            "Start one with `dask scheduler`, or unset the variable.",
        ) from None
    atexit.register(client.close)
    return client


def _local_client(count: int) -> Any:
    """Return the client of a cluster of this machine.

    Its workers are started by a command: a child of this process would run our main module first, which
    may be a page.
    """
    distributed = _distributed_library()
    cluster = distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0")
    command = [sys.executable, "-P", "-m", "dask", "worker", cluster.scheduler_address]
    command += ["--nworkers", str(count), "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard"]
    # What this process can import they can, and nothing besides: -P leaves out the current folder.
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": path, "DASK_LOGGING__DISTRIBUTED": "critical"}
    workers = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environment)
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, workers.pid, os.getpriority(os.PRIO_PROCESS, 0) + _NICENESS)
    client = distributed.Client(cluster)
    for close in (cluster.close, workers.wait, workers.terminate, client.close):  # called from the last on
        atexit.register(close)
    return client


def _distributed_library() -> Any:
    return import_optional("distributed", "cluster")


def _worker_count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise BackendMissing(
            f"TREELINE_WORKERS is {text!r}.", "Set it to how many worker processes to start."
        )
    return int(text)
