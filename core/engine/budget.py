"""The limits of a run."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from treeline.core.engine.state import State
from treeline.toolkit.errors import InputError


@dataclass(frozen=True, slots=True)
class Spent:
    """A limit that is used up: its name in the budget, and what a person is told."""

    limit: str
    text: str


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

    def find_spent_limit(self, state: State, seconds: float) -> Spent | None:
        """Return which limit is used up; ``None`` while there is room."""
        used = state.tokens.input + state.tokens.output
        if self.steps is not None and len(state.steps) >= self.steps:
            told = "1 step" if self.steps == 1 else f"{self.steps} steps"
            return Spent("steps", f"The budget of {told} is used up. {go_on_with_more('steps')}")
        if self.tokens is not None and used >= self.tokens:
            told = f"The budget of {self.tokens:,} tokens is used up ({used:,} used)."
            return Spent("tokens", f"{told} {go_on_with_more('tokens')}")
        if self.seconds is not None and seconds >= self.seconds:
            told = f"The budget of {self.seconds:g} seconds is used up."
            return Spent("seconds", f"{told} Resume the run for as many again.")
        return None

    def with_more(self, more: Mapping[str, float]) -> Budget:
        """Return higher limits; what has no limit keeps none.

        Parameters
        ----------
        more : mapping
            How much is added, by the name of the limit.

        Raises
        ------
        InputError
            There is no such limit, or nothing is added.
        """
        names = [field.name for field in fields(Budget)]
        for name, added in more.items():
            if name not in names:
                raise InputError(f"A budget has no limit {name!r}.", f"It has {', '.join(names)}.")
            if not 0 < added < float("inf"):
                raise InputError(f"{added:g} more {name} are none.", "Give a number above 0.")
        limits = {name: getattr(self, name) for name in more}
        return replace(self, **{name: had + more[name] for name, had in limits.items() if had is not None})


def go_on_with_more(of: str) -> str:
    """Return what helps where as much is used up as a run may have, however often it is resumed."""
    return f"Go on with more {of}, or ask for less at once."


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
        # Both are asked each time, so that no thread has to wake up to set the flag of the base class.
        return self._stop.is_set() or self.is_over

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has to end, seconds at most, and return whether it has."""
        left = None if self._moment is None else max(0.0, self._moment - time.monotonic())
        self._stop.wait(min((each for each in (timeout, left) if each is not None), default=None))
        return self.is_set()
