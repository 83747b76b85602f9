"""What an answer denies, and would pass as well if it said it: of that nothing was checked.

A rule that does not read a sentence lets it pass, and what the sentence denies with it. So a denial is held
against what it denies: where nothing in the results contradicts that either, the denial is not borne out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.bare_claims import shortly, tells_work
from treeline.core.engine.verification.claims import claims_in, dates_in
from treeline.core.engine.verification.degree_words import (
    COMPARATIVE,
    extreme,
    is_superlative,
)
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.phrases import says_no_change, side, way

_DENIAL = re.compile(r"\s?\bnot\b(?! (?:only|just|least)\b)|(?<=[a-z])n't\b", re.I)
# How far what is denied goes.
_END = re.compile(r"(?:[;:.!?](?!\d)|\()|\n|,\s|\b(?:but|while|whereas|although|because|so)\b")
_BEGIN = re.compile(r"[.;:!?]\s|\n")
_SECONDS = 3.0
# What is not possible, and what a condition leaves open.
_OPEN = re.compile(r"\b(?:could|would|ca|can|may|might|should|whether|if|I|we)(?: (?:or|have|be))?$", re.I)
# What an answer does not tell of what there is.
_UNTOLD = re.compile(
    r"\W*(?:given|told|shown|listed|reported|stated|named|available|known|comput\w+|calculated|considered|"
    r"checked|needed|meant|asked)\b",
    re.I,
)
# What was or was not done with the data.
_OF_WORK = re.compile(r"\b(?:do|does|did)$", re.I)


def find_unchecked_denials(answer: AnswerColumns, text: str, passes: Callable[[str], bool]) -> Iterator[str]:
    """Yield what a text denies of the results, where what it denies would pass too, in sentences.

    Parameters
    ----------
    answer : AnswerColumns
        An answer that passes, beside the results that it rests on.
    text : str
        It, as it is written.
    passes : callable
        Whether an answer of another text would pass.
    """
    until = time.monotonic() + _SECONDS
    for match in _DENIAL.finditer(text):
        end = _END.search(text, match.end())
        denied = text[match.end() : end.start() if end else len(text)]
        start = max((begin.end() for begin in _BEGIN.finditer(text, 0, match.start())), default=0)
        told, behind = text[start : match.start()], _BEGIN.split(text[match.end() + len(denied) :])[0]
        if not _is_of_results(answer, told, denied, behind):
            continue
        # A long answer full of denials must not hold a run up: what was not tried is not known to hold.
        if time.monotonic() > until or passes(text[: match.start()] + text[match.end() :]):
            clause = shortly(told + match[0] + denied)
            yield f"Not checked: {clause!r} denies what the results do not contradict."


def _is_of_results(answer: AnswerColumns, told: str, denied: str, behind: str) -> bool:
    """Return whether a number, a name or a relation of the results is denied, or something is of them.

    Of which of them something is denied stands before it, or in brackets behind.
    """
    if (
        not re.search(r"\w", denied)
        or _UNTOLD.match(denied)
        or _OPEN.search(told)
        or says_no_change(f"not {denied}")
    ):
        return False
    if _tells_result(answer, denied):
        return True
    return (
        _tells_result(answer, told if not behind.startswith("(") else f"{told} {behind}")
        and not _OF_WORK.search(told)
        and not tells_work(answer, f"{told} {denied}")
    )


def _tells_result(answer: AnswerColumns, text: str) -> bool:
    return bool(
        claims_in(text)
        or dates_in(text)
        or labels_in(text, answer.columns)
        or re.search(COMPARATIVE, text)
        or extreme(text)
        or is_superlative(text)
        or side(text)
        or way(text)
    )
