"""From computed values to stored ones, and what is learnt of them on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

Outside = NDArray[np.bool_] | None


@dataclass(frozen=True)
class Packing:
    """How physical values are stored as integers: ``physical = stored * scale + offset``.

    Attributes
    ----------
    scale : float
        Above 0.
    offset : float
    """

    scale: float
    offset: float = 0.0


@dataclass(frozen=True)
class Summary:
    """Valid pixels, all pixels, extremes and sum of the first band of what was stored; mergeable."""

    valid: int = 0
    total: int = 0
    low: float = float("inf")
    high: float = float("-inf")
    sum: float = 0.0

    @classmethod
    def of(cls, values: NDArray[Any], invalid: NDArray[np.bool_] | None) -> Summary:
        """Return the summary of stored values, of which floats are NaN where they are invalid.

        Parameters
        ----------
        values : ndarray
            Of any shape, of the stored type.
        invalid : ndarray of bool, optional
            Of the same shape; ``None`` where all is valid.
        """
        total = values.size
        valid = total if invalid is None else total - int(np.count_nonzero(invalid))
        if not valid:
            return cls(total=total)
        if invalid is None or values.dtype.kind != "f":
            there = values if invalid is None else values[~invalid]
            low, high = float(there.min()), float(there.max())
            return cls(valid, total, low, high, float(there.sum(dtype="float64")))
        # fmin and fmax pass over NaN, without a copy of the valid values.
        low, high = float(np.fmin.reduce(values, axis=None)), float(np.fmax.reduce(values, axis=None))
        return cls(valid, total, low, high, float(np.where(invalid, 0, values).sum(dtype="float64")))

    def merge(self, other: Summary) -> Summary:
        """Return the summary of both together."""
        return Summary(
            self.valid + other.valid,
            self.total + other.total,
            min(self.low, other.low),
            max(self.high, other.high),
            self.sum + other.sum,
        )

    def without(self, pixels: int) -> Summary:
        """Return the summary with fewer pixels in all; those taken away are invalid."""
        return replace(self, total=self.total - pixels)

    def unpack(self, packing: Packing) -> Summary:
        """Return the summary of the physical values of which this one is the stored."""
        low, high = (bound * packing.scale + packing.offset for bound in (self.low, self.high))
        total = self.sum * packing.scale + self.valid * packing.offset
        return Summary(self.valid, self.total, low, high, total)

    def measures(self) -> dict[str, Any]:
        """Return what a product tells of itself; only the valid share where nothing is valid."""
        if not self.valid:
            return {"valid_share": 0.0}
        return {
            "valid_share": self.valid / self.total,
            "minimum": self.low,
            "maximum": self.high,
            "mean": self.sum / self.valid,
        }


@dataclass(frozen=True)
class Block:
    """Stored values of shape (bands, rows, columns) and their summary."""

    values: NDArray[Any]
    summary: Summary


class Gathering:
    """Parts of a window, put together as they are stored.

    Parameters
    ----------
    window : Window
        What the parts fill.
    kind : dtype
        Stored type.
    """

    def __init__(self, window: Window, kind: np.dtype) -> None:
        self._window, self._kind = window, kind
        self._values: NDArray[Any] | None = None
        self._summary = Summary()

    def add(self, part: Window, values: NDArray[Any], outside: Outside = None) -> None:
        """Add computed values of shape (rows, columns) or (bands, rows, columns); none where outside.

        Parameters
        ----------
        part : Window
            Within the window, in the coordinates of the whole raster.
        outside : ndarray of bool, optional
            Of shape (rows, columns): pixels beyond the area of interest, which count neither as valid nor
            among all.
        """
        block = stored_block(values, self._kind, outside)
        if self._values is None:
            self._values = np.empty((len(block.values), self._window.height, self._window.width), self._kind)
        top, left = part.row_off - self._window.row_off, part.col_off - self._window.col_off
        self._values[:, top : top + part.height, left : left + part.width] = block.values
        self._summary = self._summary.merge(block.summary)

    def block(self) -> Block:
        """Return the window."""
        assert self._values is not None, "nothing was added"
        return Block(self._values, self._summary)


def nodata_of(kind: np.dtype) -> float:
    """Return NaN for floats, the largest value of unsigned and the lowest of signed integers."""
    if kind.kind == "f":
        return float("nan")
    limits = np.iinfo(kind)
    return float(limits.max if kind.kind == "u" else limits.min)


def stored_block(values: NDArray[Any], kind: np.dtype, outside: Outside = None) -> Block:
    """Return values as they are stored: NaN and infinity become nodata, integers are rounded and clipped.

    Parameters
    ----------
    outside : ndarray of bool, optional
        Pixels that are not part of the raster: nodata, and left out of the summary.
    """
    bands = values if values.ndim == 3 else values[np.newaxis]
    stored, invalid = _stored_float(bands, kind) if kind.kind == "f" else _stored_integer(bands, kind)
    if outside is None:
        return Block(stored, Summary.of(stored[0], None if invalid is None else invalid[0]))
    stored = np.where(outside, kind.type(nodata_of(kind)), stored)
    first = outside if invalid is None else invalid[0] | outside
    # The valid share is that of the area of interest, not of the rectangle around it.
    return Block(stored, Summary.of(stored[0], first).without(int(np.count_nonzero(outside))))


def packed_block(values: NDArray[Any], kind: np.dtype, packing: Packing, outside: Outside = None) -> Block:
    """Return physical values as they are stored by a packing; the summary stays physical.

    Parameters
    ----------
    values : ndarray
        Physical, of shape (rows, columns) or (bands, rows, columns); NaN where there is no data.
    kind : numpy.dtype
        Of integers: what lies beyond their range is clipped to it.
    """
    block = stored_block((values - packing.offset) / packing.scale, kind, outside)
    return Block(block.values, block.summary.unpack(packing))


def _stored_float(values: NDArray[Any], kind: np.dtype) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    with np.errstate(over="ignore"):
        stored = values.astype(kind, copy=False)
    finite = np.isfinite(stored)
    if finite.all():
        return stored, None
    if np.isinf(stored).any():
        stored = np.where(finite, stored, kind.type(np.nan))
    return stored, np.logical_not(finite, out=finite)


def _stored_integer(values: NDArray[Any], kind: np.dtype) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    limits, nodata = np.iinfo(kind), int(nodata_of(kind))
    if values.dtype.kind == "f":
        invalid = ~np.isfinite(values)
        # A value at the end of the type would be read as nodata, so that it is stored one step before it.
        lowest, highest = limits.min + (nodata == limits.min), limits.max - (nodata == limits.max)
        rounded = np.clip(np.rint(np.where(invalid, 0, values)), lowest, highest)
        return np.where(invalid, nodata, rounded).astype(kind), invalid
    stored = np.clip(values, limits.min, limits.max).astype(kind)
    return stored, stored == nodata
