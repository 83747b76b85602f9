"""Which of a benchmark's questions are worked on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from treeline.toolkit.errors import InputError


class HasIdentifier(Protocol):
    """A question or task with an identifier."""

    @property
    def id(self) -> int | str:
        """Its name in the file."""


Item = TypeVar("Item", bound=HasIdentifier)


@dataclass(frozen=True, slots=True)
class Selection:
    """What is taken of a file, in this order: by identifier, at random, the first so many.

    Attributes
    ----------
    only, exclude : tuple of str
        Identifiers; without ``only`` all are taken.
    sample : int, optional
        Seed by which the questions are put into a random order.
    limit : int, optional
        Most questions.
    """

    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sample: int | None = None
    limit: int | None = None

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        """Return the chosen items; those of a sample keep the order of the file.

        Raises
        ------
        InputError
            A name is of no question, or nothing is left.
        """
        known = {str(item.id) for item in items}
        lost = [name for name in (*self.only, *self.exclude) if name not in known]
        if lost:
            raise InputError(f"There is no question {lost[0]!r} in the file.", "Name them by their 'id'.")
        chosen = [
            position
            for position, item in enumerate(items)
            if (not self.only or str(item.id) in self.only) and str(item.id) not in self.exclude
        ]
        if self.sample is not None:
            random.Random(self.sample).shuffle(chosen)
        chosen = chosen[: self.limit]
        if not chosen:
            raise InputError("No question is left to work on.", "Take fewer away, or raise --limit.")
        return [items[position] for position in sorted(chosen)]


ALL = Selection()
"""Every question of the file."""
