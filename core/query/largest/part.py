"""The largest part of a question, put together from what it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from treeline.core.query.expression import Node
from treeline.core.query.inventory import Inventory
from treeline.core.query.kinds import IllTyped, kind_of
from treeline.core.query.largest.asked import Asked, asked_of
from treeline.core.query.largest.building import TASKS
from treeline.core.query.largest.pictures import read_pictures
from treeline.core.query.largest.times import MONTH
from treeline.core.query.lexer import common_words
from treeline.core.query.names import names_of

_PICTURES = frozenset({"rgb", "rgb_pre", "rgb_post"})
_MOST_WORDS = 12


@dataclass(frozen=True, slots=True)
class Part:
    """What was read of a question.

    Attributes
    ----------
    left_out : tuple of str
        Words that nothing in the expression takes up.
    """

    expression: Node
    left_out: tuple[str, ...] = ()


def largest_part(question: str, inventory: Inventory) -> Part | None:
    """Return the largest part of a question that can be read; ``None`` where there is none."""
    if inventory.holdings and all(holding.role in _PICTURES for holding in inventory.holdings):
        seen = read_pictures(question)
        return None if seen is None else Part(seen)
    asked = asked_of(question, inventory)
    if asked is None:
        return None
    for task in TASKS:
        found = task(asked)
        if found is not None and _fits(found):
            return Part(found, _left_out(question, asked))
    return None


def _fits(node: Node) -> bool:
    try:
        kind_of(node)
    except IllTyped:
        return False
    return True


def _left_out(question: str, asked: Asked) -> tuple[str, ...]:
    """Return the telling words of a question that no variable, limit or method takes up."""
    kinds = names_of(asked.inventory).kinds
    known = common_words() | {
        words[0] for words, kind in kinds.items() if len(words) == 1 and kind == "filler"
    }
    used = {word for one in asked.mentions for word in re.findall(r"[a-z]+", asked.text[one.start : one.end])}
    words = re.findall(r"[A-Za-z][A-Za-z'-]{3,}", question)
    telling = [w for w in words if w.lower() not in known | used and not re.fullmatch(MONTH, w.lower())]
    return tuple(dict.fromkeys(telling))[:_MOST_WORDS]
