"""Questions that are answered by yes or no."""

from __future__ import annotations

import re

from treeline.core.policies.planner import phrases
from treeline.core.policies.planner.comparing import is_comparing
from treeline.core.policies.planner.intent import Operation, Statistic, Subject, Threshold
from treeline.core.policies.planner.linking import Linked
from treeline.core.policies.planner.periods import Times
from treeline.core.policies.planner.text import Reading


def limit_of_doubt(reading: Reading, base: Subject, linked: Linked, operation: Operation) -> Threshold | None:
    """Return the limit of a question such as "Is the mean NDVI above 0.6?"."""
    asked = re.search(phrases.WHETHER, reading.text) and operation == "value" and linked.threshold is not None
    spatial = base.statistic in ("share", "area", "pixels") and reading.has(
        r"%|\bshare\b|\barea\b|\bpixels\b|\bpercentage\b"
    )
    if not asked or spatial or re.search(phrases.WHERE, reading.text) or len(base.conditions) > 1:
        return None
    return linked.threshold


def anywhere(reading: Reading, limit: Threshold) -> Statistic | None:
    """Return the extreme that tells whether any pixel passes a limit; ``None`` where that is not asked."""
    if not reading.has(r"\b(?:anywhere|somewhere|any (?:pixels?|parts?|places?|points?))\b"):
        return None
    return "max" if limit.side == "above" else "min"


def any_at_all(reading: Reading, base: Subject, operation: Operation) -> Threshold | None:
    """Return the limit of "Is there any snow?"."""
    asked = operation == "value" and base.statistic == "share" and reading.has(phrases.IS_THERE)
    return Threshold("above", 0.0) if asked else None


def without_limit(reading: Reading, operation: Operation, statistic: Statistic | None) -> str:
    """Return what a question such as "Is the vegetation stressed?" asks for and does not say enough of."""
    bare = re.search(r"^(?:is|are|was|were) (?:the |my |our |it |this )", reading.text)
    number = statistic is not None or re.search(r"\d", reading.timeless) or is_comparing(reading)
    if not bare or number or operation != "value":
        return ""
    return "a yes or no without a limit: say what counts, such as \u201cIs the mean NDVI above 0.5?\u201d"


def without_times(reading: Reading, operation: Operation, subjects: tuple[Subject, ...]) -> str:
    """Return what "Did NDVI drop after the harvest?" asks for, where it names no two times."""
    asked = re.search(r"^(?:did|has|have) ", reading.text) and is_comparing(reading)
    if (
        not asked
        or operation != "value"
        or len(subjects) != 1
        or subjects[0].threshold
        or subjects[0].conditions
    ):
        return ""
    return "a change without two times: name both, such as \u201cfrom May to July\u201d"


_LESS = (
    r"\b(?:lower|less|cooler|colder|smaller|fewer|decreas\w*|declin\w*|fall\w*|fell|drop\w*|shr[aiu]nk\w*|"
    r"negative\w*|inverse\w*)\b"
)
_MORE = (
    r"\b(?:higher|more|warmer|hotter|greener|larger|bigger|greater|wetter|brighter|drier|cloudier|increas\w*|"
    r"ris[ei]\w*|rose|grow\w*|grew|gain\w*|positive\w*)\b"
)


def claim_of(reading: Reading, subjects: tuple[Subject, ...], times: Times) -> int:
    """Return which sign of the difference of two subjects a question for yes or no claims; 0 for none.

    "Did it rise?" is about the later less the earlier, "Was A warmer than B?" about A less B.
    """
    if not re.search(phrases.WHETHER, reading.text) or len(subjects) != 2:
        return 0
    less, more = re.search(_LESS, reading.text), re.search(_MORE, reading.text)
    word = less or more
    either = rf"(?:{_LESS}) or (?:{_MORE})|(?:{_MORE}) or (?:{_LESS})"
    if word is None or reading.has(either):
        return 0
    sign = -1 if less and (not more or less.start() < more.start()) else 1
    apart_in_time = subjects[0].period != subjects[1].period
    compares = re.search(r"\bthan\b", reading.text[word.start() :]) is not None
    named_first = times.parts[0].period == subjects[0].period
    return -sign if compares and apart_in_time and named_first else sign
