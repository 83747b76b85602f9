"""Of which class each result is: a mean of a raster that was cut to the forest is one of the forest.

A class is chosen by one call, and what is measured by a later one that reads the file which the first wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.columns import Column, find_names, is_number
from treeline.core.engine.verification.support import evidence_of

# What only tells the grid or the place of a result chooses no ground.
_NO_CHOICE = frozenset({"reference_path", "output_path", "output_paths", "zones_path", "classes_path"})
_CHOOSES = re.compile(r"value|class|mode")
_GROUND = re.compile(r"condition|mask|class|zone|formula|expression|aoi|rasters|vector")
# What is set against another ground speaks of both.
_OF_OTHERS = re.compile(
    r"\b(?:than(?! (?:about |some )?[-\d])|against|compared|versus|whole|total|all|other|others|rest|"
    r"everywhere|scene|overall|together)\b",
    re.I,
)


def classes_of_steps(steps: Sequence[Step], legend: Mapping[str, str]) -> dict[int, frozenset[str]]:
    """Return the classes that each step is limited to, by its number; empty where it is of the whole.

    Parameters
    ----------
    legend : mapping
        Names of classes by their number, as text.
    """
    made: dict[str, frozenset[str]] = {}
    found: dict[int, frozenset[str]] = {}
    for step in steps:
        arguments = {k: v for k, v in (step.observation.arguments or {}).items() if k not in _NO_CHOICE}
        read = [made[name] for text in texts(arguments) if (name := file_name(text)) in made]
        classes = frozenset(_chosen(arguments, legend)).union(*read)
        found[step.number] = classes
        for product in step.observation.products:
            made[file_name(product.name)] = made[file_name(product.path)] = classes
    return found


def _chosen(arguments: Mapping[str, object], legend: Mapping[str, str]) -> Iterator[str]:
    """Yield the classes that a call chooses: by the value of an attribute, or by their number."""
    only = arguments.get("only")
    if isinstance(only, dict):
        yield from (str(value).casefold() for value in only.values())
    equal = arguments.get("mode") == "equal"
    for name, item in arguments.items():
        if is_number(item) and f"{item:g}" in legend and (equal or _CHOOSES.search(name)):
            yield legend[f"{item:g}"]


def find_other_ground(answer: AnswerColumns) -> Iterator[str]:
    """Yield numbers that are told of one class and come from steps of another, or of the whole."""
    classes = answer.classes
    known = frozenset[str]().union(*classes.values()) | frozenset(answer.legend.values())
    limited = {number: of for number, of in classes.items() if of}
    names = [Column(dict.fromkeys(known, 0.0))]
    numbers = {step.number: evidence_of([step]).numbers for step in answer.steps}
    tabled = {label for column in answer.columns if not column.dated for label in column.numbers}
    for clause in answer.clauses:
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


def _may_choose(step: Step) -> bool:
    """Return whether a call may have chosen a ground in a way that its arguments do not name."""
    given = (step.observation.arguments or {}).keys()
    return any(_GROUND.search(name) for name in given)


def _of(classes: Iterable[str]) -> str:
    return f"of {' and '.join(sorted(classes))}" if classes else "of the whole"
