"""How the variables of a file store their values, by the CF conventions (version 1.11, section 8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treeline.toolkit.containers.arrays import Array

FILLS = ("_FillValue", "missing_value")


def number_of(array: Array, name: str, default: float) -> float:
    """Return an attribute that is a number."""
    value = array.attributes.get(name, default)
    return float(value) if isinstance(value, int | float | np.number) else default


@dataclass(frozen=True)
class VariablePacking:
    """How a variable stores its values.

    Attributes
    ----------
    fill : float or None
        Stored value that means no data.
    others : tuple of float
        Further stored values that mean no data.
    valid : tuple of float
        Stored values outside of these limits mean no data too.
    """

    dtype: np.dtype
    scale: float
    offset: float
    fill: float | None
    others: tuple[float, ...]
    valid: tuple[float, float]


def packing_of(array: Array) -> VariablePacking:
    """Return how a variable stores its values, by its attributes."""
    kind = array.dtype.newbyteorder("=")
    if array.text("_Unsigned").lower() == "true" and kind.kind == "i":
        kind = np.dtype(f"u{kind.itemsize}")
    low, high = -np.inf, np.inf
    # Signed numbers may be read as unsigned, and with them their fill and what is valid.
    turn = 2.0 ** (8 * kind.itemsize) if kind.kind == "u" else 0.0
    limits = array.attributes.get("valid_range")
    if isinstance(limits, np.ndarray) and limits.size == 2:
        low, high = (float(limit) + turn * (limit < 0) for limit in limits)
    low, high = (
        limit + turn * (-np.inf < limit < 0)
        for limit in (number_of(array, "valid_min", low), number_of(array, "valid_max", high))
    )
    stated = [fill + turn * (fill < 0) for name in FILLS for fill in _numbers(array.attributes.get(name))]
    scale, offset = number_of(array, "scale_factor", 1.0), number_of(array, "add_offset", 0.0)
    return VariablePacking(kind, scale, offset, next(iter(stated), None), tuple(stated[1:]), (low, high))


def _numbers(value: Any) -> list[float]:
    """Return the numbers of an attribute, which may be one or several."""
    kept = isinstance(value, int | float | np.number | np.ndarray)
    return [float(number) for number in np.ravel(value)] if kept else []


def fill_of(packed: VariablePacking) -> float | None:
    """Return the stored value that means no data; one outside of the valid range where none is stated."""
    if packed.dtype.kind == "f":
        return float("nan") if packed.fill is None else packed.fill
    limits = np.iinfo(packed.dtype)
    if packed.fill is not None and limits.min <= packed.fill <= limits.max:
        return packed.fill
    if limits.min < packed.valid[0]:
        return float(limits.min)
    return float(limits.max) if limits.max > packed.valid[1] else None
