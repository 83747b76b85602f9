"""The chart: every meaning of every stretch of the question, each token used exactly once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass

from treeline.core.query.grammar import rules_for
from treeline.core.query.names import Names
from treeline.core.query.phrases import Nothing, Phrase
from treeline.core.query.tokens import Token
from treeline.toolkit.errors import TreelineError

MOST_IN_CELL = 400
MOST_TOKENS = 60
# A word that has a meaning is rather taken by it than passed over.
SILENCE = 1

_COMMAS = (",", ";")

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
        (k, k + 1): {meaning: _own_cost(token, meaning) for meaning in token.meanings}
        for k, token in enumerate(content)
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


def _own_cost(token: Token, meaning: Phrase) -> int:
    """Words rather mean something than nothing; a comma rather sets apart than lists."""
    silent = type(meaning) is Nothing
    return SILENCE if silent != (token.text in _COMMAS) else 0


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
            for other, cost in right.items():
                _put(cell, other, cost_of_one + cost)
            continue
        for other, cost_of_other in right.items():
            if type(other) is Nothing:
                _put(cell, one, cost_of_one + cost_of_other)
                continue
            for rule, own in rules_for(one, other):
                for made in rule(one, other, names):
                    _put(cell, made, cost_of_one + cost_of_other + own)


def _put(cell: Cell, made: Phrase, cost: int) -> None:
    """Keep a meaning at its least cost; of equal ones that which assumes less."""
    known = cell.get(made)
    if known is None or cost < known:
        cell.pop(made, None)
        cell[made] = cost
    elif cost == known:
        same = next(one for one in cell if one == made)
        if _assumptions(made) < _assumptions(same):
            del cell[same]
            cell[made] = cost


def _assumptions(item: object) -> int:
    """Return how many slots were filled by default."""
    if isinstance(item, tuple):
        return sum(_assumptions(one) for one in item)
    if not is_dataclass(item):
        return 0
    return len(getattr(item, "assumed", ())) + sum(
        _assumptions(getattr(item, slot.name)) for slot in fields(item) if slot.name != "assumed"
    )
