"""Sentences of an answer that the steps which they cite carry, whatever other steps hold.

A rule that holds a sentence against all results may take those of another step for what is meant. Who cites
tells which are: "its slope is 10.1 degrees [4]" is of the terrain, and of no regression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import pairwise

from treeline.core.engine.actions import Answer
from treeline.core.engine.citations import (
    read_citations,
    split_behind_citations,
    with_citations_in_sentences,
)
from treeline.core.engine.state import State
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.what_was_asked import tells_what_is_asked

# What only has a meaning behind the sentence before.
_GOES_ON = re.compile(
    r"\W*(?:[a-z]+ly,? |(?:and|but|so|then|thus|hence|also|yet|while|whereas|still|meanwhile|instead|"
    r"(?:in|by) contrast|next|behind|after that),? )?"
    r"(?:it|its|he|they|them|their|this|that|these|those|such|here|there|both|neither|one|"
    r"(?:the )?(?:same|latter|former|others?|rest|second|third|next))\b",
    re.I,
)


def with_citations_of_text(answer: Answer, state: State) -> Answer:
    """Return an answer that rests on what its sentences cite as well, each within the sentence it is for.

    One that cites only there, and not in each sentence, rests on all steps like one that cites nothing.
    """
    text, known = with_citations_in_sentences(answer.text), {step.number for step in state.steps}
    cites_all = all(read_citations(sentence, known) for sentence in sentences(text))
    own = read_citations(text, known) if answer.evidence or cites_all else ()
    return replace(answer, text=text, evidence=tuple(dict.fromkeys((*answer.evidence, *own))))


def find_carried_sentences(
    answer: Answer, state: State, doubts_of: Callable[[Answer], Collection[str]]
) -> list[str]:
    """Return the sentences of an answer that raise no doubt beside the steps which they cite.

    What was asked is held against all results: the warmest of the year that is cited may not be that of all.

    Parameters
    ----------
    doubts_of : callable
        Returns what of an answer its evidence does not carry.
    """
    known = {step.number for step in state.calls if step.observation.kind == "result"}

    def carries(steps: Collection[int], before: str, part: str) -> bool:
        """Return whether steps alone raise no doubt of a part that they do not raise of what is before it."""
        lead = replace(answer, text=before, value=None, unit="", choice=None, map="", evidence=tuple(steps))
        return set(doubts_of(replace(lead, text=before + part))) <= set(doubts_of(lead))

    found = []
    for before, sentence in pairwise(["", *sentences(answer.text)]):
        steps = read_citations(sentence, known)
        if not steps or tells_what_is_asked(state.question, sentence):
            continue
        before = f"{before} " if _GOES_ON.match(sentence) else ""
        lead, pieces = read_citations(before, known), split_behind_citations(sentence, known)
        # Each piece against what is cited behind it, or all of it against all of that: what one piece says
        # may be of a name that stands in another.
        ends = [sum(map(len, pieces[:place])) for place in range(len(pieces))]
        by_piece = (
            carries(read_citations(piece, known) or steps, before + sentence[:end], piece)
            for piece, end in zip(pieces, ends, strict=True)
        )
        if carries((*steps, *lead), before, sentence) or len(pieces) > 1 and all(by_piece):
            found.append(sentence)
    return found
