"""Syntax trees of modules, whatever threads of other tests build at the same time."""

from __future__ import annotations

import ast
import time

_TRIES = 50
_MOMENT = 0.002


def tree_of(text: str | bytes) -> ast.Module:
    """Return the tree of a module.

    CPython 3.11 and 3.12 count the depth of the tree that they build in one place for all threads. Where two
    build one at the same time either may end with a SystemError, though the text is sound.
    """
    for _ in range(_TRIES - 1):
        try:
            return ast.parse(text)
        except SystemError:
            time.sleep(_MOMENT)
    return ast.parse(text)
