"""What an answer says of clouds: how cloudy dates were, and how many, or which part of them, were clear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in, ends_of_times
from treeline.core.engine.verification.clouds import (
    CountOfDates,
    cloud_covers,
    count_of_clear,
    count_of_dates,
    cover_of,
    sky_told_of_part,
    sky_told_of_share,
    tells_only_clear,
    tells_only_cloudy,
    tells_overcast,
)
from treeline.core.engine.verification.columns import columns_of
from treeline.core.engine.verification.notation import COUNTABLE, in_plain_digits
from treeline.core.engine.verification.percent import per_cent, rest_of
from treeline.core.engine.verification.phrases import side
from treeline.core.engine.verification.quantifiers import comparison_of
from treeline.core.engine.verification.shares import find_shares, without_fractions

_WHOLE = 99.5
_OF_A_DAY = len("2016-08-14")
_BOTH = re.compile(r"\bboth\b", re.I)
_NOT = re.compile(
    r"\b(?:not?|none|never|without|hardly|nearly|almost|mostly|partly|if|may|might)\b|n't\b", re.I
)


def find_false_sky(answer: AnswerColumns) -> Iterator[str]:
    """Find what is called cloudy and is clear, or the other way: the one scene, or days that are named."""
    found = [n for step in answer.steps for n in cloud_covers(step)]
    alone = found[:1] if len(set(found)) == 1 else []
    covers = _covers_by_date(answer) if len(found) > 1 else []
    for part in answer.clauses if found else ():
        said = tells_only_cloudy(part) - tells_only_clear(part)
        counts = any(c.unit in ("%", COUNT) or c.thing in COUNTABLE for c in claims_in(part))
        if not said or _NOT.search(part) or counts and not count_of_dates(part) or ends_of_times(part):
            continue
        days = [date for date in dates_in(part) if len(date) == _OF_A_DAY]
        own = alone or [numbers[day] for numbers in covers for day in days if day in numbers]
        whole = tells_overcast(part)
        wrong = [cover for cover in own if said != (1 if cover else -1) or whole and cover < _WHOLE]
        yield from (f"The clouds cover {cover:.3g} %." for cover in wrong[:1])


def find_exchanged_sky(answer: AnswerColumns) -> Iterator[str]:
    """Find how cloudy a date was that is told as how clear it was, and the other way round."""
    for part in answer.clauses:
        for claim in claims_in(part):
            sky, (clear, cloudy) = _sky_told(answer, part, claim)
            said, other = (clear, cloudy) if sky > 0 else (cloudy, clear)
            if sky and answer.shows(claim, other) and not answer.shows(claim, said):
                yield f"{claim.text} % is how {'cloudy' if sky > 0 else 'clear'} it was."
            yield from _beyond_limit(answer, part, claim)


def _beyond_limit(answer: AnswerColumns, part: str, claim: Claim) -> Iterator[str]:
    """Find a limit that how clear or cloudy the only scene was does not lie beyond, as it is told to."""
    covers = {n for step in answer.steps for n in cloud_covers(step)}
    sky = sky_told_of_part(part, claim.text) if claim.limit and claim.unit == "%" else 0
    if len(covers) != 1 or not sky or not side(part) or _NOT.search(part):
        return
    cover = covers.pop()
    part_told = rest_of(cover) if sky > 0 else cover
    if (part_told - claim.number) * side(part) < 0:
        yield f"{part_told:.4g} % are {'clear' if sky > 0 else 'cloudy'}."


def tells_found_sky(answer: AnswerColumns, claim: Claim) -> bool:
    """Return whether a number is how clear or cloudy a date was found, or which part of the dates was so."""
    covers = _covers_by_date(answer)
    for part in (clause for clause in answer.clauses if covers and claim in claims_in(clause)):
        sky, (clear, cloudy) = _sky_told(answer, part, claim)
        if sky and answer.shows(claim, clear if sky > 0 else cloudy):
            return True
        told, years = sky_told_of_share(without_fractions(part)), {date[:4] for date in dates_in(part)}
        if told and claim.unit == "%" and not any(_false_parts(part, told, covers, years)):
            return True
    return False


def _sky_told(answer: AnswerColumns, part: str, claim: Claim) -> tuple[int, tuple[list[float], list[float]]]:
    """Return whether a number is told as a clear part (1) or a cloudy one (-1), and both of the dates."""
    sky = sky_told_of_part(part, claim.text) if claim.unit == "%" and not claim.limit else 0
    dates = dates_in(part) or [""]
    covers = _covers_by_date(answer) if sky else []
    cloudy = [n for numbers in covers for day, n in numbers.items() if any(map(day.startswith, dates))]
    return sky, ([rest_of(n) for n in cloudy], cloudy)


def find_miscounted_clouds(answer: AnswerColumns) -> Iterator[str]:
    """Find how many dates are said to be without clouds, or with some, where a step found other numbers."""
    covers = _covers_by_date(answer)
    years = {date[:4] for date in dates_in(f"{answer.question} {answer.text}")}
    yield from _miscounted_clear(answer, covers)
    for place, part in enumerate(answer.clauses) if covers else ():
        beside = [day for clause in answer.clauses[max(place - 1, 0) : place + 1] for day in dates_in(clause)]
        if (told := count_of_dates(part)) and told.count != len(set(beside)):  # two dates that it names
            yield from _false_count(told, covers, years)
        if told := sky_told_of_share(without_fractions(part)):
            yield from _false_parts(part, told, covers, years)


def _false_count(told: CountOfDates, covers: Sequence[Mapping[str, float]], years: set[str]) -> Iterator[str]:
    for numbers in covers:
        counts = [sum(map(told.is_one, each.values())) for each in _whole_and(numbers, years)]
        if told.count not in counts:
            right = " or ".join(map(str, dict.fromkeys(counts)))  # of all, or of the years that are named
            yield f"{told.count} is not how many are {told.name}: {right} are."


def _false_parts(
    part: str, told: CountOfDates, covers: Sequence[Mapping[str, float]], years: set[str]
) -> Iterator[str]:
    """Find which part of the dates, or how many, a clause says to be clear, cloudy or covered, and is not."""
    both = _BOTH.search(part)  # of the two dates that it names before
    days = [date for date in dates_in(part[: both.start()]) if len(date) == _OF_A_DAY][-2:] if both else []
    if known := [numbers for numbers in covers if len(days) > 1 and numbers.keys() >= {*days}]:
        if not any(all(told.is_one(numbers[day]) for day in days) for numbers in known):
            yield f"{' and '.join(days)} are not both {told.name}."
        return
    head = part.partition(": ")[0]  # behind it they are listed
    said = [(c.number - c.half, c.number + c.half) for c in claims_in(head) if c.unit == "%" and not c.limit]
    shares = [*find_shares(part), *said]
    rows = [row for numbers in covers for row in _whole_and(numbers, years)]
    counts = [(sum(map(told.is_one, row.values())), len(row)) for row in rows]
    for low, high in shares[:1] if counts else ():
        parts = [per_cent(*each) for each in counts]
        if not any(low <= each <= high for each in parts):
            yield f"{parts[-1]:.3g} % of the dates are {told.name}."
    counted = {claim.number for claim in claims_in(part)} & {float(count) for count, _ in counts}
    wanted = None if shares or counted or count_of_dates(part) else comparison_of(part)
    if wanted and counts and not any(wanted(*each) for each in counts):
        yield f"{counts[-1][0]} of {counts[-1][1]} dates are {told.name}."


def _whole_and(numbers: Mapping[str, float], years: set[str]) -> list[Mapping[str, float]]:
    """Return numbers by date, and those of some years."""
    return [numbers, *filter(None, [{date: n for date, n in numbers.items() if date[:4] in years}])]


def _covers_by_date(answer: AnswerColumns) -> list[Mapping[str, float]]:
    """Return how cloudy steps found dates, in per cent by date."""
    found = [(step, c) for step in answer.steps if cloud_covers(step) for c in columns_of([step], {})]
    return [{day: cover_of(step, n) for day, n in c.numbers.items()} for step, c in found if c.dated]


def _miscounted_clear(answer: AnswerColumns, by_date: Sequence[Mapping[str, float]] = ()) -> Iterator[str]:
    """Find of how many clear dates something is said where as many were neither found clear nor read."""
    covers = [found for step in answer.steps if (found := cloud_covers(step))]
    read = {
        len(item)
        for step in answer.steps
        if not cloud_covers(step)
        for item in (step.observation.arguments or {}).values()
        if isinstance(item, list) and all(isinstance(each, str) for each in item)
    }
    known = {sum(share == 0 for share in found) for found in covers} | read
    for part in answer.clauses if covers else ():
        count, dates = count_of_clear(in_plain_digits(part)), dates_in(part)
        own = {
            sum(share == 0 for day, share in numbers.items() if any(map(day.startswith, dates)))
            for numbers in by_date
        }
        if count and count not in (known | own):
            yield f"{count} dates are not clear: {', '.join(map(str, sorted(known | own - {0})))} are."
