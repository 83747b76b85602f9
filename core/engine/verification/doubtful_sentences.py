"""Which sentence of an answer each doubt comes from, for who has to word it anew."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treeline.core.engine.actions import Answer
from treeline.core.engine.state import State
from treeline.core.engine.verification.answer_check import Findings, check_answer, without_sentences
from treeline.core.engine.verification.clauses import sentences

# Each sentence is left out once, which takes as long as to verify the answer: of a long answer on large
# tables some doubts are left that no sentence is told for.
_SECONDS = 5.0


@dataclass(frozen=True)
class DoubtfulSentence:
    """A sentence of an answer and what is doubted of it; of the whole answer where the sentence is empty."""

    sentence: str
    doubts: tuple[str, ...]


def find_doubtful_sentences(
    answer: Answer, state: State, findings: Findings | None = None
) -> tuple[DoubtfulSentence, ...]:
    """Return the sentences that doubts come from, in their order; what only all of it leads to is last.

    A doubt comes from the sentence without which it is not raised; from the later one where it needs two,
    since a sentence is read after what it follows. None comes from what the steps that it cites carry.

    Parameters
    ----------
    findings : Findings, optional
        Of :func:`check_answer`, where it was checked already.
    """
    until = time.monotonic() + _SECONDS
    findings = findings or check_answer(answer, state)
    left, carried = [*findings.doubts], findings.carried
    found: dict[str, list[str]] = {}
    for sentence in reversed([each for each in sentences(answer.text) if each not in carried]):
        if not left or time.monotonic() > until:
            break
        kept = _doubts_of_rest(without_sentences(answer, [*carried, sentence]), state, left)
        found[sentence] = [doubt for doubt in left if doubt not in kept]
        left = [doubt for doubt in left if doubt in kept]
    of_sentences = [DoubtfulSentence(s, tuple(d)) for s, d in reversed(found.items()) if d]
    return (*of_sentences, *([DoubtfulSentence("", tuple(left))] if left else []))


def _doubts_of_rest(rest: Answer, state: State, left: list[str]) -> set[str]:
    """Return the doubts of what is left of an answer; all of them where the check of that failed."""
    if not rest.text.strip():
        return set()
    found = check_answer(rest, state, carried=())
    return set(left) if found.fault else set(found.doubts)


def describe_doubts(doubtful: Iterable[DoubtfulSentence]) -> Iterator[str]:
    """Yield a line for each doubtful sentence: what it says, and what is doubted of it."""
    for each in doubtful:
        quoted = f'"{each.sentence}": ' if each.sentence else ""
        yield f"{quoted}{' '.join(each.doubts)}"
