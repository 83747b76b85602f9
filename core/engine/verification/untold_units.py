"""Units that an answer gives to numbers of results that have none: they have to be told somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import POINTS, claims_in, find_unit
from treeline.core.engine.verification.phrases import tells_difference
from treeline.core.engine.verification.readings import readings_of
from treeline.toolkit.variables import VARIABLES

# What a number without a unit may always be told as: a share, a number of things.
_OF_NUMBERS = frozenset({"", "1", "%", POINTS, COUNT})
# What is of something is a share of it.
_POINTS_OF = re.compile(r"\bpoints? (?:of|in) (?:the|all|its|these|those)\b", re.I)
_WORD = re.compile(r"[^\W\d_]+(?:/?[^\W_]+)*")
_EACH_OTHER = re.compile(r"\b(?:of|from|between) (?:each other|one another)\b", re.I)


def find_untold_units(answer: AnswerColumns, told: str) -> Iterator[str]:
    """Yield the numbers that have a unit in the answer, and none in their result or elsewhere.

    Parameters
    ----------
    told : str
        The question with its options, and what the data are said to be.
    """
    for clause in answer.clauses:
        points = [claim for claim in claims_in(clause) if claim.unit == POINTS and claim in answer.claims]
        points = points if not _EACH_OTHER.search(clause) else []
        if points and (_POINTS_OF.search(clause) or not tells_difference(f"{answer.question} {clause}")):
            yield f"{points[0].text} is a share: percentage points tell how far two of them lie apart."
    known: frozenset[str] | None = None
    for claim in answer.claims:
        if claim.unit in _OF_NUMBERS or claim.limit:
            continue
        others = [other for other in answer.claims if other.unit and other.unit != claim.unit]
        told_in_it = (n for other in others for n in readings_of(claim, other.number, (other.unit,)))
        if any(abs(n - claim.number) <= claim.half for n in told_in_it):
            continue  # it is another number of the answer
        own = [n for n in answer.evidence.numbers if abs(abs(n) - abs(claim.number)) <= claim.half]
        if not own or any(answer.evidence.units.get(n) or n in answer.evidence.computed for n in own):
            continue
        known = known if known is not None else _units_told(answer, told)
        if not any(_is_of(claim.unit, unit) for unit in known):
            yield f"No cited step tells the unit of {claim.text}, which the answer gives in {claim.unit}."


def _is_of(unit: str, told: str) -> bool:
    """Return whether a unit is one that is told, or made of it as m2 of m; degrees are of either scale."""
    if unit == "degree" and told in ("degC", "degF", "K"):
        return True
    return unit == told or unit.partition("/")[0].rstrip("23") == told.partition("/")[0].rstrip("23")


def _units_told(answer: AnswerColumns, told: str) -> frozenset[str]:
    """Return the units of results, of what they are of, and those that question, data and results name."""
    of_steps = " ".join(f"{step.observation.unit} {step.observation.text}" for step in answer.steps)
    text = f"{told} {answer.evidence.words} {of_steps}"
    found = {find_unit(word) or word for word in _WORD.findall(text)}
    found |= {
        unit.removeprefix("difference of ") for units in answer.evidence.units.values() for unit in units
    }
    folded = f" {' '.join(_WORD.findall(text.casefold()))} "
    names = ((word, each.unit) for each in VARIABLES.values() for word in (each.role, *each.words))
    return frozenset(found | {unit for word, unit in names if f" {word} " in folded})
