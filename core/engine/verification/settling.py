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
)
from treeline.core.engine.verification.claims import claim_of, claims_in, dates_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.columns import columns_of
from treeline.core.engine.verification.degree_words import COMPARATIVE
from treeline.core.engine.verification.doubtful_sentences import (
    DoubtfulSentence,
    describe_doubts,
    find_doubtful_sentences,
)
from treeline.core.engine.verification.grounds import without_lost_citations
from treeline.core.engine.verification.labels import labels_in, legend_in
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
# What only has a meaning behind the sentence before.
_GOES_ON = re.compile(
    r"\W*(?:(?:and|but|so|then|thus|hence|also|yet|while|whereas|still) )?"
    r"(?:it|its|they|them|their|this|that|these|those|such|here|there|both|"
    r"the (?:same|latter|former|others?|rest))\b",
    re.I,
)
# The number of what comes next in a list: without that, the others would have other places than were told.
_NUMBERED = re.compile(r"(?:^|[,;:] |\band )\d{1,2}[.)]$")
# What a sentence begins with, up to what only goes on from it; and what makes a whole sentence of it.
_HEAD = re.compile(r"[,:;(]|\.(?:\s|$)| [-\u2013] |\b(?:by|with|at|on)\b")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|does|do|did|lies?|lay|[a-z]{3,}(?:ed|es|s)|came|fell|rose|went)\b"
)
# What begins a line of a list.
_MARK = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")


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

    What it says beside what was asked, and no step bears out, is taken out of its text and kept apart with
    what is doubted; where that does not do, it is unverified, with the sentences that are doubted. Where the
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
    """Return an answer with what is doubted of it shown beside it; ``None`` where it does not hold so.

    Of what asks for several things each sentence may tell a part: there it stays, and is named.
    """
    of_several = len(sentences(answer.text)) >= _RICH and _ASKS_SEVERAL.search(state.question)
    kept = _without(answer, state, doubtful) if not of_several else None
    return kept if kept is not None else _with_doubts_beside(answer, state, doubtful)


def _with_doubts_beside(answer: Answer, state: State, doubtful: Sequence[DoubtfulSentence]) -> Answer | None:
    """Return a long answer whole, with its doubtful sentences named; ``None`` where it may not stand.

    Its numbers, dates and names are found, and what it chooses; at most half of it is doubted, and not what
    was asked. Of the doubts that rules of words raise in long answers nine of ten are false alarms (played
    answers), so that they are told to who reads it and decide nothing.
    """
    told, doubted = sentences(answer.text), {each.sentence for each in doubtful}
    main = set(told[: _main(answer, told)]) if not _ASKS_SEVERAL.search(state.question) else set[str]()
    if answer.expression or len(told) < _RICH or "" in doubted or 2 * len(doubted) > len(told):
        return None
    if doubted & main or any(tells_what_is_asked(state.question, each) for each in doubted):
        return None
    if leaves_out_what_is_asked(state.question, " ".join(each for each in told if each not in doubted)):
        return None
    if any(other in doubted and _NUMBERED.search(one) for one, other in pairwise(told)):
        return None
    if check_answer(answer, state, "founded") != Findings():
        return None
    beside = tuple(UnconfirmedSentence(each.sentence, " ".join(each.doubts)) for each in doubtful)
    return replace(without_lost_citations(answer, state), unconfirmed=beside)


def _without(answer: Answer, state: State, doubtful: Sequence[DoubtfulSentence]) -> Answer | None:
    """Return an answer without the sentences that are doubted; ``None`` where it needs them.

    It needs those that tell what was asked, those that the next one goes on from, and those of a numbered
    list; and no number, date or name is doubted in what is left out.
    """
    told, beside = sentences(answer.text), {each.sentence for each in doubtful}
    if answer.expression or not beside <= set(told[_main(answer, told) :]) or len(beside) > len(told) // 2:
        return None
    if any(one in beside and (_GOES_ON.match(other) or one.endswith(";")) for one, other in pairwise(told)):
        return None
    if any(other in beside and _NUMBERED.search(one) for one, other in pairwise(told)):
        return None
    if check_answer(answer, state, "founded" if len(told) >= _RICH else "numbers") != Findings():
        return None
    text = answer.text
    for each in doubtful:
        text = _take_out(text, each.sentence)
    rest = replace(answer, text=re.sub(r";$", ".", text.strip()))
    asked = _names_in(state.question, state)
    if asked & _names_in(" ".join(beside), state) - _names_in(rest.text, state):
        return None
    if check_answer(rest, state) != Findings():
        return None
    if not _is_elliptic(told[0]) and leaves_out_what_is_asked(state.question, rest.text):
        return None
    apart = tuple(UnconfirmedSentence(each.sentence, " ".join(each.doubts)) for each in doubtful)
    return replace(without_lost_citations(rest, state), unconfirmed=apart)


def _is_elliptic(sentence: str) -> bool:
    """Return whether a sentence only names what was asked for: "Forest, at a mean slope of 10 degrees."."""
    return _VERB.search(_HEAD.split(sentence, maxsplit=1)[0]) is None


def _names_in(text: str, state: State) -> set[str]:
    """Return the dates, classes and zones of the results that a text names."""
    return set(labels_in(text, columns_of(state.calls, legend_in(state.context.get("holdings", "")))))


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


def _take_out(text: str, sentence: str) -> str:
    """Return a text without a sentence, and without the mark of a list or the bars that it leaves alone."""
    lines = text.splitlines()
    place = next((n for n, line in enumerate(lines) if sentence in line), None)
    if place is None:
        return text
    rest = lines[place].replace(sentence, " ", 1)
    rest = re.sub(r";(?=\s*(?:[A-Z]|$))", ".", rest)  # what it was joined to stands alone now
    lines[place : place + 1] = [] if not re.search(r"\w", _MARK.sub("", rest)) else [rest.rstrip()]
    return re.sub(r"(?<=\S) {2,}", " ", "\n".join(lines))
