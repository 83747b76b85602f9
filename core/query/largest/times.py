"""The times that a long question names: one stretch, or two that are set against each other."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treeline.core.query.checks import matches
from treeline.core.query.expression import ALWAYS, Span, When

_NAMES = tuple(name.lower() for name in calendar.month_name[1:])
_NUMBER_OF = {name[:3]: n for n, name in enumerate(_NAMES, start=1)}
MONTH = (
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|"
    r"ust|tember|ober|ember)?\b\.?"
)
_YEAR = r"\b(?:19|20)\d\d\b"
_DAY = (
    rf"(?:(?P<y1>(?:19|20)\d\d)-(?P<m1>\d\d?)-(?P<d1>\d\d?)\b|"
    rf"(?P<n2>{MONTH}) (?P<d2>\d\d?)(?:st|nd|rd|th)?\b(?!\d)(?:,+ ?(?P<y2>{_YEAR}))?|"
    rf"(?P<d3>\d\d?) (?P<n3>{MONTH}),? (?P<y3>{_YEAR}))"
)
_TO = r"\s*(?:-|to|until|through|till|and)\s*"
_SEASONS = {
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "fall": (9, 10, 11),
    "winter": (12, 1, 2),
}
# Something that moves from one day to another, rather than a stretch of days.
_MOVING = (
    r"by how much|(?:increas|decreas|chang|ris|fall|fell|drop|grow|differ)\w* (?:\w+ ){0,4}(?:from|between)\b"
)


@dataclass(frozen=True, slots=True)
class Times:
    """When something is asked of.

    Attributes
    ----------
    when : When
        The whole.
    sides : tuple of When
        Two that are named beside each other, in the order of the question.
    """

    when: When = ALWAYS
    sides: tuple[When, ...] = ()


def times_in(text: str, dates: Sequence[dt.date]) -> Times:
    """Return the times of a text, as far as there are images of them."""
    years = _years(text)
    rest, spans, days = _days(text, years)
    months = _months(rest, {date.month for date in dates})
    loose, from_to = _loose_years(rest)
    sides = _sides(rest, spans, days, months, loose, dates)
    whole = _whole(spans, days, months, loose, from_to)
    return Times(_known_time(whole, dates), tuple(sides) if len(sides) == 2 else ())


def _years(text: str) -> list[int]:
    return [int(year) for year in re.findall(_YEAR, text)]


def _days(text: str, years: list[int]) -> tuple[str, list[Span], list[dt.date]]:
    """Return the text without its days, the stretches between days, and the days by themselves."""
    spans: list[Span] = []
    days: list[dt.date] = []
    hidden = text
    found = list(re.finditer(_DAY, text))
    last = None
    for index, match in enumerate(found):
        year = next((int(g) for g in (match["y1"], match["y2"], match["y3"]) if g), None)
        after = re.match(rf"{_TO}(?P<d>\d\d?)\b,? ?(?P<y>{_YEAR})", text[match.end() :]) or re.match(
            r" ?- ?(?P<d>\d\d?)\b(?!-)(?P<y>)", text[match.end() :]
        )
        if year is None:
            later = [
                int(m["y2"] or m["y1"] or m["y3"]) for m in found[index:] if m["y2"] or m["y1"] or m["y3"]
            ]
            year = (
                int(after["y"])
                if after and after["y"]
                else later[0]
                if later
                else (years[0] if years else None)
            )
        day = _date(year, match)
        if day is None:
            continue
        joined = last is not None and re.fullmatch(
            r",? ?(?:-|to|until|through|till) ?", text[last : match.start()]
        )
        if joined and days:
            spans.append(Span(days.pop(), day))
        elif after:
            spans.append(
                Span(
                    day,
                    day.replace(
                        day=min(
                            int(after["d"]),
                            28
                            if day.month == 2
                            else 30
                            if int(after["d"]) < 31
                            else calendar.monthrange(day.year, day.month)[1],
                        )
                    ),
                )
            )
        else:
            days.append(day)
        last = match.end()
        end = match.end() + (after.end() if after else 0)
        hidden = hidden[: match.start()] + " " * (end - match.start()) + hidden[end:]
    return hidden, spans, list(dict.fromkeys(days))


def _date(year: int | None, match: re.Match[str]) -> dt.date | None:
    month = int(match["m1"]) if match["m1"] else _NUMBER_OF[(match["n2"] or match["n3"])[:3]]
    day = int(match["d1"] or match["d2"] or match["d3"])
    try:
        return dt.date(year, month, day) if year else None
    except ValueError:
        return None


def _months(text: str, held: set[int]) -> list[tuple[int, ...]]:
    """Return groups of months: those from one to another, and single ones.

    "Between June and August" is a stretch where there are images of the months between, else two months.
    """
    groups: list[tuple[int, ...]] = []
    found = list(re.finditer(MONTH, text))
    skip = False
    for index, match in enumerate(found):
        if skip:
            skip = False
            continue
        first = _NUMBER_OF[match[0][:3]]
        following = found[index + 1] if index + 1 < len(found) else None
        between = text[match.end() : following.start()] if following else ""
        if following and re.fullmatch(rf"(?: {_YEAR})? ?(?:-|to|until|through) ?", between):
            last = _NUMBER_OF[following[0][:3]]
            groups.append(tuple(_from_to(first, last)))
            skip = True
        elif (
            following
            and between == " and "
            and text[: match.start()].endswith("between ")
            and held & set(list(_from_to(first, _NUMBER_OF[following[0][:3]]))[1:-1])
        ):
            groups.append(tuple(_from_to(first, _NUMBER_OF[following[0][:3]])))
            skip = True
        elif (
            following
            and re.fullmatch(r" and ", between)
            and re.match(rf" of {_YEAR} and {_YEAR}", text[following.end() :])
        ):
            groups.append((first, _NUMBER_OF[following[0][:3]]))
            skip = True
        elif match[0] != "may" or re.search(
            rf"(?:in|of|during|for|from|between|and) may\b|may,? {_YEAR}", text
        ):
            groups.append((first,))
    return list(dict.fromkeys(groups))


def _from_to(first: int, last: int) -> Iterable[int]:
    month = first
    yield month
    while month != last:
        month = month % 12 + 1
        yield month


def _loose_years(text: str) -> tuple[list[int], tuple[int, int] | None]:
    """Return the years by themselves, and the stretch from one year to another."""
    stretch = re.search(
        (
            rf"(?:from |between )?(?<!\d)(?P<a>{_YEAR}) ?(?:-|to|until|through) ?(?P<b>{_YEAR})"
            rf"|between (?P<c>{_YEAR}) and (?P<d>{_YEAR})"
        ),
        text,
    )
    from_to = None
    if stretch and stretch["a"]:
        from_to = (int(stretch["a"]), int(stretch["b"]))
        text = text.replace(stretch[0], " ")
    years = list(dict.fromkeys(_years(text)))
    if from_to and len(years) < 2:
        years = []
    return years, from_to


def _sides(
    text: str,
    spans: list[Span],
    days: list[dt.date],
    months: list[tuple[int, ...]],
    years: list[int],
    dates: Sequence[dt.date],
) -> list[When]:
    seasons = _seasons(text)
    candidates: list[list[When]] = []
    if len(days) == 2:
        candidates.append([When((Span(day, day),)) for day in days])
    if len(spans) == 2 and spans[0] != spans[1]:
        candidates.append([When((span,)) for span in spans])
    ends = spans[0] if len(spans) == 1 else None
    if ends is not None and ends.first in dates and ends.last in dates and re.search(_MOVING, text):
        candidates.append([When((Span(day, day),)) for day in (ends.first, ends.last)])
    if len(years) == 2:
        some = tuple(sorted({month for group in months for month in group}))
        candidates.append([_year(year, some) for year in years])
    months = _within_a_stretch(months)
    if len(months) == 2 and len(years) <= 1:
        candidates.append([_year(years[0], group) if years else When(months=group) for group in months])
    if len(seasons) == 2:
        candidates.append([When(months=months_of) for months_of in seasons])
    if len(seasons) == 1 and re.search(r"\b(?:annual|yearly)\b", text):
        candidates.append([When(months=seasons[0]), ALWAYS])
    of_data = sorted({date.year for date in dates})
    if len(of_data) == 2 and re.search(
        (
            r"differ|chang|compar|trend of change|two years|both years|\bf[ae]ll\b|\br[io]se\b"
            r"|increas|decreas|drop"
        ),
        text,
    ):
        some = tuple(sorted({month for group in months for month in group}))
        if not spans or re.search(r"two years|both years|each year|annual", text):
            candidates.append([_year(year, some) for year in of_data])
    for sides in candidates:
        if all(any(matches(date, side) for date in dates) for side in sides):
            return sides
    return []


def _within_a_stretch(months: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the single months that are named of a longer stretch, where two are; else all groups."""
    singles: list[tuple[int, ...]] = [group for group in months if len(group) == 1]
    others = [group for group in months if len(group) > 1]
    within = len(others) == 1 and all(group[0] in others[0] for group in singles)
    return singles if within and len(singles) == 2 else months


def _seasons(text: str) -> list[tuple[int, ...]]:
    """Return the seasons that a text names: the two beside each other, where it names more."""
    # "Fell" and "fall" are verbs as well.
    text = re.sub(
        r"\bfall\b(?! (?:and|season|months|20|19))(?<!and fall)(?<!in fall)(?<!the fall)", "    ", text
    )
    named = "|".join(_SEASONS)
    two = re.search(rf"\b({named})\b(?: \([^)]*\))?(?: and| to| versus| vs\.?) (?:the )?({named})\b", text)
    if two:
        return [_SEASONS[two[1]], _SEASONS[two[2]]]
    return [months for name, months in _SEASONS.items() if re.search(rf"\b{name}\b", text)]


def _year(year: int, months: Sequence[int] = ()) -> When:
    if not months:
        return When((Span(dt.date(year, 1, 1), dt.date(year, 12, 31)),))
    first, last = months[0], months[-1]
    if list(months) == list(range(first, last + 1)):
        return When((Span(dt.date(year, first, 1), dt.date(year, last, calendar.monthrange(year, last)[1])),))
    return When((Span(dt.date(year, 1, 1), dt.date(year, 12, 31)),), tuple(months))


def _whole(
    spans: list[Span],
    days: list[dt.date],
    months: list[tuple[int, ...]],
    years: list[int],
    from_to: tuple[int, int] | None,
) -> When:
    if spans:
        return When((spans[0],)) if len(spans) == 1 else When(tuple(spans))
    if len(days) == 1:
        return When((Span(days[0], days[0]),))
    some = tuple(dict.fromkeys(month for group in months for month in group))
    if from_to is not None and not years:
        return When((Span(dt.date(from_to[0], 1, 1), dt.date(from_to[1], 12, 31)),), some)
    if len(years) == 1:
        return _year(years[0], some)
    return When(months=some) if some and len(years) < 2 else ALWAYS


def _known_time(when: When, dates: Sequence[dt.date]) -> When:
    """Return a time if there is an image then; all times otherwise."""
    return when if any(matches(date, when) for date in dates) else ALWAYS


def season_in(text: str) -> tuple[int, ...]:
    """Return the months of the only season that a text names; none where it names none or several."""
    found = set(_seasons(text))
    return found.pop() if len(found) == 1 else ()
