"""Per cent: the one place where parts, changes and rests become so many of a hundred, and parts again."""

from __future__ import annotations

WHOLE = 100.0


def per_cent(part: float, whole: float = 1.0) -> float:
    """Return what part of a whole something is, in per cent."""
    return 100 * part / whole


def change_of(first: float, last: float) -> float:
    """Return by how many per cent of the first number the last one is more."""
    return per_cent(last - first, first)


def rest_of(share: float) -> float:
    """Return what a share in per cent leaves of the whole."""
    return WHOLE - share


def part_of_one(share: float) -> float:
    """Return a share in per cent as a part of one."""
    return share / WHOLE
