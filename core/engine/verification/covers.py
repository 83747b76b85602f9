"""Covers of ground that an answer names and that neither data, nor question, nor results are of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.clauses import is_negated
from treeline.core.engine.verification.guesses import is_guess
from treeline.core.engine.verification.wording import is_carried, words_and_names, words_of_results

# What ground is covered by, as maps of land cover have it: words of one line mean one kind.
_KINDS = (
    "forests? forested woods? woodlands? trees? pines? oaks? spruces? beech(?:es)? larch(?:es)?",
    "shrubs? shrublands? schrubland bush(?:es)? heath",
    "grass(?:es)? grasslands? meadows? pastures?",
    "crops? croplands? cultivated arable farmlands? agricultur\\w+ fields? vineyards? orchards?",
    "built urban artificial cit(?:y|ies) towns? settlements? buildings? houses impervious roads?",
    "bare rocks? rocky sand",
    "snow ice glaciers?",
    "wetlands? marsh(?:es)? swamps? bogs? mangroves?",
    "water rivers? lakes? sea ocean ponds?",
    "vegetation vegetated plants",
)
_KIND = tuple(re.compile(rf"\b(?:{'|'.join(words.split())})\b", re.I) for words in _KINDS)
_NOUNS = "|".join(word for words in _KINDS for word in words.split())
# What a number is told of: "water has", "urban areas: 0.59", "lakes averaged".
_SUBJECT = re.compile(
    rf"\W*(?:the |of |over |in |for |all |only )*(?P<cover>{_NOUNS})(?:[- ]\w+)?\s*"
    r"(?:[:=(]|(?:is|are|was|were|has|have|had|cover\w*|occup\w+|averag\w+|reach\w*|tak\w+|took|show\w*)\b)",
    re.I,
)
# What something is said to consist of.
_CONSISTS = re.compile(
    rf"\b(?:mostly|mainly|chiefly|largely|predominantly|primarily|exclusively|entirely) (?:of |by |in |on )?"
    rf"(?:the |open |dense |sparse )*(?P<cover>{_NOUNS})\b",
    re.I,
)
# A share of it is one of its own ground: 81 % of the vegetation.
_BASE = re.compile(
    rf"(?:%|per ?cent) (?:of|in) (?:the |all (?:the )?)?(?P<cover>{_NOUNS})\b(?! (?:cover|map|class))", re.I
)


def find_unseen_covers(answer: AnswerColumns, told: str) -> Iterator[str]:
    """Yield what a number is told of, or something is said to consist of, that nothing looked at.

    Parameters
    ----------
    told : str
        What was said before: the question and its options, and what the data are said to be.
    """
    known = words_of_results(answer) | words_and_names(f"{told} {' '.join(answer.legend.values())}")
    for clause in answer.clauses:
        if not claims_in(answer.text) or is_guess(clause):
            continue
        for pattern in (_SUBJECT, _BASE) if answer.legend or _measures_covers(answer) else (_BASE,):
            match = pattern.match(clause) if pattern is _SUBJECT else pattern.search(clause)
            cover = match["cover"].casefold() if match and claims_in(clause) else ""
            if cover and not _is_seen(answer, cover, pattern is _BASE, known):
                yield f"No cited step is of {cover} alone."
        match = _CONSISTS.search(clause)
        asked = match and _kinds_in(match["cover"]) & _kinds_in(answer.question)
        if match and not asked and not is_negated(clause, match.start()) and not _measures_covers(answer):
            yield f"No cited step tells what it consists of, as {clause.strip()!r} does."


def _is_seen(answer: AnswerColumns, cover: str, is_base: bool, known: frozenset[str]) -> bool:
    """Return whether something looked at a cover: a class or an index of it, but no place of a like name."""
    measured = " ".join(answer.tabled_names | answer.names_of_facts)
    if is_base and not measured:
        return bool(_kinds_in(cover) & _kinds_in(answer.question))
    if measured and not is_base and not _kinds_in(measured):  # zones, of which none is named by a cover
        return bool(_kinds_in(cover) & _kinds_in(f"{answer.question} {answer.evidence.words}"))
    return bool(_kinds_in(cover) & _kinds_in(" ".join(known))) or is_carried(cover, known)


def _measures_covers(answer: AnswerColumns) -> bool:
    """Return whether numbers of the results are of classes or zones by their names."""
    return bool(answer.tabled_names | answer.names_of_facts)


def _kinds_in(text: str) -> set[int]:
    return {number for number, kind in enumerate(_KIND) if kind.search(text)}
