"""A function applied to lists that belong together, named as the caller named them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treeline.toolkit.errors import InputError
from treeline.toolkit.execution import each


def each_of(function: Callable[..., Any], lists: Mapping[str, Sequence[Any]], label: str = "") -> list[Any]:
    """Apply a function to the items of lists, see :func:`treeline.toolkit.execution.each`.

    Parameters
    ----------
    function : callable
        Takes one item of each list, in the order of the lists.
    lists : mapping
        The lists by argument name.
    label : str
        For the progress.

    Raises
    ------
    InputError
        A list is empty, or they differ in length; the message names the arguments.
    """
    lengths = {name: len(values) for name, values in lists.items()}
    if 0 in lengths.values():
        empty = next(name for name, length in lengths.items() if not length)
        raise InputError(f"{empty}: the list is empty.", "Give at least one item.")
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"The lists differ in length: {found}.", "Give lists of one length, in one order.")
    return each(function, *lists.values(), label=label)
