"""The limits of a run."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from treeline.core.engine.state import State
from treeline.toolkit.errors import InputError


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits; ``None`` means none.

    Attributes
    ----------
    steps : int
        Actions, the answer not counted.
    tokens : int
        Input and output tokens of the language model.
    seconds : float
        Time since the run started or was resumed.
    money : float
        What the tokens may cost; :class:`treeline.core.runs.spending.PricedBudget` knows the prices.
    """

    # Decisions, to be raised by whoever asks: they end a run that goes round in circles.
    steps: int | None = 60
    tokens: int | None = 400_000
    seconds: float | None = 900.0
    money: float | None = None

    def check(self) -> None:
        """Refuse limits under which nothing can be done.

        Raises
        ------
        InputError
        """
        for name in ("steps", "tokens", "seconds", "money"):
            limit = getattr(self, name)
            if limit is not None and not 0 < limit < float("inf"):
                raise InputError(f"A budget of {limit:g} {name} allows nothing.", "Give a number above 0.")

    def limit_reached(self, state: State, seconds: float) -> str:
        """Return which limit is reached, in a sentence; empty while there is room."""
        used = state.tokens.input + state.tokens.output
        if self.steps is not None and len(state.steps) >= self.steps:
            return f"The budget of {self.steps} steps is used up. {ask_with_more('steps')}"
        if self.tokens is not None and used >= self.tokens:
            return (
                f"The budget of {self.tokens:,} tokens is used up ({used:,} used). {ask_with_more('tokens')}"
            )
        if self.seconds is not None and seconds >= self.seconds:
            return f"The budget of {self.seconds:g} seconds is used up. Resume the run for as many again."
        return ""


def ask_with_more(of: str) -> str:
    """Return what helps where as much is used up as a run may have, however often it is resumed."""
    return f"Ask again with a budget of more {of}, or ask for less at once."


class Deadline(threading.Event):
    """An event that is set once another one is, or once a moment has come: what waits then ends.

    Parameters
    ----------
    stop : threading.Event
    moment : float, optional
        By the monotonic clock; without one only the other event counts.
    """

    def __init__(self, stop: threading.Event, moment: float | None = None) -> None:
        super().__init__()
        self._stop = stop
        self._moment = moment

    @property
    def is_over(self) -> bool:
        """Whether the moment has come."""
        return self._moment is not None and time.monotonic() >= self._moment

    def is_set(self) -> bool:
        """Return whether what waits has to end."""
        return self._stop.is_set() or self.is_over

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has to end, seconds at most, and return whether it has."""
        left = None if self._moment is None else max(0.0, self._moment - time.monotonic())
        self._stop.wait(min((each for each in (timeout, left) if each is not None), default=None))
        return self.is_set()
