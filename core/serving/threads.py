"""Threads in which routes work: so many of each person, whoever else asks for how much.

Streamlit and the gate share forty for all; whoever had forty slow answers made would stop the whole server.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, to_thread

Result = TypeVar("Result")

# As many tiles as a browser asks for at the same time of one server.
_EACH = 6


class Threads:
    """Threads of one kind of work."""

    def __init__(self) -> None:
        # Anybody may come; of who waits for nothing, nothing is kept.
        self._limiters: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()

    async def run(self, who: str, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function in a thread of somebody's; it knows whose request it is."""
        limiter = self._limiters.get(who)
        if limiter is None:
            self._limiters[who] = limiter = CapacityLimiter(_EACH)
        return await to_thread.run_sync(partial(function, *arguments), limiter=limiter)
