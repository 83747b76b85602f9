"""Places that people share in turn: what one person asks for keeps nobody else waiting for its end."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """So many places; whoever holds the fewest comes first, and of these who waits longest.

    Parameters
    ----------
    places : int
    each : int
        How many one person holds at most.
    """

    def __init__(self, places: int, each: int) -> None:
        self._free, self._each = places, each
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[object, str]] = []
        self._changed = threading.Condition()

    @contextmanager
    def take(self, who: str) -> Iterator[None]:
        """Hold a place for somebody, as soon as it is the person's turn."""
        waits = (object(), who)
        with self._changed:
            self._waiting.append(waits)
            try:
                self._changed.wait_for(lambda: self._next() is waits)
                self._free -= 1
                self._held[who] += 1
            finally:
                self._waiting.remove(waits)
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._held[who] -= 1
                self._held += Counter()  # nobody who holds none is remembered
                self._changed.notify_all()

    def _next(self) -> tuple[object, str] | None:
        """Return who of those that wait comes next, or ``None``."""
        able = [waits for waits in self._waiting if self._held[waits[1]] < self._each]
        return min(able, key=lambda waits: self._held[waits[1]]) if self._free and able else None
