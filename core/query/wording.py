"""An expression in the lightest words that are still read as it: brackets only where they are needed."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.query.expression import Node
from treeline.core.query.inventory import Inventory
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.reading import Reading, read, say
from treeline.core.query.sayings import CannotSay

# Each pair costs one reading; beyond these a sentence is past help.
_MOST_PAIRS = 12


def read_plainly(question: str, inventory: Inventory, after: Node | None = None) -> Reading:
    """Return the reading of a question, with offers in the lightest words; see :func:`read`."""
    reading = read(question, inventory, after)
    return replace(reading, offers=tuple((_say(node, inventory), node) for _, node in reading.offers))


def _say(expression: Node, inventory: Inventory) -> str:
    try:
        return lightest_wording(expression, inventory)
    except CannotSay:
        return say(expression, inventory)


def lightest_wording(expression: Node, inventory: Inventory) -> str:
    """Return an expression in words, without the brackets that the reader does not need.

    Raises
    ------
    CannotSay
        It has a node that no question leads to.
    """
    text, mark, assumed = paraphrase(expression, inventory).partition(" (assumed: ")
    kept = 0
    for _ in range(min(text.count("("), _MOST_PAIRS)):
        first = _opening(text, kept)
        if first is None:
            break
        lighter = _without_pair(text, first)
        if read(f"{lighter}{mark}{assumed}", inventory).expressions == (expression,):
            text = lighter
        else:
            kept += 1
    return f"{text}{mark}{assumed}"


def _opening(text: str, nth: int) -> int | None:
    """Return where the opening bracket with a number, counted from 0, stands."""
    places = [place for place, sign in enumerate(text) if sign == "("]
    return places[nth] if nth < len(places) else None


def _without_pair(text: str, first: int) -> str:
    """Return a text without the bracket at a place and the one that closes it."""
    depth = 0
    for place in range(first, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[:first] + text[first + 1 : place] + text[place + 1 :]
    return text
