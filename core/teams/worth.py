"""What a team is worth where no language model works on the question, as it was measured.

``treeline bench worth`` measures it anew: 63 questions on the demo in an order with repeats, opposites and
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
    SOLO: Worth(100, 9.5, 1.0),
    "evolver": Worth(100, 13.3, 3.6),
    "layered": Worth(100, 12.0, 3.0),
}
EXPERIENCED = Worth(100, 10.2, 2.3)
"""The evolver with what it learned on the way."""
KNOWN_STEPS = 4.6
"""Its mean steps at questions of a kind that it knew."""


def hint_without_model(team: str) -> str:
    """Return what a person should know who chooses a team for the planner; empty for one policy alone."""
    if team not in MEASURED or team == SOLO:
        return ""
    alone, together = MEASURED[SOLO], MEASURED[team]
    text = (
        f"Without a language model this team finds no more: of {QUESTIONS} questions on the demo it answered "
        f"{together.right:g} % rightly, one policy {alone.right:g} %, in {together.steps:g} steps and "
        f"{together.times:g} times the time instead of {alone.steps:g} steps."
    )
    if team == "evolver":
        text += (
            f" With experience {EXPERIENCED.times:g} times the time, {KNOWN_STEPS:g} steps where the kind "
            "of question was known."
        )
    return text
