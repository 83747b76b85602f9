"""Lists below a heading that calls what they list the most or the least, or tells in which order they go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.degree_words import extreme, goes_to_same_end, order
from treeline.core.engine.verification.extremes import columns_meant, scopes_of
from treeline.core.engine.verification.labels import find_names, labels_in

_HEADING = re.compile(r"[\s*_#>]*(?P<head>[^:|\n]*[a-z][^:|\n]*):[\s*_]*$", re.I)
_ITEM = re.compile(r"\s*(?:[-*\u2022]|\d{1,2}[.)])\s*\S")
# Of a place in an order no more is left than its point where sentences are told apart.
_INLINE = re.compile(r"[\s*_]*(?P<head>[^:|\d]{3,60}):[\s*_]+(?P<items>\S.*)$", re.S)
_COUNT = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b", re.I)
# Behind these stands what a list is held against, and no more of it.
_ASIDE = re.compile(
    r"\b(?:than|above|below|against|compared|versus|vs|while|whereas|but|over|from|unlike|not|ahead|behind)\b|"
    r"[.;]\s",
    re.I,
)
# A list with the most of each date, or class, is in no order of its own.
_OF_EACH = re.compile(
    r"\b(?:per|each|every|respective\w*|"
    r"by (?:date|day|month|year|season|class|cover|zone|region|district))\b",
    re.I,
)
_LISTS_ON = re.compile(r",|\band\b|\bthen\b|\bfollowed by\b|\u2192|>|\n", re.I)


@dataclass(frozen=True, slots=True)
class HeadedList:
    """A heading, and the labels that are listed below it in their order.

    Attributes
    ----------
    is_partial : bool
        More is listed than has a label that is known.
    """

    head: str
    labels: tuple[str, ...]
    items: str
    is_partial: bool = False


def find_false_headed_lists(answer: AnswerColumns) -> Iterator[str]:
    """Yield which lists are not of the largest, or not in the order, that their headings tell.

    Parameters
    ----------
    answer : AnswerColumns
        What is said, beside the columns of the results.
    """
    for listed in _lists(answer):
        head = _COUNT.sub(" ", listed.head)
        if goes_to_same_end(head):
            yield f"{listed.head.strip()!r} names one end twice."
            continue
        ordered = order(head)
        direction = ordered[0] if ordered else extreme(head) or _end_asked(answer, listed)
        if _OF_EACH.search(head):
            continue
        if not direction or not listed.labels or find_names(head, answer.columns):
            continue
        known = [
            column
            for column in columns_meant(answer, head)
            if column.has_several and all(len(column.under(label)) == 1 for label in listed.labels)
        ]
        told = [claim for claim in claims_in(listed.items) if not claim.limit]
        stated = [c for c in known if any(answer.shows(claim, _row(c, listed.labels)) for claim in told)]
        wrong = [
            _wrong(answer, column, listed, direction, not (ordered or listed.is_partial))
            for column in stated or known
        ]
        # Which of several columns it is of is not known: one that bears it out is enough.
        if wrong and all(wrong):
            yield wrong[0]


def _end_asked(answer: AnswerColumns, listed: HeadedList) -> int:
    """Return of which end a numbered list is by the question, which asks for the top three; 0 of none."""
    if not re.match(r"\s*1[.)]", listed.items) or len(listed.labels) < len(("first", "second")):
        return 0
    question = _COUNT.sub(" ", answer.question)
    top, bottom = re.search(r"\btop\b", question, re.I), re.search(r"\bbottom\b", question, re.I)
    return extreme(question) or (1 if top else -1 if bottom else 0)


def _row(column: Column, labels: Sequence[str]) -> list[float]:
    return [column.under(label)[0] for label in labels]


def _wrong(answer: AnswerColumns, column: Column, listed: HeadedList, direction: int, of_all: bool) -> str:
    """Return why a list is not what its heading tells of a column; empty where it is.

    Parameters
    ----------
    of_all : bool
        It has to have the largest, or the smallest, of all.
    """
    row = _row(column, listed.labels)
    if any((a - b) * direction < 0 for a, b in pairwise(row)):
        return f"They are not in order: {', '.join(f'{n:.6g}' for n in row)}."
    if not of_all:
        return ""
    what = "largest" if direction > 0 else "smallest"
    for scope in scopes_of(answer, column, listed.labels[0], listed.head):
        best = sorted(scope.values(), key=lambda n: -direction * n)[: len(row)]
        if len(scope) > 1 and best == row:
            return ""
    first = sorted(column.numbers, key=lambda label: -direction * column.numbers[label])[: len(row)]
    return f"The {what} are {' and '.join(first)}, in this order."


def _lists(answer: AnswerColumns) -> Iterator[HeadedList]:
    lines = answer.text.splitlines()
    for place, line in enumerate(lines):
        head, found = _HEADING.match(line), list[str]()
        for item in lines[place + 1 :] if head else ():
            if not _ITEM.match(item):
                if item.strip() or found:
                    break
                continue
            found.append(item)
        labels = [label for item in found for label in labels_in(item, answer.columns)[:1]]
        if head and len(labels) > len(found) / 2:
            yield HeadedList(head["head"], tuple(labels), "\n".join(found), len(labels) < len(found))
    for sentence in sentences(answer.text):
        inline = _INLINE.match(sentence)
        if inline is None or _ITEM.match(sentence):
            continue
        items = _ASIDE.split(inline["items"])[0]
        labels = labels_in(items, answer.columns)
        # One alone is held against all where extremes are, and an order of one sentence where sentences are.
        if len(labels) > 1 and _LISTS_ON.search(items) and not order(sentence):
            yield HeadedList(inline["head"], tuple(labels), items)
