"""Which dates, classes or zones lie beyond a limit, and in which order: lists that an answer gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from treeline.core.engine.verification.claims import Claim, claims_in, dates_in, is_until, months_in
from treeline.core.engine.verification.clauses import clauses_of, sentences
from treeline.core.engine.verification.clouds import asks_cloudiness
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.degree_words import (
    COMPARATIVE,
    HIGH_STEMS,
    LESS,
    LOW_STEMS,
    extreme,
    is_margin,
    is_superlative,
    order,
    place_of_extreme,
)
from treeline.core.engine.verification.labels import ALL_TOGETHER, find_columns, labels_in
from treeline.core.engine.verification.limits import (
    is_condition,
    is_of_other_things,
    is_value,
    tells_sum,
)
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.phrases import at_limit, side
from treeline.core.engine.verification.quantifiers import counts_things
from treeline.core.engine.verification.question_words import asks_count, asks_yes_or_no
from treeline.core.engine.verification.sentence_grounds import Grounds
from treeline.core.engine.verification.shares import tells_fraction

_WHICH = re.compile(r"\b(?:which|when|what|on what|list|name|where)\b", re.I)
_ASKED = re.compile(r"\b(?:which|when|what|where|how many|how much|how often)\b", re.I)
# A time is asked for, whose limit tells what it is a time of: no dates are to be listed.
_HOW_LONG = re.compile(
    r"\b(?:how long|length of|duration of|how many (?:days|weeks|months) (?:did|was|is|long))\b", re.I
)
_SEVERAL = re.compile(
    r"\b(?:which|what|list(?: all)?|name)\s+(?:\w+\s+){0,2}?(?:the\s+)?\w+(?:s|ies)\b(?!\s+(?:has|is|was)\b)",
    re.I,
)
_ONE = re.compile(
    r"\b(?:first|last|next|previous|earliest|latest|an?y?)\s+(?!mean|median|maximum|minimum|value|sum)\w+",
    re.I,
)
_SOME = re.compile(r"\b(?:for example|e\.g\.|such as|among|including|other|some|at least)\b", re.I)
_ALL_OTHERS = re.compile(r"\b(?:all|every|each|none of the|the) other\w*\b", re.I)
_CONTRAST = re.compile(
    r"\b(?:not|n't|no|neither|nor|none|but|while|whereas|unlike|although|though|except|compared|than|rest|"
    r"other\w*|below|above|miss(?:es|ed)?|fails?|short)\b",
    re.I,
)
_SPLIT = re.compile(r"[.;]\s|\n|\b(?:but|while|whereas|unlike|although|though|compared)\b", re.I)
_DENIES = re.compile(
    r"\b(?:not|no|none|neither|nor|never|without|except|rest|other\w*|remain\w*|miss(?:es|ed)?|fails?|"
    r"short of|came close|comes close|close to|nearly|almost|just missed|below the threshold)\b|n't\b",
    re.I,
)
_ONLY = re.compile(
    r"(?<!almost )(?<!nearly )(?<!mostly )(?<!practically )(?<!virtually )"
    r"\b(?:only|solely|exclusively|just)\b(?!\s+(?:\d|under\b|over\b|above\b|below\b|about\b|short\b))",
    re.I,
)
_RANKING = re.compile(r"\b(?:rank\w*|order\w*|sort\w*)\b", re.I)
_RANKED = re.compile(r"^\W*(?:ranked|sorted|ordered)\b[^:]*: ", re.I)
_SO_MANY = re.compile(
    r"\b(?:top|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:\w{2,}est|most|least)\b", re.I
)
_PLACES = re.compile(r"^\s*\d{1,2}[.)]\s", re.M)  # of a list
_ROW = re.compile(r"\s*[|]")
_FIRST = re.compile(r"\b(?:the )?(?:\w{2,}est|most \w+|least \w+)(?= first\b)", re.I)
# What is more, or less, than a number and listed behind a colon: greener than 0.7: forest (0.86).
_LISTED_BEYOND = re.compile(
    rf"\b(?P<how>{COMPARATIVE}) than [^.:;]{{0,40}}?(?P<limit>\d[\d.]*\d)[^.:;\d]{{0,6}}:\s", re.I
)
# What follows in time.
_AT_FIRST = re.compile(r"\b(?:first|initially|at first)\b", re.I)
_THEN = re.compile(r"\b(?:then|later|afterwards|subsequently|thereafter|next|again)\b", re.I)
_CHAINED = re.compile(r"[>\u2265\u2192]|\bfollowed by\b|\bahead of\b")
_LESS_FIRST = re.compile(r"<|\u2264")


# When something lies beyond a limit for the first or the last time; the first half is a part.
_FIRST_TIME = re.compile(
    r"\b(?:(?P<first>first|earliest)|last|latest)\b"
    r"(?! (?:half|third|quarter|of|one|two|three|four|five|six|\d))",
    re.I,
)
_END = {True: "first", False: "last"}
_OF_A_MONTH = len("2016-08")
# So many are named with a count at least, to be those that it counts.
_FEWEST_OF_A_LIST = 2
# So many of the most or the least: the top three, the three greenest zones, which two have the lowest share.
_HIGHEST, _LOWEST = rf"(?P<high>(?:{HIGH_STEMS})est|most)\b", rf"(?P<low>(?:{LOW_STEMS})est|least)\b"
_SO_MANY_ENDS = (
    re.compile(r"\b(?:(?P<high>top)|(?P<low>bottom)) (?P<count>\d{1,2})\b", re.I),
    re.compile(rf"\b(?P<count>\d{{1,2}}) (?:[\w-]+ ){{0,6}}?(?:{_HIGHEST}|{_LOWEST})", re.I),
)


# The two dates between which something changed most are no two of the most.
_BETWEEN_TWO = re.compile(r"\bbetween (?:which|what) ", re.I)


def false_members(question: str, text: str, option: str, grounds: Grounds) -> Iterator[str]:
    """Yield what an answer lists that is not beyond the question's limit, or leaves out, in sentences."""
    limits = [claim for claim in claims_in(question) if claim.limit]
    direction = side(question)
    one = place_of_extreme(question) < len(question)  # of what lies beyond the limit
    if len(limits) != 1 or not direction or one or asks_yes_or_no(question):
        return
    if _HOW_LONG.search(question) or _first_beyond(question):  # which has a rule of its own
        return
    if len(_ASKED.findall(question)) > 1:  # which are clear, and how many lie above 90 %: one list of two
        return
    counted = asks_count(question)
    if not counted and not _WHICH.search(question):
        return
    said = f"{text}\n{option}"
    named = _named_labels(said, grounds.columns, direction)
    if counted and len(named) < _FEWEST_OF_A_LIST:
        return
    found = []
    for column in find_columns(f"{question} {text}", grounds.columns) if named else ():
        own = {label for label in column.numbers if any(column.is_under(label, each) for each in named)}
        own |= _in_months(text, column)
        counts = {
            label: grounds.count_beyond(limits[0], [n], direction) for label, n in column.numbers.items()
        }
        inside = {label for label, count in counts.items() if count and count[at_limit(question)]}
        if not own or not column.has_several or None in counts.values():
            continue
        others = is_of_other_things(grounds, limits[0], column.numbers)
        if others or column.is_of_other_quantity(limits[0].unit):
            continue
        wrong = [each for each in named if not any(column.is_under(label, each) for label in inside)]
        several = _SEVERAL.search(question) and not _ONE.search(question)
        whole = several and not counted and not _SOME.search(_ALL_OTHERS.sub(" ", said))
        missing = inside - own if whole or _ONLY.search(text) else set()
        found.append(_correction(column, wrong, sorted(missing), limits[0].text, direction))
    if found and all(found):
        yield found[0]


def _correction(
    column: Column, wrong: Sequence[str], missing: Sequence[str], limit: str, direction: int
) -> str:
    where = "above" if direction > 0 else "below"
    if wrong:
        held = ", ".join(f"{n:.6g}" for n in column.under(wrong[0]))
        return f"{wrong[0]} is not {where} {limit}: it has {held}."
    return f"{missing[0]} is {where} {limit} too, with {column.numbers[missing[0]]:.6g}." if missing else ""


def _in_months(text: str, column: Column) -> set[str]:
    """Return the dates in months that a text names without their year; an enumeration tells it once."""
    months = months_in(text)
    return {label for label in column.numbers if column.dated and label[5:7] in months}


def _named_labels(text: str, columns: Sequence[Column], direction: int) -> list[str]:
    """Return the labels that a text names as those that are asked for."""
    plain = "\n".join(line for line in text.splitlines() if not _ROW.match(line))
    parts = [part for part in _SPLIT.split(plain) if part]
    kept = [part for part in parts if not _DENIES.search(part) and side(part) in (0, direction)]
    kept = [part for part in kept if extreme(part) in (0, direction)]
    return list(dict.fromkeys(label for part in kept for label in labels_in(part, columns)))


def find_false_only(sentence: str, grounds: Grounds) -> Iterator[str]:
    """Yield what is called the only one beyond a limit and is not, and several of which not all are."""
    limits = [c for c in claims_in(sentence) if c.limit and c.unit != "1" and not is_margin(sentence, c.text)]
    direction = side(sentence)
    labels = labels_in(sentence, grounds.columns)
    if len(limits) != 1 or not direction or not labels or _CONTRAST.search(_without_limit(sentence)):
        return
    if at_limit(sentence) and is_value(grounds, sentence, limits[0]):
        return
    if counts_things(sentence) or tells_fraction(sentence):  # how many there are does not tell which
        return
    found, months = [], months_in(sentence)
    for column in find_columns(sentence, grounds.columns):
        own = {
            label
            for label in column.numbers
            if any(
                column.is_under(label, each) and not _is_other_month(label, each, months) for each in labels
            )
        }
        counts = {
            label: grounds.count_beyond(limits[0], [n], direction) for label, n in column.numbers.items()
        }
        if is_condition(grounds, sentence, limits[0]):
            return
        if not own or None in counts.values() or is_of_other_things(grounds, limits[0], column.numbers):
            continue
        if column.is_of_other_quantity(limits[0].unit):
            continue
        inside = {label for label, count in counts.items() if count and count[at_limit(sentence)]}
        missing = inside - own if _ONLY.search(sentence) else set()
        wrong = sorted(own - inside)
        found.append(_correction(column, wrong, sorted(missing), limits[0].text, direction))
    if found and all(found):
        yield found[0]


def _is_other_month(label: str, told: str, months: frozenset[str]) -> bool:
    """Return whether of a year that is told only months are meant, and a date is in none: "May of 2016"."""
    return bool(months) and told.isdigit() and label[5:7] not in months


def _without_limit(sentence: str) -> str:
    """Return a sentence without the words that only tell of its limit."""
    return re.sub(r"\b(?:above|below|(?:\w+er|less|more) than)\b", " ", sentence, flags=re.I)


def false_orders(question: str, text: str, columns: Sequence[Column]) -> Iterator[str]:
    """Yield the lists that are in no order of their numbers though they claim one, in sentences."""
    numbered = len(_PLACES.findall(text)) > 1 and _SO_MANY.search(question)
    # The driest two and the wettest two are two lists.
    if len({extreme(clause) for clause in clauses_of(text)} - {0}) > 1 and not numbered:
        return
    if _RANKING.search(question) or order(question) or numbered:
        yield from _out_of_order(text, columns, order(question))
    if match := _FIRST.search(text):
        yield from _out_of_order(text, columns, (extreme(match[0]), ""))
    for line in text.splitlines():
        if _RANKED.search(line):
            yield from _out_of_order(line, columns, None)
        if len(_CHAINED.findall(line)) > 1 or len(_LESS_FIRST.findall(line)) > 1:
            yield from _out_of_order(line, columns, None)


def find_false_names(sentence: str, grounds: Grounds) -> Iterator[str]:
    """Yield what is listed behind how many lie beyond a limit, and does not: two exceed 8: A and B."""
    before, colon, behind = sentence.partition(": ")
    limits = [claim for claim in claims_in(before) if claim.limit and claim.unit != "1"]
    direction = side(before)
    if (
        not colon
        or tells_sum(before)
        or len(limits) != 1
        or not direction
        or _ONLY.search(in_plain_digits(before))
        or labels_in(before, grounds.columns)
    ):
        return
    found = []
    for column in find_columns(before, grounds.columns):
        named = labels_in(behind, [column])
        counts = {
            label: grounds.count_beyond(limits[0], column.under(label), direction)
            for label in named
            if len(column.under(label)) == 1
        }
        if not counts or None in counts.values() or is_of_other_things(grounds, limits[0], column.numbers):
            continue
        if column.is_of_other_quantity(limits[0].unit):
            continue
        wrong = [label for label, count in counts.items() if count and not count[at_limit(before)]]
        found.append(_correction(column, wrong, [], limits[0].text, direction))
    if found and all(found):
        yield found[0]


def find_false_firsts(question: str, text: str, grounds: Grounds) -> Iterator[str]:
    """Yield the date when something lies beyond a limit first, or last, where another one is told."""
    of_question = _first_beyond(question)
    for sentence in sentences(text):
        own = _first_beyond(sentence)
        days = [day for day in dates_in(sentence) if len(day) >= _OF_A_MONTH]
        told = own or of_question
        if told is None or len(days) != 1:
            continue
        of_question = None  # which the first date answers
        limit, direction, first, inclusive = told
        found = []
        for column in find_columns(f"{question} {sentence}", grounds.columns):
            scope = _asked_dates(question, column) if column.dated and column.has_several else {}
            counts = {day: grounds.count_beyond(limit, [n], direction) for day, n in scope.items()}
            inside = sorted(day for day, count in counts.items() if count and count[inclusive])
            if inside and None not in counts.values():
                found.append(inside[0] if first else inside[-1])
        if found and not any(day.startswith(days[0]) for day in found):
            yield f"It lies {'above' if direction > 0 else 'below'} {limit.text} {_END[first]} on {found[0]}."


def find_false_ends(question: str, text: str, columns: Sequence[Column]) -> Iterator[str]:
    """Yield which are the most, or the least, of so many that are asked for, where an answer names others."""
    plain = in_plain_digits(question)
    match = next((m for pattern in _SO_MANY_ENDS if (m := pattern.search(plain))), None)
    conditional = asks_cloudiness(question) or any(claim.limit for claim in claims_in(question))
    conditional = conditional or _BETWEEN_TWO.search(plain) is not None
    if match is None or conditional or asks_count(question):
        return
    count, largest, found = int(match["count"]), match["high"] is not None, list[str]()
    for column in find_columns(question, columns):
        rows = _asked_dates(question, column) if column.dated else column.numbers
        scope = {label: n for label, n in rows.items() if label != ALL_TOGETHER}
        named = [label for label in dict.fromkeys(labels_in(text, [column])) if label in scope]
        if len(named) != count or len(scope) <= count:
            continue
        best = sorted(scope, key=lambda label: scope[label], reverse=largest)[:count]
        alike = sorted(scope[each] for each in named) == sorted(scope[each] for each in best)
        found.append(
            "" if alike else f"The {count} {'largest' if largest else 'smallest'} are {', '.join(best)}."
        )
    if found and all(found):
        yield found[0]


def _first_beyond(text: str) -> tuple[Claim, int, bool, bool] | None:
    """Return limit, side, whether first or last, and whether the limit itself counts; ``None`` for none."""
    match, limits, direction = _FIRST_TIME.search(text), claims_in(text), side(text)
    limits = [replace(claim, limit=False) for claim in limits if claim.limit and not claim.per]
    if match is None or len(limits) != 1 or not direction or tells_fraction(text):
        return None
    return limits[0], direction, match["first"] is not None, at_limit(text)


def _asked_dates(question: str, column: Column) -> dict[str, float]:
    """Return the numbers of a column whose dates lie in the times that a question names, if any."""
    named, months = dates_in(question), months_in(question)
    first, last = (min(named), max(named)) if named else ("", "9")
    return {
        day: n
        for day, n in column.numbers.items()
        if first <= day and is_until(day, last) and (not months or day[5:7] in months)
    }


def find_false_sequence(question: str, text: str) -> Iterator[str]:
    """Yield dates that are told to follow one another in time and do not, in sentences.

    Where something is ranked, first and then tell its order.
    """
    for sentence in sentences(text):
        ranked = (question, sentence)
        if any(
            extreme(each) or is_superlative(each) or order(each) or _RANKING.search(each) for each in ranked
        ):
            continue
        parts = _THEN.split(sentence)
        named = [dates_in(part) for part in parts]
        for one, other in pairwise(named) if _AT_FIRST.search(parts[0]) and all(named) else ():
            if min(other) < min(one):
                yield f"{min(other)} is before {min(one)}, and does not follow it."


def find_false_listing(text: str) -> Iterator[str]:
    """Yield the numbers that are listed as more, or less, than another one and are not, in sentences."""
    for sentence in sentences(text):
        match = _LISTED_BEYOND.search(sentence)
        limit = next(iter(claims_in(match["limit"])), None) if match else None
        if match is None or limit is None or dates_in(match[0]):  # a year and a day are no limit
            continue
        less = LESS.search(match["how"]) is not None
        for claim in claims_in(sentence[match.end() :]):
            apart = limit.number - claim.number if less else claim.number - limit.number
            if claim.unit == limit.unit and not claim.limit and apart < -(claim.half + limit.half):
                yield f"{claim.text} is not {'below' if less else 'above'} {limit.text}."


def _orders_of(row: Sequence[float], direction: int | None) -> list[list[float]]:
    """Return numbers from the largest down (1) or from the smallest up (-1); both where neither is told."""
    rising = sorted(row)
    falling = rising[::-1]
    if direction is None:
        return [falling, rising]
    return [falling if direction > 0 else rising]


def _out_of_order(text: str, columns: Sequence[Column], wanted: tuple[int, str] | None) -> Iterator[str]:
    labels = labels_in(text, columns)
    if len(labels) < 3 or labels == sorted(labels) and all(dates_in(label) for label in labels):
        return
    rows = [[n for label in labels for n in column.under(label)] for column in find_columns(text, columns)]
    rows = [row for row in rows if len(row) == len(labels)]
    direction = wanted[0] if wanted else None
    if rows and not any(row in _orders_of(row, direction) for row in rows):
        yield f"They are not in order: {', '.join(f'{n:.6g}' for n in rows[0])}."
