"""Values that cannot be: left out of results, with a word to the person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.variables import VARIABLES


def limiter(low: float, high: float, what: str) -> Callable[[Any], Any]:
    """Return a function of values that sets those outside a range to NaN, with a warning if there are any.

    Parameters
    ----------
    low, high : float
        The range that is kept, both ends included.
    what : str
        Begins the warning, such as ``NDVI``.
    """
    context = current_context()

    def keep(values: Any) -> Any:
        outside = (values < low) | (values > high)
        if outside.any():
            context.warn(f"{what}: pixels outside {low:g} to {high:g} are implausible and were left out.")
            values = np.where(outside, np.float32(np.nan), values)
        return values

    return keep


def limiter_of(role: str) -> Callable[[Any], Any]:
    """Return a function of values that keeps the plausible range of a role, as :func:`limiter`."""
    known = VARIABLES[role]
    return limiter(*known.plausible, known.title)


def limit_result(function: Callable[..., Any], low: float, high: float, what: str) -> Callable[..., Any]:
    """Return a pixel function, of arrays by name, with its result limited to a range: :func:`limiter`."""
    kept = limiter(low, high, what)
    return lambda **arrays: kept(function(**arrays))


def keep_plausible(function: Callable[..., Any], role: str) -> Callable[..., Any]:
    """Return a pixel function limited to the plausible range of the role that it gives."""
    known = VARIABLES[role]
    return limit_result(function, *known.plausible, known.title)
