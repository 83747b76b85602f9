"""Items of work on worker processes of this machine, or on a scheduler by its address."""

from __future__ import annotations

import atexit
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from toolkit.context import ToolContext
from toolkit.errors import InputError, Stopped, TreelineError
from toolkit.items import Outcome, Surroundings, collected, inside_item, run_item

POLL_SECONDS = 0.1


def is_wanted() -> bool:
    """Return whether items go to other processes."""
    return not inside_item() and bool(
        os.environ.get("TREELINE_SCHEDULER") or os.environ.get("TREELINE_WORKERS")
    )


class RemoteStop(threading.Event):
    """The person's stop as an item sees it in another process: the scheduler is asked now and then."""

    def __init__(self, name: str) -> None:
        from distributed import Event

        super().__init__()
        self._theirs = Event(name)
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
    TreelineError
        The first fault of an item, or its workers died again and again.
    Stopped
        The person stopped the work.
    """
    from distributed import Event, KilledWorker

    client = _client(os.environ.get("TREELINE_SCHEDULER", ""), os.environ.get("TREELINE_WORKERS", ""))
    surroundings, name = Surroundings.of(context, 1), f"stop-{uuid.uuid4().hex}"
    futures = [client.submit(_run_remotely, name, function, item, surroundings, pure=False) for item in items]
    try:
        return collected(_finished(futures, context), len(items), context, label)
    except Stopped:
        Event(name, client=client).set()
        raise
    except KilledWorker as fault:
        raise TreelineError(
            f"{label or 'An item'}: the workers died on it again and again ({fault.last_worker}).",
            "It may need more memory than a worker has; use fewer workers.",
        ) from None
    finally:
        client.cancel(futures)


def _run_remotely(
    stop: str, function: Callable[..., Any], item: tuple[Any, ...], surroundings: Surroundings
) -> Outcome:
    return run_item(function, item, surroundings, RemoteStop(stop))


def _finished(futures: list[Any], context: ToolContext) -> Iterator[tuple[int, Any]]:
    from distributed import as_completed

    numbers = {future.key: number for number, future in enumerate(futures)}
    waiting = as_completed(futures)
    while not waiting.is_empty():
        context.check_stop()
        batch = list(waiting.next_batch(block=False))
        yield from ((numbers[future.key], future) for future in batch)
        if not batch:
            context.stop.wait(POLL_SECONDS)


@lru_cache(maxsize=1)
def _client(scheduler: str, workers: str) -> Any:
    from distributed import Client, LocalCluster

    if scheduler:
        client = Client(scheduler)
    else:
        cluster = LocalCluster(
            n_workers=_worker_count(workers), threads_per_worker=1, dashboard_address="127.0.0.1:0"
        )
        atexit.register(cluster.close)
        client = Client(cluster)
    atexit.register(client.close)
    return client


def _worker_count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise InputError(f"TREELINE_WORKERS is {text!r}.", "Set it to how many worker processes to start.")
    return int(text)
