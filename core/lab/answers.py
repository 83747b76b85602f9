"""Whether the answer of a run is the right one."""

from __future__ import annotations

from treeline.core.engine.actions import Answer
from treeline.core.lab.metrics import answer_letter
from treeline.core.lab.records import Question

# An expert rounds a number to three digits or so; one per cent is a little more than that hides.
_TOLERANCE = 0.01


def chosen_option(answer: Answer | None) -> str | None:
    """Return the letter that an answer names; ``None`` where it names none."""
    if answer is None:
        return None
    return answer.choice or answer_letter(answer.text)


def is_correct(question: Question, answer: Answer | None) -> bool | None:
    """Return whether an answer is right; ``None`` where no right one is known.

    With options the letter decides; without, a number within one per cent.
    """
    if not question.answers:
        return None
    if question.choices:
        return chosen_option(answer) in question.answers
    try:
        wanted = float(question.answers[0])
    except ValueError:
        return chosen_option(answer) in question.answers
    value = answer.value if answer else None
    return value is not None and abs(value - wanted) <= _TOLERANCE * max(abs(wanted), 1e-9)
