"""The order of work: windows, threads, and how much is in flight."""

from __future__ import annotations

import contextvars
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from rasterio.windows import Window

from toolkit.context import current_context
from toolkit.raster.reading import Reader
from toolkit.raster.settings import STREAM_BYTES, TILE, WINDOW

Result = TypeVar("Result")
FLOAT32_BYTES = 4
STRIP_ROWS = (TILE, TILE // 2, TILE // 4, TILE // 8, TILE // 16)
SIDES = (WINDOW, TILE, TILE // 2, TILE // 4)


@dataclass(frozen=True)
class Plan:
    """The windows of a stream and how many of them may be in work at once."""

    windows: tuple[Window, ...]
    threads: int
    in_flight: int


def plan(reader: Reader) -> Plan:
    """Return windows that fit the files' blocks, the output's tiles and the memory.

    Square windows of 1024; full rows where the files are stored in strips. Many inputs make the
    windows smaller, so that what is in flight stays within the budget.
    """
    grid = reader.grid
    arrays = len(reader.sources) + 1
    threads = max(1, current_context().threads)
    rows, columns = _window_shape(reader, arrays, threads)
    windows = tuple(_windows(grid.height, grid.width, rows, columns))
    threads = min(threads, len(windows))
    block_bytes = rows * columns * arrays * FLOAT32_BYTES
    return Plan(windows, threads, max(threads, min(2 * threads, STREAM_BYTES // block_bytes)))


def stream(work: Callable[[Window], Result], blocks: Plan, label: str) -> Iterator[tuple[Window, Result]]:
    """Yield each window with its result, in order, while others are in work.

    Raises
    ------
    Stopped
        The person stopped the work.
    """
    context = current_context()
    results = _in_turn(work, blocks.windows) if blocks.threads == 1 else _in_threads(work, blocks)
    context.check_stop()
    for done, (window, result) in enumerate(zip(blocks.windows, results, strict=True), start=1):
        yield window, result
        context.progress(done, len(blocks.windows), label)
        if done < len(blocks.windows):
            context.check_stop()


def _in_turn(work: Callable[[Window], Result], windows: Sequence[Window]) -> Iterator[Result]:
    for window in windows:
        yield work(window)


def _in_threads(work: Callable[[Window], Result], blocks: Plan) -> Iterator[Result]:
    waiting = iter(blocks.windows)
    running: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(blocks.threads, thread_name_prefix="raster") as pool:
        try:
            while True:
                while len(running) < blocks.in_flight and (window := next(waiting, None)) is not None:
                    running.append(pool.submit(contextvars.copy_context().run, work, window))
                if not running:
                    return
                yield running.popleft().result()
        finally:
            for future in running:
                future.cancel()


def _window_shape(reader: Reader, arrays: int, threads: int) -> tuple[int, int]:
    width = reader.grid.width
    limit = STREAM_BYTES // (threads * arrays * FLOAT32_BYTES)
    if _in_strips(reader):
        return _largest(STRIP_ROWS, lambda rows: rows * width, limit), width
    side = _largest(SIDES, lambda side: side * side, limit)
    return side, side


def _largest(sizes: Sequence[int], pixels: Callable[[int], int], limit: int) -> int:
    return next((size for size in sizes if pixels(size) <= limit), sizes[-1])


def _in_strips(reader: Reader) -> bool:
    if reader.grid.width <= WINDOW:
        return False
    with reader.datasets.lend(reader.sources[0].path) as opened:
        return opened.block_shape[1] >= opened.dataset.width


def _windows(height: int, width: int, rows: int, columns: int) -> Iterator[Window]:
    for row in range(0, height, rows):
        for column in range(0, width, columns):
            yield Window(column, row, min(columns, width - column), min(rows, height - row))
