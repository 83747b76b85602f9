"""What an answer says that no result can be held against: relations of things that the results do not name.

A comparison, a superlative, a change or a part of a whole is a claim, as a number is. Where neither a class,
zone or date of the results stands beside it nor a number, nothing was there to check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in, dates_in
from treeline.core.engine.verification.columns import labels_in
from treeline.core.engine.verification.phrases import comparison, extreme, is_superlative, way
from treeline.core.engine.verification.shares import find_shares
from treeline.core.engine.verification.statements import ends_of

_MOST_THINGS = re.compile(
    r"\b(?:most|few|many|the majority of|all|every|each|no) (?:of (?:the )?)?[a-z]{3,}s\b", re.I
)
# What is said of all places: no mean tells it.
_EVERYWHERE = re.compile(
    r"\b(?:nowhere|everywhere|(?:no|not a|every|each|all|any)(?: single)?(?: of the)? "
    r"(?:pixels?|places?|spots?))\b",
    re.I,
)
_QUOTED = 60
# What a count may have left out is compared with nothing.
_CAVEAT = re.compile(
    r"\b(?:may|might|could|can)\b.*\b(?:miss\w*|undetected|overlook\w*|unnoticed|counted twice|left out)\b",
    re.I,
)


def find_unchecked_claims(answer: AnswerColumns) -> Iterator[str]:
    """Yield what an answer says that nothing was found to hold against, in sentences."""
    for part in answer.clauses:
        if _CAVEAT.search(part):
            continue
        for says, is_founded in _RELATIONS:
            if says(part) and not is_founded(answer, part):
                yield f"No cited step tells of what {_shortly(part)!r} compares."
                break
    yield from _changes_as_per_cent(answer)


def _shortly(part: str) -> str:
    text = " ".join(part.split())
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED].rsplit(' ', 1)[0]} ..."


def _has_number(answer: AnswerColumns, part: str) -> bool:
    return any(not claim.limit for claim in claims_in(part))


def _is_compared(answer: AnswerColumns, part: str) -> bool:
    limits = any(claim.limit for claim in claims_in(part))
    judged = any(True for _ in answer.ground.verdicts(part))
    return limits or judged or _has_number(answer, part) or bool(find_shares(part))


def _is_placed(answer: AnswerColumns, part: str) -> bool:
    shown = any(answer.shows(claim, answer.evidence.numbers) for claim in claims_in(part))
    shown = shown or any(date in answer.evidence.dates for date in dates_in(part))
    judged = any(True for _ in answer.ground.verdicts(part))
    return (
        shown or judged or bool(labels_in(part, answer.columns) or answer.labels or _has_number(answer, part))
    )


def _is_followed(answer: AnswerColumns, part: str) -> bool:
    singles = [n for step in answer.steps for n in [step.observation.value] if isinstance(n, int | float)]
    return (
        _has_number(answer, part)
        or bool(singles or answer.records or answer.claims)
        or any(True for _ in ends_of(answer.ground, part))
        or any(True for _ in answer.ground.verdicts(part))
    )


def _is_counted(answer: AnswerColumns, part: str) -> bool:
    judged = any(True for _ in answer.ground.verdicts(part))
    return judged or _has_number(answer, part) or bool(labels_in(part, answer.columns) and not answer.columns)


def _is_whole(answer: AnswerColumns, part: str) -> bool:
    shares = [n for n in answer.evidence.numbers if answer.evidence.units.get(n) == ("%",)]
    return bool(claims_in(part)) or any(share in (0.0, 100.0) for share in shares)


_RELATIONS: tuple[tuple[Callable[[str], object], Callable[[AnswerColumns, str], bool]], ...] = (
    (comparison, _is_compared),
    (lambda part: extreme(part) or is_superlative(part), _is_placed),
    (way, _is_followed),
    (_MOST_THINGS.search, _is_counted),
    (_EVERYWHERE.search, _is_whole),
)


def _changes_as_per_cent(answer: AnswerColumns) -> Iterator[str]:
    """Yield differences that are told as changes in per cent: 16 % of an index that fell by 0.16."""
    for part in answer.clauses:
        for claim in claims_in(part) if way(part) else ():
            by = re.search(
                rf"\bby (?:about |around |some )?[-\u2212]?{re.escape(claim.text)}\s?(?:%|per)", part
            )
            if claim.unit != "%" or not by:
                continue
            held = answer.evidence.behind(claim, falls=True)
            plain = [n for n in answer.evidence.numbers if 0 < abs(n) <= 1 and _is_plain(answer, n)]
            found = [n for n in plain if abs(100 * abs(n) - claim.number) <= claim.half]
            if found and len(held) == len(found):
                yield f"{claim.text} % is no change in per cent: it changes by {found[0]:.4g}."


def _is_plain(answer: AnswerColumns, number: float) -> bool:
    """Return whether a number has no unit, or is a part of one."""
    return answer.evidence.units.get(number, ("1",))[0].endswith("1")
