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
from treeline.core.engine.citations import read_citations, with_citations_in_sentences
from treeline.core.engine.state import State
from treeline.core.engine.verification.clauses import sentences

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

    Parameters
    ----------
    doubts_of : callable
        Returns what of an answer its evidence does not carry.
    """
    known = {step.number for step in state.calls if step.observation.kind == "result"}
    found = []
    for before, sentence in pairwise(["", *sentences(answer.text)]):
        if not (steps := read_citations(sentence, known)):
            continue
        before = before if _GOES_ON.match(sentence) else ""
        steps = (*steps, *read_citations(before, known))
        lead = replace(answer, text=before, value=None, unit="", choice=None, map="", evidence=steps)
        whole = replace(lead, text=f"{before} {sentence}".strip())
        if set(doubts_of(whole)) <= set(doubts_of(lead)):
            found.append(sentence)
    return found
