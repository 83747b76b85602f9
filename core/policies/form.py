"""The policy of a tool that is run by its form: its document, the call, and what the call gave."""

from __future__ import annotations

import threading
from collections.abc import Callable

from treeline.core.engine.actions import Answer, Call, Decision, Doc
from treeline.core.engine.state import State

_LONGEST = 400


class Form:
    """Makes one call.

    Parameters
    ----------
    call : Call
    """

    name = "form"

    def __init__(self, call: Call) -> None:
        self.call = call

    def decide(self, state: State, notify: Callable[[str], None], stop: threading.Event) -> Decision:
        """Return the next of the three actions."""
        made = state.calls
        if made:
            last = made[-1]
            text = last.observation.text[:_LONGEST]
            return Decision(Answer(text, evidence=(last.number,), declined=not last.observation.is_success))
        return Decision(self.call if self.call.tool in state.documents else Doc(self.call.tool))
