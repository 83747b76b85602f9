"""What an answer says of the quantities of a record by their names: p = 0.04, the peak is on 18 June."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in
from treeline.core.engine.verification.degree_words import extreme
from treeline.core.engine.verification.phrases import of_place
from treeline.core.engine.verification.results import is_number
from treeline.core.engine.verification.statistic_words import find_statistics, statistic_of

_SIDES = re.compile(r"\d\s?(?:m\s)?[x\u00d7]\s?\d")
_EQUALS = r"(?:[=\u2248~:]|is|was|being|equals|of|at|only|just)?\s*(?:about |around )?(?=\d|-|\.)"
# How a quantity is told to lie beyond a limit: "r being over 0.8".
_LIES = r"(?:(?:is|was|being|lies|lay|stays|stayed) )?(?:(?:clearly|well|far|just|still) )?"
_BEYOND = (
    r"(?P<more>above|over|greater than|more than|higher than|exceeding|exceeds|>)|"
    r"(?P<less>below|under|less than|lower than|smaller than|<)"
)
_OF_A_DAY = len("2016-08-14")
# What answers call the numbers of tests by.
_WORDS_FOR = {
    "r2": r"r2|r\u00b2|r\^2|r-squared|coefficient of determination|explain(?:s|ed)?|account(?:s|ed)? for",
    "p": r"p|p-value",
    "overall_accuracy": r"(?<!s )(?:overall )?accuracy",
}
_ACCURATE = re.compile(r"(\d[\d.]*\s?(?:%|per ?cent)) (?:\w+ )?(?:accurate|correct|right)\b", re.I)
_OF_VARIANCE = re.compile(r"(\d[\d.]*\s?(?:%|per ?cent)) of (?:the |its )?(?:\w+ )?(?:varia\w+)", re.I)
_FROM_TO = re.compile(r"\b(?:from|between)\b.+\b(?:to|until|till|and)\b", re.I)
_HALF = re.compile(r"^\W*half (?:of )?|\bhalf of\b", re.I)
_OF_EACH = re.compile(r"\b(?:each|every one|apiece)\b", re.I)
# How the keys of the two ends of a time end.
_ENDS = (("start", "end"), ("_from", "_to"), ("first", "last"))
# Keys that tell the most or the least of something: longest_gap_days, largest_patch_ha.
_EXTREME = re.compile(r"(?P<end>[a-z]{2,}est|most|least)_(?P<noun>[a-z]+)", re.I)
_SAME = 0.005  # of numbers that are rounded
Record = Mapping[str, Any]


def false_keys(
    parts: Sequence[str], records: Sequence[Record], shows: Callable[[Claim, Sequence[float]], bool]
) -> Iterator[str]:
    """Yield numbers and dates that stand under the name of another quantity, in sentences.

    Parameters
    ----------
    parts : sequence of str
        What the answer says, by sentences.
    shows : callable
        Whether one of some numbers is what is claimed.
    """
    for record in map(_add_explained_variance, records):
        yield from (wrong for part in parts for wrong in _false_times(record, part))
        yield from (wrong for part in parts for wrong in _false_gaps(record, part, shows))
        for key, held in record.items():
            name = _WORDS_FOR.get(str(key).casefold(), re.escape(str(key).replace("_", " ")))
            for part in parts:
                if is_number(held):
                    known = map(_add_explained_variance, records)
                    of_key = [n for other in known for k, n in other.items() if k == key and is_number(n)]
                    told = _number_of(name, part)
                    if told and held % 1 == 0 and told[0].unit not in ("", COUNT):  # 47 patches of 9 ha each
                        continue
                    if key != "p":  # which is held against its level where it is said to be significant
                        yield from _false_limit(str(key), name, float(held), part)
                    limits = {claim.number for claim in claims_in(part) if claim.limit}
                    if told and told[0].number in limits:  # more than 80 % of the variance
                        continue
                    if _SIDES.search(part) or of_place(part):  # 600 x 600 pixels, so much per 100 m
                        continue
                    if told and not any(shows(claim, of_key) for claim in told):
                        yield f"The {key} is {held:.6g}, not {told[0].text}."
                elif isinstance(held, str):
                    yield from _false_dates(name, held, part)


def false_halves(
    parts: Sequence[str], records: Sequence[Record], shows: Callable[[Claim, Sequence[float]], bool]
) -> Iterator[str]:
    """Yield limits beyond which half of something is said to lie, and which are not the median."""
    medians = medians_of(records)
    for part in parts if medians else ():
        limit = limit_of_half(part)
        if limit is not None and not shows(limit, medians):
            yield f"The median is {medians[0]:.6g}, not {limit.text}."


def false_statistics(
    parts: Sequence[str], records: Sequence[Record], shows: Callable[[Claim, Sequence[float]], bool]
) -> Iterator[str]:
    """Yield numbers that are told as one statistic of a quantity, and are another one that a record has.

    A part that tells the right one as well says of the other what it is in words that are not read here.
    """
    groups = [group for record in records for group in _statistics_of(record).values() if len(group) > 1]
    for part in parts:
        named = find_statistics(part, nouns=True)
        told = [claim for claim in claims_in(part) if not claim.limit]
        for group in groups if len(named) == 1 else ():
            (statistic,) = named
            if statistic not in group or any(shows(claim, [group[statistic][1]]) for claim in told):
                continue
            others = [number for name, (_, number) in group.items() if name != statistic]
            key, held = group[statistic]
            for claim in told:
                if shows(claim, others):
                    yield f"The {key} is {held:.6g}, not {claim.text}."


def _statistics_of(record: Record) -> dict[str, dict[str, tuple[str, float]]]:
    """Return keys and numbers of a record by what they are of and by their statistic."""
    found: dict[str, dict[str, tuple[str, float]]] = {}
    for key, held in record.items():
        words = str(key).split("_")
        statistics = [word for word in words if statistic_of(word)]
        # What a key names alone, such as "mean", is looked at by the rule for columns.
        if is_number(held) and len(statistics) == 1 < len(words):
            of = "_".join(word for word in words if word not in statistics)
            found.setdefault(of, {})[statistic_of(statistics[0])] = (str(key), float(held))
    return found


def false_extreme_keys(
    parts: Sequence[str], records: Sequence[Record], shows: Callable[[Claim, Sequence[float]], bool]
) -> Iterator[str]:
    """Yield what a record has under the name of one end, and a part tells as the other: the shortest gap.

    It is told by its number, or by its days where it is no number.
    """
    rows = [row for record in records for row in _rows_of(record)]
    ends = [
        (key, held, match) for row in rows for key, held in row.items() if (match := _EXTREME.match(str(key)))
    ]
    others = [
        float(n) for row in rows for key, n in row.items() if is_number(n) and not _EXTREME.match(str(key))
    ]
    for part in parts if ends else ():
        said, days = extreme(part), dates_in(part)
        told = [claim for claim in claims_in(part) if not claim.limit and not shows(claim, others)]
        for key, held, match in ends:
            noun = re.search(rf"\b{match['noun'].replace('_', ' ')}(?:s|es)?\b", part, re.I)
            by_number = is_number(held) and any(shows(claim, [float(held)]) for claim in told)
            by_day = isinstance(held, str) and noun and bool(days) and dates_in(held) == days[:1]
            if said == -extreme(match["end"]) != 0 and (by_number or by_day):
                yield f"The {str(key).replace('_', ' ')} is {held if by_day else format(held, '.6g')}."
                break


def false_totals(
    parts: Sequence[str], records: Sequence[Record], shows: Callable[[Claim, Sequence[float]], bool]
) -> Iterator[str]:
    """Yield what so many things have together, where it is told of each of them.

    That it is theirs together shows a row of a record, which holds a number that comes to it so many times.
    """
    rows = [row for record in records for row in _rows_of(record)]
    for part in filter(_OF_EACH.search, parts):
        told = [claim for claim in claims_in(part) if not claim.limit]
        counts = [claim for claim in told if claim.unit in ("", COUNT) and claim.number > 1]
        for claim, count in ((claim, count) for claim in told for count in counts if claim is not count):
            each = [n for row in rows for n, total in _means_in(row, count.number) if shows(claim, [total])]
            if each:
                yield f"{claim.text} is of all {count.text} together; each has {each[0]:.6g} on average."


def _means_in(row: Record, count: float) -> Iterator[tuple[float, float]]:
    """Yield each number of a row with a count, and the one of the row that it comes to so many times."""
    held = [float(n) for n in row.values() if is_number(n)]
    for number, total in permutations(held, 2) if count in held else ():
        if math.isclose(number * count, total, rel_tol=_SAME):
            yield number, total


def _rows_of(record: Record) -> Iterator[Record]:
    """Yield a record and the rows of the tables in it."""
    yield record
    tables = (held for held in record.values() if isinstance(held, list))
    yield from (row for table in tables for row in table if isinstance(row, dict))


def limit_of_half(part: str) -> Claim | None:
    """Return the number beyond which half of something is said to lie; ``None`` where nothing is."""
    limits = [replace(claim, limit=False) for claim in claims_in(part) if claim.limit]
    return limits[0] if len(limits) == 1 and _HALF.search(part) else None


def medians_of(records: Sequence[Record]) -> list[float]:
    """Return the medians of records."""
    return [float(record["median"]) for record in records if is_number(record.get("median"))]


def _add_explained_variance(record: Record) -> Record:
    """Return a record of a correlation with the share of variance that it explains."""
    r = record.get("r")
    known = isinstance(r, int | float) and "r2" not in record
    return {**record, "r2": float(r) ** 2} if known and r is not None else record


def _number_of(name: str, part: str) -> list[Claim]:
    """Return the number that a sentence gives to a quantity by its name; none where it is a limit."""
    if behind := _ACCURATE.search(part) if name == _WORDS_FOR["overall_accuracy"] else None:
        return claims_in(behind[1])
    if behind := _OF_VARIANCE.search(part) if name == _WORDS_FOR["r2"] else None:
        return claims_in(behind[1])
    # Over all 10,100 pixels it is something else.
    match = re.search(rf"(?<![\w.])(?<!\d )(?:{name})(?:[- ]value)?\s*{_EQUALS}", part, re.I)
    told = claims_in(part[match.end() :].split(", ")[0])[:1] if match else []
    return [claim for claim in told if not claim.limit]


def _false_limit(key: str, name: str, held: float, part: str) -> Iterator[str]:
    """Yield a limit that a quantity is told to lie beyond by its name, and does not."""
    match = re.search(rf"(?<![\w.])(?:{name})(?:[- ]value)?\s+{_LIES}(?:{_BEYOND})\s+(?=-?[\d.])", part, re.I)
    limit = claims_in(part[match.end() :])[:1] if match else []
    if held % 1 == 0 and limit and limit[0].unit not in ("", COUNT):  # five pixels above 317.8 K
        return
    if match and limit and (held - limit[0].number) * (1 if match["more"] else -1) <= 0:
        yield f"The {key} is {held:.6g}, not {match['more'] or match['less']} {limit[0].text}."


def _false_gaps(record: Record, part: str, shows: Callable[[Claim, Sequence[float]], bool]) -> Iterator[str]:
    """Yield the day from which a time of a record is said to last, where it begins and ends on others."""
    days = [date for date in dates_in(part) if len(date) == _OF_A_DAY]
    for first, last in _ends_of_times(record) if len(days) == 1 else ():
        lasts = record.get(f"{first.removesuffix('from')}days")
        told = [claim for claim in claims_in(part) if is_number(lasts) and shows(claim, [float(lasts)])]
        if told and days[0] not in (str(record[first]), str(record[last])):
            yield f"The {first.replace('_', ' ')} is {record[first]}, not {days[0]}."


def _false_times(record: Record, part: str) -> Iterator[str]:
    """Yield a time of a record, such as its season or its longest gap, that is told with another end."""
    named = dates_in(part)
    told = [each for each in named if not any(o != each and o.startswith(each) for o in named)]
    if len(told) != len(_ENDS[0]) or not _FROM_TO.search(part):
        return
    times = [*_ends_of_times(record)]
    if any(_is_told(record, time, sorted(told)) for time in times):
        return
    for first, last in times:
        ends = {key: dates_in(str(record[key])) for key in (first, last)}
        for key, said in zip(ends, sorted(told), strict=True):
            # One of another year is told of another time.
            if not ends[key][0].startswith(said) and said[:4] in (ends[first][0][:4], ends[last][0][:4]):
                yield f"The {key.replace('_', ' ')} is {ends[key][0]}, not {said}."


def _is_told(record: Record, time: tuple[str, str], told: Sequence[str]) -> bool:
    """Return whether two dates, the earlier first, are the ends of a time of a record."""
    return all(str(record[key]).startswith(said) for key, said in zip(time, told, strict=True))


def _ends_of_times(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the keys of a record whose dates are the two ends of a time: start and end, for one."""
    for key in record:
        for first, last in _ENDS:
            other = f"{key.removesuffix(first)}{last}" if key.endswith(first) else ""
            if other in record and all(len(dates_in(str(record[each]))) == 1 for each in (key, other)):
                yield key, other


def _false_dates(name: str, held: str, part: str) -> Iterator[str]:
    own = dates_in(held)
    dates = dates_in(part)
    named = re.search(rf"\b{name}(?:s|ed|ing)?\b", part, re.I)
    denied = re.search(r"\b(?:no|none|not|without)\b", part, re.I)  # there are none from November on
    if len(own) == 1 and named and not denied and len(dates) == 1 and not own[0].startswith(dates[0]):
        yield f"The {name} is {own[0]}, not {dates[0]}."
