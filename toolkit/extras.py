"""Libraries of the extras: what Treeline can do without, until something needs it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from treeline.toolkit.errors import BackendMissing


def import_optional(module: str, extra: str) -> Any:
    """Return a module of a library that only an extra installs.

    Parameters
    ----------
    module : str
        Its name, such as ``statsmodels.tsa.stattools``.
    extra : str
        The extra that brings it.

    Raises
    ------
    BackendMissing
        It is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise BackendMissing(
            f"The library {library!r} is not installed.", f'Run: pip install "treeline[{extra}]"'
        ) from None
