"""Which statistic a question asks for, beyond its single words."""

from __future__ import annotations

import re
from typing import Literal

from treeline.core.policies.planner import cues, phrases
from treeline.core.policies.planner.intent import Statistic
from treeline.core.policies.planner.text import NUMBER, Reading, number

_RANGE = (
    r"(?<!in the )(?<!within the )\b(?:elevation|altitude|value|temperature|ndvi|data) ranges?\b(?! of)"
    r"|\bwhat (?:is|was) the range of\b"
    r"|\branges? of (?:the )?(?:values|elevations?|temperatures?|altitudes?)\b"
    r"|^(?:the )?range of\b"
    r"|\bbetween (?:the )?(?:highest and (?:the )?lowest|lowest and (?:the )?highest) "
    r"(?:point|pixel|value|elevation|place|spot)s?\b"
)


def listed_statistics(reading: Reading) -> list[Statistic]:
    """Return the statistics that a question lists, as in "mean, median and standard deviation"."""
    if re.search(_RANGE, reading.text):
        return ["min", "max"]
    simple = [(p, s) for p, s in cues.STATISTICS if s in ("median", "std", "min", "max", "mean", "sum")]
    found = sorted((m.start(), m.end(), s) for p, s in simple for m in [re.search(p, reading.text)] if m)
    for (_, end, _), (start, _, _) in zip(found, found[1:], strict=False):
        if not re.fullmatch(r"(?:,|,? and|, )(?: the)? ?|, ", reading.text[end:start]):
            return []
    return [statistic for _, _, statistic in found]


def listed_percentiles(reading: Reading) -> list[float]:
    """Return the percentiles of "the 10th and 90th percentile"; empty for a single one."""
    one = rf"{NUMBER}(?:st|nd|rd|th)?"
    match = re.search(rf"\b(?P<l>{one}(?:(?:, | and |, and ){one})+)[- ]percentiles?\b", reading.text)
    return [number(n) for n in re.findall(NUMBER, match["l"])] if match else []


def end_of_range(reading: Reading) -> Statistic:
    """Return which end of the pixels' range "the lowest NDVI" and the like mean; the mean where neither."""
    if re.search(r"\b(?:lowest|smallest|coldest)\b", reading.text):
        return "min"
    return "max" if re.search(r"\b(?:highest|largest|greatest|hottest|peak)\b", reading.text) else "mean"


def trend_methods(reading: Reading) -> tuple[str, ...]:
    """Return how a trend is to be worked out: a line and a test of its significance, unless one is named."""
    linear, tested = reading.has(phrases.LINEAR), reading.has(phrases.SIGNIFICANCE)
    if reading.has(phrases.SENS_SLOPE) and not tested:
        return ("line", "sens_slope") if linear else ("sens_slope",)
    return ("line",) if linear and not tested else ("line", "mann_kendall_test")


def percentile(reading: Reading) -> float | None:
    """Return which percentile a question asks for."""
    match = re.search(
        rf"(?P<a>{NUMBER})(?:st|nd|rd|th)?[- ]percentile|percentile (?:of )?(?P<b>{NUMBER})", reading.text
    )
    match = match or re.search(r"\bp(?P<a>\d\d?)\b(?P<b>)", reading.text)
    return number(match["a"] or match["b"]) if match else None


def direction(reading: Reading, role: str = "") -> Literal["highest", "lowest"]:
    """Return which extreme of a variable a question asks for; the driest has the highest dryness index."""
    if role == "tvdi" and re.search(r"\bdri(?:est|er)\b|\bwettest\b", reading.text):
        return "lowest" if re.search(r"\bwettest\b", reading.text) else "highest"
    change = re.search(cues.CHANGE_EXTREME, reading.text)
    if change:
        word = change["c"] or change["d"]
        return (
            "lowest" if word.startswith(("decreas", "drop", "declin", "los", "fall", "fell")) else "highest"
        )
    low, high = re.search(cues.LOWEST, reading.text), re.search(cues.HIGHEST, reading.text)
    if low and high:
        return "lowest" if low.start() < high.start() else "highest"
    return "lowest" if low else "highest"


def without_composite(text: str) -> str:
    """Return a question without the words of a composite other than the mean, which name no statistic."""
    for pattern, kind in phrases.COMPOSITES:
        text = text if kind == "mean" else re.sub(pattern, " ", text)
    return text
