"""The policy that plays recorded actions: for experiments and for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from treeline.core.engine.actions import Action, Decision
from treeline.core.engine.state import State
from treeline.toolkit.errors import InputError


class Replay:
    """Plays actions in order; after step n comes action n + 1, so that a resumed run goes on.

    Parameters
    ----------
    actions : iterable of Action or Decision
        A decision keeps its thought and its tokens.
    """

    name = "replay"

    def __init__(self, actions: Iterable[Action | Decision]) -> None:
        self._decisions = tuple(a if isinstance(a, Decision) else Decision(a) for a in actions)

    def decide(self, state: State, notify: Callable[[str], None], stop: threading.Event) -> Decision:
        """Return the recorded action that follows the state's last step.

        Raises
        ------
        InputError
            The record is at its end and had no answer.
        """
        if len(state.steps) >= len(self._decisions):
            raise InputError(
                f"The record ends after {len(self._decisions)} actions without an answer.",
                "Record the run to its end.",
            )
        return self._decisions[len(state.steps)]
