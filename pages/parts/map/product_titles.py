"""What a person calls a raster that a run made: what it is, of which part, when; not the name of its file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from treeline.core.engine.actions import ProductRecord, action_name
from treeline.core.engine.state import Step
from treeline.toolkit.recognition.dates import PERIOD
from treeline.toolkit.variables import variable

_SPAN = re.compile(r"(\d{4}-\d\d-\d\d)-to-(\d{4}-\d\d-\d\d)")
_FROM_TO = re.compile(r"(\d{4}-\d\d-\d\d)[T_](\d{4}-\d\d-\d\d)")
_WHEN = re.compile(r"\d{4}-\d\d-\d\d(?: to |\u2013)\d{4}-\d\d-\d\d|\d{4}(?:-\d\d){0,2}(?:T\d{4})?")
_AGAIN = re.compile(r" (\d{1,2})$")
# What is made of several dates is of none of them.
BETWEEN_DATES = frozenset({"difference", "absolute_difference", "trend_slope", "trend_p", "anomaly", "dnbr"})
# How the planner begins the names of masks of ground: what follows says which.
_OF_GROUND, _JOINED = "mask_", "mask_joined"
_STATISTICS = {
    "mean": "mean",
    "median": "median",
    "max": "maximum",
    "min": "minimum",
    "std": "standard deviation",
    "sum": "sum",
    "range": "range",
    "count": "number of dates",
}
_SIGNS = {"above": ">", "below": "<", "above_equal": "\u2265", "below_equal": "\u2264", "equal": "="}
# A mask of several dates: the least of them is 1 where each one is.
_OF_MASKS = {
    "min": "on every date",
    "max": "on any date",
    "sum": "dates counted",
    "mean": "share of the dates",
}
_MET = "Condition met"
_MOST_NAMED, _PART = 3, ", part of the ground"


def title_of_product(record: ProductRecord, step: Step | None = None) -> tuple[str, str]:
    """Return what the map calls a product, and its date; no date for what is made between dates.

    Parameters
    ----------
    step : Step, optional
        The one that wrote it: its arguments tell a threshold and a part of the ground.
    """
    stem = PurePath(record.name).stem
    between = record.role in BETWEEN_DATES or PERIOD.search(stem) is not None
    date = "" if between else record.date or ""
    words = _FROM_TO.sub(r"\1 to \2", _SPAN.sub("\\1\u2013\\2", stem)).replace("_", " ")
    again = _AGAIN.search(words) if record.date or between else None
    words = words[: again.start()] if again else words
    found = _WHEN.search(words)
    when = date or (found[0] if found else "")
    if record.role == "mask":
        what = _mask(stem, _WHEN.sub("", words).split(), step)
    else:
        what = _variable(record, _WHEN.sub("", words).split(), step, between=between)
    told = " \u00b7 ".join(filter(None, [what, when]))
    return f"{told} ({again[1]})" if again else told, date


def _variable(record: ProductRecord, words: list[str], step: Step | None, *, between: bool) -> str:
    own = short_title(record.role)
    rest = [word for word in words if word.casefold() != record.role]
    if record.role in BETWEEN_DATES and words:  # "ndvi change": what it is a change of, the name tells
        return " ".join([_index(words[0]), *words[1:]])
    statistic = _STATISTICS.get(rest[-1]) if between and rest else None
    if statistic:
        return f"{own}, {statistic}"
    if "clear" in words:
        return f"{own}, clouds masked"
    if "where" in words or (step is not None and action_name(step.action) == "keep_where"):
        return f"{own}{_part(step)}"
    return own


def _part(step: Step | None) -> str:
    """Return which pixels a step kept, where the mask that it was given says so by its name."""
    given = _arguments(step).get("condition_path", "")
    stem = PurePath(str(given[0] if isinstance(given, list) and given else given)).stem
    if not stem.startswith(_OF_GROUND) or stem == _JOINED or any(sign.isdigit() for sign in stem):
        return _PART
    names = _names(stem.removeprefix(_OF_GROUND))
    return f" in {', '.join(names)}" if len(names) <= _MOST_NAMED else _PART


def _mask(stem: str, words: list[str], step: Step | None) -> str:
    """Return what a mask marks."""
    arguments = _arguments(step)
    sign, limit = _SIGNS.get(str(arguments.get("mode", "above"))), arguments.get("threshold")
    if sign and isinstance(limit, int | float) and words and variable(words[0].casefold()) is not None:
        return f"{_index(words[0])} {sign} {limit:g}"
    if not stem.startswith(_OF_GROUND):
        return _MET
    rest = words[1:]
    if len(rest) == 1 and rest[0] in _OF_MASKS:
        return f"{_MET} {_OF_MASKS[rest[0]]}"
    if not rest or stem == _JOINED:
        return _MET
    if variable(rest[0].casefold()) is not None:
        return " ".join(["Mask \u00b7", _index(rest[0]), *rest[1:]])
    names = _names(stem.removeprefix(_OF_GROUND)) if not _WHEN.search(stem) else [" ".join(rest)]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"Mask \u00b7 {', '.join(names[:_MOST_NAMED])}{more}"


def _names(text: str) -> list[str]:
    """Return the names in the name of a mask: of several, words are joined by a hyphen."""
    if "-" not in text:
        return [text.replace("_", " ")]
    return [name.replace("-", " ") for name in text.split("_")]


def _arguments(step: Step | None) -> Mapping[str, Any]:
    return (step.observation.arguments if step else None) or {}


def _index(word: str) -> str:
    known = variable(word.casefold())
    return short_title(word.casefold()) if known is not None else word


def short_title(role: str) -> str:
    """Return what a role is called where there is little room: ``NDVI``, ``Cloud mask``, ``nir``."""
    known = variable(role)
    if known is None:
        return role.replace("_", " ")
    if known.kind == "index" and "_" not in role:
        return role.upper()
    return known.title if len(known.title) < 28 else role.replace("_", " ")
