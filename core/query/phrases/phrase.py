"""The words that join meanings, and those that have none of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

By = Literal[
    "and", "to", "or", "than", ";", "together", "versus", "minus", "nor", "each", "clause", "from", "between",
    "neither", "is", "by", "line", "turned", "again", "then",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """A meaning."""


@dataclass(frozen=True, slots=True)
class Nothing(Phrase):
    """A word that may stand without a meaning beside its others."""


@dataclass(frozen=True, slots=True)
class MissingVariable(Phrase):
    """A variable that is known, but neither here nor to be made; the role is empty of what has none."""

    title: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Word(Phrase):
    """A word whose only meaning is what it does to its neighbour: from, between, in, where, not, each."""

    name: str


@dataclass(frozen=True, slots=True)
class Join(Phrase):
    """A word that joins: and, or, to, than, versus, a comma; ``each`` keeps apart: "of A and of B"."""

    by: By


@dataclass(frozen=True, slots=True)
class Half(Phrase):
    """The first of a pair, with its word: "2016 and"."""

    left: Phrase
    by: By


@dataclass(frozen=True, slots=True)
class Pair(Phrase):
    """Two of a kind, joined by a word: "2016 and 2017", "July to September", "forest or grassland"."""

    left: Phrase
    right: Phrase
    by: By


@dataclass(frozen=True, slots=True)
class Many(Phrase):
    """Several things asked for at once.

    ``apart`` where a semicolon keeps them so; ``clauses`` where each is a question in full: "what is A, and
    what is B in the forest".
    """

    of: tuple[Phrase, ...]
    apart: bool = False
    clauses: bool = False
