"""The largest part of a question, put together from what it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from treeline.core.query.expression import Node
from treeline.core.query.inventory import Inventory
from treeline.core.query.kinds import IllTyped, kind_of
from treeline.core.query.largest.building import TASKS
from treeline.core.query.largest.pictures import read_pictures
from treeline.core.query.largest.request import Request, find_asked
from treeline.core.query.largest.times import MONTH
from treeline.core.query.names import names_of
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.sayings import CannotSay

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
    asked = find_asked(question, inventory)
    if asked is None:
        return None
    for task in TASKS:
        found = task(asked)
        if found is not None and _fits(found):
            return Part(found, _unread_words(question, asked, found))
    return None


def _fits(node: Node) -> bool:
    try:
        kind_of(node)
    except IllTyped:
        return False
    return True


def _unread_words(question: str, asked: Request, found: Node) -> tuple[str, ...]:
    """Return the words of a question that neither the part's own words nor what it names takes up."""
    inventory = asked.inventory
    used = {word for words in names_of(inventory).vocabulary.fillers() for word in words}
    for one in asked.mentions:
        used.update(_words(asked.text[one.start : one.end]))
    used.update(word.lower() for word in _words(_in_words(found, inventory)))
    telling = [w for w in _words(question) if w.lower() not in used and not re.fullmatch(MONTH, w.lower())]
    return tuple(dict.fromkeys(telling))[:_MOST_WORDS]


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z][A-Za-z'-]{3,}", text)


def _in_words(found: Node, inventory: Inventory) -> str:
    try:
        return paraphrase(found, inventory)
    except CannotSay:
        return ""
