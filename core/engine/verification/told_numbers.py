"""What a clause tells of one of its numbers: its statistic, class, date, limits and variable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import (
    Claim,
    claims_in,
    dates_in,
)
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.labels import GROUNDS
from treeline.core.engine.verification.mentions import Mention, in_digits, labels_beside, mentions_in
from treeline.core.engine.verification.notation import COUNTABLE
from treeline.core.engine.verification.phrases import denies_side, side, tells_difference
from treeline.core.engine.verification.question_words import leads_elsewhere
from treeline.core.engine.verification.results import variables_in
from treeline.core.engine.verification.shares import without_fractions
from treeline.core.engine.verification.statistic_words import (
    find_statistics,
    statistic_of,
    statistics_in_order,
)
from treeline.toolkit.variables import VARIABLES

_BY_BOTH = re.compile(r"\b(?:by|on|in) (?:both|either)\b", re.I)
# What a limit is: pixels above 701 m (the median elevation).
_OF_LIMIT = re.compile(
    r"\b(?:above|below|over|under|than) [-\d.,]+ ?\S{0,3} "
    r"\((?:the )?(?:mean|median|average|maximum|minimum)[^()]*\)",
    re.I,
)
_OF_A_KIND = 5
# What a number is called right before it.
_CALLED = re.compile(
    r"\b(?P<name>mean|average|median|max(?:imum)?|min(?:imum)?|std|variance|sum|total)(?: [a-z]+)?\s*"
    r"(?:of|is|was|being|at|:|=|\()\s*(?:about |around |only |just |some )?$",
    re.I,
)
# By how much the numbers scatter: 0.73 \u00b1 0.06.
_GIVE_OR_TAKE = re.compile(r"(?:\u00b1|\+/-|plus or minus) ?$", re.I)
_SPREADS = frozenset({"std", "standard_error"})
_WHOLE = re.compile(
    r"\b(?:(?:whole|entire|overall|total|study|mapped) (?:area|scene|image|region|raster|map)|"
    r"(?:of|in|across|over) the (?:area|scene|image|region|raster|map))\b",
    re.I,
)
_OF_SCENE = re.compile(
    r"\b(?:scene|overall|total|whole|grand|regional|area)[ -](?:wide )?"
    r"(?:mean|average|median)\b[^\d.;]{0,12}$",
    re.I,
)
_COMPARES = re.compile(r"\b(?:than(?! (?:about |some )?[-\d])|against|compared|versus)\b", re.I)
_UP_TO = re.compile(r"\bup to (?:about )?(?P<number>\d[\d.,]*)", re.I)
# What has a size by itself; of classes and quality only covers are told.
MEASURED = frozenset({"temperature", "index", "product", "radar"})
SLOPE, ASPECT = "terrain_slope", "terrain_aspect"
# Roles whose name says in plain words that something stands out.
_EVERYDAY = frozenset({"anomaly"})
# By what ground is divided: "by altitude it rises from 0.66 below 690 m".
_GROUPS = re.compile(r"\bby (?:altitude|elevation|height|slope|steepness|aspect|exposition)\b", re.I)
_SLOPES = re.compile(r"\bslopes?\b", re.I)


@dataclass(frozen=True, slots=True)
class Told:
    """What a clause tells of one of its numbers.

    Attributes
    ----------
    statistics, names, dates : frozenset of str
    limits : tuple of tuple
        Those of the clause, or else of the question, and the side of them; 0 where it tells none.
    whole : bool
        It is told of the whole scene, and of no class.
    variables : frozenset of str
        The roles of what is measured.
    heading : str
        What the clause stands below.
    """

    clause: str
    statistics: frozenset[str]
    names: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    limits: tuple[tuple[Claim, int], ...] = ()
    whole: bool = False
    variables: frozenset[str] = frozenset()
    heading: str = ""


def mentions_told(answer: AnswerColumns, clause: str) -> list[Mention]:
    """Return the numbers of a clause, and the classes and dates that it names, measured or not."""
    names = (*answer.legend.values(), *answer.names_of_facts)
    kinds = (name.rpartition(" ")[2] for name in names)  # forest, of which there are two
    # The ground rises on bare ground, too.
    kinds = (kind for kind in kinds if len(kind) >= _OF_A_KIND and kind not in GROUNDS)
    known = Column(dict.fromkeys((*names, *kinds), 0.0))
    found = mentions_in(clause, [*answer.columns, known])
    named = {mention.label for mention in found}
    dates = [date for date in dates_in(clause) if date not in named]
    return sorted(
        (*found, *(Mention(clause.find(date), date) for date in dates)), key=lambda mention: mention.place
    )


def tell_of(answer: AnswerColumns, clause: str, mention: Mention, mentions: Sequence[Mention]) -> Told:
    """Return what a clause, and where it leaves that open the question, tells of one of its numbers.

    Parameters
    ----------
    mention : Mention
        The number; ``mentions`` are all numbers, classes and dates of the clause.
    """
    claim = mention.claim
    numbers = [m.claim for m in mentions if m.claim is not None]
    labels = labels_beside(mention, mentions, clause)
    dates = frozenset(filter(dates_in, labels))
    limits = limits_told(clause, answer) or (
        [] if _measured_both_sides(answer) else limits_told(answer.question)
    )
    statistics_told = (
        _statistics_of(clause, claim, [c for c in numbers if c == claim or _is_statistic(clause, c)])
        if claim
        else frozenset()
    )
    if claim == answer.only_number or [claim] == list(answer.claims):
        statistics_told = statistics_told or find_statistics(answer.text) or find_statistics(answer.question)
    variables = _variables_told(clause)
    if claim is not None and _is_asked(answer, claim):
        asked = [m.label for m in mentions_told(answer, in_digits(answer.question)) if m.label]
        of_dates = [label for label in asked if dates_in(label)]
        names = [label for label in asked if not dates_in(label)]
        if not any(mention.label for mention in mentions):
            labels |= frozenset(names if len(names) == 1 else ())
            dates |= frozenset(of_dates if len(of_dates) == 1 else ())
        variables = variables or _variables_told(answer.question)
        if not find_statistics(clause):
            statistics_told = find_statistics(answer.question)
    of_scene = claim is not None and _OF_SCENE.search(clause[: mention.place])  # beside which a class lies
    return Told(
        clause,
        statistics_told,
        frozenset() if of_scene else labels - dates,
        dates,
        tuple(limits),
        _WHOLE.search(clause) is not None
        and not _COMPARES.search(clause)
        and not any(m.label and not dates_in(m.label) for m in mentions),
        variables,
    )


def _is_asked(answer: AnswerColumns, claim: Claim) -> bool:
    """Return whether a number is the first that an answer tells, which answers the question."""
    first = next((each for each in answer.claims if not each.limit), None)
    return claim == first and not leads_elsewhere(answer.question) and not tells_difference(answer.question)


def _variables_told(text: str) -> frozenset[str]:
    """Return the roles of the variables that a text names, but those of which only covers are told."""
    # What has no words of its own, such as a difference or a probability, is made of anything.
    text = _GROUPS.sub(" ", text)
    known = ((role, VARIABLES[role]) for role in variables_in(text) if role not in _EVERYDAY)
    roles = {role for role, variable in known if variable.words and variable.kind in MEASURED}
    return frozenset(roles | ({SLOPE} if _SLOPES.search(text) else set()))


def with_heading(answer: AnswerColumns, heading: str, told: Told) -> Told:
    """Return what is told of a number with what its clause leaves to the heading that it stands below."""
    if not heading:
        return told
    labels = frozenset(mention.label for mention in mentions_told(answer, heading) if mention.label)
    dates = frozenset(filter(dates_in, labels))
    alone = find_statistics(heading, nouns=True)
    return replace(
        told,
        statistics=told.statistics or (alone if len(alone) == 1 else frozenset()),
        names=told.names or labels - dates,
        dates=told.dates or dates,
        heading=heading,
    )


def _measured_both_sides(answer: AnswerColumns) -> bool:
    """Return whether results are of what lies above a limit and of what lies below it: steep and gentle."""
    sides = {(limit.number, limit.side) for fact in answer.facts for limit in fact.origin.limits}
    return any((number, -side) in sides for number, side in sides)


def _is_statistic(clause: str, claim: Claim) -> bool:
    """Return whether a number may be a statistic: neither a limit nor how many of something there are."""
    return not (claim.limit or claim.thing in COUNTABLE or _is_of_top(clause, claim))


def _is_of_top(clause: str, claim: Claim) -> bool:
    """Return whether a number tells of which part something is the mean: of the top 10 %."""
    return (
        re.search(rf"\b(?:top|bottom|upper|lower|first|last) {re.escape(claim.text)}\b", clause) is not None
    )


def limits_told(text: str, answer: AnswerColumns | None = None) -> list[tuple[Claim, int]]:
    """Return the limits that a text names, and the side that it speaks of (0 for none).

    Parameters
    ----------
    answer : AnswerColumns, optional
        Up to how much something goes is a limit where a call of it was told that one.
    """
    if denies_side(text):
        return []
    plain = without_fractions(text)
    found = [(c, side(plain)) for c in claims_in(text) if c.limit and c.unit != "1"]
    if found or answer is None or not (match := _UP_TO.search(plain)):
        return found
    known = {limit.number for fact in answer.facts for limit in fact.origin.limits}
    return [(c, -1) for c in claims_in(text) if c.number in known and match["number"] == c.text]


def _statistics_of(clause: str, claim: Claim, numbers: Sequence[Claim]) -> frozenset[str]:
    """Return the statistics that a number is told to be: right before it, or once for all of its clause."""
    clause = _OF_LIMIT.sub(" ", clause)
    before = clause[: clause.find(claim.text)]
    if _GIVE_OR_TAKE.search(before):
        return _SPREADS
    if match := _CALLED.search(before):
        name = statistic_of(match["name"].casefold())
        return frozenset({name}) if name else frozenset()
    if len(numbers) > 1 and _BY_BOTH.search(clause):  # by both statistics of the clause before
        return frozenset()
    in_order = statistics_in_order(clause)
    if len(numbers) > 1 and len(in_order) == len(numbers) == len(set(in_order)):
        return frozenset({in_order[numbers.index(claim)]}) if claim in numbers else frozenset()
    named = find_statistics(clause)
    first = claim in numbers[:1] and named == find_statistics(before)
    return named if len(numbers) == 1 or first else frozenset()
