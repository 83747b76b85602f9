"""A message of a model, as the endpoint passed it on."""

from __future__ import annotations

from dataclasses import dataclass

from treeline.core.engine.actions import TokenUse


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function that the model wants called.

    Attributes
    ----------
    arguments : str
        As JSON text.
    beside : str
        What the endpoint put beside it, as JSON text; empty where that is nothing.
    """

    name: str
    arguments: str
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """One message of a model.

    Attributes
    ----------
    text, reasoning : str
        What it said, and what it thought where the endpoint tells them apart.
    reasoning_field : str
        The field of the message that the reasoning came in; empty where it stood in the text.
    reasoning_items : str
        What goes back in that field, where it is not the words: JSON text.
    calls : tuple of FunctionCall
    tokens : TokenUse
        As the endpoint reported; zero where it did not.
    cut : bool
        The endpoint ended the message because it grew too long.
    withheld : bool
        The endpoint kept the message, or the rest of it, back: by a filter of contents.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[FunctionCall, ...] = ()
    tokens: TokenUse = TokenUse()
    cut: bool = False
    reasoning_field: str = ""
    reasoning_items: str = ""
    withheld: bool = False

    @property
    def thought(self) -> str:
        """The words beside the action."""
        return self.text or self.reasoning
