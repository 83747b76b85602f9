"""The chart: every meaning of every stretch of the question, each token used exactly once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeline.core.query.grammar import rules_for
from treeline.core.query.names import Names
from treeline.core.query.phrases import Nothing, Phrase
from treeline.core.query.tokens import Token
from treeline.toolkit.errors import TreelineError

MOST_IN_CELL = 400
MOST_TOKENS = 60

Cell = dict[Phrase, int]


class TooAmbiguous(TreelineError):
    """A stretch of the question has more meanings than can be weighed."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Cells by the first token and the one after the last."""

    tokens: tuple[Token, ...]
    cells: dict[tuple[int, int], Cell]

    @property
    def whole(self) -> Cell:
        """The meanings of all tokens together."""
        return self.cells.get((0, len(self.tokens)), {})


def fill_chart(tokens: Sequence[Token], names: Names) -> Chart:
    """Return the chart of tokens; brackets keep what stands in them together.

    Raises
    ------
    TooAmbiguous
        It has too many tokens, or a cell too many meanings: nothing is left out in silence.
    """
    content, groups = _groups(tokens)
    size = len(content)
    if size > MOST_TOKENS:
        raise TooAmbiguous(
            f"The question has {size} words that carry a meaning; up to {MOST_TOKENS} can be read.",
            "Ask it in parts.",
        )
    cells: dict[tuple[int, int], Cell] = {
        (k, k + 1): dict.fromkeys(token.meanings, 0) for k, token in enumerate(content)
    }
    for width in range(2, size + 1):
        for start in range(size - width + 1):
            end = start + width
            if any(_crosses(start, end, group) for group in groups):
                continue
            cell: Cell = {}
            for middle in range(start + 1, end):
                left, right = cells.get((start, middle)), cells.get((middle, end))
                if left and right:
                    _join(left, right, names, cell)
            if len(cell) > MOST_IN_CELL:
                words = " ".join(token.text for token in content[start:end])
                raise TooAmbiguous(
                    f"{words!r} can mean too many things.", "Say it in other words, or in parts."
                )
            if cell:
                cells[start, end] = cell
    return Chart(tuple(content), cells)


def _groups(tokens: Sequence[Token]) -> tuple[list[Token], list[tuple[int, int]]]:
    content: list[Token] = []
    groups: list[tuple[int, int]] = []
    opened: list[int] = []
    for token in tokens:
        if token.kind == "open":
            opened.append(len(content))
        elif token.kind == "close":
            if opened:
                groups.append((opened.pop(), len(content)))
        elif token.kind != "filler":
            content.append(token)
    return content, [group for group in groups if group[1] - group[0] > 1]


def _crosses(start: int, end: int, group: tuple[int, int]) -> bool:
    first, last = group
    inside = first <= start and end <= last
    around = start <= first and last <= end
    return not (inside or around or end <= first or last <= start)


def _join(left: Cell, right: Cell, names: Names, cell: Cell) -> None:
    for one, cost_of_one in left.items():
        if type(one) is Nothing:
            _take(cell, right, cost_of_one)
            continue
        for other, cost_of_other in right.items():
            for rule, own in rules_for(one, other):
                cost = cost_of_one + cost_of_other + own
                for made in rule(one, other, names):
                    if made not in cell or cell[made] > cost:
                        cell[made] = cost
    if any(type(other) is Nothing for other in right):
        _take(cell, left, 0)


def _take(cell: Cell, meanings: Cell, extra: int) -> None:
    for meaning, cost in meanings.items():
        if meaning not in cell or cell[meaning] > cost + extra:
            cell[meaning] = cost + extra
