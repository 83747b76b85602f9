"""Tokens: a stretch of the question with the meanings it may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeline.core.query.phrases.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a phrase or a form such as a date.

    Attributes
    ----------
    text : str
        As the question writes it.
    start, end : int
        In the question.
    kind : str
        ``lexicon``, ``form``, ``name`` (of the workspace), ``filler``, ``bracket``, ``unknown``.
    meanings : tuple of Phrase
    """

    text: str
    start: int
    end: int
    kind: str
    meanings: tuple[Phrase, ...] = ()
    repaired: str = ""

    def means(self, *kinds: type[Phrase]) -> bool:
        """Return whether it may mean something of one of some kinds."""
        return any(isinstance(meaning, kinds) for meaning in self.meanings)


def content(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens that carry a meaning, without brackets."""
    return [token for token in tokens if token.kind not in ("filler", "open", "close")]
