"""Conditions on pixel values, and the bands that they are asked of."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import Source, all_bands, source

P = ParamSpec("P")
R = TypeVar("R")
Comparison = Literal["above", "below", "above_equal", "below_equal", "equal", "not_equal"]

COMPARE: Mapping[str, Callable[[Any, float], Any]] = {
    "above": operator.gt,
    "below": operator.lt,
    "above_equal": operator.ge,
    "below_equal": operator.le,
    "equal": operator.eq,
    "not_equal": operator.ne,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of values with a threshold; false where a value is missing."""

    comparison: Comparison
    threshold: float

    def __call__(self, values: NDArray[np.floating]) -> NDArray[np.bool_]:
        """Return where the condition is met."""
        met = COMPARE[self.comparison](values, self.threshold)
        # The other comparisons are false of NaN by themselves.
        return met & ~np.isnan(values) if self.comparison == "not_equal" else met


def band_at(address: str, index: int, name: str = "band_index") -> Source:
    """Return a band by its index from 0; index 0 is also the band that the address itself names.

    Raises
    ------
    InputError
        The file has no band of that index.
    """
    if index == 0:
        return source(address)
    bands = all_bands(address)
    if not 0 <= index < len(bands):
        raise InputError(
            f"The argument {name!r} is {index}, but {bands[0].path.name} has {len(bands)} bands.",
            f"Give 0 to {len(bands) - 1}; bands are counted from 0.",
        )
    return bands[index]


def files_of(addresses: str | Sequence[str], name: str) -> list[str]:
    """Return the addresses as a list.

    Raises
    ------
    InputError
        The list is empty.
    """
    several = [addresses] if isinstance(addresses, str) else list(addresses)
    if not several:
        raise InputError(f"The argument {name!r} is an empty list.", "Give at least one raster.")
    return several


def present(values: Sequence[R | None], name: str) -> list[R]:
    """Return what was found of the images that have any valid pixel; a warning counts the others.

    Raises
    ------
    NoValidPixels
        No image has one.
    """
    there = [value for value in values if value is not None]
    if not there:
        raise NoValidPixels(
            f"None of the {len(values)} rasters in {name!r} has a valid pixel.", "Check nodata and clouds."
        )
    if len(there) < len(values):
        current_context().warn(
            f"{len(values) - len(there)} of {len(values)} rasters have no valid pixel and were left out."
        )
    return there


def null_without_pixels(function: Callable[P, R]) -> Callable[P, R | None]:
    """Return the function so that it gives ``None``, with a warning, for a raster without valid pixels."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R | None:
        try:
            return function(*args, **kwargs)
        except NoValidPixels as error:
            current_context().warn(f"{error.message.removesuffix('.')}, so it gives no number.")
            return None

    return call
