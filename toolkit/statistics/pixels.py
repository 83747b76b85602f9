"""Any statistic of the pixels of rasters: of each, of all together, or of each class of another raster."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Annotated, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.decibels import MEANS, OF_ZERO, check_statistics
from treeline.toolkit.describing import ENTROPY_BINS, TRIMMED_SHARE, Statistic, bin_values, check_parameter
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.execution import each
from treeline.toolkit.raster import reduce_pixels, source
from treeline.toolkit.raster.moments import Moments
from treeline.toolkit.raster.selection import percentile_ranks, select
from treeline.toolkit.statistics.conditions import files_of, null_without_pixels
from treeline.toolkit.statistics.images import Images, Series
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, tool

Values = NDArray[np.floating]
Partial = TypeVar("Partial")
SOURCE = (
    "Hyndman & Fan 1996, Am. Stat. 50:361, type 7; Shannon 1948, Bell Syst. Tech. J. 27:379; "
    "Joanes & Gill 1998, The Statistician 47:183."
)
MOST_VALUES = 1 << 20
# 32 MB, and as much again while parts are joined.
MOST_SORTED = 1 << 22
MOST_CLASSES = 100_000


@dataclass(frozen=True, slots=True)
class Pixels:
    """The valid pixels of rasters, all together; of one class where a raster of classes is given."""

    addresses: tuple[str, ...]
    classes: str | None = None
    number: float | None = None

    def reduce(
        self, function: Callable[[Values], Partial], merge: Callable[[Partial, Partial], Partial]
    ) -> Partial:
        """Reduce the valid values, a one-dimensional part at a time."""
        return reduce(merge, (self._of_one(address, function, merge) for address in self.addresses))

    def _of_one(
        self,
        address: str,
        function: Callable[[Values], Partial],
        merge: Callable[[Partial, Partial], Partial],
    ) -> Partial:
        if self.classes is None:
            return reduce_pixels(
                lambda values: function(values[~np.isnan(values)]), merge, {"values": address}
            )
        return reduce_pixels(
            lambda values, classes: function(values[(classes == self.number) & ~np.isnan(values)]),
            merge,
            {"values": address, "classes": self.classes},
        )

    def moments(self, order: int) -> Moments:
        """Return the moments of the values."""
        return self.reduce(partial(Moments.of, order=order), Moments.merge)

    def values_at_ranks(
        self, ranks: Sequence[int], count: int, around: float | None = None
    ) -> dict[int, float]:
        """Return the values at ranks from 0, of so many; with ``around`` of the distances from it."""

        def prepare(values: Values) -> NDArray[np.float64]:
            exact = values.astype(np.float64)
            return exact if around is None else np.abs(exact - around)

        # What fits into memory is read once and sorted; more is counted, in four passes over the files.
        if count <= MOST_SORTED:
            # Adding zero turns -0.0 into 0.0.
            ordered = np.sort(self.reduce(prepare, lambda one, other: np.concatenate((one, other))) + 0.0)
            return {rank: float(ordered[rank]) if ordered.size else math.nan for rank in ranks}

        def count_pass(count: Callable[[Values], NDArray[np.int64]]) -> NDArray[np.int64]:
            return self.reduce(lambda values: count(prepare(values)), np.add)

        return select(count_pass, sorted(set(ranks)), np.dtype("float64"))

    def percentile(self, share: float, count: int, around: float | None = None) -> float:
        """Return a percentile, interpolated linearly; of so many values."""
        low, high, weight = percentile_ranks(share, count)
        at = self.values_at_ranks((low, high), count, around)
        return at[low] * (1.0 - weight) + at[high] * weight if weight else at[low]

    def counts(self, low: float, high: float, *, bins: bool) -> dict[float, int]:
        """Return how often each value occurs, or each of the bins of an entropy."""

        def of_part(values: Values) -> dict[float, int]:
            exact = values.astype(np.float64)
            found, counts = np.unique(bin_values(exact, low, high) if bins else exact, return_counts=True)
            return dict(zip(found.tolist(), counts.tolist(), strict=True))

        return self.reduce(of_part, _add)

    def whole(self) -> bool:
        """Return whether all values are whole numbers."""
        return self.reduce(lambda values: bool((values == np.floor(values)).all()), lambda a, b: a and b)


def _add(one: dict[float, int], other: dict[float, int]) -> dict[float, int]:
    if len(one) > MOST_VALUES:
        raise InputError("The raster has too many different values to count each.", "Reclassify it first.")
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}


_ORDERS = {"mean": 1, "sum": 1, "min": 1, "max": 1, "range": 1, "count": 1, "skewness": 4, "kurtosis": 4}


def statistic_of(pixels: Pixels, statistic: str, parameter: float | None = None) -> float | None:
    """Return a statistic of pixels in bounded memory; ``None`` where it has none.

    Raises
    ------
    NoValidPixels
        No pixel is valid.
    """
    check_parameter(statistic, parameter)
    moments = pixels.moments(_ORDERS.get(statistic, 2))
    if not moments.count:
        name = source(pixels.addresses[0]).name
        raise NoValidPixels(f"No pixel of {name} is valid.", "Check nodata, clouds and extent.")
    value = _MEASURES[statistic](pixels, moments, parameter)
    return value if math.isfinite(value) else None


def from_moments(moments: Moments, statistic: str) -> float:
    """Return a statistic that follows from moments; NaN where it has none."""
    n = moments.count
    deviation = math.sqrt(moments.second / (n - 1)) if n > 1 else math.nan
    size = moments.second / n
    found = {
        "mean": moments.mean,
        "sum": moments.mean * n,
        "min": moments.low,
        "max": moments.high,
        "range": moments.high - moments.low,
        "std": deviation,
        "variance": deviation**2,
        "cv": deviation / moments.mean if moments.mean else math.nan,
        "rms": math.hypot(moments.mean, math.sqrt(size)),
    }
    if statistic in found:
        return found[statistic]
    if not moments.high > moments.low:
        return math.nan
    if statistic == "kurtosis":
        return (moments.fourth / n) / size**2 - 3.0  # the excess over a normal distribution
    skew = (moments.third / n) / size**1.5
    return skew * math.sqrt(n * (n - 1)) / (n - 2) if n > 2 else math.nan


def _by_moments(name: str, pixels: Pixels, moments: Moments, _: float | None) -> float:
    return from_moments(moments, name)


def _trimmed_mean(pixels: Pixels, moments: Moments, share: float | None) -> float:
    n = moments.count
    # A share of a count, such as 0.29 of 100, may lie below its whole number by rounding.
    cut = math.floor(n * (TRIMMED_SHARE if share is None else share) + 1e-9)
    at = pixels.values_at_ranks((cut, n - cut - 1), n)
    # What is kept are the values between two ranks; of those equal to either end only as many as lie within
    # them.
    low, high = at[cut], at[n - cut - 1]
    if low == high:
        return low

    def parts(values: Values) -> tuple[float, int, int]:
        exact = values.astype(np.float64)
        inner = exact[(exact > low) & (exact < high)]
        return float(inner.sum()), int((exact <= low).sum()), int((exact < high).sum())

    total, to_low, below_high = pixels.reduce(parts, lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]))
    return (total + low * (to_low - cut) + high * (n - cut - below_high)) / (n - 2 * cut)


def _mode(pixels: Pixels, moments: Moments, _: float | None) -> float:
    counts = pixels.counts(moments.low, moments.high, bins=False)
    most = max(counts.values())
    # Of several values the least, so that the order of the blocks does not decide.
    return min(value for value, count in counts.items() if count == most)


def _entropy(pixels: Pixels, moments: Moments, _: float | None) -> float:
    whole = pixels.whole() and moments.high - moments.low < MOST_VALUES
    if whole:
        counts = pixels.counts(moments.low, moments.high, bins=False)
    else:
        # A part may hold whole numbers only; the bins are those of all values.
        edges = max(moments.high - moments.low, 1e-300)

        def of_part(values: Values) -> NDArray[np.int64]:
            numbers = np.floor((values.astype(np.float64) - moments.low) / edges * ENTROPY_BINS)
            return np.bincount(np.minimum(numbers, ENTROPY_BINS - 1).astype(np.intp), minlength=ENTROPY_BINS)

        counts = dict(enumerate(pixels.reduce(of_part, np.add).tolist()))
    shares = [count / moments.count for count in counts.values() if count]
    # Adding zero turns -0.0 into 0.0.
    return -math.fsum(share * math.log2(share) for share in shares) + 0.0


def _mad(pixels: Pixels, moments: Moments, _: float | None) -> float:
    return pixels.percentile(50.0, moments.count, around=pixels.percentile(50.0, moments.count))


def _count_marked(pixels: Pixels) -> int:
    """Count the pixels that are not 0: of a mask what it marks; of any other raster that says little."""

    def of_part(values: Values) -> tuple[int, bool]:
        marked = values != 0
        return int(np.count_nonzero(marked)), bool((values[marked] == 1).all())

    count, is_mask = pixels.reduce(of_part, lambda one, other: (one[0] + other[0], one[1] and other[1]))
    if not is_mask:
        current_context().warn(
            f"{source(pixels.addresses[0]).name} is no mask of 0 and 1: all its pixels that are not 0 were "
            "counted. A mask of what is meant gives its share."
        )
    return count


_MEASURES: dict[str, Callable[[Pixels, Moments, float | None], float]] = {
    **{
        name: partial(_by_moments, name)
        for name in (
            "mean",
            "sum",
            "min",
            "max",
            "range",
            "std",
            "variance",
            "cv",
            "rms",
            "skewness",
            "kurtosis",
        )
    },
    "median": lambda pixels, moments, _: pixels.percentile(50.0, moments.count),
    "percentile": lambda pixels, moments, share: pixels.percentile(share or 0.0, moments.count),
    "iqr": lambda pixels, moments, _: (
        pixels.percentile(75.0, moments.count) - pixels.percentile(25.0, moments.count)
    ),
    "mad": _mad,
    "trimmed_mean": _trimmed_mean,
    "mode": _mode,
    "entropy": _entropy,
    "count": lambda pixels, _, __: float(_count_marked(pixels)),
    "share": lambda pixels, moments, _: 100.0 * _count_marked(pixels) / moments.count,
}


@tool(
    kit=STATISTICS,
    source=SOURCE,
    gives=Gives("series", "any_statistic", OF_INPUT),
    formula="the statistic of the valid pixels; entropy in bits, of classes or of 256 bins",
)
def image_statistics(file_list: Images, statistic: Statistic, parameter: float | None = None) -> Series:
    """Any statistic of the valid pixels of each image, one number per image.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each.
    statistic : str
        Mean, median, min, max, sum, std, variance, range, percentile, iqr, cv, skewness (corrected for bias),
        kurtosis (excess over 3), mode, entropy, mad (median absolute deviation), trimmed_mean; of masks also
        count and share (percent): what lies beyond a limit is made a mask first. One a call; calls for
        several may stand in one message.
    parameter : float, optional
        The percentage of a percentile; the share (below 0.5) cut off at each end of a trimmed mean.

    Returns
    -------
    list of float
        In the order of the images; null for an image without valid pixels.
    """
    check_parameter(statistic, parameter)
    _check_decibels(file_list, statistic)

    @null_without_pixels
    def of_one(address: str) -> float | None:
        return statistic_of(Pixels((address,)), statistic, parameter)

    return each(of_one, files_of(file_list, "file_list"), label=statistic)


@tool(
    kit=STATISTICS,
    source=SOURCE,
    gives=Gives("number", "pooled_statistic", OF_INPUT),
    formula="the statistic of the valid pixels of all images together",
)
def pooled_image_statistic(
    file_list: Images, statistic: Statistic, parameter: float | None = None
) -> float | None:
    """Any statistic over the valid pixels of all images together (pooled).

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable.
    statistic : str
        As of ``image_statistics``.
    parameter : float, optional
        The percentage of a percentile; the share (below 0.5) cut off at each end of a trimmed mean.

    Returns
    -------
    float
        Null where the statistic has no value, such as the deviation of one pixel.
    """
    _check_decibels(file_list, statistic)
    return statistic_of(Pixels(tuple(files_of(file_list, "file_list"))), statistic, parameter)


@tool(
    kit=STATISTICS,
    source="Tomlin 1990, Geographic Information Systems and Cartographic Modeling (zonal operations)",
    gives=Gives("table", "statistics_by_class", OF_INPUT),
    formula="the statistic of the valid pixels of each class",
)
def statistics_by_class(
    file_list: Images,
    classes_path: Annotated[str, Reads()],
    statistic: Statistic = "mean",
    parameter: float | None = None,
    pooled: bool = False,
) -> list[dict[str, float | None]]:
    """Any statistic of rasters in each class of a raster of classes or zones.

    Parameters
    ----------
    file_list : list of str
        Rasters; the grid of each is kept, and the classes are laid onto it.
    classes_path : str
        A raster of whole numbers: classes, or numbered zones.
    statistic : str
        As of ``image_statistics``; share (percent) and count are of masks, which have no parameter.
    parameter : float, optional
        The percentage of a percentile; the share (below 0.5) cut off at each end of a trimmed mean.
    pooled : bool
        All images together instead of each.

    Returns
    -------
    list of dict
        For each image (one for all where pooled): class number to value, null without a valid pixel.
    """
    files = files_of(file_list, "file_list")
    check_parameter(statistic, parameter)
    _check_decibels(files, statistic)
    groups = [tuple(files)] if pooled else [(file,) for file in files]
    of_group = partial(_by_class, classes=classes_path, statistic=statistic, parameter=parameter)
    found: list[dict[str, float | None]] = each(of_group, groups, label=statistic)
    names = sorted({name for row in found for name in row}, key=float)
    if not names:
        raise NoValidPixels(f"No pixel of {source(classes_path).name} has a class there.", "Check extents.")
    return [{name: row.get(name) for name in names} for row in found]


def _by_class(
    addresses: tuple[str, ...], classes: str, statistic: str, parameter: float | None
) -> dict[str, float | None]:
    order = _ORDERS.get(statistic, 2)
    moments = reduce(_merge, (_moments_by_class(address, classes, order) for address in addresses))
    row: dict[str, float | None] = {}
    for number in sorted(moments):
        if not moments[number].count:
            row[f"{number:g}"] = None
            continue
        value = _MEASURES[statistic](Pixels(addresses, classes, number), moments[number], parameter)
        row[f"{number:g}"] = value if math.isfinite(value) else None
    return row


def _moments_by_class(address: str, classes: str, order: int) -> dict[float, Moments]:
    def of_block(values: Values, classes: Values) -> dict[float, Moments]:
        known = ~np.isnan(classes)
        numbers, chosen = classes[known].astype(np.float64), values[known]
        # Sorted once and split, instead of a comparison of all pixels for each class.
        ordering = np.argsort(numbers, kind="stable")
        numbers, chosen = numbers[ordering], chosen[ordering]
        names, starts = np.unique(numbers, return_index=True)
        if not names.size:
            return {}
        if names.size > MOST_CLASSES:
            raise InputError("The raster of classes has too many different values.", "Reclassify it first.")
        parts = np.split(chosen, starts[1:])
        return {name: Moments.of(part, order) for name, part in zip(names.tolist(), parts, strict=True)}

    return reduce_pixels(of_block, _merge, {"values": address, "classes": classes}, label="classes")


def _merge(one: dict[float, Moments], other: dict[float, Moments]) -> dict[float, Moments]:
    nothing = Moments()
    return {key: one.get(key, nothing).merge(other.get(key, nothing)) for key in {**one, **other}}


@tool(
    kit=STATISTICS,
    source="Weighted arithmetic mean.",
    gives=Gives("series", "weighted_mean", OF_INPUT),
    formula="sum(w v) / sum(w) of the pixels that are valid in both",
)
def image_weighted_mean(file_list: Images, weight_path: Annotated[str, Reads()]) -> Series:
    """Mean of the valid pixels of each image, weighted by another raster.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each.
    weight_path : str
        The weights, none below 0; laid onto the grid of each image.

    Returns
    -------
    list of float
        In the order of the images; null where no pixel has a weight.
    """

    def sums(values: Values, weight: Values) -> tuple[float, float, float]:
        there = ~np.isnan(values) & ~np.isnan(weight)
        v, w = values[there].astype(np.float64), weight[there].astype(np.float64)
        return float((v * w).sum()), float(w.sum()), float(w.min(initial=0.0))

    def merge(a: tuple[float, float, float], b: tuple[float, float, float]) -> tuple[float, float, float]:
        return a[0] + b[0], a[1] + b[1], min(a[2], b[2])

    def of_one(address: str) -> float | None:
        total, weights, least = reduce_pixels(sums, merge, {"values": address, "weight": weight_path})
        if least < 0:
            raise InputError(f"{source(weight_path).name} has weights below 0.", "Give weights from 0 up.")
        if not weights:
            current_context().warn(f"No pixel of {source(address).name} has a weight, so it gives no number.")
        return total / weights if weights else None

    return each(of_one, files_of(file_list, "file_list"), label="weighted mean")


def _check_decibels(files: str | Sequence[str], statistic: str) -> None:
    if statistic in MEANS or statistic in OF_ZERO:
        check_statistics([source(address) for address in files_of(files, "file_list")], statistic)
