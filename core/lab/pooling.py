"""Jobs of a bench in parallel, in processes or in threads, until all are done or it is stopped."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from typing import Any, TypeVar

from treeline.core.logs import keep_traceback, set_up_logging
from treeline.core.processes import local_event, process_context, without_main

Item = TypeVar("Item")
Result = TypeVar("Result")
Job = Callable[[Item, threading.Event], Result]

# A result wakes the loop at once; only the event of a person is looked for in this rhythm.
_POLL_SECONDS = 0.1
_stopped = threading.Event()


@dataclass
class _Pool:
    """An executor with what stops its jobs."""

    executor: Executor
    submit: Callable[..., Future[Any]]
    stop: Any


def work_through(
    items: Sequence[Item], job: Job[Item, Result], workers: int, stop: threading.Event, *, threads: bool
) -> Iterator[Result]:
    """Yield the results of a job on each item, as they come.

    Parameters
    ----------
    job : callable
        ``job(item, stop)``; a function of a module, or of picklable parts, for processes.
    workers : int
        So many at the same time; with one, or with one item, nothing is started beside this thread.
    stop : threading.Event
        Set to end it: no further item is begun, and those at work are stopped.
    threads : bool
        In threads of this process: for jobs that wait for an endpoint.
    """
    if workers <= 1 or len(items) < 2:
        for item in items:
            if stop.is_set():
                return
            yield job(item, stop)
        return
    with _pool(min(workers, len(items)), threads) as pool:
        yield from _results(iter(items), job, workers, stop, pool)


def _results(
    items: Iterator[Item], job: Job[Item, Result], workers: int, stop: threading.Event, pool: _Pool
) -> Iterator[Result]:
    """Keep the workers fed, but not far ahead, so that a stop takes effect at once."""
    running: set[Future[Result]] = set()
    try:
        while True:
            while (
                # One more than there are workers, so that none of them waits for this loop.
                len(running) < workers + 1 and not stop.is_set() and (item := next(items, None)) is not None
            ):
                running.add(pool.submit(job, item))
            if not running:
                return
            done, running = wait(running, _POLL_SECONDS, FIRST_COMPLETED)
            if stop.is_set():
                pool.stop.set()
            for future in done:
                yield future.result()
    finally:
        pool.stop.set()
        for future in running:
            future.cancel()


@contextmanager
def _pool(workers: int, threads: bool) -> Iterator[_Pool]:
    if threads:
        stop = threading.Event()
        with ThreadPoolExecutor(workers, thread_name_prefix="bench") as executor:
            yield _Pool(executor, lambda job, item: executor.submit(job, item, stop), stop)
        return
    context = process_context()
    shared = context.Event()
    with ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(shared,)) as processes:

        def submit(job: Job[Any, Any], item: Any) -> Future[Any]:
            with without_main():
                return processes.submit(_in_process, job, item)

        yield _Pool(processes, submit, shared)


def _begin(shared: Any) -> None:
    global _stopped
    _stopped = local_event(shared)
    set_up_logging()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that started it is killed; nobody would take its results."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _in_process(job: Job[Item, Result], item: Item) -> Result:
    try:
        return job(item, _stopped)
    except Exception as error:
        # A traceback is lost where an exception is sent to another process.
        keep_traceback(error)
        raise
