"""A date that is chosen by another variable: "the NDVI on the date with the highest LST"."""

from __future__ import annotations

import re

from treeline.core.policies.planner import cues
from treeline.core.policies.planner.text import normalised

_DATE = r"(?:date|day|scene|image|acquisition)"
_EXTREME = rf"(?:{cues.LOWEST}|{cues.HIGHEST}|\bwettest\b)"
_CLAUSES = (
    rf"\b(?:on|at|for|of|in) the {_DATE} (?:with|of|that has|that had|having) (?P<clause>[^,?;]+)",
    rf"\b(?:on|at|for|of|in) the {_DATE} (?:when|on which|where|in which|that) (?P<clause>[^,?;]+)",
    r"\bwhen (?P<clause>(?:the )?[^,?;]+ (?:is|was|reach\w*|peak\w*)\b[^,?;]*)",
    rf"\b(?:on|at|for|of) the (?P<clause>\w+est {_DATE})\b",
)


def split(question: str) -> tuple[str, str] | None:
    """Return what is asked for and the question for its date; ``None`` where the date is not chosen so."""
    text = normalised(question)
    for pattern in _CLAUSES:
        match = re.search(pattern, text)
        if match is None or not re.search(_EXTREME, match["clause"]):
            continue
        rest = f"{text[: match.start()]} {text[match.end() :]}".strip(" ,?.;")
        if len(rest.split()) > 1:
            clause = match["clause"].strip()
            chosen = clause if re.search(rf"\b{_DATE}\b", clause) else f"on which date is {clause}"
            return rest, f"which is the {chosen}" if chosen is clause else chosen
    return None
