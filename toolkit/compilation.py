"""Loops over pixels, compiled when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def compile_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function compiled by numba, without the interpreter's lock, kept on disk where possible.

    Division by zero gives infinity or NaN as in numpy, so that several pixels are divided at once.

    Parameters
    ----------
    function : callable
        Loops over arrays.
    """
    import numba

    # With numpy's error model a division by zero gives infinity or NaN, as in the arrays around it, instead
    # of an exception.
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder to keep it in
        return numba.njit(**options)(function)
