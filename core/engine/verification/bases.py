"""Of what a share is a part: of a class, of which so much lies beyond a limit, or of all that lies there.

Both are shares in per cent of one class, and answers exchange them easily.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.labels import find_names, kinds_of
from treeline.core.engine.verification.percent import per_cent, rest_of
from treeline.core.engine.verification.phrases import side
from treeline.core.engine.verification.results import is_number, only_number
from treeline.core.engine.verification.shares import parts_told_of, shares_of

_PER_CENT = r"\s?(?:%|per ?cent)"
_GROUND = (
    r"(?!its |their )(?:\w+ )?(?:land|area|ground|terrain|pixels|scene|surface|region|places|"
    r"slopes|map|zone|part|it|what|that)\b"
)
# So much of something: of a class, or of the ground.
_OF = rf"{_PER_CENT} (?:of|in) (?:the |all |all the )?"
# The base stands before the number, or in the question: "of all the forest 28 %", "what share of the forest".
_OF_KIND = re.compile(
    r"\b(?:of|in|within|among) (?:all )?(?:the |its )?(?P<base>[a-z][a-z -]{2,30}?)(?: area| land| cover)?,? "
    r"(?:about |around |roughly |some |only |just |nearly |almost )*\d[\d.]* ?(?:%|per ?cent) (?!of\b)|"
    r"\d ?(?:%|per ?cent) of (?:all )?(?:the |its )?(?P<other>[a-z][a-z -]{2,30}?)(?: area| land| cover)?"
    r"(?= (?:is|are|was|were)\b|\s*(?:[.,;)]|$))",
    re.I,
)
_OF_ANYTHING = re.compile(rf"\d{_PER_CENT} of\b", re.I)
_PART_OF_KIND = re.compile(
    r"\b(?:share|part|percentage|per ?cent|proportion|fraction|much) of (?:all )?(?:the )?"
    r"(?P<base>[a-z][a-z -]{2,30}?) (?:is|are|was|were|consists? of|belongs? to)\b",
    re.I,
)
_IS = r"\b(?:is|are|was|were|belongs? to|consists? of|(?:is |are )?covered (?:by|with|in)|(?:is|are) under)\b"
_MAKES_UP = r"(?:mak(?:es?|ing) up|accounts? for|constitutes?|represents?|forms?|contributes?|has|is|are)\b"


def find_exchanged_bases(answer: AnswerColumns) -> Iterator[str]:
    """Yield shares of a class that are told of all, and shares of all that are told of a class."""
    wholes: list[Column] = []
    parts: list[Column] = []
    for column in answer.columns:
        if column.has_several and not column.dated and not column.of and _is_in_per_cent(column):
            (wholes if shares_of(column) else parts).append(column)
    yield from _false_parts_of_kinds(answer, wholes)
    for clause in answer.clauses:
        yield from _parts_of_both(answer, clause)
    for clause in answer.clauses if wholes or parts else ():
        yield from _false_parts_in_words(answer, clause, parts)
        told = [c for c in claims_in(clause) if c.unit == "%" and not c.limit and c in answer.claims]
        for claim in told:
            if label := _class_that_it_is_of(answer, clause, claim):
                yield from _no_part_of(answer, claim, label, wholes, parts)
            label = _class_that_it_is(answer, clause, claim)
            if label and _is_of(answer, claim, label, parts, wholes):
                yield f"{claim.text} % is a part of {label}, and not what part of all it makes up."


def _false_parts_of_kinds(answer: AnswerColumns, wholes: Sequence[Column]) -> Iterator[str]:
    """Yield shares of all that are told as a part of a kind: "of all the forest, 28 % is broadleaf"."""
    kinds = kinds_of(answer.columns)
    shares = {label: n for column in wholes for label, n in shares_of(column).items()}
    for sentence in sentences(answer.text) if kinds else ():
        told = [c for c in claims_in(sentence) if c.unit == "%" and not c.limit and c in answer.claims]
        alone = len(told) == 1 and not _OF_ANYTHING.search(sentence)
        match = _OF_KIND.search(sentence) or (_PART_OF_KIND.search(answer.question) if alone else None)
        of = match.groupdict() if match else {}
        base = find_names(of.get("base") or of.get("other") or "", answer.columns)
        classes = kinds.get(base[0], []) if len(base) == 1 else []
        for claim in told[:1]:
            named = [each for each in find_names(sentence, answer.columns) if each in classes]
            named = named or [each for each in find_names(answer.question, answer.columns) if each in classes]
            whole = sum(shares.get(each, 0.0) for each in classes)
            if len(named) == 1 and named[0] in shares and whole:
                own = per_cent(shares[named[0]], whole)
                if answer.shows(claim, [shares[named[0]]]) and abs(own - claim.number) > claim.half:
                    yield f"{named[0]} is {own:.4g} % of {base[0]}; {claim.text} % is its part of all."


def _parts_of_both(answer: AnswerColumns, clause: str) -> Iterator[str]:
    """Yield shares of all ground on which two limits hold, told as a part of what lies beyond one of them."""
    for step in answer.steps:
        given = step.observation.arguments or {}
        limits = [given.get(name) for name in ("threshold1", "threshold2")]
        share = only_number(step)
        if share is None or step.observation.unit != "%" or not all(map(is_number, limits)):
            continue
        told = [c for c in claims_in(clause) if c.unit == "%" and not c.limit and answer.shows(c, [share])]
        match = re.search(
            rf"{_PER_CENT} of (?P<base>(?:(?!\b(?:and|lies?|lay)\b)[^.;%])*?) {_IS} (?P<what>.*)",
            clause,
            re.I,
        )
        sides = [[c.number for c in claims_in(part)] for part in match.group("base", "what")] if match else []
        if told and sides and any(n in sides[0] for n in limits) and any(n in sides[1] for n in limits):
            yield f"{told[0].text} % is a part of all pixels, those on which both limits hold."


def _false_parts_in_words(answer: AnswerColumns, clause: str, parts: Sequence[Column]) -> Iterator[str]:
    """Yield why a class has no such part beyond a limit as is told in words: nearly all of the forest."""
    of_rest = side(clause) == -side(answer.question) != 0
    if any(claim.unit == "%" and not claim.limit for claim in claims_in(clause)):
        return
    for label, (low, high) in parts_told_of(clause, {label for column in parts for label in column.numbers}):
        own = [n for column in parts for n in column.under(label)]
        either = [*own, *map(rest_of, own)] if side(clause) == 0 else [*map(rest_of, own)] if of_rest else own
        if not any(low <= share <= high for share in either):
            yield f"{label} has {own[0]:.4g} %."


def _no_part_of(
    answer: AnswerColumns, claim: Claim, label: str, wholes: Sequence[Column], parts: Sequence[Column]
) -> Iterator[str]:
    """Yield why a number is no part of a class: it is what that makes up of all, or it has another one."""
    if _is_of(answer, claim, label, wholes, parts):
        yield f"{claim.text} % is what part of all {label} makes up, and no part of {label}."
        return
    own = [n for column in parts for n in column.under(label)]
    known = [*own, *map(rest_of, own), *(fact.number for fact in answer.facts if label in fact.names)]
    if len(own) == 1 and answer.shows(claim, answer.evidence.numbers) and not answer.shows(claim, known):
        yield f"{claim.text} % is no part of {label}, which has {own[0]:.4g} %."


def _is_in_per_cent(column: Column) -> bool:
    return column.unit == "%" or bool(re.search(r"per_?cent|share", column.quantity))


def _is_of(
    answer: AnswerColumns, claim: Claim, label: str, own: Sequence[Column], others: Sequence[Column]
) -> bool:
    """Return whether a class has a number in some columns, and in none of others."""
    has, has_not = ([n for c in columns for n in c.under(label)] for columns in (own, others))
    return answer.shows(claim, has) and not answer.shows(claim, has_not)


def _class_that_it_is_of(answer: AnswerColumns, clause: str, claim: Claim) -> str:
    """Return the class of which a number is told as a part: 90 % of the forest is steep."""
    match = re.search(rf"{re.escape(claim.text)}{_OF}(?P<base>[^.;,]+?) {_IS}|", clause, re.I)
    base = match["base"] if match and match["base"] else ""
    names = find_names(base, answer.columns)
    return names[0] if len(names) == 1 and base.casefold().startswith(names[0][:3]) else ""


def _class_that_it_is(answer: AnswerColumns, clause: str, claim: Claim) -> str:
    """Return the class that is told to make up a part of the ground: 58 % of the high land is forest."""
    number = re.escape(claim.text)
    behind = re.search(rf"{number}{_OF}{_GROUND}[^.;,]*?{_IS}(?P<name>[^.;,]+)", clause, re.I)
    before = re.search(rf"(?P<name>[^.;,]+?) {_MAKES_UP}[^.;,\d]*{number}{_OF}{_GROUND}", clause, re.I)
    names = [find_names(match["name"], answer.columns) for match in (behind, before) if match]
    return next((own[0] for own in names if len(own) == 1), "")
