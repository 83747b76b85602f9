"""What an answer states of several things, or of one beside another, that no rule could read.

A statement that is not understood is not passed in silence: where a clause speaks of how many of several lie
somewhere, of which of two has more, or of a place in an order, and no rule judges it, it was not checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.bare_claims import shortly, tells_work
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.clouds import asks_cloudiness, cloud_covers
from treeline.core.engine.verification.degree_words import (
    COMPARATIVE,
    LESS,
    MORE,
    extreme,
    is_superlative,
    of_others,
)
from treeline.core.engine.verification.guesses import is_guess
from treeline.core.engine.verification.labels import find_dates, find_names, labels_in
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.phrases import way
from treeline.core.engine.verification.quantifiers import LABELLED, is_number_of_things
from treeline.core.engine.verification.shares import find_shares
from treeline.core.engine.verification.statements import verdicts

# All, none, most or so many of what rows of a table are called.
_SEVERAL = re.compile(
    r"\b(?P<how>all|every|each|no|none|not (?:a|one)(?: single)?|most|half|(?:the|a) majority|several|"
    r"both|neither|"
    r"(?<![\d.,])(?<!\b(?:the|all) )(?<!\b(?:over|from|with|uses) )(?<!\bthese )(?<!\bof )(?<!\bin )\d+)"
    rf"(?: of| the| these| those| all| its| single| but \w+| [\w-]+){{0,2}}? {LABELLED}\b(?!:)|"
    r"\b(?:all|none|most|both|neither|each) of (?:them|these|those)\b|\b(?:nowhere|everywhere)\b",
    re.I,
)
_MORE_THINGS = re.compile(rf"\b(?:more|fewer|as many) {LABELLED}\b[^.;]*?\b(?:than|as)\b", re.I)
# What one thing is beside another: more, less, the same.
_BESIDE = re.compile(
    rf"\b(?:{COMPARATIVE}|more|less|as)\b[^.;]*\b(?:than|as)\b|"
    r"\b(?!rather|other|either|whether|further|later|earlier|longer|sooner)[a-z]{3,}er than\b",
    re.I,
)
# What stands between the names of a list, and beside them, and states nothing.
_FILLERS = frozenset(
    {
        *("a", "an", "the", "and", "or", "nor", "but", "of", "in", "on", "at", "for", "to", "from", "by"),
        *("with", "as", "all", "both", "each", "only", "also", "just", "namely", "is", "are", "was", "were"),
        *("be", "has", "have", "had", "do", "does", "did", "it", "its", "they", "them", "these", "those"),
        *("this", "that", "there", "here", "which", "who", "class", "classes", "region", "regions", "zone"),
        *("zones", "land", "cover", "date", "dates", "day", "days", "scene", "scenes", "image", "images"),
        *("month", "months", "year", "years", "respectively", "yes", "no", "not", "mean", "average"),
        *("value", "values", "answer"),
    }
)
_RANK = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th))\b"
    r"(?:[ -](?:\w+est|most|least|last|place|position|rank|spot|from|behind|after|in)\b|\W*$)|"
    r"\branks? (?:number |no\.? ?|#)?\d+\b|\brunner-up\b",
    re.I,
)
_NEXT = re.compile(r"\b(?:is|was|comes?|came|follows?) next\b|\bnext\W*$", re.I)
# A part of a time that only its place in it tells: the first five months, the last two scenes.
_PART_OF_TIME = re.compile(
    r"\bthe (?:first|last|earliest|latest|middle|final|opening|closing) (?:\d+|two|three|four|five|six) "
    rf"{LABELLED}\b",
    re.I,
)
# So many at an end of an order, which are not named: the three smallest classes, the smallest three.
_AT_END = re.compile(
    r"\bthe (?:(?:\d|two|three|four|five|six) (?:\w{2,}est|most \w+|least \w+|top|bottom)|"
    rf"(?:\w{{2,}}est|top|bottom) (?:\d|two|three|four|five|six)) {LABELLED}\b",
    re.I,
)
_THE_ONLY = re.compile(rf"\bthe (?:only|sole|single(?! \w+est\b)) (?:one|\w+ )?{LABELLED}?\b", re.I)
_OF_SO_MANY = re.compile(r"\b\d+ (?:out )?of (?:the |all |these )?\d+\b", re.I)
_WORD = re.compile(r"[a-z]+")
_BOTH = 2


def find_unread_statements(answer: AnswerColumns) -> Iterator[str]:
    """Yield what an answer states of several, or of one beside another, that no rule judges, in sentences."""
    for clause in answer.clauses:
        if clause == answer.option or is_guess(clause) or tells_work(answer, clause) or clause.count("|") > 1:
            continue
        if not any(states(answer, clause) for states in _KINDS):
            continue
        if not any(True for _ in verdicts(answer.ground, clause)):
            yield f"Not checked: {shortly(clause)!r} is of what no rule could read from the results."


def _numbers(clause: str) -> list[Claim]:
    return [claim for claim in claims_in(clause) if not is_number_of_things(claim)]


def _is_of_sky(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause is of clouds, which have rules of their own."""
    return asks_cloudiness(clause) and any(map(cloud_covers, answer.steps))


def _counts(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause says of several at once how they stand to one number, or which way they go."""
    plain = _OF_SO_MANY.sub("so many of the", in_plain_digits(clause))
    several = _SEVERAL.search(plain)
    if several is None or _is_of_sky(answer, clause) or of_others(clause):
        return False
    behind = plain[several.end() :]
    # What stands before how many there are is no number that they are held against.
    numbers = [claim for claim in _numbers(behind) if not claim.per]
    if not (several["how"] or "").isdigit():
        numbers = numbers or [claim for claim in _numbers(plain[: several.start()]) if claim.limit]
    named = labels_in(clause, answer.columns)
    if not numbers and not named and any(fact.is_departure and fact.names for fact in answer.facts):
        return False  # which way all of them went is looked at where departures are
    moves = not numbers and (way(behind) or MORE.search(behind) or LESS.search(behind))
    # Beside one name a number is that of what is named.
    return bool(moves) or len(numbers) == 1 and len(named) != 1 and not _is_count(answer, clause)


def _is_count(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause answers how many there are, which its number is held against by itself."""
    counts = [claim for claim in claims_in(clause) if is_number_of_things(claim)]
    return any(answer.shows(claim, answer.evidence.numbers) for claim in counts)


def _relates(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause sets two of what the results name beside each other, without their numbers."""
    if _MORE_THINGS.search(clause):
        return True
    told = bool(_numbers(clause)) or find_shares(clause)
    if told or extreme(clause) or is_superlative(clause) or _is_of_sky(answer, clause):
        return False
    several = [column for column in answer.columns if column.has_several]
    labels = find_names(clause, several) or find_dates(clause, several)
    if len(labels) < _BOTH:
        return False
    left = _without(clause, labels)
    return _BESIDE.search(clause) is not None or not dates_in(labels[0]) and bool(left)


def _without(clause: str, labels: Sequence[str]) -> set[str]:
    """Return the words of a clause that are neither names nor fillers."""
    known = {word for label in labels for word in _WORD.findall(label.casefold())}
    known |= {f"{word}s" for word in known}
    return {word for word in _WORD.findall(clause.casefold()) if word not in known | _FILLERS}


def _ranks(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause tells a place in an order."""
    place = _RANK.search(clause) or not _numbers(clause) and _NEXT.search(clause)
    return bool(place) and bool(labels_in(clause, answer.columns))


def _is_of_part(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause is of a part of several that only its place in them tells."""
    dated = any(column.dated and column.has_several for column in answer.columns)
    if dated and _PART_OF_TIME.search(clause) is not None and not dates_in(clause):
        return True
    return (
        _AT_END.search(clause) is not None
        and bool(_numbers(clause))
        and not labels_in(clause, answer.columns)
    )


def _singles_out(answer: AnswerColumns, clause: str) -> bool:
    """Return whether a clause calls something the only one of several."""
    return _THE_ONLY.search(clause) is not None and bool(labels_in(clause, answer.columns))


_KINDS: tuple[Callable[[AnswerColumns, str], bool], ...] = (
    _counts,
    _relates,
    _ranks,
    _is_of_part,
    _singles_out,
)
