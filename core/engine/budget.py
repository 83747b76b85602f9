"""The limits of a run."""

from __future__ import annotations

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
    """

    # Decisions, to be raised by whoever asks: they end a run that goes round in circles.
    steps: int | None = 60
    tokens: int | None = 400_000
    seconds: float | None = 900.0

    def check(self) -> None:
        """Refuse limits under which nothing can be done.

        Raises
        ------
        InputError
        """
        for name, limit in (("steps", self.steps), ("tokens", self.tokens), ("seconds", self.seconds)):
            if limit is not None and not 0 < limit < float("inf"):
                raise InputError(f"A budget of {limit:g} {name} allows nothing.", "Give a number above 0.")

    def spent(self, state: State, seconds: float) -> str:
        """Return which limit is reached, in a sentence; empty while there is room."""
        used = state.tokens.input + state.tokens.output
        if self.steps is not None and len(state.steps) >= self.steps:
            return f"The budget of {self.steps} steps is used up."
        if self.tokens is not None and used >= self.tokens:
            return f"The budget of {self.tokens:,} tokens is used up ({used:,} used)."
        if self.seconds is not None and seconds >= self.seconds:
            return f"The budget of {self.seconds:g} seconds is used up."
        return ""
