"""Numbers of a question that no reader took up."""

from __future__ import annotations

import re

from core.policies.planner.text import Reading

_MEANT_OTHERWISE = (
    r"percentile|\bp\d\d?\b|\b(?:top|best|worst|first|last|two|both)\b|\bgsd\b|\bepsg\b|sentinel|landsat|modis|"
    r"\bband|\bb\d|\bresolution|\bpixels? of\b|\blevel\b|\bz[- ]?score|\bconfidence|\bsigma"
)
_NUMBER = re.compile(r"(?<![\w.#@_/-])\d+(?:[.,]\d+)*(?![\w#@_/-])")


def unread_numbers(reading: Reading, taken: bool) -> tuple[str, ...]:
    """Return in a sentence which numbers were left unread; none where they name something, or were taken."""
    if taken or re.search(_MEANT_OTHERWISE, reading.text):
        return ()
    found = dict.fromkeys(match[0] for match in _NUMBER.finditer(reading.rest))
    if not found:
        return ()
    listed = ", ".join(found)
    return (f"I made no use of the number{'s' if len(found) > 1 else ''} {listed} in the question.",)
