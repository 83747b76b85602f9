"""What every decision passes before it is carried out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from treeline.core.engine.actions import Decision, Observation
from treeline.core.engine.state import State

DENIED = "Denied"


@dataclass(frozen=True, slots=True)
class Denial:
    """A decision that is not carried out, with the reason that the policy is told."""

    reason: str

    def observation(self) -> Observation:
        """Return what the policy observes."""
        return Observation(
            "refusal",
            f"A person denied this call: {self.reason.rstrip('.')}.",
            hint="Take another way, or answer with what the steps before it gave.",
            error=DENIED,
        )


Gate = Callable[[Decision, State, threading.Event], Decision | Denial]
"""Returns the decision as it is to be carried out, or why it is not; it may wait for a person."""


def let_pass(decision: Decision, state: State, stop: threading.Event) -> Decision:
    """Return the decision as it is."""
    return decision
