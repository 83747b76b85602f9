"""Text in Python's notation that is read and never run: a formula, a type, a plain value."""

from __future__ import annotations

import ast
import threading
import time
from typing import Any

NO_EXPRESSION = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python raises for text that is no expression; the last two for one that is nested too deeply."""

# CPython 3.11 and 3.12 count how deep the tree is that they build in one place for all threads: where two
# build one at the same time, either may end with "AST constructor recursion depth mismatch".
_BUILDING = threading.Lock()
_TRIES = 50
_MOMENT = 0.002


def expression_in(text: str) -> ast.expr:
    """Return the tree of an expression, whatever other threads read meanwhile.

    Raises
    ------
    SyntaxError, ValueError, RecursionError, MemoryError
        It is none, as of :func:`ast.parse`.
    """
    for _ in range(_TRIES - 1):
        try:
            return _parse(text)
        except SystemError:  # of a library that builds a tree without the lock, and is done in a moment
            time.sleep(_MOMENT)
    return _parse(text)


def value_in(text: str) -> Any:
    """Return the number, text, list or the like that an expression writes, as :func:`ast.literal_eval` does.

    Raises
    ------
    SyntaxError, TypeError, ValueError, RecursionError, MemoryError
        It is no plain value.
    """
    return ast.literal_eval(expression_in(text))


def _parse(text: str) -> ast.expr:
    with _BUILDING:
        return ast.parse(text.strip(), mode="eval").body
