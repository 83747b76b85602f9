"""Tables of an answer: each of their numbers is of its row and of its column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in, tables_in
from treeline.core.engine.verification.facts import Fact
from treeline.core.engine.verification.labels import find_dates, find_names
from treeline.core.engine.verification.statistic_words import find_statistics

_TOTALS = frozenset({"sum"})  # a row of totals sums up what each column has
_RULE = re.compile(r"[\s|:-]*")


def find_misplaced_cells(answer: AnswerColumns) -> Iterator[str]:
    """Yield the numbers of tables that are another statistic than their row or column is named after."""
    for table in tables_in(answer.text):
        head, *rows = [cells for cells in table if not _RULE.fullmatch("".join(cells))] or [[]]
        for row in rows:
            for place, cell in enumerate(row[: len(head)]):
                named = find_statistics(head[place], nouns=True) or find_statistics(row[0], nouns=True)
                if place and len(named - _TOTALS) == 1:
                    yield from _doubts_of_cell(answer, cell, f"{row[0]} {head[place]}", min(named - _TOTALS))


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
