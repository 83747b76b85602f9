"""The questions nearest to one that cannot be read: the same without the few words that no reading covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treeline.core.query.expression import Node
from treeline.core.query.tokens import Token

_WIDEST = 6
_MOST_TOKENS = 26


@dataclass(frozen=True, slots=True)
class Nearest:
    """A question that can be read, with the words that it leaves out."""

    expression: Node
    left_out: tuple[Token, ...]


def nearest(
    tokens: Sequence[Token], read: Callable[[Sequence[Token]], list[Node]], most: int = 3
) -> list[Nearest]:
    """Return what can be read when the fewest neighbouring words are left out.

    Parameters
    ----------
    tokens : sequence of Token
        Those that are known.
    read : callable
        The expressions of a row of tokens, the best first.
    """
    content = [token for token in tokens if token.kind not in ("filler", "open", "close")]
    if len(content) > _MOST_TOKENS:
        return []
    for width in range(min(_WIDEST, len(content) - 1) + 1):
        found: dict[Node, Nearest] = {}
        for start in range(len(content) - width + 1):
            dropped = content[start : start + width]
            kept = [token for token in tokens if token not in dropped]
            for expression in read(kept)[:1]:
                found.setdefault(expression, Nearest(expression, tuple(dropped)))
            if width == 0:
                break
        if found:
            return list(found.values())[:most]
    return []
