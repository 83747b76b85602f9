"""What an answer says of how values are distributed: what lies beyond a percentile, and where the tail is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.degree_words import LESS, MORE
from treeline.core.engine.verification.percent import rest_of
from treeline.core.engine.verification.phrases import denies_side, side
from treeline.core.engine.verification.results import numbers_in, percentiles_of
from treeline.core.engine.verification.shares import shares_in_words, without_fractions

_TAIL = re.compile(r"\b(?:tail\w*|skew(?:ed|s)?)\b", re.I)
_TO_HIGH = re.compile(r"\b(?:right|positive(?:ly)?|high(?:er|est)?|upper|top)\b", re.I)
_TO_LOW = re.compile(r"\b(?:left|negative(?:ly)?|low(?:er|est)?|bottom)\b", re.I)
_REST = re.compile(r"\b(?:remaining|the (?:other|rest)|remainder)\b", re.I)
_PERCENTILE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)(?:st|nd|rd|th)[ -]percentile\b", re.I)


def find_false_percentiles(answer: AnswerColumns) -> Iterator[str]:
    """Yield a percentile that is told as another one, and a wrong part that is told to lie beyond it."""
    known = percentiles_of(answer.steps)
    for clause in answer.clauses if known else ():
        for match in _PERCENTILE.finditer(clause):
            if all(float(match[1]) != percentage for percentage, _ in known):
                yield f"No cited step gives the {match[1]}th percentile: it is the {known[0][0]:g}th."
        direction, parts = _side_told(clause), _parts_told(clause)
        for percentage in _told_percentiles(answer, clause, known) if direction and len(parts) == 1 else ():
            beyond = percentage if direction < 0 else rest_of(percentage)
            low, high, told = parts[0]
            if not low <= beyond <= high:
                where = "below" if direction < 0 else "above"
                yield f"{beyond:g} % lie {where} the {percentage:g}th percentile, not {told}."


def find_false_tails(answer: AnswerColumns) -> Iterator[str]:
    """Yield on which side a distribution is said to have its tail where its skewness tells the other one."""
    found = [n for step in answer.steps for n in _skewness_of(step)]
    for clause in answer.clauses if len(found) == 1 else ():
        high, low = _TO_HIGH.search(clause) is not None, _TO_LOW.search(clause) is not None
        if _TAIL.search(clause) and high != low and found[0] * (1 if high else -1) < 0:
            yield f"A skewness of {found[0]:.3g} tells of a tail of {'low' if high else 'high'} values."


def find_false_rests(answer: AnswerColumns) -> Iterator[str]:
    """Yield the rest of a share that is told to lie on the same side of a limit as the share itself."""
    for match in _REST.finditer(answer.text):
        before, behind = answer.text[: match.start()], sentences(answer.text[match.start() :])[0]
        rest, said = _parts_told(behind), _side_told(behind)
        own = _side_told(before) or _side_told(answer.question)
        shares = [part for part in _parts_told(before) if part not in rest]
        if len(rest) == 1 and said and said == own and any(_is_rest(rest[0], share) for share in shares):
            yield f"{rest[0][2]} is the rest: it lies on the other side of the limit."


def _is_rest(one: tuple[float, float, str], other: tuple[float, float, str]) -> bool:
    """Return whether two shares, each in per cent from and to, come to the whole."""
    return one[0] + other[0] <= rest_of(0) <= one[1] + other[1]


def _skewness_of(step: Step) -> Iterator[float]:
    value, given = step.observation.value, step.observation.arguments or {}
    told = given.get("statistic") == "skewness"
    yield from numbers_in(value if told else value.get("skewness") if isinstance(value, dict) else None)


def _parts_told(clause: str) -> list[tuple[float, float, str]]:
    """Return the parts that a clause tells, in per cent from and to, with its words."""
    told = [c for c in claims_in(clause) if c.unit == "%" and not c.limit] or shares_in_words(clause)
    return [
        (c.number - c.half, c.number + c.half, f"{c.text} %" if c.text[-1].isdigit() else c.text)
        for c in told
    ]


def _told_percentiles(
    answer: AnswerColumns, clause: str, known: Sequence[tuple[float, float]]
) -> list[float]:
    """Return the percentiles that a clause names as a limit, or the only one where it names no limit."""
    limits = [replace(claim, limit=False) for claim in claims_in(clause) if claim.limit]
    if not limits:
        return [percentage for percentage, _ in known] if len(known) == 1 else []
    return [percentage for percentage, number in known if answer.shows(limits[0], [number])]


def _side_told(clause: str) -> int:
    plain = without_fractions(clause)
    more, less = MORE.search(plain) is not None, LESS.search(plain) is not None
    return side(plain) * (-1 if denies_side(plain) else 1) or int(more) - int(less)
