"""How two variables go together: over pixels, and over lists of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import reduce_pixels, source
from treeline.toolkit.series import Numbers, as_floats, times
from treeline.toolkit.statistics.conditions import files_of
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, Reads, tool

PEARSON = "Pearson 1896, Phil. Trans. R. Soc. A 187:253"
_FEWEST = 3
MOST_RANKED = 20_000_000
Pairs = NDArray[np.float64]


@tool(
    kit=STATISTICS,
    source=PEARSON,
    gives=Gives("table", "raster_correlation"),
    formula="r = sum (x - mx)(y - my) / sqrt(sum (x - mx)^2 sum (y - my)^2) over the pixels valid in both",
)
def raster_correlation(
    path1: Annotated[str | list[str], Reads()],
    path2: Annotated[str | list[str], Reads()],
    ranks: bool = False,
) -> dict[str, Any]:
    """Correlation (Pearson's r) of two rasters over their pixels; pairs of images pooled.

    Neighbouring pixels are alike, so a test of significance that takes them as independent would
    mislead; none is given.

    Parameters
    ----------
    path1 : str or list of str
        The first variable, x.
    path2 : str or list of str
        The second variable, y; as many images, in the same order.
    ranks : bool
        Spearman's rho of the ranks instead of Pearson's r; of at most 20 million pixels.

    Returns
    -------
    dict
        ``r`` (-1 to 1), ``r_squared``, ``slope`` and ``intercept`` of the line y = slope x + intercept,
        and the number of ``pixels``.
    """
    first, second = files_of(path1, "path1"), files_of(path2, "path2")
    if len(first) != len(second):
        raise InputError(f"path1 has {len(first)} images, path2 has {len(second)}.", "Give as many of both.")
    if ranks:
        moments = _of_ranks(first, second)
        return _result_of(moments)
    moments = _Moments()
    for one, other in zip(first, second, strict=True):
        inputs = {"x": source(one), "y": source(other)}
        moments = moments.with_(reduce_pixels(_moments, _Moments.with_, inputs, label="correlation"))
    return _result_of(moments)


def _of_ranks(first: Sequence[str], second: Sequence[str]) -> _Moments:
    """Return the moments of the ranks, ties sharing their mean; the pixels must fit into memory."""
    from scipy import stats

    def join(one: Pairs, other: Pairs) -> Pairs:
        if one.shape[1] + other.shape[1] > MOST_RANKED:
            raise InputError(
                f"Ranks are taken of at most {MOST_RANKED:,} pixels; these rasters have more.",
                "Take Pearson's r, or cut the rasters to a part.",
            )
        return np.concatenate([one, other], axis=1)

    pairs = np.empty((2, 0))
    for one, other in zip(first, second, strict=True):
        inputs = {"x": source(one), "y": source(other)}
        pairs = join(pairs, reduce_pixels(_pairs, join, inputs, label="ranks"))
    # Spearman's rho is Pearson's r of the ranks.
    return _moments(*(stats.rankdata(values) for values in pairs)) if pairs.size else _Moments()


def _pairs(x: NDArray[np.floating], y: NDArray[np.floating]) -> Pairs:
    both = ~(np.isnan(x) | np.isnan(y))
    return np.stack([x[both], y[both]]).astype(np.float64)


def _result_of(moments: _Moments) -> dict[str, Any]:
    if moments.pixels < _FEWEST:
        raise NoValidPixels("Fewer than three pixels are valid in both rasters.", "Check nodata and extent.")
    if not (moments.xx > 0 and moments.yy > 0):
        raise InputError("One of the rasters has the same value everywhere: no correlation.", "Take others.")
    r = moments.xy / np.sqrt(moments.xx * moments.yy)
    slope = moments.xy / moments.xx
    return {
        "r": float(r),
        "r_squared": float(r * r),
        "slope": float(slope),
        "intercept": float(moments.y - slope * moments.x),
        "pixels": int(moments.pixels),
    }


@tool(
    kit=STATISTICS,
    source=f"{PEARSON}; Spearman 1904, Am. J. Psychol. 15:72",
    gives=Gives("table", "correlation"),
    formula="Pearson's r, or Spearman's rho: r of the ranks; p of no correlation, two-sided",
)
def correlation(x: list[float | str | None], y: Numbers, ranks: bool = False) -> dict[str, Any]:
    """Correlation of two lists of numbers, with its probability under no correlation.

    Parameters
    ----------
    x : list
        Numbers, or dates such as ``2021-07-12``, which become decimal years.
    y : list of float
        Numbers that belong to those of x by position; a pair with a missing one is left out.
    ranks : bool
        Spearman's rho of the ranks instead of Pearson's r.

    Returns
    -------
    dict
        ``r`` (-1 to 1), ``p`` and the number of pairs ``n``.
    """
    if len(x) != len(y):
        raise InputError(f"x has {len(x)} numbers, y has {len(y)}.", "Give lists of one length.")
    one = times([math.nan if value is None else value for value in x], "x")
    other = as_floats(y)
    both = np.isfinite(one) & np.isfinite(other)
    if both.sum() < _FEWEST:
        raise InputError(f"{both.sum()} pairs are complete; a correlation needs {_FEWEST}.", "Give more.")
    one, other = one[both], other[both]
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        raise InputError("One of the lists has the same number everywhere: no correlation.", "Give others.")
    from scipy import stats

    found = stats.spearmanr(one, other) if ranks else stats.pearsonr(one, other)
    return {"r": float(found.statistic), "p": float(found.pvalue), "n": int(both.sum())}


class _Moments(NamedTuple):
    """Count, means, and sums of squares and products about the means; two of them can be joined."""

    pixels: float = 0.0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    yy: float = 0.0
    xy: float = 0.0

    def with_(self, other: _Moments) -> _Moments:
        """Return the moments of both parts (Chan, Golub & LeVeque 1983)."""
        total = self.pixels + other.pixels
        if not total:
            return self
        dx, dy, weight = other.x - self.x, other.y - self.y, self.pixels * other.pixels / total
        return _Moments(
            total,
            self.x + dx * other.pixels / total,
            self.y + dy * other.pixels / total,
            self.xx + other.xx + dx * dx * weight,
            self.yy + other.yy + dy * dy * weight,
            self.xy + other.xy + dx * dy * weight,
        )


def _moments(x: NDArray[np.floating], y: NDArray[np.floating]) -> _Moments:
    valid = np.isfinite(x) & np.isfinite(y)
    if not valid.any():
        return _Moments()
    one, other = x[valid].astype(np.float64), y[valid].astype(np.float64)
    dx, dy = one - one.mean(), other - other.mean()
    sums = (float(dx @ dx), float(dy @ dy), float(dx @ dy))
    return _Moments(float(one.size), float(one.mean()), float(other.mean()), *sums)
