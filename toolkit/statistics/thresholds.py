"""Shares and counts of pixels on one side of a threshold."""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated

from treeline.toolkit.execution import each
from treeline.toolkit.raster import Share, share, statistics
from treeline.toolkit.statistics.conditions import (
    Comparison,
    Condition,
    band_at,
    files_of,
    null_without_pixels,
    present,
)
from treeline.toolkit.statistics.images import WHITE, Images, Series
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, Reads, tool

Rasters = Annotated[str | list[str], Reads()]
COUNTING = "Counting."
NODATA = "Science leaves nodata and infinite values out; earth_bench counts nodata as valid."


@tool(
    kit=STATISTICS,
    source=COUNTING,
    gives=Gives("number", "share", "%"),
    formula="mean over the images of 100 count(v > threshold) / count(valid)",
    difference=NODATA,
)
def calculate_threshold_ratio(
    image_paths: Rasters, threshold: float = 0.75, mode: Comparison = "above", band_index: int = 0
) -> float:
    """Percentage of pixels above (or below) a threshold; of several images the mean of their percentages.

    For one percentage per image use ``calc_batch_threshold_ratio``; for that of all pixels together
    ``calculate_pooled_threshold_ratio``.

    Parameters
    ----------
    image_paths : str or list of str
        One raster or several; those without valid pixels are left out.
    threshold : float
        In the unit of the raster.
    mode : str
        ``above`` (greater), ``below`` (less), ``above_equal``, ``below_equal``, ``equal`` or
        ``not_equal``.
    band_index : int
        Band, counted from 0.

    Returns
    -------
    float
        Percent of the valid pixels, 0 to 100.
    """
    shares = present(_percents(image_paths, threshold, mode, band_index), "image_paths")
    return math.fsum(shares) / len(shares)


@tool(
    kit=STATISTICS,
    source=COUNTING,
    gives=Gives("series", "share", "%"),
    formula="100 count(v > threshold) / count(valid)",
)
def calc_batch_threshold_ratio(
    image_paths: Images, threshold: float = 0.75, mode: Comparison = "above", band_index: int = 0
) -> Series:
    """Percentage of pixels above (or below) a threshold in each image, one number per image.

    Parameters
    ----------
    image_paths : list of str
        Rasters.
    threshold : float
        In the unit of the rasters.
    mode : str
        ``above`` (greater), ``below`` (less), ``above_equal``, ``below_equal``, ``equal`` or
        ``not_equal``.
    band_index : int
        Band, counted from 0.

    Returns
    -------
    list of float
        Percent of the valid pixels in the order of the images; null for an image without any.
    """
    return _percents(image_paths, threshold, mode, band_index)


@tool(
    kit=STATISTICS,
    source=COUNTING,
    gives=Gives("number", "pooled_share", "%"),
    formula="100 sum of count(v > threshold) / sum of count(valid)",
)
def calculate_pooled_threshold_ratio(
    image_paths: Rasters, threshold: float = 0.75, mode: Comparison = "above", band_index: int = 0
) -> float:
    """Percentage of all pixels of all images together (pooled) above (or below) a threshold.

    Parameters
    ----------
    image_paths : str or list of str
        One raster or several; an image with more valid pixels counts for more.
    threshold : float
        In the unit of the raster.
    mode : str
        ``above`` (greater), ``below`` (less), ``above_equal``, ``below_equal``, ``equal`` or
        ``not_equal``.
    band_index : int
        Band, counted from 0.

    Returns
    -------
    float
        Percent of the valid pixels, 0 to 100.
    """
    shares = present(_shares(image_paths, Condition(mode, threshold), band_index), "image_paths")
    return Share(sum(s.met for s in shares), sum(s.valid for s in shares)).percent


@tool(
    kit=STATISTICS,
    source=COUNTING,
    gives=Gives("number", "count_images", "1"),
    formula="count(share above value_threshold > ratio_threshold)",
    difference="Science warns of images without valid pixels.",
)
def count_images_exceeding_threshold_ratio(
    image_paths: Rasters,
    value_threshold: float = 0.7,
    ratio_threshold: float = 20.0,
    mode: Comparison = "above",
    verbose: bool = True,
) -> int:
    """Count the images in which more than a given percentage of pixels lies above a threshold.

    Parameters
    ----------
    image_paths : str or list of str
        Rasters; those without valid pixels are left out.
    value_threshold : float
        For the pixels, in the unit of the raster.
    ratio_threshold : float
        For the images, percent of the valid pixels; to be exceeded.
    mode : str
        ``above`` (greater), ``below`` (less), ``above_equal``, ``below_equal``, ``equal`` or
        ``not_equal``; for the pixels.
    verbose : bool
        Kept for older calls; has no effect.

    Returns
    -------
    int
        Number of images.
    """
    shares = present(_percents(image_paths, value_threshold, mode, 0), "image_paths")
    return sum(percent > ratio_threshold for percent in shares)


@tool(
    kit=STATISTICS,
    source=COUNTING,
    gives=Gives("number", "mean_share_of_exceeding_images", "%"),
    formula="mean of the shares that exceed ratio_threshold",
    difference="Science refuses unreadable files; earth_bench leaves them out.",
)
def average_ratio_exceeding_threshold(
    image_paths: Rasters,
    value_threshold: float = 0.7,
    ratio_threshold: float = 20.0,
    mode: Comparison = "above",
    verbose: bool = True,
) -> float:
    """Mean percentage of pixels above a threshold, over only those images where it exceeds a limit.

    Parameters
    ----------
    image_paths : str or list of str
        Rasters; those without valid pixels are left out.
    value_threshold : float
        For the pixels, in the unit of the raster.
    ratio_threshold : float
        For the images, percent of the valid pixels; images that do not exceed it are left out.
    mode : str
        ``above`` (greater), ``below`` (less), ``above_equal``, ``below_equal``, ``equal`` or
        ``not_equal``; for the pixels.
    verbose : bool
        Kept for older calls; has no effect.

    Returns
    -------
    float
        Percent; 0 where no image exceeds the limit.
    """
    shares = present(_percents(image_paths, value_threshold, mode, 0), "image_paths")
    exceeding = [percent for percent in shares if percent > ratio_threshold]
    # No image above the limit is an answer, as it is in earth_bench, and no fault of the images.
    return math.fsum(exceeding) / len(exceeding) if exceeding else 0.0


@tool(
    kit=STATISTICS,
    source=COUNTING,
    gives=Gives("series", "share", "1"),
    formula="count(v > threshold) / count(valid)",
    difference=NODATA,
)
def calc_batch_image_hotspot_percentage(file_list: Images, threshold: float, uint8: bool = False) -> Series:
    """Fraction (0 to 1, not percent) of pixels above a threshold in each image.

    For percent use ``calc_batch_threshold_ratio``.

    Parameters
    ----------
    file_list : list of str
        Rasters.
    threshold : float
        To be exceeded, in the unit of the rasters, or of 0..255 with ``uint8``.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    list of float
        Fractions in the order of the images; null for an image without valid pixels.
    """
    above = partial(_fraction_above, threshold=threshold, uint8=uint8)
    return each(above, files_of(file_list, "file_list"), label="share")


@null_without_pixels
def share_of(address: str, condition: Condition, band_index: int = 0) -> Share:
    """Return how many pixels of one image meet a condition; ``None`` without valid pixels."""
    return share(condition, {"values": band_at(address, band_index)})


def _shares(image_paths: str | list[str], condition: Condition, band_index: int) -> list[Share | None]:
    one = partial(share_of, condition=condition, band_index=band_index)
    return each(one, files_of(image_paths, "image_paths"), label="share")


def _percents(image_paths: str | list[str], threshold: float, mode: Comparison, band_index: int) -> Series:
    found = _shares(image_paths, Condition(mode, threshold), band_index)
    return [one.percent if one else None for one in found]


@null_without_pixels
def _fraction_above(address: str, threshold: float, uint8: bool) -> float | None:
    if uint8:
        found = statistics(address, order=1)
        # The threshold is one of bytes: it is taken back to the values, so that nothing is rounded to bytes.
        threshold = found.min + threshold / WHITE * (found.max - found.min)
    counted = share_of(address, Condition("above", threshold))
    return counted.fraction if counted else None
