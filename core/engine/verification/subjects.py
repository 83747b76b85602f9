"""Whether an answer speaks of what its steps were of: classes that calls measured, files that they wrote.

A class is chosen by one call, and what is measured by a later one that reads the file which the first wrote:
a mean of a raster that was cut to the forest is one of the forest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.columns import Column, find_names
from treeline.core.engine.verification.phrases import ENDINGS, is_negated
from treeline.core.engine.verification.results import is_number
from treeline.core.engine.verification.support import evidence_of

_FILE = re.compile(
    rf"(?<![\w@])[\w./-]*\w\.{ENDINGS}\b",
    re.I,
)
_OBJECT = r"(?:maps?|rasters?|layers?|files?|geotiffs?|pictures?|charts?|plots?|figures?|histograms?|masks?)"
_VERB = r"(?:written|wrote|saved|created|generated|produced|exported|stored|drawn|drew|rendered|plotted|made)"
# "I created a map of it", "the map of the change was saved".
_MADE = re.compile(
    rf"\b{_VERB} (?:(?!(?:from|of|by|for|on|in|with|over|using)\b)\w+ ){{0,4}}{_OBJECT}\b|"
    rf"\b{_OBJECT}(?: \w+){{0,6}} (?:is|are|was|were|been) (?:\w+ )?{_VERB}\b(?! (?:from|by)\b)",
    re.I,
)
_PERHAPS = re.compile(r"\b(?:can|could|may|might|would|should|if|to be)\b", re.I)
# A class that is named as what remains was not measured itself.
_REST = re.compile(r"\b(?:rest|remain\w*|other|others|not|without|than|else|outside)\b", re.I)
_HANDLE = re.compile(r"@([\w-]+) classes:")
_ANY_HANDLE = re.compile(r"@([\w-]+)")
_COMPARES = re.compile(r"\b(?:than|against|compared|versus)\b", re.I)
_WHOLE = re.compile(r"\b(?:whole|entire|overall|total) (?:area|scene|image|region|raster|map)\b", re.I)
_GROUND = re.compile(r"condition|mask|class|zone|formula|expression|aoi|rasters|vector")
# What is set against another ground speaks of both.
_OF_OTHERS = re.compile(
    r"\b(?:than(?! (?:about |some )?[-\d])|against|compared|versus|whole|total|all|other|others|rest|"
    r"everywhere|scene|overall|together)\b",
    re.I,
)


def find_other_subjects(answer: AnswerColumns, state: State) -> Iterator[str]:
    """Yield the classes that an answer names and its steps did not measure, and files that none wrote."""
    yield from _unmeasured_classes(answer, state)
    yield from _unwritten_files(answer.text, state)


def _unmeasured_classes(answer: AnswerColumns, state: State) -> Iterator[str]:
    if _read_others(state, answer.steps):
        said = f"{state.question} {' '.join(state.choices)}".casefold()
        named = (name for name in _mentioned_classes(answer.text, answer.legend) if name not in said)
        yield from (f"No cited step measured {name}." for name in named)
        return
    numeric = [step for step in answer.steps if is_number(step.observation.value)]
    classes = [answer.classes[step.number] for step in numeric]
    if not classes or not all(classes) or len(numeric) < len(answer.steps):
        return
    measured = frozenset().union(*classes)
    for name in _mentioned_classes(answer.text, answer.legend):
        if name not in measured:
            yield f"No cited step measured {name}: they are of {', '.join(sorted(measured))}."


def _read_others(state: State, grounds: Iterable[Step]) -> bool:
    """Return whether all that steps read are collections whose names tell that they have no classes."""
    of_classes = {name.casefold() for name in _HANDLE.findall(state.context.get("holdings", ""))}
    known = {name.casefold() for name in _ANY_HANDLE.findall(state.context.get("catalogue", ""))}
    read = [
        text.casefold()
        for step in grounds
        for text in texts(step.observation.arguments)
        if _FILE.search(text) or text.startswith("@")
    ]
    others = known - of_classes
    return bool(read) and all(
        any(name in text for name in others) and not any(name in text for name in of_classes) for text in read
    )


def _mentioned_classes(text: str, legend: Mapping[str, str]) -> Iterator[str]:
    """Yield the classes that a text names, but for those that are what remains."""
    for sentence in sentences(text):
        left = sentence.casefold()
        for name in sorted(legend.values(), key=len, reverse=True):
            if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", left) and not _REST.search(sentence):
                yield name
            left = left.replace(name, " ")


def _unwritten_files(text: str, state: State) -> Iterator[str]:
    made = _products(state.steps)
    given = [state.question, *state.context.values()]
    done = [step.observation for step in state.steps if step.observation.succeeded]
    read = {file_name(item) for each in done for item in texts(each.arguments)}
    told = "\n".join([*given, *(each.text for each in done)])
    for sentence in sentences(text):
        makes = next((m for m in _MADE.finditer(sentence) if not is_negated(sentence, m.start())), None)
        makes = None if _PERHAPS.search(sentence) else makes
        for match in _FILE.finditer(sentence):
            name = file_name(match[0])
            known = name in made or not makes and (name in read or name in told)
            if not known and not is_negated(sentence, match.start()):
                yield f"No step wrote {name}."
        if makes and not made:
            yield f"No step wrote what {makes[0]!r} speaks of."


def _products(steps: Iterable[Step]) -> frozenset[str]:
    """Return the names of the files that steps wrote."""
    written = (product for step in steps for product in step.observation.products)
    return frozenset(file_name(name) for product in written for name in (product.name, product.path))


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
