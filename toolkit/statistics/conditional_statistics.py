"""Numbers from two rasters, or from one where the other meets a condition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.decibels import check_formula
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.execution import each
from treeline.toolkit.raster import (
    RasterStatistics,
    Source,
    add,
    bands_of,
    conditional_statistics,
    reduce_pixels,
    share,
    source,
    statistics,
)
from treeline.toolkit.statistics.conditions import (
    Comparison,
    Condition,
    band_at,
    files_of,
    null_without_pixels,
)
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, tool

Mode = Literal["above", "below"]
# "above" of a condition includes the threshold here, as it always did.
CONDITION_MODES: dict[str, Comparison] = {"above": "above_equal", "below": "below"}


@tool(
    kit=STATISTICS,
    source="Hyndman & Fan 1996, Am. Stat. 50:361, type 7.",
    gives=Gives("number", "percentile", OF_INPUT),
    formula="v at rank 1 + (n - 1) p / 100 of the sorted values, interpolated linearly",
    difference="Science keeps the fraction and honours nodata; earth_bench rounds integer rasters.",
)
def get_percentile_value_from_image(image_path: Annotated[str, Reads()], percentile: float) -> float:
    """Value below which a given percentage of the pixels of a raster lies.

    Parameters
    ----------
    image_path : str
        A raster; one band.
    percentile : float
        0 to 100; 50 is the median.

    Returns
    -------
    float
        In the unit of the raster; interpolated linearly between pixels.
    """
    wanted = _percentile(percentile)
    return statistics(image_path, percentiles=(wanted,)).percentiles[wanted]


@tool(
    kit=STATISTICS,
    source="Arithmetic mean of ratios.",
    gives=Gives("number", "mean_of_ratios", "1"),
    formula="mean of v1 / v2 where v2 is not 0",
    difference="Science honours nodata.",
)
def image_division_mean(
    image_path1: Annotated[str, Reads()],
    image_path2: Annotated[str | None, Reads()] = None,
    band1: int = 1,
    band2: int = 2,
) -> float:
    """Mean over the pixels of the ratio of two rasters, or of two bands of one.

    It is the mean of the ratios, not the ratio of the means.

    Parameters
    ----------
    image_path1 : str
        The raster that is divided.
    image_path2 : str, optional
        The divisor; without it ``band2`` of the first raster.
    band1 : int
        Band of the first raster, counted from 1; used when there is no second raster.
    band2 : int
        Band of the divisor, counted from 1; used when there is no second raster.

    Returns
    -------
    float
        Mean ratio of the pixels where both are valid and the divisor is not 0.
    """
    first, second = _ratio_bands(image_path1, image_path2, band1, band2)
    check_formula("first / second", {"first": first, "second": second})
    total, count = reduce_pixels(_sum_of_ratios, add, {"first": first, "second": second}, label="ratio")
    if not count:
        raise NoValidPixels(
            f"No pixel of {first.name} and {second.name} is valid with a divisor other than 0.",
            "Check nodata.",
        )
    return total / count


@tool(
    kit=STATISTICS,
    source="Counting.",
    gives=Gives("number", "intersection_share", "%"),
    formula="100 count(v1 > threshold1 and v2 > threshold2) / count(both valid)",
    difference="Science also offers other comparisons, and lays rasters of differing grids onto each other.",
)
def calculate_intersection_percentage(
    path1: Annotated[str, Reads()],
    threshold1: float,
    path2: Annotated[str, Reads()],
    threshold2: float,
    mode1: Comparison = "above",
    mode2: Comparison = "above",
) -> float:
    """Percentage of pixels where two rasters both meet their thresholds.

    Parameters
    ----------
    path1 : str
        The first raster; its grid is used.
    threshold1 : float
        In the unit of the first raster.
    path2 : str
        The second raster.
    threshold2 : float
        In the unit of the second raster.
    mode1 : str
        How the first is compared: ``above`` (greater), ``below`` (less), ``above_equal``,
        ``below_equal``, ``equal`` or ``not_equal``.
    mode2 : str
        How the second is compared.

    Returns
    -------
    float
        Percent of the pixels that are valid in both.
    """
    one, other = Condition(mode1, threshold1), Condition(mode2, threshold2)
    inputs = {"first": source(path1), "second": source(path2)}
    return share(lambda first, second: one(first) & other(second), inputs).percent


@tool(
    kit=STATISTICS,
    source="Conditional mean.",
    gives=Gives("number", "conditional_mean", OF_INPUT),
    formula="mean of the target where the condition band >= threshold (above) or < threshold (below)",
    difference="Science refuses a condition that no pixel meets; earth_bench gives NaN.",
)
def calculate_band_mean_by_condition(
    image_path: Annotated[str, Reads()],
    condition_band_index: int,
    condition_threshold: float,
    condition_mode: Mode = "above",
    target_band_index: int = 0,
) -> float:
    """Mean of one band of an image where another band of it meets a threshold.

    Parameters
    ----------
    image_path : str
        A raster of several bands.
    condition_band_index : int
        Band that is compared, counted from 0.
    condition_threshold : float
        In the unit of that band.
    condition_mode : str
        ``above`` for at least the threshold, ``below`` for less.
    target_band_index : int
        Band that is averaged, counted from 0.

    Returns
    -------
    float
        In the unit of the target band.
    """
    condition = Condition(CONDITION_MODES[condition_mode], condition_threshold)
    tested = band_at(image_path, condition_band_index, "condition_band_index")
    target = band_at(image_path, target_band_index, "target_band_index")
    return conditional_statistics(target, condition, {"values": tested}).mean


@tool(
    kit=STATISTICS,
    source="Conditional mean, pooled over the pixels of all pairs.",
    gives=Gives("number", "conditional_mean", OF_INPUT, of="path2"),
    formula="mean of raster 2 where raster 1 > threshold",
    difference="Science pairs by date; earth_bench by a time stamp in the name, drops path2 outside 0..1.",
)
def calc_threshold_value_mean(
    path1: Annotated[str | list[str], Reads()],
    path2: Annotated[str | list[str], Reads()],
    threshold: float = 300.0,
) -> float:
    """Mean of one variable over the pixels where another exceeds a threshold, pairs of images pooled.

    Parameters
    ----------
    path1 : str or list of str
        Rasters that are compared with the threshold.
    path2 : str or list of str
        Rasters that are averaged; paired with the first by date where all dates are known and
        differ, else by their order.
    threshold : float
        To be exceeded, in the unit of ``path1``.

    Returns
    -------
    float
        Mean over the chosen pixels of all pairs together, in the unit of ``path2``.
    """
    pairs = pairs_of(files_of(path1, "path1"), files_of(path2, "path2"))
    one = partial(_where, condition=Condition("above", threshold))
    tested, target = map(list, zip(*pairs, strict=True))
    results = each(one, tested, target, label="conditional mean")
    found = [one_pair for one_pair in results if one_pair is not None]
    if not found:
        raise NoValidPixels(f"No pixel of 'path1' exceeds {threshold:g}.", "Choose another threshold.")
    # Pooled: a pair with more pixels that meet the condition counts for more.
    return math.fsum(f.sum for f in found) / sum(f.count_valid for f in found)


def pairs_of(first: Sequence[str], second: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of rasters of two lists: by date where all have one of their own, else by order.

    Raises
    ------
    InputError
        No date is common, or the lists differ in length where there are no dates.
    """
    dates = [[source(address).description.date for address in several] for several in (first, second)]
    # Two rasters of one date, such as neighbouring tiles, have no partner by date alone.
    if all(None not in several and len(set(several)) == len(several) for several in dates):
        return _by_date(dict(zip(dates[0], first, strict=True)), dict(zip(dates[1], second, strict=True)))
    if len(first) != len(second):
        raise InputError(
            f"The lists have {len(first)} and {len(second)} rasters, and not all have a date of their own.",
            "Give lists of one length in the same order.",
        )
    return list(zip(first, second, strict=True))


def _by_date(first: dict, second: dict) -> list[tuple[str, str]]:
    common = [date for date in first if date in second]
    if not common and len(first) == len(second) == 1:
        current_context().warn("The two rasters are of different dates.")
        return list(zip(first.values(), second.values(), strict=True))
    if not common:
        raise InputError(
            "The two lists of rasters have no date in common.", "Choose rasters of the same dates."
        )
    alone = len(first) + len(second) - 2 * len(common)
    if alone:
        current_context().warn(f"{alone} rasters have no partner of the same date and were left out.")
    return [(first[date], second[date]) for date in common]


@null_without_pixels
def _where(tested: str, target: str, condition: Condition) -> RasterStatistics:
    return conditional_statistics(source(target), condition, {"values": source(tested)})


def _ratio_bands(path1: str, path2: str | None, band1: int, band2: int) -> tuple[Source, Source]:
    if path2 is not None:
        return source(path1), source(path2)
    bands = bands_of(path1)
    for name, band in (("band1", band1), ("band2", band2)):
        if not 1 <= band <= len(bands):
            raise InputError(
                f"The argument {name!r} is {band}, but the number of bands in {path1!r} is {len(bands)}.",
                "Bands are counted from 1 here; or give a second raster.",
            )
    return bands[band1 - 1], bands[band2 - 1]


def _sum_of_ratios(first: NDArray[np.floating], second: NDArray[np.floating]) -> tuple[float, int]:
    ratios = np.divide(first, second, out=np.full(first.shape, np.nan), where=second != 0)
    there = np.isfinite(ratios)
    return float(ratios[there].sum()), int(there.sum())


def _percentile(percentile: float) -> float:
    if not 0 <= percentile <= 100:
        raise InputError(f"The argument 'percentile' is {percentile:g}.", "Give a number from 0 to 100.")
    return float(percentile)
