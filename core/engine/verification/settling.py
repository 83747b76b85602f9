"""How an answer ends that nobody is asked about any more: whole, in part, or unverified."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from treeline.core.engine.actions import Answer, UnconfirmedSentence
from treeline.core.engine.state import State
from treeline.core.engine.verification.answer_check import (
    Findings,
    check_answer,
    verify,
    with_sources,
    without_sentences,
)
from treeline.core.engine.verification.claims import claim_of, claims_in, dates_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.degree_words import COMPARATIVE
from treeline.core.engine.verification.doubtful_sentences import (
    DoubtfulSentence,
    describe_doubts,
    find_doubtful_sentences,
)
from treeline.core.engine.verification.grounds import without_lost_citations
from treeline.core.engine.verification.missing_units import with_missing_units
from treeline.core.engine.verification.phrases import way
from treeline.core.engine.verification.question_words import polarity
from treeline.core.engine.verification.what_was_asked import (
    is_most,
    leaves_out_what_is_asked,
    tells_what_is_asked,
)

# A reason is read by a person; the others are counted.
_MOST = 2
# From so many sentences on an answer tells more than it was asked for: of what is told of the numbers beside
# that, as of which class they are, half of the doubts are false alarms.
_RICH = 3
# Of what asks for several things, or to describe something, no sentence of an answer is the main one.
_ASKS_SEVERAL = re.compile(
    r"\?.*\w.*\?|\band (?:\w+ ){0,3}?(?:how|which|what|where|when|why|whether|by how|say|tell|give|rank)\b|"
    r"(?:\band|,) (?:does|do|did|is|are|was|were|has|have|where|when|how|which|what|whether)\b|"
    r"^\W*(?:compare|describe|assess|characteri[sz]e|summari[sz]e|explain|for an?)\b",
    re.I | re.S,
)
# The number of what comes next in a list: without that, the others would have other places than were told.
_NUMBERED = re.compile(r"(?:^|[,;:] |\band )\d{1,2}[.)]$")

# What a sentence begins with, up to what only goes on from it; and what makes a whole sentence of it.
_HEAD = re.compile(r"[,:;(]|\.(?:\s|$)| [-\u2013] |\b(?:by|with|at|on)\b")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|does|do|did|lies?|lay|[a-z]{3,}(?:ed|es|s)|came|fell|rose|went)\b"
)

_CHECKED = "Numbers, units, dates and names were checked against the steps, comparisons and causes in part."


def say_what_was_checked(text: str) -> str:
    """Return what of an answer in a model's own words was held against its steps, and what in part.

    It is empty of a sentence alone that tells no relation. Rules that read relations from words miss some:
    whoever rests on one should look at the numbers.
    """
    relates = re.search(COMPARATIVE, text) or is_most(text) or way(text)
    return _CHECKED if relates or len(sentences(text)) > 1 else ""


def settle(answer: Answer, state: State) -> Answer:
    """Return an answer as its evidence carries it, when nobody is asked any more.

    What it says beside what was asked, and no step bears out, is named with what is doubted; where that does
    not do, it is unverified, with the sentences that are doubted. Where the
    check itself failed it is unverified as it stands. Units that it leaves out are shown beside its numbers,
    and what each number is, apart from its words.
    """
    settled = _settle(answer, state)
    if not settled.unverified:
        settled = with_missing_units(settled, state)
    return with_sources(settled, state)


def is_carried_without(answer: Answer, state: State, doubtful: Sequence[DoubtfulSentence]) -> bool:
    """Return whether the evidence carries an answer but for sentences that can be shown as not confirmed."""
    return len(sentences(answer.text)) > 1 and _apart_from(answer, state, doubtful) is not None


def _settle(answer: Answer, state: State) -> Answer:
    findings = check_answer(answer, state)
    verified = verify(answer, state, findings)
    alone = len(sentences(answer.text)) == 1
    if answer.unverified or not verified.unverified or verified.check_fault or alone:
        return verified
    found = find_doubtful_sentences(answer, state, findings)
    if (kept := _apart_from(answer, state, found)) is not None:
        return kept
    lines = [*describe_doubts(found)]
    more = f" (and {len(lines) - _MOST} more)" if len(lines) > _MOST else ""
    return replace(verified, unverified=" ".join(lines[:_MOST]) + more)


def _apart_from(answer: Answer, state: State, doubtful: Sequence[DoubtfulSentence]) -> Answer | None:
    """Return an answer whole, with its doubtful sentences named; ``None`` where it may not stand.

    Its numbers, dates and names are found, and what it chooses; at most half of it is doubted, and not what
    was asked. Of the doubts that rules of words raise beside that most are false alarms (played answers), so
    that they are told to who reads it and decide nothing; and nothing is taken out of its text.
    """
    told, doubted = sentences(answer.text), {each.sentence for each in doubtful}
    rich = len(told) >= _RICH
    of_several = rich and _ASKS_SEVERAL.search(state.question) is not None
    main = set() if of_several else set(told[: _main(answer, told)])
    if answer.expression or not doubted <= set(told) - main or 2 * len(doubted) > len(told):
        return None
    asked = any(tells_what_is_asked(state.question, each) for each in doubted)
    if asked and check_answer(without_sentences(answer, doubted), state) != Findings():
        return None  # else the rest tells it
    rest = " ".join(each for each in told if each not in doubted)
    if not _is_elliptic(told[0]) and leaves_out_what_is_asked(state.question, rest):
        return None
    if any(other in doubted and _NUMBERED.search(one) for one, other in pairwise(told)):
        return None
    # A short answer tells little beside what was asked: there the class and date of a number count, too.
    if check_answer(answer, state, "founded" if rich else "numbers") != Findings():
        return None
    beside = tuple(UnconfirmedSentence(each.sentence, " ".join(each.doubts)) for each in doubtful)
    return replace(without_lost_citations(answer, state), unconfirmed=beside)


def _is_elliptic(sentence: str) -> bool:
    """Return whether a sentence only names what was asked for: "Forest, at a mean slope of 10 degrees."."""
    return _VERB.search(_HEAD.split(sentence, maxsplit=1)[0]) is None


def _main(answer: Answer, told: Sequence[str]) -> int:
    """Return how many sentences of an answer tell what was asked: up to the first with something found."""
    value = claim_of(answer.value, answer.unit) if answer.value is not None else None
    for number, sentence in enumerate(told, 1):
        claims = claims_in(sentence)
        if value is not None and not any(abs(claim.number) == abs(value.number) for claim in claims):
            continue
        if value is not None or claims or dates_in(sentence) or polarity(sentence) is not None:
            return number
    return 1
