"""What a team is worth where no language model works on the question, as it was measured.

``treeline bench worth`` measures it again: 63 questions on the demo in an order with repeats, opposites and
neighbours. Whatever way is taken, the planner derives the same answer from the same expression; a team shows
how work is shared, and costs time.
"""

from __future__ import annotations

from dataclasses import dataclass

from treeline.core.teams.names import SOLO

QUESTIONS = 63


@dataclass(frozen=True, slots=True)
class Worth:
    """Share right in per cent, mean steps of all members, and mean time in that of one policy."""

    right: float
    steps: float
    times: float


MEASURED: dict[str, Worth] = {
    SOLO: Worth(100, 9.4, 1.0),
    "evolver": Worth(100, 13.1, 2.0),
    "layered": Worth(100, 10.2, 1.5),
}
EXPERIENCED = Worth(100, 10.0, 1.6)
"""The evolver with what it learned on the way."""
KNOWN_STEPS = 4.5
"""Its mean steps at questions of a kind that it knew."""


def hint_without_model(team: str) -> str:
    """Return what a person should know who chooses a team for the planner; empty for one policy alone."""
    if team not in MEASURED or team == SOLO:
        return ""
    alone, together = MEASURED[SOLO], MEASURED[team]
    text = (
        f"Without a language model a team finds no more than one policy: of {QUESTIONS} questions on a demo "
        f"{together.right:g} % right instead of {alone.right:g} %, in {together.steps:g} steps instead of "
        f"{alone.steps:g} and {together.times:g} times the time"
    )
    if team == "evolver":
        text += f"; {EXPERIENCED.times:g} times with experience, and {KNOWN_STEPS:g} steps at known kinds"
    return f"{text} (treeline bench worth)."
