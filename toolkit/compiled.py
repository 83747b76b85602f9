"""Loops over pixels, compiled when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Sums may be taken in another order; NaN and infinity keep their meaning.
REORDERED = {"reassoc", "contract", "nsz"}


def compiled(function: Callable[..., Any], *, reorder: bool = False) -> Callable[..., Any]:
    """Return a function compiled by numba, without the interpreter's lock, kept on disk where possible.

    Parameters
    ----------
    function : callable
        Loops over arrays.
    reorder : bool
        Let the compiler take sums in another order, several at once.
    """
    import numba

    options: dict[str, Any] = {"nogil": True, "fastmath": REORDERED if reorder else False}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder to keep it in
        return numba.njit(**options)(function)
