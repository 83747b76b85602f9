"""Compiled loops over the pixels of a stack: Theil-Sen, Mann-Kendall, percentiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.compilation import compile_function

Stack = NDArray[np.floating]


def theil_sen(stack: Stack, moments: NDArray[np.float64], at_least: int) -> NDArray[np.float32]:
    """Return Sen's slope and intercept, Mann-Kendall's z, p and tau, and the slope's interval of each pixel.

    Parameters
    ----------
    stack : ndarray (n, rows, columns)
        In the order of time; NaN where a date is missing.
    moments : ndarray (n,)
        Times, ascending.
    at_least : int
        Valid dates that a pixel needs; others become NaN.

    Returns
    -------
    ndarray (7, rows, columns)
        The interval holds the slope in 95 of 100 cases (Sen 1968, eq. 2.6).
    """
    return _theil_sen()(np.ascontiguousarray(stack), moments, at_least)


def percentile(stack: Stack, wanted: float) -> NDArray[np.float32]:
    """Return a percentile (0 to 100) of the valid values of each pixel, linearly interpolated."""
    return _percentile()(np.ascontiguousarray(stack), wanted / 100.0)


def gi_star(
    values: Stack, weights: NDArray[np.float64], mean: float, std: float, count: int
) -> NDArray[np.float32]:
    """Return Gi* of each pixel over its valid neighbours, NaN where it has no value itself.

    Parameters
    ----------
    values : ndarray (rows, columns)
        NaN where there is no value; beyond the edges there is none either.
    weights : ndarray
        Odd numbers of rows and columns.
    mean, std, count : float, float, int
        Of all valid pixels of the raster; ``std`` of the population.
    """
    return _gi_star()(np.ascontiguousarray(values), weights, mean, std, count)


def gi_star_box(
    values: Stack, size: tuple[int, int], mean: float, std: float, count: int
) -> NDArray[np.float32]:
    """Return :func:`gi_star` for weights that are all equal, whatever they are.

    Parameters
    ----------
    size : tuple of int
        Rows and columns of the neighbourhood; odd.
    """
    return _gi_star_box()(np.ascontiguousarray(values), *size, mean, std, count)


@cache
def _theil_sen() -> Callable[..., Any]:
    return compile_function(_theil_sen_loop)


@cache
def _gi_star() -> Callable[..., Any]:
    return compile_function(_gi_star_loop)


@cache
def _gi_star_box() -> Callable[..., Any]:
    return compile_function(_gi_star_box_loop)


@cache
def _percentile() -> Callable[..., Any]:
    return compile_function(_percentile_loop)


def _theil_sen_loop(stack, moments, at_least):  # type: ignore[no-untyped-def]
    count, rows, columns = stack.shape
    result = np.full((7, rows, columns), np.nan, dtype=np.float32)
    values, when, ordered = np.empty(count), np.empty(count), np.empty(count)
    slopes = np.empty(count * (count - 1) // 2)
    for row in range(rows):
        for column in range(columns):
            n = 0
            for k in range(count):
                value = stack[k, row, column]
                if not math.isnan(value):
                    values[n] = value
                    when[n] = moments[k]
                    n += 1
            if n < at_least:
                continue
            s, pairs = 0, 0
            for i in range(n - 1):
                for j in range(i + 1, n):
                    change = values[j] - values[i]
                    s += (change > 0) - (change < 0)
                    step = when[j] - when[i]
                    if step > 0:
                        slopes[pairs] = change / step
                        pairs += 1
            ordered[:n] = values[:n]
            ordered[:n].sort()
            ties, start = 0.0, 0
            for i in range(1, n + 1):
                if i == n or ordered[i] != ordered[start]:
                    t = i - start
                    ties += t * (t - 1.0) * (2 * t + 5)
                    start = i
            variance = (n * (n - 1.0) * (2 * n + 5) - ties) / 18
            z = 0.0
            if s != 0 and variance > 0:
                z = (s - (1 if s > 0 else -1)) / math.sqrt(variance)
            if pairs == 0:
                continue
            slopes[:pairs].sort()
            # The median of an even number of slopes lies between the two in the middle.
            slope = (slopes[(pairs - 1) // 2] + slopes[pairs // 2]) / 2
            # 95 % of the normal distribution, two-sided (Sen 1968; Gilbert 1987, Statistical Methods for
            # Environmental Pollution Monitoring, 16.4).
            reach = 1.959963984540054 * math.sqrt(variance)
            low, high = round((pairs - reach) / 2) - 1, round((pairs + reach) / 2)
            middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
            result[0, row, column] = slope
            result[1, row, column] = middle - slope * np.median(when[:n])
            result[2, row, column] = z
            result[3, row, column] = math.erfc(abs(z) / math.sqrt(2.0))
            result[4, row, column] = s / (n * (n - 1) / 2)
            result[5, row, column] = slopes[max(low, 0)]
            result[6, row, column] = slopes[min(high, pairs - 1)]
    return result


def _percentile_loop(stack, share):  # type: ignore[no-untyped-def]
    count, rows, columns = stack.shape
    result = np.full((rows, columns), np.nan, dtype=np.float32)
    values = np.empty(count)
    for row in range(rows):
        for column in range(columns):
            n = 0
            for k in range(count):
                value = stack[k, row, column]
                if not math.isnan(value):
                    values[n] = value
                    n += 1
            if n == 0:
                continue
            values[:n].sort()
            position = (n - 1) * share
            low = int(position)
            high = min(low + 1, n - 1)
            result[row, column] = values[low] + (values[high] - values[low]) * (position - low)
    return result


def _gi_star_loop(values, weights, mean, std, count):  # type: ignore[no-untyped-def]
    rows, columns = values.shape
    high, wide = weights.shape
    result = np.empty((rows, columns), dtype=np.float32)
    total, weight, squares = np.empty(columns), np.empty(columns), np.empty(columns)
    for row in range(rows):
        total[:], weight[:], squares[:] = 0.0, 0.0, 0.0
        for i in range(high):
            other = row + i - high // 2
            if other < 0 or other >= rows:
                continue
            for j in range(wide):
                shift, w = j - wide // 2, weights[i, j]
                start, stop = max(0, -shift), min(columns, columns - shift)
                # Slices from 0 on let the compiler work on several pixels at once.
                line = values[other, start + shift : stop + shift]
                sums, weighted, squared = total[start:stop], weight[start:stop], squares[start:stop]
                for k in range(stop - start):
                    deviation = line[k] - mean
                    there = deviation == deviation
                    sums[k] += w * deviation if there else 0.0
                    weighted[k] += w if there else 0.0
                    squared[k] += w * w if there else 0.0
        for column in range(columns):
            variance = (count * squares[column] - weight[column] * weight[column]) / max(count - 1, 1)
            own = values[row, column]
            if own == own and variance > 0:
                result[row, column] = total[column] / (std * math.sqrt(variance))
            else:
                result[row, column] = np.nan
    return result


def _gi_star_box_loop(values, high, wide, mean, std, count):  # type: ignore[no-untyped-def]
    rows, columns = values.shape
    half, reach = high // 2, wide // 2
    result = np.empty((rows, columns), dtype=np.float32)
    # Sums over the rows of the neighbourhood; the margins stand for columns that do not exist.
    sums, counts = np.zeros(columns + 2 * reach), np.zeros(columns + 2 * reach)
    total, there = np.empty(columns), np.empty(columns)
    for row in range(-half, rows):
        for other, sign in ((row + half, 1.0), (row - half - 1, -1.0)):
            if other < 0 or other >= rows:
                continue
            line = values[other]
            middle, valid = sums[reach : reach + columns], counts[reach : reach + columns]
            for k in range(columns):
                deviation = line[k] - mean
                exists = deviation == deviation
                middle[k] += sign * deviation if exists else 0.0
                valid[k] += sign if exists else 0.0
        if row < 0:
            continue
        total[:], there[:] = 0.0, 0.0
        for j in range(wide):
            shifted, shifted_counts = sums[j : j + columns], counts[j : j + columns]
            for k in range(columns):
                total[k] += shifted[k]
                there[k] += shifted_counts[k]
        line, scores = values[row], result[row]
        for k in range(columns):
            variance = (count - there[k]) * there[k] / max(count - 1, 1)
            exists = line[k] == line[k] and variance > 0
            scores[k] = total[k] / (std * math.sqrt(variance if exists else 1.0)) if exists else np.nan
    return result
