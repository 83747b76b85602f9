"""Directions of the compass that an answer tells beside an angle: 139 degrees is south-east."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.phrases import WINDS
from treeline.core.engine.verification.results import numbers_in, tool_of

_TURN, _APART = 360.0, 45.0
# Halfway to the next of eight; a direction that is told between two of them is told roughly.
_ROUGH = 30.0
_DIRECTION = re.compile(r"\b(?P<pole>north|south)?(?:[- ]?(?P<side>east|west))?(?:ern|wards?|erly)?\b", re.I)
_OF_ANGLE = re.compile(r"\b(?:bearing|azimuth|heading|direction|aspect)(?:\b|_between)", re.I)
_LIES = re.compile(r"\b(?:lies?|lay|is|was|to|of|from|towards?|due)\b", re.I)
_ANGLE = ("degree", "")


def _winds_in(text: str) -> list[str]:
    """Return the directions of the compass that a text names, as ``north-east``."""
    parts = ([match["pole"], match["side"]] for match in _DIRECTION.finditer(text))
    return ["-".join(part.casefold() for part in pair if part) for pair in parts if any(pair)]


def find_false_bearings(answer: AnswerColumns) -> Iterator[str]:
    """Yield a direction that two points are told to lie in, where their bearing was found to be another.

    Which of them is seen from the other, words seldom tell: the opposite direction passes.
    """
    bearings = [
        n
        for step in answer.steps
        if _OF_ANGLE.search(tool_of(step))
        for n in numbers_in(step.observation.value)
    ]
    if len(bearings) != 1:
        return
    for clause in answer.clauses:
        found = _winds_in(clause)
        if len(found) != 1 or not _LIES.search(clause):
            continue
        (wind,) = found
        apart = abs(bearings[0] - _APART * WINDS.index(wind)) % (_TURN / 2)
        if min(apart, _TURN / 2 - apart) > _APART:
            right = WINDS[round(bearings[0] / _APART) % len(WINDS)]
            yield f"A bearing of {bearings[0]:.4g} degrees is {right}, not {wind}."


def find_false_directions(text: str) -> Iterator[str]:
    """Yield the direction of the compass that is told beside a bearing, and is another one, in sentences."""
    for sentence in sentences(text):
        found = _winds_in(sentence)
        angles = [
            c for c in claims_in(sentence) if c.unit in _ANGLE and not c.limit and 0 <= c.number < _TURN
        ]
        angles = [c for c in angles if re.search(rf"{re.escape(c.text)}\s?(?:\u00b0|deg)", sentence)]
        if len(found) != 1 or len(angles) != 1 or not _OF_ANGLE.search(sentence):
            continue
        (wind,) = found
        apart = abs(angles[0].number - _APART * WINDS.index(wind))
        if min(apart, _TURN - apart) > _ROUGH:
            right = WINDS[round(angles[0].number / _APART) % len(WINDS)]
            yield f"{angles[0].text} degrees are {right}, not {wind}."
