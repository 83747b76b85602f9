"""Tables of an answer: each of their numbers is of its row and of its column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in, tables_in
from treeline.core.engine.verification.facts import Fact
from treeline.core.engine.verification.labels import find_dates, find_names
from treeline.core.engine.verification.statistic_words import find_statistics

_TOTALS = frozenset({"sum"})  # a row of totals sums up what each column has
_OF_CHANGE = re.compile(
    r"\b(?:chang\w*|differen\w+|diff|delta|gains?|loss(?:es)?|shift|increase|decrease)\b|\u0394", re.I
)
_RULE = re.compile(r"[\s|:-]*")


def find_misplaced_cells(answer: AnswerColumns) -> Iterator[str]:
    """Yield the numbers of tables that are another statistic, or the change of another row, than told."""
    for table in tables_in(answer.text):
        head, *rows = [cells for cells in table if not _RULE.fullmatch("".join(cells))] or [[]]
        for row in rows:
            for place, cell in enumerate(row[: len(head)]):
                named = find_statistics(head[place], nouns=True) or find_statistics(row[0], nouns=True)
                if place and _OF_CHANGE.search(head[place]):
                    yield from _doubts_of_change(answer, cell, row[0])
                elif place and not named:
                    yield from _doubts_of_quantity(answer, cell, row[0], head[place])
                elif place and len(named - _TOTALS) == 1:
                    yield from _doubts_of_cell(answer, cell, f"{row[0]} {head[place]}", min(named - _TOTALS))


def _doubts_of_change(answer: AnswerColumns, cell: str, told: str) -> Iterator[str]:
    """Yield why a cell is not by how much the class or zone of its row changes, but another one."""
    names = find_names(told, answer.changes)
    for claim in claims_in(cell)[:1] if len(names) == 1 else ():
        own = [abs(n) for column in answer.changes for n in column.under(names[0])]
        others = [o for c in answer.changes for o, n in c.numbers.items() if answer.shows(claim, [n, abs(n)])]
        if own and others and not answer.shows(replace(claim, number=abs(claim.number)), own):
            yield f"{claim.text} is by how much {others[0]} changes; {names[0]} changes by {own[0]:.6g}."


def _doubts_of_quantity(answer: AnswerColumns, cell: str, told: str, head: str) -> Iterator[str]:
    """Yield why a cell is not the quantity of its row that its column is headed by, but another one."""
    names, words = find_names(told, answer.columns), _words(head)
    known = [c for c in answer.columns if c.quantity and len(names) == 1 and len(c.under(names[0])) == 1]
    own = [column for column in known if _words(column.quantity) & words]
    others = [column for column in known if not _words(column.quantity) & words]
    for claim in claims_in(cell)[:1] if own else ():
        held = [n for column in own for n in column.under(names[0])]
        of = [column.quantity for column in others if answer.shows(claim, column.under(names[0]))]
        if of and not answer.shows(claim, held):
            yield f"{claim.text} is the {of[0].replace('_', ' ')} of {names[0]}; it has {held[0]:.6g}."


def _words(text: str) -> set[str]:
    """Return the words of a heading or of the name of a quantity, without their endings."""
    return {word.rstrip("s") for word in re.findall(r"[a-z]{4,}", text.casefold())}


def _doubts_of_cell(answer: AnswerColumns, cell: str, told: str, statistic: str) -> Iterator[str]:
    """Yield why a cell is no such statistic of what its row and column name, where others are."""
    labels = {*find_dates(told, answer.columns), *find_names(told, answer.columns)}
    own = [fact for fact in answer.facts if not labels or _is_of(fact, labels)]
    right = [fact.number for fact in own if fact.statistic == statistic]
    for claim in claims_in(cell)[:1] if right else ():
        others = [
            f for f in own if f.statistic and f.statistic != statistic and answer.shows(claim, [f.number])
        ]
        if others and not answer.shows(claim, right):
            of = f" of {' and '.join(sorted(labels))}" if labels else ""
            yield f"{claim.text} is the {others[0].statistic}{of}; the {statistic} is {right[0]:.6g}."


def _is_of(fact: Fact, labels: set[str]) -> bool:
    """Return whether a number is of all that is named."""
    return labels <= fact.dates | fact.names
