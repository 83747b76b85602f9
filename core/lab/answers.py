"""Whether the answer of a run is the right one."""

from __future__ import annotations

import re

from treeline.core.engine.actions import Answer
from treeline.core.lab.metrics import answer_letter
from treeline.core.lab.records import Question

# An expert rounds a number to three digits or so; one per cent is a little more than that hides.
_TOLERANCE = 0.01


def chosen_option(answer: Answer | None) -> str | None:
    """Return the letter that an answer names; ``None`` where it names none."""
    if answer is None:
        return None
    return answer.choice or answer_letter(answer.words)


def is_correct(question: Question, answer: Answer | None) -> bool | None:
    """Return whether an answer is right; ``None`` where no right one is known.

    With options the letter decides; with aliases, whether the text names one of each group and nothing
    that is refused (ThinkGeo's whitelist and blacklist); else one of the answers: a number within one per
    cent, a letter, or a text that is named.
    """
    if question.accepted:
        return answer is not None and _names(answer.words, question)
    if not question.answers:
        return None
    if question.choices:
        return chosen_option(answer) in question.answers
    return answer is not None and any(_gives(answer, wanted) for wanted in question.answers)


def _gives(answer: Answer, wanted: str) -> bool:
    try:
        number = float(wanted)
    except ValueError:
        # One character is the letter of an option, also where a file lists no options.
        if len(wanted.strip()) == 1:
            return chosen_option(answer) == wanted.strip()
        return _says(answer.words, wanted)
    return answer.value is not None and abs(answer.value - number) <= _TOLERANCE * max(abs(number), 1e-9)


def _names(text: str, question: Question) -> bool:
    return all(any(_says(text, alias) for alias in group) for group in question.accepted) and not any(
        _says(text, alias) for alias in question.refused
    )


def _says(text: str, alias: str) -> bool:
    """Return whether a text holds an alias as words of their own: 3 is not in 13, nor in 3.5."""
    words = re.escape(" ".join(alias.casefold().split()))
    return bool(words) and bool(
        re.search(rf"(?<![\w.]){words}(?!\w|\.\d)", " ".join(text.casefold().split()))
    )
