"""Variables that a question names only as that from which the answer is to be made."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treeline.core.policies.planner import phrases
from treeline.core.policies.planner.text import Reading
from treeline.core.policies.planner.vocabulary import Mention

_LISTED = r"(?:from|out of|using)(?: both)?(?: the)?(?P<listed>.*)"


def sources_among(mentions: Sequence[Mention], reading: Reading) -> list[Mention]:
    """Return the mentions that are sources: "using NDVI data", "TVDI from NDVI and LST"."""
    announced = [match.span() for match in re.finditer(phrases.SOURCES, reading.text)]
    return [
        mention
        for mention in mentions
        if any(start <= mention.span.start and mention.span.end <= end for start, end in announced)
        or _made_from(mention, mentions, reading)
    ]


def _made_from(mention: Mention, mentions: Sequence[Mention], reading: Reading) -> bool:
    """Return whether a mention stands in a list after "from" and the like, with what is made of it before."""
    for made in mentions:
        if made.span.end > mention.span.start or made.role == mention.role:
            continue
        between = reading.text[made.span.end : mention.span.start]
        match = re.fullmatch(rf"[^.;?]{{0,12}}\b{_LISTED}", between)
        if match is None:
            continue
        rest = match["listed"]
        for other in mentions:
            rest = rest.replace(reading.text[other.span.start : other.span.end], "")
        if re.fullmatch(r"(?:[ ,]|\band\b|\bthe\b)*", rest):
            return True
    return False
