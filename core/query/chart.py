"""The chart: every meaning of every stretch of the question, each token used exactly once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeline.core.query.grammar import rules_for
from treeline.core.query.grammar.clouds import CLOUDS_IN, says_clouds
from treeline.core.query.kinds import IllTyped
from treeline.core.query.names import Names
from treeline.core.query.phrases.conditions import Operator
from treeline.core.query.phrases.phrase import Nothing, Phrase
from treeline.core.query.phrases.values import Amount, Raw
from treeline.core.query.rewriting import slots_of
from treeline.core.query.tokens import Token
from treeline.toolkit.errors import TreelineError

MOST_IN_CELL = 400
MOST_TOKENS = 60
# A word that has a meaning is rather taken by it than passed over.
SILENCE = 1

_COMMAS = (",", ";")

# A meaning, with its cost and the spelling of it that assumes least.
Cell = dict[Phrase, tuple[int, Phrase]]


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
    listing = _between_conditions(content)
    cells: dict[tuple[int, int], Cell] = {
        (k, k + 1): {one: (_own_cost(token, one, k in listing), one) for one in token.meanings}
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


def _own_cost(token: Token, meaning: Phrase, listing: bool) -> int:
    """Words rather mean something than nothing; a comma rather sets apart, unless it lists conditions."""
    silent = type(meaning) is Nothing
    return SILENCE if silent != (token.text in _COMMAS and not listing) else 0


def _between_conditions(content: Sequence[Token]) -> frozenset[int]:
    """Return the places of commas between two conditions: NDVI above 0.6, elevation above 300 m."""

    def may_be(place: int, *kinds: type[Phrase]) -> bool:
        return 0 <= place < len(content) and any(isinstance(m, kinds) for m in content[place].meanings)

    def begins(place: int) -> bool:
        return may_be(place, Raw) and may_be(place + 1, Operator)

    def ends(place: int) -> bool:
        return may_be(place - 1, Operator) and may_be(place, Amount)

    commas = (k for k, token in enumerate(content) if token.text in _COMMAS)
    return frozenset(k for k in commas if ends(k - 1) and begins(k + 1))


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
    for cost_of_one, one in left.values():
        if type(one) is Nothing:
            for cost, other in right.values():
                _put(cell, other, cost_of_one + cost)
            continue
        for cost_of_other, other in right.values():
            if type(other) is Nothing:
                _put(cell, one, cost_of_one + cost_of_other)
                continue
            rules = rules_for(one, other)
            clouds = bool(rules) and (says_clouds(one) or says_clouds(other))
            for rule, own in rules:
                try:
                    for made in rule(one, other, names):
                        if not clouds or says_clouds(made) or made == CLOUDS_IN:
                            _put(cell, made, cost_of_one + cost_of_other + own)
                except IllTyped:  # a rule asked for the kind of what it was given, and that has none
                    continue


def _put(cell: Cell, made: Phrase, cost: int) -> None:
    """Keep a meaning at its least cost; of equal ones that which assumes less."""
    known = cell.get(made)
    if (
        known is None
        or cost < known[0]
        or cost == known[0]
        and made is not known[1]
        and _assumptions(made) < _assumptions(known[1])
    ):
        cell[made] = (cost, made)


def _assumptions(item: object) -> int:
    """Return how many slots were filled by default."""
    if isinstance(item, tuple):
        return sum(_assumptions(one) for one in item)
    slots = slots_of(type(item))
    found = len(item.assumed) if "assumed" in slots else 0  # type: ignore[attr-defined]
    for name in slots:
        value = getattr(item, name)
        if value.__class__ is tuple or hasattr(value.__class__, "__dataclass_fields__"):
            found += 0 if name == "assumed" else _assumptions(value)
    return found
