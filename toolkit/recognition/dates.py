"""Dates in file names and tags."""

from __future__ import annotations

import re
from calendar import month_name, monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache

from treeline.toolkit.recognition.rules import dates, months, words_of_months

# As a run names what it makes of a first and a last day and those between them; it is of none of them.
PERIOD = re.compile(r"(\d{4}-\d\d-\d\d)T(\d{4}-\d\d-\d\d)")
_LONGEST_YEAR = 400
_CALENDAR = re.compile(r"^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$")


_FORMATS = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}


def moment_text(moment: datetime, precision: str | None) -> str:
    """Return a moment as people write it, with the precision that is known; without one, its day."""
    return moment.strftime(_FORMATS.get(precision or "day", "%Y-%m-%d %H:%M"))


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text.

    Attributes
    ----------
    date : datetime
        Naive UTC; the first moment of a month or year.
    precision : str
        ``instant``, ``minute``, ``day``, ``month`` or ``year``.
    rule : str
        Which form it has.
    span : tuple of int
        Where it stands in the text.
    """

    date: datetime
    precision: str
    rule: str
    span: tuple[int, int]


# A name is asked for its date as itself, as one of those beside it, and with its folders.
@lru_cache(maxsize=65_536)
def find_date(text: str) -> FoundDate | None:
    """Return the date in a name: the most precise form, and of one form the first.

    In product names the first date is the acquisition, the later ones are processing.
    """
    for rule in dates():
        for match in rule.regex.finditer(text):
            moment = _moment(match.groupdict())
            if moment is not None:
                precision = rule.precision if rule.precision != "range" else _length(moment, match["end"])
                if not precision:
                    return None
                # What stands before tells which form it is, and is no part of the date.
                place = "at" if "at" in rule.regex.groupindex else 0
                return FoundDate(moment, precision, rule.id, match.span(place))
    return None


def date_of_folders(folders: Sequence[str]) -> FoundDate | None:
    """Return the date that the nearest folders are called by: ``2021-06-01``, or ``2021``, ``06``, ``01``."""
    for depth in (3, 2, 1):
        text = "-".join(folders[-depth:])
        if depth <= len(folders) and (found := find_date(text)) and found.span == (0, len(text)):
            return found
    return None


def is_date(text: str) -> bool:
    """Return whether a text is a date and nothing else, or the number of a month or day in one."""
    found = find_date(text)
    return re.fullmatch(r"\d{1,2}", text) is not None or (found is not None and found.span == (0, len(text)))


def parse_moment(text: str) -> datetime | None:
    """Return a moment in ISO form or in that of TIFF tags, as naive UTC; ``None`` for any other text."""
    plain = re.sub(r"^(\d{4}):(\d\d):(\d\d)", r"\1-\2-\3", text.strip())
    try:
        moment = datetime.fromisoformat(plain.replace("Z", "+00:00"))
    except ValueError:
        return None
    if moment.tzinfo is not None:
        moment = (moment - (moment.utcoffset() or timedelta())).replace(tzinfo=None)
    # No image is older, and a tag with another year holds a default, such as 1900.
    return moment if 1950 <= moment.year <= 2035 else None


def calendar_moment(text: str, *, last: bool) -> datetime | None:
    """Return the first or the last second of a year, a month or a day, such as ``2021-07``.

    Returns
    -------
    datetime or None
        Naive UTC; ``None`` for any other text.
    """
    match = _CALENDAR.match(text)
    if match is None:
        return None
    year, month, day = int(match[1]), match[2], match[3]
    try:
        if not last:
            return datetime(year, int(month or 1), int(day or 1))
        days = int(day) if day else monthrange(year, int(month or 12))[1]
        return datetime(year, int(month or 12), days, 23, 59, 59)
    except ValueError:
        return None


def named_month(text: str) -> str:
    """Return the one month that a text names, such as ``July``; empty where it names none or several."""
    found = {months()[match[1].lower()] for match in _month_pattern().finditer(text)}
    return month_name[found.pop()] if len(found) == 1 else ""


@cache
def _month_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])({words_of_months()})(?![^\W\d_])", re.IGNORECASE)


def _numbers_of(parts: dict[str, str | None]) -> dict[str, int]:
    """Return the parts of a date as numbers, each by what it is counted in or by what that comes to."""
    number = {name: int(value) for name, value in parts.items() if value and name in "YycmQDKdjWVuHMS"}
    if month := parts.get("b"):
        number["m"] = months()[month.lower()]
    if quarter := number.get("Q"):
        # Quarters begin in January, April, July and October.
        number["m"] = 3 * quarter - 2
    if "y" in number:
        number["Y"] = 2000 + number["y"]
    if "c" in number:
        # No satellite that is told so is older than of the seventies.
        number["Y"] = (1900 if number["c"] >= 70 else 2000) + number["c"]
    if third_of_year := number.get("K"):
        number["m"], number["D"] = (third_of_year - 1) // 3 + 1, (third_of_year - 1) % 3 + 1
    if third := number.get("D"):
        # Thirds of a month (dekads) begin on the 1st, 11th and 21st.
        number["d"] = 10 * third - 9
    if half := parts.get("h"):
        number["d"] = 1 if half == "a" else 16
    if week := number.get("V"):
        number["j"] = 7 * week - 6
    return number


def _moment(parts: dict[str, str | None]) -> datetime | None:
    number = _numbers_of(parts)
    clock = (number.get("H", 0), number.get("M", 0), number.get("S", 0))
    try:
        if "j" in number:
            moment = datetime(number["Y"], 1, 1, *clock) + timedelta(days=number["j"] - 1)
            return moment if moment.year == number["Y"] and number["j"] > 0 else None
        if "W" in number:
            # Weeks of ISO 8601, which begin on a Monday, day 1.
            return datetime.fromisocalendar(number["Y"], number["W"], number.get("u", 1))
        return datetime(number["Y"], number.get("m", 1), number.get("d", 1), *clock)
    except ValueError:
        return None


def _length(start: datetime, end: str) -> str:
    """Return how long a range is; empty of several years, which are the date of nothing."""
    try:
        days = (datetime.strptime(end, "%Y%m%d") - start).days + 1
    except ValueError:
        return "day"
    # From 27 and 360 days on: some providers leave out the last day, or count years of 12 months of 30 days.
    if days > _LONGEST_YEAR:
        return ""
    return "year" if days >= 360 else "month" if 27 <= days <= 31 else "day"
