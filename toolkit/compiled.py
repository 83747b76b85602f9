"""Loops over pixels, compiled when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function compiled by numba, without the interpreter's lock, kept on disk where possible.

    Parameters
    ----------
    function : callable
        Loops over arrays.
    """
    import numba

    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder to keep it in
        return numba.njit(nogil=True)(function)
