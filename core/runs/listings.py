"""Answers that list many things, such as a value of each date, taken apart to be shown one below another."""

from __future__ import annotations

from dataclasses import dataclass

# More things than this are looked up one by one, and not read in a row.
_FEWEST_LISTED, _LONGEST_LISTED = 5, 40


@dataclass(frozen=True, slots=True)
class Listing:
    """A sentence that lists many things, taken apart."""

    head: str
    items: tuple[str, ...]
    rest: str


def listing_in(text: str) -> Listing | None:
    """Return what a text lists after a colon, such as a value of each date; ``None`` for a few things.

    Each thing is described in a few words between semicolons; what follows the last one is left as it is.
    """
    head, colon, told = text.partition(": ")
    first, *others = told.split("; ")
    if not colon or len(others) < _FEWEST_LISTED - 1:
        return None
    last, stop, rest = others.pop().partition(". ")
    items = (first, *others, last if stop else last.removesuffix("."))
    if "; " in head or any(len(item) > _LONGEST_LISTED or ". " in item for item in items):
        return None
    return Listing(head, items, rest)
