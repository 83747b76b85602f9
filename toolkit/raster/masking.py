"""From stored values to physical values with NaN where there is no data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import RasterError
from treeline.toolkit.recognition.model import Band

# Fills such as 9.96921e36, 1e37 and the lowest float32 are written with few digits and stored with
# others; nothing physical is that large.
HUGE = 1e36


@dataclass(frozen=True)
class Decoding:
    """How the stored values of a band become physical ones.

    Attributes
    ----------
    fill : tuple of float
        Stored values that mean "no data".
    valid : tuple of float or None
        Stored range outside of which a value means "no data".
    scale, offset : float
        ``physical = stored * scale + offset``.
    """

    fill: tuple[float, ...]
    valid: tuple[float, float] | None
    scale: float
    offset: float

    @classmethod
    def of(cls, band: Band, nodata: float | None, *, raw: bool) -> Decoding:
        """Return how to decode a band whose file declares a nodata value."""
        declared = () if nodata is None else (float(nodata),)
        fill = tuple(dict.fromkeys(f for f in (*declared, *band.fill) if not np.isnan(f)))
        scale, offset = (1.0, 0.0) if raw else (band.scale, band.offset)
        return cls(fill, band.valid, scale, offset)

    def invalid(self, stored: NDArray[Any], mask: NDArray[np.uint8] | None) -> NDArray[np.bool_] | None:
        """Return where there is no data, or ``None`` where all is data.

        Parameters
        ----------
        stored : ndarray
            Values as they stand in the file.
        mask : ndarray of uint8, optional
            The mask band; 0 means "no data".
        """
        found: NDArray[np.bool_] | None = None
        for part in self._kinds_of_invalid(stored, mask):
            if part is not None and part.any():
                found = part if found is None else np.logical_or(found, part, out=found)
        return found

    def physical(self, stored: NDArray[Any], invalid: NDArray[np.bool_] | None) -> NDArray[np.floating]:
        """Return physical values, NaN where invalid; float64 only where float32 would lose digits.

        The stored values stay as they are; where nothing changes, these are returned.
        """
        changed = self.scale != 1.0 or self.offset != 0.0 or invalid is not None
        values = stored.astype(working_type(stored.dtype), copy=changed)
        if self.scale != 1.0:
            values *= values.dtype.type(self.scale)
        if self.offset != 0.0:
            values += values.dtype.type(self.offset)
        if invalid is not None:
            np.copyto(values, np.nan, where=invalid)
        return values

    def _kinds_of_invalid(
        self, stored: NDArray[Any], mask: NDArray[np.uint8] | None
    ) -> Iterator[NDArray[np.bool_] | None]:
        yield from (_equal(stored, fill) for fill in self.fill)
        if mask is not None:
            yield mask == 0
        if self.valid is not None:
            yield stored < self.valid[0]
            yield stored > self.valid[1]
        if stored.dtype.kind == "f":
            finite = np.isfinite(stored)
            yield None if finite.all() else np.logical_not(finite, out=finite)


def working_type(dtype: np.dtype | str) -> np.dtype:
    """Return the type in which a stored type is computed: float32, or float64 where it has more digits.

    Raises
    ------
    RasterError
        Complex values.
    """
    stored = np.dtype(dtype)
    if stored.kind == "c":
        raise RasterError("The band holds complex values.", "Convert it to amplitude or phase first.")
    wide = stored.itemsize > 4 if stored.kind == "f" else stored.itemsize >= 4
    return np.dtype("float64") if wide else np.dtype("float32")


def _equal(stored: NDArray[Any], fill: float) -> NDArray[np.bool_] | None:
    if stored.dtype.kind != "f":
        limits = np.iinfo(stored.dtype)
        possible = float(fill).is_integer() and limits.min <= fill <= limits.max
        return stored == stored.dtype.type(int(fill)) if possible else None
    if np.isinf(fill):
        return None
    if abs(fill) >= HUGE:
        return stored <= -HUGE if fill < 0 else stored >= HUGE
    # A text such as -99.99 stands in the header as a double and in the pixels as a float32.
    return stored.astype("float32", copy=False) == np.float32(fill)
