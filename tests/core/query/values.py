"""Numbers with named axes: what an expression is, and how such values are set against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Every array has all four; one over which it does not vary has the length 1.
AXES = ("date", "period", "zone", "pixel")

# Value of a unit in the first of its dimension: factor, and offset for states (not for differences).
UNITS: dict[str, tuple[str, float, float]] = {
    "K": ("K", 1.0, 0.0), "degC": ("K", 1.0, 273.15), "degF": ("K", 5 / 9, 273.15 - 32 * 5 / 9),
    "m2": ("m2", 1.0, 0.0), "ha": ("m2", 1e4, 0.0), "km2": ("m2", 1e6, 0.0),
    "acre": ("m2", 4046.8564224, 0.0),
    "m": ("m", 1.0, 0.0), "km": ("m", 1e3, 0.0), "cm": ("m", 0.01, 0.0), "mm": ("m", 0.001, 0.0),
    "ft": ("m", 0.3048, 0.0), "mi": ("m", 1609.344, 0.0),
    "1": ("1", 1.0, 0.0), "%": ("1", 0.01, 0.0),
    "days": ("days", 1.0, 0.0), "weeks": ("days", 7.0, 0.0), "months": ("days", 365.25 / 12, 0.0),
    "years": ("days", 365.25, 0.0),
}  # fmt: skip


@dataclass(frozen=True)
class Value:
    """An array over all of :data:`AXES`; NaN is no value, truths are 1 and 0, dates are ordinals.

    Attributes
    ----------
    data : ndarray
        Of four dimensions; of texts for names.
    labels : dict
        Of the axes over which it varies.
    unit : str
    relative : bool
        A difference: 5 K of it are 5 degC.
    """

    data: NDArray[Any]
    labels: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    unit: str = ""
    relative: bool = False

    @property
    def axes(self) -> frozenset[str]:
        return frozenset(self.labels)

    @property
    def item(self) -> Any:
        """The single value."""
        return self.data.reshape(-1)[0] if self.data.size == 1 else None

    @property
    def flat(self) -> NDArray[Any]:
        """All values in a row."""
        return self.data.reshape(-1)

    def take(self, axis: str, positions: Sequence[int]) -> Value:
        """Return the part at some positions of an axis."""
        labels = {**self.labels, axis: tuple(self.labels[axis][n] for n in positions)}
        return replace(
            self, data=np.take(self.data, np.array(positions, int), AXES.index(axis)), labels=labels
        )

    def without(self, axis: str) -> Value:
        """Return it without an axis of which one position is left; no value where none is."""
        data = self.data if self.labels[axis] else _nothing(self.data, axis)
        return replace(self, data=data, labels={k: v for k, v in self.labels.items() if k != axis})

    def map(self, function: Callable[..., Any], **changes: Any) -> Value:
        """Return it with a function of its numbers."""
        return replace(self, data=function(self.data), **changes)

    def without_gaps(self, axis: str) -> Value:
        """Return it without the dates, periods or zones at which nothing has a value."""
        others = tuple(n for n, name in enumerate(AXES) if name != axis)
        there = ~np.isnan(self.data).all(axis=others)
        return self.take(axis, np.flatnonzero(there).tolist())

    def to(self, unit: str, relative: bool | None = None) -> Value:
        """Return it in another unit of its dimension."""
        relative = self.relative if relative is None else relative
        if not unit or not self.unit or unit == self.unit:
            return replace(self, unit=unit or self.unit)
        (base, factor, offset), (goal, divisor, start) = UNITS[self.unit], UNITS[unit]
        assert base == goal, (self.unit, unit)
        shift = 0.0 if relative else offset - start
        return self.map(lambda x: (x * factor + shift) / divisor, unit=unit)


def single(value: Any, unit: str = "", relative: bool = False) -> Value:
    """Return a value without axes."""
    data = np.empty((1, 1, 1, 1), dtype=object if isinstance(value, str) else float)
    data[...] = value
    return Value(data, {}, unit, relative)


def line(values: Sequence[Any], axis: str, labels: Sequence[Any], unit: str = "") -> Value:
    """Return values along one axis."""
    kind = object if any(isinstance(value, str) for value in values) else float
    data = np.array(list(values), dtype=kind)
    return Value(
        data.reshape([len(values) if name == axis else 1 for name in AXES]), {axis: tuple(labels)}, unit
    )


def stack(parts: Sequence[Value], axis: str, labels: Sequence[Any]) -> Value:
    """Return values side by side along a new axis."""
    aligned = broadcast(*parts)
    data = np.concatenate([part.data for part in aligned], axis=AXES.index(axis))
    return replace(aligned[0], data=data, labels={**aligned[0].labels, axis: tuple(labels)})


def align(*values: Value) -> tuple[Value, ...]:
    """Return the parts of the values at which they have the same dates, periods and zones."""
    result = list(values)
    for axis in AXES[:-1]:
        having = [value.labels[axis] for value in result if axis in value.labels]
        common = [label for label in having[0] if all(label in other for other in having)] if having else []
        for n, value in enumerate(result):
            if axis in value.labels:
                result[n] = value.take(axis, [value.labels[axis].index(label) for label in common])
    return tuple(result)


def broadcast(*values: Value) -> tuple[Value, ...]:
    """Return the values aligned and as large as each other."""
    aligned = align(*values)
    labels = {axis: part for value in aligned for axis, part in value.labels.items()}
    arrays = np.broadcast_arrays(*(value.data for value in aligned))
    return tuple(
        replace(value, data=array, labels=labels) for value, array in zip(aligned, arrays, strict=True)
    )


def _nothing(data: NDArray[Any], axis: str) -> NDArray[Any]:
    shape = list(data.shape)
    shape[AXES.index(axis)] = 1
    return np.full(shape, np.nan)
