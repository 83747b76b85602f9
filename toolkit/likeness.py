"""Which names are most like a name that is not known, for the hints of refusals."""

from __future__ import annotations

from collections.abc import Iterable


def nearest_names(name: str, known: Iterable[str], count: int = 3, least: float = 0.0) -> list[str]:
    """Return the known names that are most like a name, best first.

    Parameters
    ----------
    count : int
        How many at most.
    least : float
        The likeness, 0 to 100, below which a name is left out; letters of either case are equal.
    """
    # Imported where it is used: only a wrong name needs it, and it would slow down every start.
    from rapidfuzz import process

    return [
        match
        for match, *_ in process.extract(
            name, list(known), limit=count, score_cutoff=least, processor=str.casefold
        )
    ]


def likeness(first: str, second: str) -> float:
    """Return how alike two texts are, 0 to 100, letters of either case being equal."""
    from rapidfuzz import fuzz

    return fuzz.ratio(first.casefold(), second.casefold())
