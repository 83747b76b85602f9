"""From stored values to physical values with NaN where there is no data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import RasterError
from treeline.toolkit.raster.tally import Tally
from treeline.toolkit.recognition.fills import HUGE
from treeline.toolkit.recognition.model import Band


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
    recognised, doubtful : tuple of float
        Stored values that nothing declares: taken for no data, or left as they are; both are tallied.
    possible : tuple of float or None
        Stored range outside of which a value is taken for no data and tallied.
    tally : Tally
        Learns what was met.
    planck : tuple of float or None
        The constants that make a temperature of the radiance that scale and offset give.
    """

    fill: tuple[float, ...]
    valid: tuple[float, float] | None
    scale: float
    offset: float
    recognised: tuple[float, ...] = ()
    doubtful: tuple[float, ...] = ()
    possible: tuple[float, float] | None = None
    tally: Tally = field(default_factory=Tally)
    planck: tuple[float, float] | None = None

    @classmethod
    def of(cls, band: Band, nodata: float | None, *, raw: bool, tally: Tally | None = None) -> Decoding:
        """Return how to decode a band whose file declares a nodata value.

        Parameters
        ----------
        nodata : float, optional
            What the header of the file declares, as a stored value.
        raw : bool
            Stored values are wanted as they are: neither scale nor Planck's constants are applied, fills are.
        tally : Tally, optional
            Counts what is taken for no data although nothing declares it; a new one by default.
        """
        declared = () if nodata is None else (float(nodata),)
        known = (f for f in (*declared, *band.fill) if not np.isnan(f) and f not in band.recognised)
        scale, offset = (1.0, 0.0) if raw else (band.scale, band.offset)
        return cls(
            tuple(dict.fromkeys(known)),
            band.valid,
            scale,
            offset,
            band.recognised,
            band.doubtful,
            band.possible,
            tally or Tally(),
            None if raw else band.planck,
        )

    def invalid(
        self,
        stored: NDArray[Any],
        mask: NDArray[np.uint8] | None,
        counts: NDArray[np.int64] | None = None,
    ) -> NDArray[np.bool_] | None:
        """Return where there is no data, or ``None`` where all is data.

        Parameters
        ----------
        stored : ndarray
            Values as they are in the file.
        mask : ndarray of uint8, optional
            The mask band; 0 means "no data".
        counts : ndarray of int, optional
            How many pixels each value stands for; one where left out.
        """
        if not stored.size:
            return None
        # Extremes are found faster than any comparison is made; NaN is within no range.
        low, high = float(stored.min()), float(stored.max())
        found = _join([_equal(stored, fill) for fill in self.fill if _may_equal(fill, low, high)])
        if mask is not None:
            found = _join([found, mask == 0])
        if self.valid is not None and not self.valid[0] <= low <= high <= self.valid[1]:
            found = _join([found, _outside(stored, self.valid)])
        if stored.dtype.kind == "f" and not (np.isfinite(low) and np.isfinite(high)):
            found = _join([found, ~np.isfinite(stored)])
        undeclared = self._undeclared_holes(stored, found, (low, high), counts)
        self.tally.count(stored.size if counts is None else int(counts.sum()))
        return undeclared if found is None else _join([found, undeclared])

    def _undeclared_holes(
        self,
        stored: NDArray[Any],
        known: NDArray[np.bool_] | None,
        span: tuple[float, float],
        counts: NDArray[np.int64] | None,
    ) -> NDArray[np.bool_] | None:
        """Return where values that nothing declares are no data; tally these, and the doubtful ones."""
        low, high = span
        for value in self.doubtful:
            if _may_equal(value, low, high):
                self.tally.meet_doubtful(value, _number(_equal(stored, value), known, counts))
        least, most = self.possible or (-np.inf, np.inf)
        known_to_be = (fill for fill in self.recognised if least <= fill <= most)
        parts = [_equal(stored, fill) for fill in known_to_be if _may_equal(fill, low, high)]
        if not least <= low <= high <= most:
            parts.append(_outside(stored, (least, most)))
        found = _join(parts)
        if found is None or not found.any():
            return None
        new = found if known is None else found & ~known
        if new.any():
            self.tally.meet(stored[new], self.recognised, None if counts is None else counts[new])
        return found

    def physical(self, stored: NDArray[Any], invalid: NDArray[np.bool_] | None) -> NDArray[np.floating]:
        """Return physical values, NaN where invalid; float64 only where float32 would lose digits.

        The stored values stay as they are; where nothing changes, these are returned.

        Parameters
        ----------
        stored : ndarray
            Of one dimension or more, of the file's type.
        invalid : ndarray of bool, optional
            Of the same shape, as :meth:`invalid` returns it.
        """
        kind = working_type(stored.dtype)
        if self.scale != 1.0 or self.offset != 0.0:
            values = scale_values(stored, self.scale, self.offset, kind)
        else:
            values = stored.astype(kind, copy=invalid is not None or self.planck is not None)
        if self.planck is not None:
            values = _temperature(values, *self.planck)
        if invalid is not None:
            np.copyto(values, np.nan, where=invalid)
        return values


# So many rows at a time, so that what is computed with more digits takes no memory beside the block.
_ROWS = 64


def scale_values(stored: NDArray[Any], scale: float, offset: float, kind: np.dtype) -> NDArray[np.floating]:
    """Return ``stored * scale + offset``, rounded once.

    A stored value that stands for 0.3 becomes the number of the type that is nearest to 0.3, so that it is
    equal to a limit of 0.3. Multiplied and added in float32, every third one lay beside it.

    Parameters
    ----------
    stored : ndarray
        Of one dimension or more.
    kind : numpy.dtype
        Of what is returned, float32 or float64.
    """
    values = np.empty(stored.shape, dtype=kind)
    for first in range(0, len(stored), _ROWS):
        rows = slice(first, first + _ROWS)
        # In 64 bits until the end: 0.0001 is no number of 32 bits, so that its products would be off in their
        # last digit.
        exact = np.multiply(stored[rows], scale, dtype=np.float64)
        exact += offset
        # A large fill may become infinite; it is masked by the number that is stored.
        with np.errstate(over="ignore"):
            values[rows] = exact
    return values


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
    # A float32 has 24 bits for its digits: enough for integers of 16 bits, and not for those of 32.
    wide = stored.itemsize > 4 if stored.kind == "f" else stored.itemsize >= 4
    return np.dtype("float64") if wide else np.dtype("float32")


def _temperature(radiance: NDArray[np.floating], first: float, second: float) -> NDArray[np.floating]:
    """Return the brightness temperature of a radiance; NaN where there is none."""
    kind = radiance.dtype.type
    with np.errstate(all="ignore"):
        # T = K2 / ln(K1 / L + 1): Planck's law solved for the temperature, with the sensor's constants
        # (Landsat data users handbooks).
        found = kind(second) / np.log(kind(first) / radiance + kind(1.0))
    return np.where(radiance > 0, found, kind(np.nan))


def _join(parts: list[NDArray[np.bool_] | None]) -> NDArray[np.bool_] | None:
    """Return where any of several masks is true, or ``None`` where none is."""
    joined: NDArray[np.bool_] | None = None
    for part in parts:
        if part is not None and part.any():
            joined = part if joined is None else np.logical_or(joined, part, out=joined)
    return joined


def _may_equal(fill: float, low: float, high: float) -> bool:
    """Tell whether values of a range, which may hold NaN, may equal a fill at the digits of a float32."""
    if abs(fill) >= HUGE:
        return not (low > -HUGE if fill < 0 else high < HUGE)
    slack = 1e-6 * abs(fill)
    return not (fill + slack < low or fill - slack > high)


def _outside(stored: NDArray[Any], limits: tuple[float, float]) -> NDArray[np.bool_]:
    low, high = limits
    with np.errstate(invalid="ignore"):
        return np.logical_or(stored < low, stored > high)


def _number(
    found: NDArray[np.bool_] | None, known: NDArray[np.bool_] | None, counts: NDArray[np.int64] | None
) -> int:
    if found is None:
        return 0
    new = found if known is None else found & ~known
    return int(np.count_nonzero(new)) if counts is None else int(counts[new].sum())


def _equal(stored: NDArray[Any], fill: float) -> NDArray[np.bool_] | None:
    if stored.dtype.kind != "f":
        # A fill that the type cannot hold, such as -9999 in unsigned bytes, is in no pixel; casting it would
        # wrap around to a value that is.
        limits = np.iinfo(stored.dtype)
        possible = float(fill).is_integer() and limits.min <= fill <= limits.max
        return stored == stored.dtype.type(int(fill)) if possible else None
    if np.isinf(fill):
        return None
    if abs(fill) >= HUGE:
        return stored <= -HUGE if fill < 0 else stored >= HUGE
    if stored.dtype == np.float64 and 0 < abs(fill) < np.finfo(np.float32).tiny:
        return stored == fill  # as a float32 it is 0, which is a value
    # A text such as -99.99 is in the header as a double and in the pixels as a float32.
    return stored.astype("float32", copy=False) == np.float32(fill)
