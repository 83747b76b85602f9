"""What a model is writing, shown to people while it comes: seldom enough for a record."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from treeline.core.engine.events import Draft

TellDraft = Callable[[Draft], None]
"""Takes what has come of a message so far."""

_INTERVAL = 0.4


def tell_nobody(draft: Draft) -> None:
    """Take what has come of a message, and do nothing."""


class SeldomTeller:
    """Tells a draft at most once in so many seconds.

    What came since then waits, and is shown once it is due, though nothing more comes.

    Parameters
    ----------
    tell : callable
    interval : float
        Seconds.

    Attributes
    ----------
    begun : bool
        Something has come.
    """

    def __init__(self, tell: TellDraft, interval: float = _INTERVAL) -> None:
        self._tell, self._interval = tell, interval
        self._last = -interval
        self._waiting: Draft | None = None
        self.begun = False
        self._lock = threading.Lock()  # what comes and who waits for it are in two threads

    def __call__(self, draft: Draft) -> None:
        """Take what has come of a message."""
        self.begun = True
        with self._lock:
            self._waiting = draft if draft.thought or draft.calls else None
        self.tell_due()

    def tell_due(self) -> None:
        """Tell what waits, if it is due."""
        with self._lock:
            draft, now = self._waiting, time.monotonic()
            if draft is None or now - self._last < self._interval:
                return
            self._last, self._waiting = now, None
            self._tell(draft)
