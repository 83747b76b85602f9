"""What must not be carried from one attempt to the next: answers.

After GeoEvolver, section 3.3: in a benchmark, what co-occurs with expected outputs is not retrieved. Here
it also is not written: a reflection says what went wrong, never which option is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAMES_AN_OPTION = re.compile(
    r"\b(?:options?|choices?|answers?|letters?)\b[^.!?]{0,30}?\b(?:is|was|are|should be|must be|:|=)\s*"
    r"[\"'(]?\b[A-H]\b|\b(?:option|choice|letter)\s+[\"'(]?[A-H]\b|<answer>",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
# An integer of one or two digits is no secret: it counts dates, bands and steps.
_TELLING_NUMBER = re.compile(r"\d+\.\d+|\d{3,}")


def without_answers(text: str, choices: Sequence[str]) -> str:
    """Return a text without the sentences that name an option or tell one's content."""
    kept = [
        s for s in _SENTENCE.split(text.strip()) if not (_NAMES_AN_OPTION.search(s) or _tells(s, choices))
    ]
    return " ".join(kept)


def leaks(text: str, expected: Iterable[str]) -> bool:
    """Return whether a text holds one of the expected outputs, or names an option as the right one."""
    outputs = [output for output in expected if output.strip()]
    if not outputs:
        return False
    return _NAMES_AN_OPTION.search(text) is not None or _tells(text, outputs)


def _tells(text: str, outputs: Iterable[str]) -> bool:
    folded = " ".join(text.casefold().split())
    numbers = set(_TELLING_NUMBER.findall(folded))
    for output in outputs:
        wanted = " ".join(output.casefold().split()).strip(" .")
        secret = set(_TELLING_NUMBER.findall(wanted))
        # An option in words must have more than three letters: a unit or "yes" is in many a sentence.
        if secret & numbers or (len(wanted) > 3 and not secret and wanted in folded):
            return True
    return False
