"""What texts say of clouds, and what results tell of them: how cloudy dates are and which are clear."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import Step
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.percent import per_cent
from treeline.core.engine.verification.phrases import ENDINGS
from treeline.core.engine.verification.results import numbers_in, quantity_of

CLOUDS = "cloud_share"
_COMPLETELY = 100.0
_OF_CLOUDS = re.compile(r"cloud|\bclear|overcast", re.I)
_FILE = re.compile(rf"\.{ENDINGS}$", re.I)
_OF_MASKS = re.compile(r"(?:^|[_-])clm(?:[_.-]|$)|cloud_?mask|clouds?[_.-]", re.I)
_MASKS = re.compile(r"\bcloud[- ]?mask\w*|\bmask\w* (?:out )?(?:the |for )?clouds?\b", re.I)
_FREE = r"(?:cloud[- ]?free|cloudless|free of (?:any )?clouds?|clear|without (?:any |a )?clouds?|no clouds?)"
_CLEAR = re.compile(rf"\b{_FREE}\b", re.I)
_CLOUDED = (
    r"(?:cloudy|clouded|(?:affected|hidden|obscured|hit|covered) by clouds?|(?:under|in) clouds?|"
    r"(?:has|have|had|shows?|showed|contains?) (?:some )?clouds?)"
)
_CLOUDY = re.compile(rf"\b(?<!not )(?:{_CLOUDED}|overcast)\b", re.I)
_OVERCAST = re.compile(
    r"\b(?:completely|entirely|fully|totally|wholly) (?:cloudy|covered|clouded|overcast|hidden|obscured)\b|"
    r"(?<!partly )(?<!mostly )(?<!nearly )(?<!almost )\bovercast\b",
    re.I,
)
_COMPLETE = (
    r"(?:completely|entirely|fully|totally|wholly) (?:cloudy|covered|clouded|overcast|hidden|obscured)|"
    r"overcast|(?:cloudy|covered|clouded|overcast|hidden|obscured) "
    r"(?:completely|entirely|fully|totally|wholly)"
)
_CLEAR_DATES = re.compile(
    r"\b(?:cloud[- ]?free|clear|cloudless)(?: \w+)? "
    r"(?:dates?|days?|images?|scenes?|acquisitions?|months?|ones?)\b",
    re.I,
)
# Seven of the 21 dates are cloud-free.
_SO_MANY = re.compile(
    r"(?<![\d.\u2013-])(?<!of )(?<!the )(?P<count>\d{1,3})(?: of (?:the |all |these )?\d+)?(?: \w+)? "
    r"(?:(?:dates|days|images|scenes|rasters|acquisitions)\b[^.;,]{0,30}?|(?:is|are|was|were|had|have) )"
    rf"\b(?:(?P<clear>{_FREE})|"
    rf"(?P<all>{_COMPLETE})|{_CLOUDED})\b",
    re.I,
)
_PLURAL_DATES = r"(?:dates|days|images|scenes|rasters|acquisitions)"
_DATES = r"(?:dates?|days?|images?|scenes?|rasters?|acquisitions?)"
# Of, or among, the seven clear dates; a mean that rests on them, a year that has so many.
_OF_CLEAR = re.compile(
    r"\b(?:of|among|over|across|from|on|by|with|ha[sd]|have|there (?:are|were)|us(?:es?|ing)|"
    r"averag(?:es?|ed|ing)|covers?|includes?|contains?|comprises?|lists?) "
    rf"(?:the |all |all the |only |just )?(?P<count>\d{{1,3}}) (?:{_FREE}) {_DATES}\b",
    re.I,
)
# Which part of the dates: half of the scenes had no cloud at all, none of them, every scene.
_PART_OF_DATES = re.compile(
    # A part of the scene is none of the scenes.
    rf"\b(?:(?:none of|all|both|every|each|no) (?:the |all |these )*(?:\d+ |\w+ )?{_DATES}|"
    rf"of (?:the |all |these )*(?:\d+ |\w+ )?{_PLURAL_DATES})\b"
    rf"[^.;,]{{0,30}}?\b(?:(?P<clear>{_FREE})|"
    rf"(?P<all>{_COMPLETE})|{_CLOUDED})\b",
    re.I,
)
# Which part of a scene: 92 % clear, 8 % of the scene was covered by clouds.
_PART_OF_SCENE = (
    r"\s?(?:%|per ?cent) (?:of (?:it|(?:the |its )?(?:area|scene|image|pixels|sky|ground|raster)) )?"
    rf"(?:(?:is|was|are|were|remain(?:s|ed)|stay(?:s|ed)) )?(?:(?P<clear>{_FREE})\b|"
    r"(?:cloudy|clouded|cloud cover|covered (?:by|with|in) cloud|under cloud|clouds?\b))"
)
# Whether clouds were taken out of what is spoken of, or left in.
_MASKED = re.compile(
    r"\b(?:cloud-masked|clouds? (?:are |is |were )?(?:masked|removed|excluded|left out)|"
    r"cloudy pixels (?:are |were )?(?:masked|removed|excluded|left out)|leaving clouds out|"
    r"(?:after|with) (?:cloud )?masking|"
    r"(?:masking|removing|excluding) (?:the |out )?(?:clouds?|cloudy pixels)|without (?:the )?clouds)\b",
    re.I,
)
_LEFT_IN = re.compile(
    r"\b(?:without (?:any )?(?:cloud )?masking|"
    r"(?:including|with) (?:the )?clouds"
    r"(?! (?:(?:are|were) )?(?:masked|removed|excluded|left out|taken out))|with them(?= ?\))|"
    r"(?:using|over|with|when) all pixels|unmasked|all pixels (?:are|were) used)\b",
    re.I,
)
_PARTLY = re.compile(
    r"\b(?:mostly|nearly|almost|partly|partially|largely|more|less|than|above|below|over|under|not|n't|no|least|"
    r"most|\d+ ?%)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class CountOfDates:
    """How many dates a text says to be clear, cloudy or completely covered.

    Attributes
    ----------
    is_one : callable
        Whether a date with so many per cent of clouds is one of them.
    """

    count: int
    name: str
    is_one: Callable[[float], bool]


def asks_cloudiness(text: str) -> bool:
    """Return whether a text is of how cloudy something is: of what there is on clear dates it is not."""
    return _OF_CLOUDS.search(_MASKS.sub(" ", _CLEAR_DATES.sub(" ", text))) is not None


def tells_only_clear(text: str) -> bool:
    """Return whether a text speaks of what is clear, and of nothing cloudy."""
    return _CLEAR.search(text) is not None and _CLOUDY.search(text) is None


def tells_only_cloudy(text: str) -> bool:
    """Return whether a text speaks of what is cloudy, and of nothing clear."""
    return _CLOUDY.search(text) is not None and _CLEAR.search(text) is None


def tells_overcast(text: str) -> bool:
    """Return whether a text says that clouds cover all of something."""
    return _OVERCAST.search(text) is not None


def tells_masked(text: str) -> bool:
    """Return whether a text says that clouds were taken out."""
    return _MASKED.search(text) is not None


def tells_left_in(text: str) -> bool:
    """Return whether a text says that clouds were left in."""
    return _LEFT_IN.search(text) is not None


def count_of_dates(text: str) -> CountOfDates | None:
    """Return how many dates a text says to be clear or cloudy; ``None`` where it says none or roughly."""
    plain = in_plain_digits(text)
    match = _SO_MANY.search(plain)
    if match is None or _PARTLY.search(_CLEAR.sub(" ", plain)):
        return None
    return _sky_of(match, int(match["count"]))


def _sky_of(match: re.Match[str], count: int = 0) -> CountOfDates:
    if match["clear"]:
        return CountOfDates(count, match["clear"], lambda share: share == 0)
    if match["all"]:
        return CountOfDates(count, match["all"], lambda share: share == _COMPLETELY)
    return CountOfDates(count, "cloudy", lambda share: share > 0)


def sky_told_of_share(text: str) -> CountOfDates | None:
    """Return what a text says that a part of the dates was, clear or cloudy; ``None`` where it says none."""
    match = _PART_OF_DATES.search(text)
    if _CLEAR.search(text) and _CLOUDY.search(text):  # each is either clear or cloudy
        return None
    if match is None or _PARTLY.search(_CLEAR.sub(" ", match[0].partition(" ")[2])):
        return None
    return _sky_of(match)


def sky_told_of_part(text: str, number: str) -> int:
    """Return whether a text tells a number of a scene as its clear part (1) or its clouds (-1); else 0."""
    match = re.search(rf"(?<![\d.]){re.escape(number)}{_PART_OF_SCENE}", in_plain_digits(text), re.I)
    return 0 if match is None else 1 if match["clear"] else -1


def count_of_clear(text: str) -> int:
    """Return of how many clear dates a text speaks: "of the seven clear dates"; 0 where of none."""
    match = _OF_CLEAR.search(in_plain_digits(text))
    return int(match["count"]) if match else 0


def is_of_clouds(step: Step) -> bool:
    """Return whether a step found how cloudy rasters are: by its tool, or since it read their masks alone."""
    read = [file_name(text) for text in texts(step.observation.arguments) if _FILE.search(text)]
    return quantity_of(step) == CLOUDS or bool(read) and all(map(_OF_MASKS.search, read))


def cloud_covers(step: Step) -> list[float]:
    """Return how cloudy a step found rasters, in per cent; empty where it looked for no clouds.

    The mean of a cloud mask is the part that it marks.
    """
    numbers = list(numbers_in(step.observation.value))
    if quantity_of(step) == CLOUDS:
        return numbers
    if not is_of_clouds(step) or not (_is_mean_of_marks(step) or _is_share_of_marks(step)):
        return []
    return [cover_of(step, n) for n in numbers]


def cover_of(step: Step, number: float) -> float:
    """Return in per cent what a step found of clouds; a mean of marks tells a part of one."""
    return per_cent(number) if _is_mean_of_marks(step) else number


def _is_share_of_marks(step: Step) -> bool:
    """Return whether a step gave in per cent how much of rasters is marked."""
    return (step.observation.arguments or {}).get("statistic") == "share"


def _is_mean_of_marks(step: Step) -> bool:
    """Return whether a step gave the means of rasters whose pixels are marked, by 1, or are not."""
    numbers = list(numbers_in(step.observation.value))
    return quantity_of(step) == "mean" and all(0 <= number <= 1 for number in numbers)
