"""Statistics that an answer names and that nothing gives: no result, and no numbers of results together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.attributions import ENDS, is_end, sums_up_all
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.engine.verification.coverage import SUMMARIES
from treeline.core.engine.verification.degree_words import comparison
from treeline.core.engine.verification.facts import statistic_of_call
from treeline.core.engine.verification.guesses import is_guess
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.phrases import way
from treeline.core.engine.verification.results import tool_of
from treeline.core.engine.verification.statistic_words import find_statistics, noun_of, statistic_of

_CHECKED = frozenset({"mean", "median", "max", "min", "sum", "std"})
_IF = re.compile(r"\bwould\b", re.I)
_WORD = re.compile(r"[a-z]+")
# The maximum temperature that rises, or is held against another one, is no end of several means.
_OF_EACH = re.compile(
    r"\b(?:max|maximum|min|minimum) (?!(?:of|in|on|for|at|over|between|within|is|was|are|were|and|or)\b|"
    r"value|occur|reach)[a-z]{3,}",
    re.I,
)
# What something comes to in all is a number of its own; what is set aside is not told; to mean is no mean.
_UNTOLD = re.compile(
    r"\btotals?\b|\bin sum\b|\bby means of\b|\bmeans? (?:that|it|there)\b|\d min\b|"
    r"\b(?:it|this|that|which|what|does|would|by no) means?\b|"
    r"\b(?:not|no|nor|rather than|instead of|without) (?:(?:an?|the|its|their) )?"
    r"(?:means?|averages?|medians?|max\w*|min\w*|sums?|standard deviations?)\b",
    re.I,
)


def find_other_statistics(answer: AnswerColumns) -> Iterator[str]:
    """Yield the clauses of an answer that tell of a statistic which no cited step gives."""
    given = _statistics_given(answer)
    if not given & _CHECKED:  # of numbers of which nothing is told anything may be
        return
    given |= find_statistics(answer.question, nouns=True)
    for clause in answer.clauses:
        named = find_statistics(_UNTOLD.sub(" ", clause), nouns=True)
        named &= _CHECKED - ENDS.keys() if "range" in named else _CHECKED  # from which to which, and no more
        for name in sorted(named - given) if not (is_guess(clause) or _IF.search(clause)) else ():
            if not (_can_be_told(answer, clause, name) or _is_of_another(answer, clause, name)):
                yield f"No cited step gives the {noun_of(name)} of which {clause.strip()!r} tells."


def _statistics_given(answer: AnswerColumns) -> frozenset[str]:
    """Return the statistics that results are, and those that calls name.

    Those of rasters that steps wrote on the way are told beside their numbers alone.
    """
    calls = (f"{tool_of(step)} {step.observation.arguments}".casefold() for step in answer.steps)
    found = {statistic_of(word) for call in calls for word in _WORD.findall(call.replace("_", " "))}
    found |= {statistic_of_call(step) for step in answer.steps}
    found |= {statistic_of(str(key).partition("_")[0]) for record in answer.records for key in record}
    found |= {statistic_of(name) for column in answer.columns for name in (column.quantity, column.of)}
    return frozenset(found)


def _can_be_told(answer: AnswerColumns, clause: str, name: str) -> bool:
    """Return whether several numbers of results have a statistic together, as a clause tells of it."""
    claims = [claim for claim in claims_in(clause) if not claim.limit]
    known = [fact.number for fact in answer.facts if fact.statistic == name]
    if any(answer.shows(claim, known) for claim in claims):
        return True
    if name in ENDS and any(column.has_several for column in answer.columns):
        return _is_end_of_several(answer, clause, name)
    if name in SUMMARIES:
        rates = name == "mean" and any(claim.per for claim in claims)
        return rates or any(_comes_to(answer, clause, claim, name) for claim in claims)
    return False


def _is_of_another(answer: AnswerColumns, clause: str, name: str) -> bool:
    """Return whether the only number of a clause is another statistic, which is told where the number is."""
    others = [f.number for f in answer.facts if f.statistic not in ("", name) and not f.several]
    claims = [claim for claim in claims_in(clause) if not claim.limit]
    return len(claims) == 1 and answer.shows(claims[0], others)


def _comes_to(answer: AnswerColumns, clause: str, claim: Claim, name: str) -> bool:
    """Return whether a number is what those of a column, or of the labels of a clause, come to together."""
    if sums_up_all(answer, claim, [name]):
        return True
    for column in answer.columns:
        own = [n for label in labels_in(clause, [column]) for n in column.under(label)]
        own = own or [*column.numbers.values()]
        units = answer.evidence.units.get(own[0], ()) if own else ()
        if len(own) > 1 and answer.with_numbers({SUMMARIES[name](own): units}).shows(claim):
            return True
    return False


def _is_end_of_several(answer: AnswerColumns, clause: str, name: str) -> bool:
    """Return whether a clause may call one of several numbers, or what has it, their maximum or minimum."""
    told = claims_in(clause)
    claims = [claim for claim in told if not claim.limit]
    if not claims and not labels_in(clause, answer.columns):
        return False
    fits = not claims or any(is_end(answer, claim, ENDS[name]) for claim in claims)
    if not fits or _OF_EACH.search(clause) is None:
        return fits
    held = way(clause) or comparison(clause) or len(claims) < len(told)
    return not held and all(any(is_end(answer, claim, end) for end in ENDS.values()) for claim in claims)
