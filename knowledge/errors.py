"""What can go wrong with cards and embeddings.

::

    KnowledgeError            message, hint
    ├── CardError             a card is not valid, or there is none of that id
    └── EmbedderMissing       the embedder that was set needs what is not there
"""

from __future__ import annotations


class KnowledgeError(Exception):
    """A fault with a message for people.

    Parameters
    ----------
    message : str
        What was wrong and what was found, in one sentence.
    hint : str, optional
        What would do instead.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def __reduce__(self) -> tuple[type[KnowledgeError], tuple[str, str]]:
        return type(self), (self.message, self.hint)


class CardError(KnowledgeError):
    """A card is not valid, or there is none of that id."""


class EmbedderMissing(KnowledgeError):
    """The embedder needs a library, a model or an endpoint that is not there."""
