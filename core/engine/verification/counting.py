"""How many an answer says there are beyond a limit, whether there is any, and of which limit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.engine.verification.clouds import (
    cloud_covers,
    tells_only_clear,
    tells_only_cloudy,
)
from treeline.core.engine.verification.labels import find_columns, labels_in
from treeline.core.engine.verification.notation import COUNTABLE, in_plain_digits
from treeline.core.engine.verification.percent import per_cent
from treeline.core.engine.verification.phrases import at_limit, denies_existence, side
from treeline.core.engine.verification.question_words import (
    asks_count,
    asks_existence,
    asks_share_of_dates,
    polarity,
)
from treeline.core.engine.verification.results import is_number, numbers_of, only_number
from treeline.core.engine.verification.shares import find_shares

_OF_ALL = re.compile(r"\bof (?:the |all |these )?(\d+)\b")  # three of the six
# From so much on there is something: one thing, or one per cent.
_NONE = 1.0
_OF_GROUND = re.compile(r"\bof (?:the |its |all )?(?:\w+ )?(?:area|scene|pixels|ground|land|region)\b", re.I)
# What records call what they count, and answers call otherwise.
_COUNTED_ALIKE = (frozenset({"images", "rasters", "files", "scenes", "acquisitions", "count"}),)
_REMAINS = re.compile(r"\b(?:remain\w*|rest|others?)\b", re.I)
# What a fit or a test rests on.
_OF_FIT = re.compile(r"\b(?:fit\w*|regression|trend|slope|correlation|test|n =)\b", re.I)
_SAMPLES = ("count", "samples", "n", "pixels")


def find_limits_of_other_units(answer: AnswerColumns) -> Iterator[str]:
    """Find the question's limit told in another unit: steeper than 15 %, of 15 degrees."""
    asked = [claim for claim in claims_in(answer.question) if claim.limit and claim.unit]
    for claim in (c for part in answer.clauses for c in claims_in(part) if c.limit and c.unit):
        alike = [limit for limit in asked if limit.number == claim.number]
        if alike and all(limit.unit != claim.unit for limit in alike):
            yield f"The question's limit is of another unit than {claim.text} {claim.unit}."


def false_existence(answer: AnswerColumns) -> Iterator[str]:
    """Find a no to whether there is something of which the only result is a number above zero, or a yes."""
    said = polarity(answer.option or answer.text)
    for part in answer.clauses:
        labels = labels_in(part, answer.columns)
        own = [n for c in answer.columns for label in labels for n in c.under(label)]
        if denies_existence(part) and len(labels) == 1 and own and min(own) >= _NONE:
            yield f"{labels[0]} has {own[0]:.6g}."
    numbers = numbers_of(answer.steps)
    denied = any(denies_existence(part) and not labels_in(part, answer.columns) for part in answer.clauses)
    if said is None and denied:
        said = False
    asked = asks_existence(answer.question) and not any(claim.limit for claim in claims_in(answer.question))
    if said is not None and (denied or asked) and len(numbers) == 1:
        number = numbers[0]
        if number >= 0 and said is not (number > 0):
            yield f"The result is {number:.6g}, so that the answer is {'no' if said else 'yes'}."


def false_counts(answer: AnswerColumns) -> Iterator[str]:
    """Find a count, or a share, of dates on one side of the question's limit that is of the other or all."""
    wholes = {float(match[1]) for match in _OF_ALL.finditer(in_plain_digits(answer.text))}
    parts = [claim for claim in answer.claims if claim.number not in wholes]
    yield from _other_than_counted(answer)
    yield from _shares_of_other_things(answer)
    yield from _beyond_limit(answer, answer.value or (parts[0] if parts else None))


def _shares_of_other_things(answer: AnswerColumns) -> Iterator[str]:
    """Find a share of dates that is told of the ground, or of cloudy ones where clear ones were counted."""
    if not asks_share_of_dates(answer.question):
        return
    flips = tells_only_clear(answer.question)
    last = answer.steps[-1].observation.value if answer.steps else None
    for part in answer.clauses:
        told = [c for c in claims_in(part) if c.unit == "%" and is_number(last) and answer.shows(c, [last])]
        if told and _OF_GROUND.search(part):
            yield f"{told[0].text} % is a share of dates, and not of ground."
        elif told and flips and tells_only_cloudy(part):
            yield f"{told[0].text} % of the dates are clear."


def _other_than_counted(answer: AnswerColumns) -> Iterator[str]:
    """Find a number that is told as how many there are where the last step counted another number."""
    counting = [step for step in answer.steps if only_number(step) is not None and not cloud_covers(step)]
    last = only_number(counting[-1]) if counting else None
    told = [*claims_in(answer.text), *([answer.value] if answer.value else [])]
    counts = [c for c in told if c.unit in ("", COUNT) and not c.limit and c.number % 1 == 0]
    if last is None or last % 1 or not counts or not asks_count(answer.question):
        return
    if not any(claim.number == last for claim in counts):
        yield f"{counts[0].text} is not what step {counting[-1].number} counted: {last:g}."
    elif tells_only_clear(answer.question):
        for part in answer.clauses:
            told = [claim for claim in claims_in(part) if claim in counts and claim.number == last]
            if told and tells_only_cloudy(part) and not _REMAINS.search(part):
                yield f"{told[0].text} is how many are clear."


def find_miscounted(answer: AnswerColumns) -> Iterator[str]:
    """Yield which numbers of things are those of others in a record: of its dates, told of its images."""
    for record in answer.records:
        numbers = {str(key).casefold(): float(n) for key, n in record.items() if is_number(n)}
        samples = next(
            (numbers[key] for key in _SAMPLES if key in numbers and {"slope", "r"} & numbers.keys()), 0
        )
        for claim in answer.claims if samples else ():
            if claim.thing in COUNTABLE and claim.number != samples and _is_of_fit(answer, claim):
                yield f"{claim.text} is not of how many it is made: {samples:g}."
        for claim in answer.claims:
            of = next(
                (things for things in _COUNTED_ALIKE if claim.thing in things), frozenset({claim.thing})
            )
            own = [n for key, n in numbers.items() if key in of and n % 1 == 0]
            # Of the whole record, and of each class or zone in it.
            own += [n for c in answer.columns if own and c.quantity in of for n in c.numbers.values()]
            others = [key for key, n in numbers.items() if key not in of and answer.shows(claim, [n])]
            if own and others and not answer.shows(claim, own):
                yield f"{claim.text} is the number of {others[0]}; of {claim.thing} there are {own[0]:.6g}."


def _is_of_fit(answer: AnswerColumns, claim: Claim) -> bool:
    """Return whether a clause tells on how many things a fit or a test rests."""
    return any(claim in claims_in(part) and _OF_FIT.search(part) for part in answer.clauses)


def _beyond_limit(answer: AnswerColumns, claim: Claim | None) -> Iterator[str]:
    """Find how many, or how large a share of all, are said to lie beyond the question's limit and do not."""
    direction, limits = (
        side(answer.question),
        [*claims_in(answer.question), *_limits_in_words(answer.question)],
    )
    share = claim is not None and claim.unit == "%"
    if claim is None or not direction:
        return
    if not (asks_share_of_dates if share else asks_count)(answer.question):
        return
    columns = [c for c in find_columns(answer.question, answer.columns) if c.has_several]
    columns = [c for c in columns if c.dated] or columns
    held = {n for column in columns for n in column.numbers.values()}
    values = [step.observation.value for step in answer.steps]
    alone = {float(value) for value in values if is_number(value)} - held
    if claim.number in alone or not share and (claim.unit or claim.number % 1):
        return
    wrong = []
    for values in ([*column.numbers.values()] for column in columns):
        of = per_cent(1, len(values)) if share else 1
        limit = _limit_of(answer, limits, values[0])
        counts = answer.ground.count_beyond(limit, values, direction) if limit else None
        if limit is None or counts is None or claim.number > len(values) * of:
            continue
        count = counts[at_limit(answer.question)]
        if abs(count * of - claim.number) <= claim.half:
            return
        wrong.append(f"{limit.text}: {count} of {len(values)} do")
    if wrong:
        where = "above" if direction > 0 else "below"
        yield f"{claim.text} is not how many lie {where} {wrong[0]}."


def _limits_in_words(question: str) -> Iterator[Claim]:
    """Yield the shares that a question names in words as a limit: more than half."""
    yield from (
        Claim(f"{low:.4g} %", low, 0.0, "%", limit=True) for low, high in find_shares(question) if high == 100
    )
    yield from (
        Claim(f"{high:.4g} %", high, 0.0, "%", limit=True) for low, high in find_shares(question) if low == 0
    )


def _limit_of(answer: AnswerColumns, limits: Sequence[Claim], number: float) -> Claim | None:
    """Return the only limit that a number can be held against; of several those that are of its unit."""
    of_shares = answer.evidence.units.get(number) == ("%",)
    fitting = [limit for limit in limits if of_shares or limit.unit != "%"]
    if len(limits) > 1:
        fitting = [limit for limit in fitting if (limit.unit == "%") is of_shares]
    return fitting[0] if len(fitting) == 1 else None
