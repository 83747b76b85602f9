"""A function applied to lists of items: in threads, in processes or on a cluster."""

from __future__ import annotations

import contextvars
import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import treeline.toolkit.cluster as cluster
from treeline.toolkit.context import ToolContext, current_context
from treeline.toolkit.items import Outcome, Surroundings, collect, run_item
from treeline.toolkit.lists import require_equal


def each(function: Callable[..., Any], *lists: Sequence[Any], label: str = "") -> list[Any]:
    """Apply a function to the items of lists of one length and return the results in order.

    In threads of this process; in worker processes of this machine when ``TREELINE_WORKERS`` says
    how many; on a dask scheduler when ``TREELINE_SCHEDULER`` gives its address. In processes the
    function and its arguments must be picklable, and an item whose worker dies is run again.

    Parameters
    ----------
    function : callable
        ``function(*items)``. It finds its own context in force, whose warnings and products are
        added to the caller's in the order of the items.
    label : str
        Of the progress.

    Raises
    ------
    InputError
        The lists differ in length.
    TreelineError
        The first fault of an item; it names the item, and no further item is started.
    Stopped
        The person stopped the work.
    """
    items = _items(lists)
    context = current_context()
    context.check_stop()
    if not items:
        return []
    run = cluster.run_items if cluster.is_wanted() else _in_threads
    outcomes = run(function, items, context, label)
    for outcome in outcomes:
        for warning in outcome.warnings:
            context.warn(warning)
        for doubt in outcome.doubts:
            context.doubt(doubt)
        context.products.extend(outcome.products)
    return [outcome.value for outcome in outcomes]


def _items(lists: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    require_equal("each", {f"list {number}": len(values) for number, values in enumerate(lists, start=1)})
    return list(zip(*lists, strict=True))


def _in_threads(
    function: Callable[..., Any], items: list[tuple[Any, ...]], context: ToolContext, label: str
) -> list[Outcome]:
    workers = max(1, min(context.threads, len(items)))
    surroundings = Surroundings.of(context, max(1, context.threads // workers))
    with ThreadPoolExecutor(workers, thread_name_prefix="item") as pool:

        def start(item: tuple[Any, ...]) -> Future[Outcome]:
            own = contextvars.copy_context()
            return pool.submit(own.run, run_item, function, item, surroundings, context.stop)

        try:
            return collect(_finish_in_threads(start, items, workers), len(items), context, label)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _finish_in_threads(
    start: Callable[[tuple[Any, ...]], Future[Outcome]], items: list[tuple[Any, ...]], workers: int
) -> Iterator[tuple[int, Future[Outcome]]]:
    # No more items wait than run, so that after a fault none is started.
    numbered = enumerate(items)
    running = {start(item): number for number, item in itertools.islice(numbered, workers)}
    while running:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future
            running.update({start(item): number for number, item in itertools.islice(numbered, 1)})
