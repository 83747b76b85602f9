"""How many dates, classes and zones there are said to be in all, in a list, or left over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import SPANS, claims_in, dates_in, months_in
from treeline.core.engine.verification.clauses import clauses_of, sentences
from treeline.core.engine.verification.clouds import cloud_covers
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.labels import find_dates, find_names, names_at_places
from treeline.core.engine.verification.notation import in_plain_digits, number_in_words
from treeline.core.engine.verification.percent import per_cent
from treeline.core.engine.verification.quantifiers import LABELLED, OF_TIME

_IN_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty"
_COUNT = rf"(?P<count>{_IN_WORDS}|\d{{1,3}}(?![\d.,]*\d))"
_THINGS = rf"(?P<things>{LABELLED}|means|points)\b"
# All that there are: of the six dates, all ten regions, the ten regions.
_WHOLE = re.compile(
    rf"\b(?:of (?:the |all |these )?|all (?:of )?(?:the )?|each of the |the )(?<!the other ){_COUNT} "
    rf"(?:(?:available|different|given|measured|studied|land cover|land) )?(?P<sky>clear )?{_THINGS}",
    re.I,
)
# What is left over of those that are named before.
_REST = re.compile(rf"\bthe (?:other|remaining) {_COUNT}\b(?! (?:%|per ?cent))", re.I)
# How many are listed behind a colon, or in brackets.
_LIST = re.compile(
    rf"^\W*(?:(?:on|in|only|yes|the|these|all) |yes, |no, )*{_COUNT}\b"
    rf"(?P<of>(?: of (?:the |these |all )?(?:{_IN_WORDS}|\d+)?)?)[^:;()]*?"
    r"(?:: (?P<listed>.+)|\((?P<inside>[^()]+)\))",
    re.I | re.S,
)
_TIME = re.compile(OF_TIME, re.I)
_LEFT = re.compile(
    r"\([^()]*\)|[-+\u2212]?\d[\d.,]*|\b(?:and|or|on|in|at|with|only|the|of)\b|[^a-z]|\b[a-z]{1,2}\b", re.I
)
# What stands between a part in words and the same in per cent: "two thirds (64.9 %)".
_SAME = re.compile(
    r"(?:[\s,(*:\u2013]|or|i\.e\b\.?|that is|which is|about|around|roughly|some|nearly|almost|just|exactly|"
    rf"over|under|more than|less than|{LABELLED}\b|of (?:the |all |its |these )?\w+)*",
    re.I,
)
_RATIO = re.compile(
    r"(?<![\d.,])(?P<part>\d{1,3}(?:,\d{3})*|\d+) (?:out )?of (?:the |all |these )?"
    r"(?P<all>\d{1,3}(?:,\d{3})+|\d+)(?![\d.,]*\d)"
)
_OF_A_DAY = len("2016-08-14")
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
# Which one in time: "the second image", but not the second one with clouds.
_PLACE = re.compile(
    rf"\bthe (?P<nth>{'|'.join(_ORDINALS)})(?: of the (?:{_IN_WORDS}|\d+))? {OF_TIME}\b"
    r"(?! (?:with|without|above|below|that|which|in|on|when|where|to|after|before|since|from)\b)",
    re.I,
)
_PARTS = {
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "tenth": 10,
}
_PART = re.compile(
    r"(?:\b(?P<more>more than|over|at least)|\b(?P<less>less than|under|at most)|"
    r"\b(?P<near>nearly|almost|close to))?(?:^|[\s(*])"
    r"(?:(?P<count>an?|one|two|three|four|five|six|seven|eight|nine|[1-9])[ -]"
    rf"(?P<part>{'|'.join(_PARTS)})s?|half(?! (?:way|as|an?)\b))\b"
    r"(?! (?:highest|lowest|largest|smallest|date|day|image|scene|year|month|place|time)\w*)",
    re.I,
)
_MAJORITY = re.compile(
    r"(?<!not )\b(?:an?|the) (?:absolute |clear )?majority\b|\bmore than half\b(?= of\b)", re.I
)
_ROUGH = 4.0  # in per cent


def find_miscounts(answer: AnswerColumns) -> Iterator[str]:
    """Yield how many things there are said to be in all, to be listed or to be left over, and are not."""
    before = ""
    for sentence in sentences(answer.text):
        yield from _false_wholes(answer, sentence)
        yield from _false_lists(answer, sentence)
        yield from _false_rests(answer, sentence, before)
        yield from _false_places(answer, sentence)
        before += f"{sentence} "


def _number(word: str) -> int:
    return number_in_words(word) or 0


def _false_wholes(answer: AnswerColumns, sentence: str) -> Iterator[str]:
    """Yield of how many in all a sentence speaks where results have other numbers of them."""
    for match in _WHOLE.finditer(sentence):
        if match["things"].casefold() in SPANS:  # over the seven years
            continue
        dated = _TIME.fullmatch(match["things"]) is not None
        of_any = match["things"].casefold() in ("means", "points")
        columns = [c for c in answer.columns if c.has_several and (of_any or c.dated is dated)]
        known = {len(column.numbers) for column in columns}
        if not known:
            continue
        told = f"{answer.question} {answer.text}"
        labels = [*find_dates(told, columns), *dates_in(told), *find_names(told, columns)]
        known |= {len(column.under(label)) for column in columns for label in labels}
        known |= _of_months(columns, told)
        known |= {len(find_dates(text, columns)) for text in (answer.question, answer.text, sentence)}
        known |= {len(find_names(text, columns)) for text in (answer.question, answer.text, sentence)}
        known |= {int(n) for n in answer.evidence.counts if n % 1 == 0} | set(answer.years.values())
        known |= {sum(answer.years.values())} | _of_skies(answer) | _of_calls(answer)
        named = max(len(find_dates(answer.text, columns)), len(find_names(answer.text, columns)))
        some = (
            match[0].casefold().startswith("the ") and _number(match["count"]) <= named
        )  # two of those named
        if _number(match["count"]) not in known and not some:
            held = max(len(column.numbers) for column in columns)
            yield f"{match['count']} is not how many {match['things']} there are: {held} are."


def _false_places(answer: AnswerColumns, sentence: str) -> Iterator[str]:
    """Yield which one in time a date is said to be where it is another one: the third of the five dates."""
    match, days = _PLACE.search(sentence), [day for day in dates_in(sentence) if len(day) == _OF_A_DAY]
    columns = [c for c in answer.columns if c.dated and c.has_several and days and c.under(days[0])]
    if match is None or len(days) != 1 or not columns:
        return
    nth = _ORDINALS.index(match["nth"].casefold())
    rows = [sorted(column.numbers) for column in columns]
    rows += [[date for date in row if date.startswith(days[0][:size])] for row in rows for size in (4, 7)]
    if not any(row[nth : nth + 1] == days for row in rows):
        yield f"{days[0]} is not the {match['nth']}: {rows[0][nth] if nth < len(rows[0]) else 'none'} is."


def _of_months(columns: Sequence[Column], told: str) -> set[int]:
    """Return of how many dates, months and years columns have numbers; of dates also in months told."""
    months = months_in(told)
    dates = [set(column.numbers) for column in columns if column.dated]
    found = {len({date[:size] for date in row}) for row in dates for size in (4, 7)}
    return found | {sum(date[5:7] in months for date in row) for row in dates}


def _of_skies(answer: AnswerColumns) -> set[int]:
    """Return how many of the dates that were looked at are clear, or have clouds."""
    covers = [found for step in answer.steps if (found := cloud_covers(step))]
    return {
        n for found in covers for n in (sum(c == 0 for c in found), sum(c > 0 for c in found), len(found))
    }


def _of_calls(answer: AnswerColumns) -> set[int]:
    """Return how many things calls were handed or gave."""
    given = (item for step in answer.steps for item in (step.observation.arguments or {}).values())
    values = (step.observation.value for step in answer.steps)
    return {len(item) for item in (*given, *values) if isinstance(item, list)}


def _false_lists(answer: AnswerColumns, sentence: str) -> Iterator[str]:
    """Yield how many a sentence says that it lists, where it lists more or fewer."""
    match = _LIST.match(sentence)
    listed = (match["listed"] or match["inside"]) if match else ""
    labels = find_dates(listed, answer.columns) or find_names(listed, answer.columns)
    parts = [claim.number for claim in claims_in(listed)]
    if match and parts and (match["inside"] or sum(parts) == _number(match["count"])):
        return  # 14: 5 in 2015 and 9 in 2016; on all five (0.755 and 0.745 on 14 August)
    if match is None or not labels or claims_in(match["of"]) and not match["of"].startswith(" of"):
        return
    bare = listed.casefold()
    for named in names_at_places(listed, answer.columns):
        bare = f"{bare[: named.place]}{' ' * len(named.word)}{bare[named.place + len(named.word) :]}"
    if not _LEFT.sub("", bare).strip() and _number(match["count"]) != len(labels):
        yield f"{len(labels)} are listed, not {match['count'].casefold()}: {', '.join(labels)}."


def _false_rests(answer: AnswerColumns, sentence: str, before: str) -> Iterator[str]:
    """Yield how many are said to be left over of those that are named before, and are not."""
    for match in _REST.finditer(sentence):
        own = sentence[: match.start()]
        for column in (c for c in answer.columns if c.has_several and not c.dated):
            # Others than those of a clause of it, of the sentence, or of all that is said before.
            parts = (*clauses_of(own), own, *sentences(before)[-1:], f"{before}{own}")
            named = {len(find_names(text, [column])) for text in parts} - {0}
            left = {len(column.numbers) - count for count in named}
            stated = [c.number for c in claims_in(f"{before}{own}") if c.number in answer.evidence.numbers]
            left |= {int(n) - count for n in stated if n % 1 == 0 for count in named}
            if left and len(column.numbers) == max(len(c.numbers) for c in answer.columns if not c.dated):
                if _number(match["count"]) not in left:
                    yield f"{max(left)} others are there, not {match['count'].casefold()}."
                return


def find_other_parts(answer: AnswerColumns) -> Iterator[str]:
    """Yield parts in words beside a number that is no such part: two thirds (33.3 %), a quarter: 7 of 21."""
    for sentence in map(in_plain_digits, sentences(answer.text)):
        shares = [(c.text, c.number, c.half) for c in claims_in(sentence) if c.unit == "%" and not c.limit]
        counts = [(m[0], _whole(m["part"]), _whole(m["all"])) for m in _RATIO.finditer(sentence)]
        shares += [(text, per_cent(n, of), 0.5) for text, n, of in counts if of > n]
        for text, n, of in counts if _MAJORITY.search(sentence) else ():
            if 2 * n <= of:
                yield f"{text} is no majority: {sentence.strip()!r}."
        for match in _PART.finditer(sentence):
            of = _PARTS[match["part"].casefold()] if match["part"] else 2
            part = per_cent(_number(match["count"] or "one") or 1, of)
            low = part - (
                0 if match["more"] else 100 if match["less"] else 2 * _ROUGH if match["near"] else _ROUGH
            )
            high = part + (0 if match["less"] else 100 if match["more"] else _ROUGH)
            for text, number, half in shares:
                apart = number + half < low or number - half > high
                if apart and _SAME.fullmatch(_between(sentence, match[0], text)):
                    yield f"{match[0].strip(' (*')} is not the part that {text} is: {sentence.strip()!r}."


def _whole(number: str) -> float:
    return float(number.replace(",", ""))


def _between(sentence: str, one: str, other: str) -> str:
    """Return what stands between two parts of a sentence, without the sign of the first."""
    (start, first), (stop, _) = sorted((sentence.find(part), part) for part in (one, other))
    return sentence[start + len(first) : stop].lstrip(" ").removeprefix("%")
