"""Whether an answer speaks of what its steps were of: classes that calls measured, files that they wrote.

A class is chosen by one call, and what is measured by a later one that reads the file which the first wrote:
a mean of a raster that was cut to the forest is one of the forest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from treeline.core.engine.actions import action_name
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.attributions import may_choose
from treeline.core.engine.verification.clauses import is_negated, sentences
from treeline.core.engine.verification.clouds import CLOUDS, tells_masked
from treeline.core.engine.verification.phrases import ENDINGS
from treeline.core.engine.verification.results import numbers_in, quantity_of
from treeline.core.engine.verification.wording import shown_by_indices

_FILE = re.compile(
    rf"(?<![\w@])[\w./-]*\w\.{ENDINGS}\b",
    re.I,
)
_OBJECT = r"(?:maps?|rasters?|layers?|files?|geotiffs?|pictures?|charts?|plots?|figures?|histograms?|masks?)"
_VERB = r"(?:written|wrote|saved|created|generated|produced|exported|stored|drawn|drew|rendered|plotted|made)"
# "I created a map of it", "the map of the change was saved".
_MADE = re.compile(
    rf"\b{_VERB} (?:(?!(?:from|of|by|for|on|in|with|over|using)\b)\w+ ){{0,4}}{_OBJECT}\b|"
    rf"\b{_OBJECT}(?: (?!it\b|they\b)\w+){{0,6}} (?:is|are|was|were|been) (?:\w+ )?{_VERB}\b"
    r"(?! (?:from|by|up)\b)",
    re.I,
)
_CLOUDS = re.compile(r"cloud|clm|mask|clear|qa_|scl|valid", re.I)
_PERHAPS = re.compile(r"\b(?:can|could|may|might|would|should|if|to be)\b", re.I)
# A class that is named as what remains was not measured itself.
_REST = re.compile(r"\b(?:rest|remain\w*|other|others|not|without|rather|else|outside)\b", re.I)


def find_other_subjects(answer: AnswerColumns, state: State) -> Iterator[str]:
    """Yield the classes that an answer names and its steps did not measure, and files that none wrote."""
    yield from _unmeasured_classes(answer, state)
    yield from _unwritten_files(answer.text, state)
    yield from _clouds_left_in(answer, state)


def _clouds_left_in(answer: AnswerColumns, state: State) -> Iterator[str]:
    """Yield where clouds are said to have been taken out, and no call had anything to do with clouds."""
    said = next((clause for clause in answer.clauses if tells_masked(clause)), "")
    if said and not any(
        _CLOUDS.search(f"{action_name(s.action)} {s.observation.arguments}") for s in state.calls
    ):
        yield f"No step took clouds out, as {said.strip()!r} says."


def _unmeasured_classes(answer: AnswerColumns, state: State) -> Iterator[str]:
    chosen = any(origins.whole.names for origins in answer.origins.values())
    if not chosen and not any(map(may_choose, state.calls)):
        said = f"{state.question} {' '.join(state.choices)}".casefold()
        tabled = {label for column in answer.columns for label in (*column.numbers, column.of)}
        shown = shown_by_indices(answer.evidence.words)
        named = (
            name
            for name in _mentioned_classes(answer.text, answer.legend)
            if name not in said and name not in tabled and name not in shown
        )
        yield from (f"No cited step measured {name}." for name in named)
        return
    measuring = [step for step in answer.steps if any(True for _ in numbers_in(step.observation.value))]
    classes = [answer.origins[step.number].whole.names for step in measuring if quantity_of(step) != CLOUDS]
    if not classes or not all(classes):
        return
    measured = frozenset().union(*classes)
    for name in _mentioned_classes(answer.text, answer.legend):
        if name not in measured | answer.tabled_names:
            yield f"No cited step measured {name}: they are of {', '.join(sorted(measured))}."


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
    done = [step.observation for step in state.steps if step.observation.is_success]
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
