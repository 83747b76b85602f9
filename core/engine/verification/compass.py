"""Directions of the compass that an answer tells beside an angle: 139 degrees is south-east."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.phrases import WINDS

_TURN, _APART = 360.0, 45.0
# Halfway to the next of eight; a direction that is told between two of them is told roughly.
_ROUGH = 30.0
_DIRECTION = re.compile(r"\b(?P<pole>north|south)?(?:[- ]?(?P<side>east|west))?(?:ern|wards?|erly)?\b", re.I)
_OF_ANGLE = re.compile(r"\b(?:bearing|azimuth|heading|direction|aspect)\b", re.I)
_ANGLE = ("degree", "")


def find_false_directions(text: str) -> Iterator[str]:
    """Yield the direction of the compass that is told beside a bearing, and is another one, in sentences."""
    for sentence in sentences(text):
        found = [match for match in _DIRECTION.finditer(sentence) if match["pole"] or match["side"]]
        angles = [
            c for c in claims_in(sentence) if c.unit in _ANGLE and not c.limit and 0 <= c.number < _TURN
        ]
        angles = [c for c in angles if re.search(rf"{re.escape(c.text)}\s?(?:\u00b0|deg)", sentence)]
        if len(found) != 1 or len(angles) != 1 or not _OF_ANGLE.search(sentence):
            continue
        wind = "-".join(part.casefold() for part in (found[0]["pole"], found[0]["side"]) if part)
        apart = abs(angles[0].number - _APART * WINDS.index(wind))
        if min(apart, _TURN - apart) > _ROUGH:
            right = WINDS[round(angles[0].number / _APART) % len(WINDS)]
            yield f"{angles[0].text} degrees are {right}, not {wind}."
