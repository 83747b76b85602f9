"""Types of a tool's parameters: plain values as JSON has them, written as text and read back."""

from __future__ import annotations

import ast
import inspect
import typing
from functools import cache
from typing import Any

from treeline.toolkit.errors import ContractError
from treeline.toolkit.syntax import expression_in

_NAMES: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "Any": Any,
    "Literal": typing.Literal,
    "Optional": typing.Optional,
    "Union": typing.Union,
}
PLAIN = "str, int, float, bool, Literal, and lists, tuples, dicts and unions (A | None) of them"


def text_of(hint: Any) -> str:
    """Return a type as a person reads it, such as ``list[str]``."""
    return inspect.formatannotation(hint).replace("typing.", "")


@cache
def type_of(text: str) -> Any:
    """Return the type that a text means; the inverse of :func:`text_of`.

    Raises
    ------
    ContractError
        It is no type of plain values.
    """
    try:
        return _build(expression_in(text))
    except (SyntaxError, TypeError, ValueError, KeyError):
        raise ContractError(f"{text!r} is no type of plain values.", f"Plain are {PLAIN}.") from None


def _build(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=None):
            return None
        case ast.Name(id=name):
            return _NAMES[name]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inside):
            values = ast.literal_eval(inside)
            return typing.Literal[values]
        case ast.Subscript(value=base, slice=ast.Tuple(elts=parts)):
            return _build(base)[tuple(_build(part) for part in parts)]
        case ast.Subscript(value=base, slice=part):
            return _build(base)[_build(part)]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _build(left) | _build(right)
    raise ValueError(ast.dump(node))
