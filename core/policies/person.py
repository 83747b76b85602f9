"""The policy that waits for a person's actions."""

from __future__ import annotations

import threading
from collections.abc import Callable

from treeline.core.engine.actions import Decision
from treeline.core.engine.events import DecisionAwaited, DecisionGiven
from treeline.core.engine.state import State
from treeline.core.policies.names import PERSON
from treeline.toolkit.errors import InputError


class Person:
    """Takes the action that a person gives for each step; waits until there is one.

    Parameters
    ----------
    ask : callable
        Tells the person what is awaited and returns the word, see :class:`treeline.core.engine.waiting.Desk`.
    """

    name = PERSON

    def __init__(self, ask: Callable[[DecisionAwaited, threading.Event], DecisionGiven]) -> None:
        self._ask = ask

    def decide(self, state: State, notify: Callable[[str], None], stop: threading.Event) -> Decision:
        """Return the action that the person gives.

        Raises
        ------
        Stopped
        """
        given = self._ask(DecisionAwaited(len(state.steps) + 1), stop)
        if given.action is None:
            raise InputError(
                "A person gave no action.", "Open a kit, read a document, call a tool or answer."
            )
        return Decision(given.action, given.thought)
