"""The policy that plays recorded actions: for experiments, and for stepping through a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from treeline.core.engine.actions import Action, Decision
from treeline.core.engine.events import Event, StepStarted
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

    @classmethod
    def of_events(cls, events: Iterable[Event]) -> Replay:
        """Return the replay of a recorded run.

        A step that was chosen again, because the run was interrupted before its observation,
        counts once, as it was chosen last.
        """
        chosen = {event.step: event for event in events if isinstance(event, StepStarted)}
        return cls(Decision(chosen[n].action, chosen[n].thought, chosen[n].tokens) for n in sorted(chosen))

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
