"""Functions of tools made from the rows of a table: signature and docstring follow from the row."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter of a function that is made.

    Attributes
    ----------
    annotation : type
        With its contract, if it is a raster.
    type_text, description : str
        For the docstring.
    """

    name: str
    annotation: Any
    type_text: str
    description: str
    default: Any = inspect.Parameter.empty

    @property
    def parameter(self) -> inspect.Parameter:
        """The parameter of a signature."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Parameter(self.name, kind, default=self.default, annotation=self.annotation)


@dataclass(frozen=True, slots=True)
class Text:
    """What a docstring says besides the parameters."""

    brief: str
    returns: str
    returned_type: str = "list of str"
    details: str = ""


def make_function(
    name: str, arguments: Sequence[Argument], text: Text, call: Callable[..., Any], module: str
) -> Callable[..., Any]:
    """Return a function of a name that passes its arguments, by name and with defaults, to another.

    Parameters
    ----------
    name : str
        Of the function.
    arguments : sequence of Argument
        In their order.
    text : Text
        For the docstring.
    call : callable
        Does the work.
    module : str
        The one whose import registers the tool: ``__name__`` where the row stands.
    """
    signature = inspect.Signature([argument.parameter for argument in arguments])

    def function(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return call(**bound.arguments)

    function.__module__ = module
    function.__name__ = function.__qualname__ = name
    # Signature, hints and docstring are what a tool is built from, as of a function that was written out.
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__annotations__ = {argument.name: argument.annotation for argument in arguments}
    function.__doc__ = _docstring(arguments, text)
    return function


def _docstring(arguments: Sequence[Argument], text: Text) -> str:
    parts = [text.brief, *([text.details] if text.details else [])]
    described = [f"{a.name} : {a.type_text}\n    {a.description}" for a in arguments]
    parts.append("\n".join(["Parameters", "----------", *described]))
    parts.append(f"Returns\n-------\n{text.returned_type}\n    {text.returns}")
    return "\n\n".join(parts)
