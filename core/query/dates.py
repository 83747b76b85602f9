"""Dates as questions write them: numbers in the usual orders, names of months, quarters, years."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Collection

from treeline.core.query.expression import Span, When
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.times import DayOfYear, Time
from treeline.core.query.slots import months_of, year_when

_MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_MONTH = rf"(?P<month>{_NAMES})\b\.?"
_MONTHS_EACH = rf"(?P<month>{'|'.join(name.lower() for name in calendar.month_name if name)})s\b"
_WEEK = r"(?:calendar\s+week|week|cw|kw)\s*(?P<week>[0-5]?\d)"
_DAY_NUMBER = (
    r"(?:(?:day(?:\s+of\s+(?:the\s+)?year)?|doy|julian\s+day)(?:\s+(?:no\.?|number))?\s*(?P<number>[1-9]\d{0,2})"
    r"|(?:the\s+)?(?P<counted>[1-9]\d{0,2})(?:st|nd|rd|th)\s+day)"
)
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_MORE_DAY = r"(?:the\s+)?\d\d?(?:st|nd|rd|th)?"
_ANY_MONTH = rf"(?:{_NAMES})\b\.?"
_SAME_YEAR = r"(?:\s+(?:of|in)\s+(?:the\s+same|that\s+same|that)\s+year)?"
_YEAR = r"(?P<year>(?:1[89]|20)\d\d)"
# Years before are those of models and old maps; where there are none, 1850 is a height or another number.
_OLD = 1900
_TWO = r"(?P<two>\d\d)"
_YEAR_END = r"(?![\w]|[.,/]\d|-\d(?!\d{3}(?!\d)))"
_END = r"(?![\w]|[.,/-]\d)"

# "The fifth of July": the number of the day.
_ORDINALS = re.findall(
    r"\w+",
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
)
_LATE = {"thirtieth": 30, "thirty-first": 31, **{f"twenty-{_ORDINALS[i]}": 21 + i for i in range(9)}}
_DAYS = {name: number for number, name in enumerate(_ORDINALS, start=1)} | _LATE
_DAY_IN_WORDS = re.compile(
    rf"\b({'|'.join(sorted(_DAYS, key=len, reverse=True))})"
    rf"(?= of (?:{'|'.join(calendar.month_name[1:]).lower()}))"
)
_FEASTS = {
    "new year's day": "1 january",
    "christmas day": "25 december",
    "christmas eve": "24 december",
    "new year's eve": "31 december",
}
_FEAST = re.compile("|".join(name.replace(" ", r"\s+") for name in _FEASTS))

Found = tuple[int, tuple[Phrase, ...]]


def with_days_in_numbers(text: str) -> str:
    """Return a text of the same length in which feasts and days in words are written in numbers."""
    text = _DAY_IN_WORDS.sub(lambda day: str(_DAYS[day[1]]).ljust(len(day[1])), text)
    return _FEAST.sub(lambda feast: _FEASTS[" ".join(feast[0].split())].ljust(len(feast[0])), text)


def _day(year: int, month: int, day: int) -> tuple[Phrase, ...]:
    try:
        date = dt.date(year, month, day)
    except ValueError:
        return ()
    return (Time(When((Span(date, date),))),)


def _written_day(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    year = match.groupdict().get("year") or f"20{match['two']}"
    return _day(int(year), _month(match), int(match["day"]))


def _month(match: re.Match[str]) -> int:
    name = match["month"]
    return _MONTHS[name] if name in _MONTHS else int(name)


def _of_month(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    month = _month(match)
    span = months_of(int(match["year"]), (month,)) if 1 <= month <= 12 else None
    return (Time(When((span,))),) if span else ()


def _without_year(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    month, day = _month(match), int(match["day"])
    return (DayOfYear(month, day),) if day <= calendar.monthrange(2024, month)[1] else ()


def _before_others(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    """Return a day in the year of the last of several; none where the months do not go on."""
    return _written_day(match, known) if _month(match) <= _MONTHS[match["last"].rstrip(".")] else ()


def _numbers(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    """Return the day of two numbers and a year; which is the month, the data or the values settle."""
    groups = match.groupdict()
    year = int(groups["year"]) if groups.get("year") else 2000 + int(match["two"])
    first, second = int(match["a"]), int(match["b"])
    ways = {(second, first)} if match["s"].strip() == "." else {(second, first), (first, second)}
    found = [(year, month, day) for month, day in sorted(ways) if 1 <= month <= 12 and _day(year, month, day)]
    existing = [each for each in found if dt.date(*each) in known]
    return tuple(phrase for each in (existing or found) for phrase in _day(*each))


def _of_quarter(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    first = 3 * int(match["quarter"]) - 2
    span = months_of(int(match["year"]), (first, first + 1, first + 2))
    return (Time(When((span,))),) if span else ()


def _of_winter(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    """Return a winter that is named by both its years."""
    year = int(match["year"]) + 1
    span = months_of(year, (12, 1, 2)) if year % 100 == int(match["next"]) % 100 else None
    return (Time(When((span,))),) if span else ()


def _of_week(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    """Return the days of a week as ISO 8601 numbers them, Monday to Sunday."""
    try:
        first = dt.date.fromisocalendar(int(match["year"]), int(match["week"]), 1)
    except ValueError:
        return ()
    return (Time(When((Span(first, first + dt.timedelta(days=6)),))),)


def _of_day_number(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    """Return the day of a number in its year: 1 January is day 1."""
    year, number = int(match["year"]), int(match["number"] or match["counted"])
    date = dt.date(year, 1, 1) + dt.timedelta(days=number - 1)
    return (Time(When((Span(date, date),))),) if date.year == year else ()


def _of_year(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    return (Time(year_when(int(match["year"]))),)


def _of_short_year(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    return (Time(year_when(2000 + int(match["two"]))),)


def _of_month_and_short_year(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    span = months_of(2000 + int(match["two"]), (_month(match),))
    return (Time(When((span,))),) if span else ()


def _named_month(match: re.Match[str], known: Collection[dt.date]) -> tuple[Phrase, ...]:
    return (Time(When(months=(_month(match),))),)


Reader = Callable[[re.Match[str], Collection[dt.date]], tuple[Phrase, ...]]
_FORMS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern + (_END if pattern != _YEAR else _YEAR_END)), reader)
    for pattern, reader in (
        (rf"{_YEAR}(?P<s>[-/.])(?P<month>0?[1-9]|1[0-2])(?P=s){_DAY}", _written_day),
        (rf"{_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])", _written_day),
        (rf"{_YEAR}[-/](?P<month>0[1-9]|1[0-2])", _of_month),
        (rf"{_DAY}(?:\s+of)?[\s-]+{_MONTH}(?:\s+of)?,?[\s-]*{_YEAR}", _written_day),
        (rf"{_MONTH}\s+(?:the\s+)?{_DAY},?\s+{_YEAR}", _written_day),
        # A day of one month, before the last of them: "16 and 26 May 2016", "8-18 October 2017".
        (
            rf"{_DAY}(?=(?:\s*,\s*{_MORE_DAY})*(?:,?\s+(?:and|or|to|till|until)\s+|\s*[-–]\s*)"
            rf"{_MORE_DAY}(?:\s+of)?\s+{_MONTH},?\s+{_YEAR})",
            _written_day,
        ),
        (rf"{_YEAR}[\s-]+{_MONTH}[\s-]+{_DAY}", _written_day),
        (rf"(?P<a>\d\d?)(?P<s>[./-]|\.\s)(?P<b>\d\d?)(?P=s){_YEAR}", _numbers),
        (rf"(?P<a>\d\d?)(?P<s>[./])(?P<b>\d\d?)(?P=s){_TWO}", _numbers),
        # A day before others of the same year: "15 June, 18 July and 20 August 2022".
        (
            rf"{_DAY}\s+{_MONTH}(?=(?:\s*,\s*{_MORE_DAY}\s+{_ANY_MONTH})+,?\s+(?:and|or)\s+"
            rf"{_MORE_DAY}\s+(?P<last>{_ANY_MONTH}),?\s+{_YEAR})",
            _before_others,
        ),
        (rf"(?:the\s+)?{_DAY}(?:\s+of)?[\s-]+{_MONTH}{_SAME_YEAR}", _without_year),
        (rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_SAME_YEAR}", _without_year),
        (rf"{_MONTH}(?:\s+of)?,?[\s-]+{_YEAR}", _of_month),
        (rf"{_YEAR}[\s-]+{_MONTH}", _of_month),
        (rf"q(?P<quarter>[1-4])[\s/-]*{_YEAR}", _of_quarter),
        (rf"{_YEAR}[\s/-]*q(?P<quarter>[1-4])", _of_quarter),
        (rf"{_WEEK}(?:\s+of|,|\s+in|\s*/)?\s*{_YEAR}", _of_week),
        (rf"{_YEAR}[\s-]*(?:w|week\s*|cw\s*)(?P<week>[0-5]?\d)", _of_week),
        (rf"{_DAY_NUMBER}(?:\s+of|,|\s+in|\s*/)?\s*{_YEAR}", _of_day_number),
        (rf"{_YEAR}(?:\s*,|\s*/)?\s+{_DAY_NUMBER}", _of_day_number),
        (rf"{_MONTHS_EACH}", _named_month),
        (rf"{_DAY}(?:\s+of)?[\s-]+{_MONTH}(?:\s+of)?,?\s+'{_TWO}", _written_day),
        (rf"winter\s+(?:of\s+)?{_YEAR}\s*[/–-]\s*(?P<next>(?:20)?\d\d)", _of_winter),
        (r"'(?P<two>\d\d)(?!')", _of_short_year),
        (rf"{_MONTH}\s+'(?P<two>\d\d)(?!')", _of_month_and_short_year),
        # "over the year" alone is each month of any year.
        (rf"(?:over|during|across|through)\s+the\s+(?:whole\s+|entire\s+|full\s+)?year\s+{_YEAR}", _of_year),
        (_YEAR, _of_year),
        (rf"{_MONTH}", _named_month),
    )
)


# --- So long before or after a day -----------------------------------------------------------------

_COUNTS = ("a|an", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT = {word: max(number, 1) for number, words in enumerate(_COUNTS) for word in words.split("|")}
_SO_LONG = re.compile(
    rf"(?P<count>\d{{1,3}}|{'|'.join(_COUNT)})\s+(?P<unit>day|week|month|year)s?\s+"
    r"(?:(?P<before>before|prior\s+to|earlier\s+than)|(?P<after>after|following|later\s+than)"
    r"|(?P<earlier>earlier|before\s+that|previously)|(?P<later>later|after\s+that|afterwards))(?!\w)"
)
# What makes of it a stretch of time, or a limit on it, and not a day.
_NO_DAY = re.compile(
    r"(?:\b(?:within|in|during|over|for|last|past|first|next|all|every|each|to|least|most|about|around|"
    r"more\s+than|less\s+than|fewer\s+than|over)\s+(?:the\s+)?|\bthe\s+)$"
)


def _shift(day: dt.date, count: int, unit: str) -> dt.date | None:
    """Return the day so many days, weeks, months or years later; none that the calendar does not have."""
    if unit in ("day", "week"):
        return day + dt.timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    try:
        return day.replace(year=months // 12, month=months % 12 + 1)
    except ValueError:
        return None


def _relative_day_at(text: str, start: int, known: Collection[dt.date]) -> Found | None:
    """Return "ten days before 30 August 2015" as a day; "ten days earlier" counts from the day told."""
    match = _SO_LONG.match(text, start)
    if match is None or _NO_DAY.search(text[:start]):
        return None
    told = match["before"] or match["after"]
    gap = re.compile(r"\s*(?:the\s+)?").match(text, match.end())
    end = gap.end() if gap else match.end()
    day, end = _single_day_at(text, end, known) if told else (_last_day(text[:start], known), match.end())
    sign = -1 if match["before"] or match["earlier"] else 1
    count = int(match["count"]) if match["count"].isdigit() else _COUNT[match["count"]]
    shifted = _shift(day, sign * count, match["unit"]) if day is not None else None
    return (end, (Time(When((Span(shifted, shifted),))),)) if shifted is not None else None


def _single_day_at(text: str, start: int, known: Collection[dt.date]) -> tuple[dt.date | None, int]:
    end, meanings = _absolute_at(text, start, known) or (start, ())
    days = [m.when.spans[0].first for m in meanings if isinstance(m, Time) and m.when.single]
    return (days[0] if len(days) == 1 else None), end


def _last_day(text: str, known: Collection[dt.date]) -> dt.date | None:
    """Return the one day that a text names; none where it names several."""
    days, at = [], 0
    while at < len(text):
        day, end = _single_day_at(text, at, known)
        days += [day] if day is not None else []
        at = end if end > at else at + 1
    return days[0] if len(days) == 1 else None


def date_at(text: str, start: int, known: Collection[dt.date]) -> Found | None:
    """Return where the longest date that starts here ends, and what it may mean.

    Parameters
    ----------
    text : str
        In lower case.
    known : collection of date
        Dates that exist: they settle which of two numbers is the month.
    """
    return _relative_day_at(text, start, known) or _absolute_at(text, start, known)


def _absolute_at(text: str, start: int, known: Collection[dt.date]) -> Found | None:
    best: Found | None = None
    for pattern, reader in _FORMS:
        match = pattern.match(text, start)
        if match is None or (best is not None and match.end() <= best[0]):
            continue
        year = match.groupdict().get("year")
        if year and int(year) < _OLD and all(day.year >= _OLD for day in known):
            continue
        meanings = reader(match, known)
        if meanings:
            best = (match.end(), meanings)
    return best


def find_no_days(text: str) -> list[str]:
    """Return what is written as a day and is none: "30 February 2017", "2017-13-01"."""
    lowered = text.lower()
    found = []
    for match in _WRITTEN_DAYS.finditer(lowered):
        parts = {name: told for name, told in match.groupdict().items() if told}
        month = next((_MONTHS[told] for name, told in parts.items() if name.startswith("name")), 0)
        month = month or int(parts.get("number", "0"))
        day = next(int(told) for name, told in parts.items() if name.startswith("day"))
        year = next((int(told) for name, told in parts.items() if name.startswith("year")), _LEAP)
        if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
            written = " ".join(lowered[match.start() : match.end()].split())
            found.append(re.sub(_NAMES, lambda name: name[0].capitalize(), written).replace(" ,", ","))
    return found


# A 29 February that is told without a year may be one.
_LEAP = 2000
_WRITTEN_DAYS = re.compile(
    rf"(?<![\w-])(?:(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day>\d\d)"
    rf"|(?P<day2>\d\d?)(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<name>{_NAMES})\b\.?(?:\s*,?\s+(?P<year2>(?:19|20)\d\d))?"
    rf"|(?P<name2>{_NAMES})\b\.?\s+(?P<day3>\d\d?)(?:st|nd|rd|th)?(?:\s*,?\s+(?P<year3>(?:19|20)\d\d))?)(?![\w-])"
)
