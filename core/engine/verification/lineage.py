"""Of which class each result is: a mean of a raster that was cut to the forest is one of the forest.

A class is chosen by one call, and what is measured by a later one that reads the file which the first wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.columns import Column, find_names
from treeline.core.engine.verification.support import evidence_of

_COMPARES = re.compile(r"\b(?:than|against|compared|versus)\b", re.I)
_WHOLE = re.compile(r"\b(?:whole|entire|overall|total) (?:area|scene|image|region|raster|map)\b", re.I)
_GROUND = re.compile(r"condition|mask|class|zone|formula|expression|aoi|rasters|vector")
# What is set against another ground speaks of both.
_OF_OTHERS = re.compile(
    r"\b(?:than(?! (?:about |some )?[-\d])|against|compared|versus|whole|total|all|other|others|rest|"
    r"everywhere|scene|overall|together)\b",
    re.I,
)


def find_other_ground(answer: AnswerColumns) -> Iterator[str]:
    """Yield numbers that are told of one class and come from steps of another, or of the whole."""
    classes = answer.classes
    known = frozenset[str]().union(*classes.values()) | frozenset(answer.legend.values())
    limited = {number: of for number, of in classes.items() if of}
    names = [Column(dict.fromkeys(known, 0.0))]
    numbers = {step.number: evidence_of([step]).numbers for step in answer.steps}
    tabled = {label for column in answer.columns if not column.dated for label in column.numbers}
    for clause in answer.clauses:
        if _WHOLE.search(clause) and not _COMPARES.search(clause) and not find_names(clause, names):
            yield from _of_the_whole(answer, clause, numbers)
        said = [name for name in find_names(clause, names) if name not in tabled]
        if len(said) != 1 or _OF_OTHERS.search(clause):
            continue
        # Where nothing was cut to any ground, a class that nobody asked for was not looked at.
        apart = (
            not limited
            and not any(map(_may_choose, answer.steps))
            and said[0] not in answer.question.casefold()
        )
        measured = apart or any(of == {said[0]} for of in limited.values())
        for claim in (c for c in claims_in(clause) if c in answer.claims and not c.limit):
            holders = [n for n, own in numbers.items() if answer.shows(claim, own)]
            others = [n for n in holders if said[0] not in classes[n] and (classes[n] or measured)]
            if holders and len(others) == len(holders):
                own = _of(classes[others[0]])
                yield f"{claim.text} is of step {others[0]}, which is {own}, not of {said[0]}."


def _of_the_whole(
    answer: AnswerColumns, clause: str, numbers: Mapping[int, Sequence[float]]
) -> Iterator[str]:
    """Yield numbers that are told of the whole and come from steps that were limited to a class."""
    for claim in (c for c in claims_in(clause) if c in answer.claims and not c.limit):
        holders = [n for n, own in numbers.items() if answer.shows(claim, own)]
        if holders and all(answer.classes[n] for n in holders):
            own = _of(answer.classes[holders[0]])
            yield f"{claim.text} is of step {holders[0]}, which is {own}, not of the whole."


def _may_choose(step: Step) -> bool:
    """Return whether a call may have chosen a ground in a way that its arguments do not name."""
    given = (step.observation.arguments or {}).keys()
    return any(_GROUND.search(name) for name in given)


def _of(classes: Iterable[str]) -> str:
    return f"of {' and '.join(sorted(classes))}" if classes else "of the whole"
