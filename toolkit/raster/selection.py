"""Exact order statistics of a stream in bounded memory.

Floats are mapped to unsigned integers of the same order; each pass over the data counts sixteen
more bits of the values that are still in question, so float32 needs two passes and float64 four
whatever the values are (radix selection).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

# A count for each digit takes half a megabyte; a float32 needs two passes, a float64 four.
DIGIT_BITS = 16
DIGITS = 1 << DIGIT_BITS

CountPass = Callable[[Callable[[NDArray[np.floating]], NDArray[np.int64]]], NDArray[np.int64]]


def to_sortable(values: NDArray[np.floating]) -> NDArray[np.unsignedinteger]:
    """Return unsigned integers that are in the order of the floats.

    Parameters
    ----------
    values : ndarray
        float32 or float64 without NaN, of any shape; keys have as many bits.
    """
    bits = values.dtype.itemsize * 8
    unsigned = np.dtype(f"uint{bits}")
    # Adding zero makes -0.0 and 0.0 one key.
    keys = (values + values.dtype.type(0)).view(unsigned)
    sign = unsigned.type(1 << (bits - 1))
    # IEEE 754 floats of one sign are in the order of their bits; negative ones run the other way, so that all
    # of their bits are turned around.
    return np.where(keys & sign, ~keys, keys | sign)


def from_sortable(key: int, dtype: np.dtype) -> float:
    """Return the float of a sortable integer."""
    bits = dtype.itemsize * 8
    sign = 1 << (bits - 1)
    stored = key ^ sign if key & sign else key ^ ((1 << bits) - 1)
    return float(np.array([stored], dtype=f"uint{bits}").view(dtype)[0])


def select(count_pass: CountPass, ranks: Sequence[int], dtype: np.dtype) -> dict[int, float]:
    """Return the values at some ranks (from 0) of the sorted data.

    Parameters
    ----------
    count_pass : callable
        Given ``count(values)``, runs it over all valid values and returns the sum.
    ranks : sequence of int
        Positions in the sorted data.
    dtype : dtype
        float32 or float64, that of the values.
    """
    bits = dtype.itemsize * 8
    prefixes = dict.fromkeys(ranks, 0)
    rests = {rank: rank for rank in ranks}
    for shift in range(bits - DIGIT_BITS, -1, -DIGIT_BITS):
        wanted = sorted(set(prefixes.values()))
        counts = count_pass(_digit_counter(wanted, shift, bits)).reshape(len(wanted), DIGITS)
        below = np.cumsum(counts, axis=1)
        for rank, prefix in prefixes.items():
            line = below[wanted.index(prefix)]
            # The first digit up to which more values are counted than stand before the rank.
            digit = int(np.searchsorted(line, rests[rank], side="right"))
            rests[rank] -= int(line[digit - 1]) if digit else 0
            prefixes[rank] = (prefix << DIGIT_BITS) | digit
    return {rank: from_sortable(prefix, dtype) for rank, prefix in prefixes.items()}


def percentile_ranks(percentile: float, count: int) -> tuple[int, int, float]:
    """Return the two ranks between which a percentile lies, and the weight of the second.

    Linear interpolation: type 7 of Hyndman and Fan (1996), as in numpy.

    Parameters
    ----------
    percentile : float
        0 to 100.
    count : int
        Of the data, at least 1.

    Returns
    -------
    tuple of (int, int, float)
        Ranks from 0 in the sorted data; the weight is 0 where the percentile is one of the data, and
        below 1.
    """
    position = (count - 1) * percentile / 100.0
    low = int(np.floor(position))
    return low, min(low + 1, count - 1), position - low


def _digit_counter(
    prefixes: Sequence[int], shift: int, bits: int
) -> Callable[[NDArray[np.floating]], NDArray[np.int64]]:
    def count(values: NDArray[np.floating]) -> NDArray[np.int64]:
        keys = to_sortable(values)
        digits = ((keys >> keys.dtype.type(shift)) & keys.dtype.type(DIGITS - 1)).astype(np.intp)
        if shift + DIGIT_BITS == bits:
            return np.bincount(digits, minlength=DIGITS)
        heads = keys >> keys.dtype.type(shift + DIGIT_BITS)
        lines = [np.bincount(digits[heads == prefix], minlength=DIGITS) for prefix in prefixes]
        return np.concatenate(lines)

    return count
