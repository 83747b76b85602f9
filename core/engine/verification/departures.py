"""How something stands to what it was set against in an anomaly or a difference, told without "than".

"It is lower by 0.03", "less green throughout", "12 % of the pixels were warmer": the sign tells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.clauses import is_negated
from treeline.core.engine.verification.degree_words import LESS, MORE, extreme
from treeline.core.engine.verification.facts import SHARE, Fact
from treeline.core.engine.verification.guesses import is_guess
from treeline.core.engine.verification.labels import find_names, labels_in
from treeline.core.engine.verification.origins import Limit
from treeline.core.engine.verification.percent import rest_of
from treeline.core.engine.verification.phrases import way
from treeline.core.engine.verification.quantifiers import comparison_of

# What something is set against, or the earlier of two, of which the opposite holds.
_BASE = r"(?:baseline|reference|norm(?:al)?|usual|average|long-term \w+|climatology)"
_OF_BASE = re.compile(
    rf"^\W*(?:the|its|their|that) (?:\w+ )?{_BASE}\b|\b(?:earlier|previous|former|before|first|then)\b", re.I
)
_BEYOND_BASE = re.compile(
    rf"\b(?:(?P<above>above|over)|below|under|beneath) (?:(?:the |its |their |that )?"
    rf"(?:\w+ )?{_BASE}\b|(?:that|the one|those) (?:of|in|from|on) \d)",
    re.I,
)
# What tells that something is more, and not what the more of something else is: lower slopes.
_IS = re.compile(
    r"\b(?:is|are|was|were|became|turn(?:s|ed) out|stay(?:s|ed)|remain(?:s|ed)|l(?:ies|ay)|ended up|came out|"
    r"looks?|looked|has|have|had|shows?|showed)\b",
    re.I,
)
# Where on the ground it is so, which no mean of the whole tells.
_PLACED = re.compile(
    r"\b(?:in|on|over|at|near|along|towards?|around) (?:the |its )?"
    r"(?!average\b|whole\b|all\b|mean\b|general\b|total\b|every\b|each\b|both\b)[a-z]"
)
# By how much: "by 0.03", "0.03 lower".
_BY = re.compile(r"\bby (?:about |around |roughly |some |only |just |an? average of )?$", re.I)
_DEGREE_BEHIND = re.compile(r"\s?\S{0,4} (?:more|less|\w+er|above|below|under|over)\b", re.I)


def find_false_departures(answer: AnswerColumns) -> Iterator[str]:
    """Yield which way something is told to lie from what it was set against, and does not.

    Parameters
    ----------
    answer : AnswerColumns
        What is said, beside the facts of the results.
    """
    facts = [fact for fact in answer.facts if fact.is_departure]
    latest = max((date for fact in facts for date in fact.origin.dates), default="")
    asked = dates_in(answer.question)
    if not facts or len(asked) > 1 and not latest.startswith(asked[0]):
        return  # of two dates that the question turns round nothing tells which one is meant
    for clause in answer.clauses:
        head = clause.partition(": ")[0].partition(" than ")[0]
        said, subject = _leaning(head)
        of_dates = dates_in(subject)
        if of_dates and not latest.startswith(of_dates[0]):
            said = -said  # the earlier of two, of which the opposite holds
        of_base = _OF_BASE.search(head)
        if not said or of_base or extreme(clause) or is_guess(clause):
            continue
        told = [claim for claim in claims_in(head) if not claim.limit]
        shares = [claim for claim in told if claim.unit == "%"]
        yield from (w for claim in shares for w in _false_share(answer, facts, claim, said))
        yield from (w for c in told if c not in shares for w in _false_size(answer, facts, c, head, said))
        if not told and not labels_in(head, answer.columns):
            yield from _false_of_all(facts, head, said)


def _leaning(head: str) -> tuple[int, str]:
    """Return whether something is called more (1) or less (-1), and what is said before that.

    So it is where it lies above or below what it is held to.
    """
    beyond = _BEYOND_BASE.search(head)
    if beyond is not None and not is_negated(head, beyond.start()):
        return (1 if beyond["above"] else -1), head[: beyond.start()]
    start = said.end() if (said := _IS.search(head)) else len(head)
    more, less = MORE.search(head, start), LESS.search(head, start)
    found = more or less
    if found is None:
        # All of them warmed; by how much is held against the change itself.
        return 0 if claims_in(head) else way(head), head
    if more and less or is_negated(head, found.start()):
        return 0, ""
    return (1 if more else -1), head[: found.start()]


def _moved(fact: Fact) -> float:
    """Return a change from the earlier to the later, or from what is usual."""
    return fact.number * (fact.origin.change or 1)


def _is_share(fact: Fact) -> bool:
    return fact.statistic == SHARE or fact.step.observation.unit == "%"


def _false_share(answer: AnswerColumns, facts: Sequence[Fact], claim: Claim, said: int) -> Iterator[str]:
    """Yield a part that is told to be more, where it is what lies below zero; or the other way round."""
    for fact in facts:
        sides = {side for side in (1, -1) if Limit(0.0, side) in fact.origin.limits}
        if not _is_share(fact) or len(sides) != 1 or len(fact.origin.limits) != 1:
            continue
        side = sides.pop() * (fact.origin.change or 1)
        is_part, is_rest = answer.shows(claim, [fact.number]), answer.shows(claim, [rest_of(fact.number)])
        if is_part != is_rest and said != (side if is_part else -side):
            yield f"{fact.number:.4g} % are what is {'more' if side > 0 else 'less'}."
            return


def _false_size(
    answer: AnswerColumns, facts: Sequence[Fact], claim: Claim, head: str, said: int
) -> Iterator[str]:
    """Yield by how much something is told to be more, where the result is that it is less by so much."""
    before, _, behind = head.partition(claim.text)
    if not (_BY.search(before) or _DEGREE_BEHIND.match(behind)):
        return
    sizes = [fact for fact in facts if not _is_share(fact)]
    names = find_names(head, answer.columns)
    own = [f for f in sizes if not names or f.names & set(names)]
    shown = [fact for fact in own if answer.shows(claim, [abs(fact.number)])]
    if shown and all(_moved(fact) * said < 0 for fact in shown):
        yield f"It is {'less' if said > 0 else 'more'}: the result is {shown[0].number:.6g}."


def _false_of_all(facts: Sequence[Fact], head: str, said: int) -> Iterator[str]:
    """Yield what is told to be more in all, or on the whole, and is less."""
    wanted = comparison_of(head)
    means = [fact for fact in facts if not _is_share(fact) and fact.statistic == "mean"]
    labelled = {fact.names: _moved(fact) for fact in means if fact.labels}
    if wanted is not None and labelled:
        count = sum(n * said > 0 for n in labelled.values())
        if not wanted(count, len(labelled)):
            yield f"{count} of {len(labelled)} are {'more' if said > 0 else 'less'}."
        return
    wholes = [fact for fact in means if not fact.labels and not _PLACED.search(head)]
    if wholes and all(_moved(fact) * said < 0 for fact in wholes):
        yield f"On the whole it is {'less' if said > 0 else 'more'}: the mean is {wholes[0].number:.6g}."
