"""What a model is writing, told to people while it comes: seldom enough for a record, and never too long."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from treeline.core.engine.events import Draft

TellDraft = Callable[[Draft], None]
"""Takes what has come of a message so far."""

_INTERVAL = 0.4
_LONGEST = 4_000


def tell_nobody(draft: Draft) -> None:
    """Take what has come of a message, and do nothing."""


def seldom(tell: TellDraft, interval: float = _INTERVAL) -> TellDraft:
    """Return a function that tells a draft at most once in so many seconds, and of long ones the end."""
    last = -interval

    def tell_seldom(draft: Draft) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= interval and (draft.thought or draft.calls):
            last = now
            calls = tuple(call[-_LONGEST:] for call in draft.calls)
            tell(replace(draft, thought=draft.thought[-_LONGEST:], calls=calls))

    return tell_seldom
