"""From computed values to stored ones, and what is learnt of them on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Summary:
    """Valid pixels, all pixels, extremes and sum of the first band of what was stored; mergeable."""

    valid: int = 0
    total: int = 0
    low: float = float("inf")
    high: float = float("-inf")
    sum: float = 0.0

    @classmethod
    def of(cls, values: NDArray[Any], invalid: NDArray[np.bool_]) -> Summary:
        """Return the summary of values of which some are invalid."""
        found = values[~invalid] if invalid.any() else values
        if not found.size:
            return cls(total=values.size)
        low, high, total = float(found.min()), float(found.max()), float(found.sum(dtype="float64"))
        return cls(found.size, values.size, low, high, total)

    def merge(self, other: Summary) -> Summary:
        """Return the summary of both together."""
        return Summary(
            self.valid + other.valid, self.total + other.total,
            min(self.low, other.low), max(self.high, other.high), self.sum + other.sum,
        )  # fmt: skip

    def measures(self) -> dict[str, Any]:
        """Return what a product tells of itself; only the valid share where nothing is valid."""
        if not self.valid:
            return {"valid_share": 0.0}
        return {
            "valid_share": self.valid / self.total, "minimum": self.low, "maximum": self.high,
            "mean": self.sum / self.valid,
        }  # fmt: skip


@dataclass(frozen=True)
class Block:
    """Stored values of shape (bands, rows, columns) and their summary."""

    values: NDArray[Any]
    summary: Summary


def nodata_of(kind: np.dtype) -> float:
    """Return NaN for floats, the largest value of unsigned and the lowest of signed integers."""
    if kind.kind == "f":
        return float("nan")
    limits = np.iinfo(kind)
    return float(limits.max if kind.kind == "u" else limits.min)


def stored_block(values: NDArray[Any], kind: np.dtype) -> Block:
    """Return values as they are stored: NaN and infinity become nodata, integers are rounded and clipped."""
    bands = values if values.ndim == 3 else values[np.newaxis]
    stored, invalid = _stored_float(bands, kind) if kind.kind == "f" else _stored_integer(bands, kind)
    return Block(stored, Summary.of(stored[0], invalid[0]))


def _stored_float(values: NDArray[Any], kind: np.dtype) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    with np.errstate(over="ignore"):
        stored = values.astype(kind)
    invalid = ~np.isfinite(stored)
    stored[invalid] = np.nan
    return stored, invalid


def _stored_integer(values: NDArray[Any], kind: np.dtype) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    limits, nodata = np.iinfo(kind), int(nodata_of(kind))
    if values.dtype.kind == "f":
        invalid = ~np.isfinite(values)
        rounded = np.clip(np.rint(np.where(invalid, 0, values)), limits.min, limits.max)
        return np.where(invalid, nodata, rounded).astype(kind), invalid
    stored = np.clip(values, limits.min, limits.max).astype(kind)
    return stored, stored == nodata
