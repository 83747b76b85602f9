"""The policy that waits for a person's actions."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from treeline.core.engine.actions import Action, Decision
from treeline.core.engine.state import State
from treeline.toolkit.errors import Stopped

_STOP_INTERVAL = 0.1


class Person:
    """Takes actions that a person gives, in their order; waits while there is none."""

    name = "person"

    def __init__(self) -> None:
        self._given: queue.SimpleQueue[Decision] = queue.SimpleQueue()

    def give(self, action: Action, thought: str = "") -> None:
        """Add an action, from any thread."""
        self._given.put(Decision(action, thought))

    def decide(self, state: State, notify: Callable[[str], None], stop: threading.Event) -> Decision:
        """Return the next action that was given.

        Raises
        ------
        Stopped
        """
        while not stop.is_set():
            try:
                return self._given.get(timeout=_STOP_INTERVAL)
            except queue.Empty:
                continue
        raise Stopped("The run was stopped.")
