"""The order of work: windows, threads, and how much is in flight."""

from __future__ import annotations

import contextvars
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from rasterio.windows import Window

from treeline.toolkit.context import current_context
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.raster.settings import STREAM_BYTES, TILE, WINDOW

Result = TypeVar("Result")
FLOAT32_BYTES = 4
SIDES = (2 * WINDOW, WINDOW, TILE, TILE // 2, TILE // 4)


@dataclass(frozen=True)
class Plan:
    """The windows of a stream and how many of them may be in work at once.

    Attributes
    ----------
    windows : tuple of Window
        Multiples of the output's tiles, in the order of writing.
    piece_rows : int
        How many rows of a window are computed at a time.
    """

    windows: tuple[Window, ...]
    piece_rows: int
    threads: int
    in_flight: int

    def pieces(self, window: Window) -> Iterator[Window]:
        """Yield the parts in which a window is computed.

        Raises
        ------
        Stopped
            The person stopped the work.
        """
        for piece in windows_of(window, self.piece_rows, window.width):
            current_context().check_stop()  # a window of full rows may take half a minute
            yield piece


def plan(reader: Reader, halo: int = 0) -> Plan:
    """Return windows that fit the files' blocks, the output's tiles and the memory.

    Square windows of 1024, or of 2048 with a halo, for which the tiles around a window are decoded too,
    and in a single thread, which has no use for many; full rows, computed in pieces, where the files are
    stored in strips.
    Many inputs make windows and pieces smaller, so that what is in flight stays within the budget.
    """
    grid, arrays = reader.grid, len(reader.sources) + 1
    threads = max(1, current_context().threads)
    limit = STREAM_BYTES // (threads * arrays * FLOAT32_BYTES)
    strip_rows = _strip_rows(reader)
    if strip_rows:
        rows, columns = TILE, grid.width
        piece_rows = _piece_rows(columns, strip_rows, limit)
    else:
        # With a halo, larger windows read fewer rows twice; a single thread has all of the memory for one.
        large = halo or threads == 1
        rows = columns = piece_rows = next((s for s in SIDES[not large :] if s * s <= limit), SIDES[-1])
    windows = tuple(windows_of(Window(0, 0, grid.width, grid.height), rows, columns))
    threads = min(threads, len(windows))
    window_bytes = FLOAT32_BYTES * columns * (rows + piece_rows * (arrays - 1))
    return Plan(windows, piece_rows, threads, max(threads, min(2 * threads, STREAM_BYTES // window_bytes)))


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
                    # Threads of a pool begin without the context variables of whoever submits, and one
                    # context cannot be entered twice at a time.
                    running.append(pool.submit(contextvars.copy_context().run, work, window))
                if not running:
                    return
                # In the order of the windows, whichever is ready first: writing goes on along the file.
                yield running.popleft().result()
        finally:
            # Where one failed or the consumer has stopped, those that wait are not begun.
            for future in running:
                future.cancel()


def _strip_rows(reader: Reader) -> int:
    """Return the rows of a stored block if blocks are as wide as the raster, else 0."""
    if reader.grid.width <= WINDOW:
        return 0
    with reader.datasets.lend(reader.sources[0].path) as opened:
        rows, columns = opened.block_shape
    return rows if columns >= reader.grid.width else 0


def _piece_rows(width: int, strip_rows: int, limit: int) -> int:
    # About as many pixels as a square window has: they fit the processor's cache.
    rows = max(1, min(limit, WINDOW * WINDOW) // width)
    whole_strips = -(-rows // strip_rows) * strip_rows
    return min(TILE, whole_strips)


def windows_of(area: Window, rows: int, columns: int) -> Iterator[Window]:
    """Yield the windows of a size that cover an area, row by row; smaller ones at its end."""
    for row in range(0, area.height, rows):
        for column in range(0, area.width, columns):
            size = min(columns, area.width - column), min(rows, area.height - row)
            yield Window(area.col_off + column, area.row_off + row, *size)
