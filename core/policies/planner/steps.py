"""The steps that a question spells out: "first ..., then ..., and finally ..."."""

from __future__ import annotations

import re
from functools import lru_cache

from treeline.core.policies.planner import cues

_VERBS = (
    r"(?:calculat|comput|determin|estimat|deriv|find|identif|count|report|analy[sz]|assess|evaluat|compar|"
    r"apply|list|give|giving|rank|quantif|output|track|measur|obtain|retriev|classif|construct|perform)\w*"
)
_SINCE = r"(?:then|next|finally|lastly|last|afterwards?|subsequently|after that|and|and then|and finally)"
_BREAK = re.compile(
    rf"(?:(?<=[.;?!])\s+|, |\band )(?:{_SINCE},? )*(?=(?:first |to )?{_VERBS}|what|how|which)"
)


@lru_cache(maxsize=64)
def steps_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return where each step of a normalised question begins and ends."""
    starts = [0, *(match.end() for match in _BREAK.finditer(text))]
    return tuple(zip(starts, [*starts[1:], len(text)], strict=True))


def goal_of(text: str) -> int:
    """Return where the last step begins that says what is to be found out."""
    for start, end in reversed(steps_of(text)):
        if any(re.search(pattern, text[start:end]) for pattern, _ in (*cues.STATISTICS, *cues.OPERATIONS)):
            return start
    return 0
