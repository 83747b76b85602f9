"""One number from many images: over the images' numbers, or over all their pixels together."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from treeline.toolkit.context import current_context
from treeline.toolkit.decibels import check_statistics
from treeline.toolkit.execution import each
from treeline.toolkit.raster import RasterStatistics, source, statistics
from treeline.toolkit.statistics.conditions import COMPARE, band_at, files_of, null_without_pixels, present
from treeline.toolkit.statistics.images import DIFFERENCE, Images, measures, several_measures
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, tool

Mode = Literal["above", "below", "above_equal", "below_equal"]


@tool(
    kit=STATISTICS,
    source="Arithmetic mean.",
    gives=Gives("number", "mean_of_means", OF_INPUT),
    formula="mean of the images' means",
    difference=DIFFERENCE,
)
def calc_batch_image_mean_mean(file_list: Images, uint8: bool = False) -> float:
    """Mean of the means of images: every image counts alike, however many valid pixels it has.

    For the mean of all pixels together use ``calc_batch_image_pooled_statistics``.

    Parameters
    ----------
    file_list : list of str
        Rasters; images without valid pixels are left out.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    float
        In the unit of the images.
    """
    means = present(measures(file_list, "mean", uint8), "file_list")
    return math.fsum(means) / len(means)


@tool(
    kit=STATISTICS,
    source="Largest of the means.",
    gives=Gives("number", "max_of_means", OF_INPUT),
    formula="max of the images' means",
    difference=DIFFERENCE,
)
def calc_batch_image_mean_max(file_list: Images, uint8: bool = False) -> float:
    """Largest of the means of images.

    Parameters
    ----------
    file_list : list of str
        Rasters; images without valid pixels are left out.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    float
        In the unit of the images.
    """
    return max(present(measures(file_list, "mean", uint8), "file_list"))


@tool(
    kit=STATISTICS,
    source="Mean and extremes.",
    gives=Gives("table", "mean_max_min", OF_INPUT),
    formula="mean of means, max of maxima, min of minima",
    difference=DIFFERENCE + " With uint8, earth_bench clips to 0..1 and multiplies by 255.",
)
def calc_batch_image_mean_max_min(file_list: Images, uint8: bool = False) -> list[float]:
    """Mean of the means, largest of the maxima and smallest of the minima of images.

    Parameters
    ----------
    file_list : list of str
        Rasters; images without valid pixels are left out.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    list of float
        ``[mean, max, min]`` in the unit of the images.
    """
    means, highs, lows = (
        present(column, "file_list") for column in several_measures(file_list, ("mean", "max", "min"), uint8)
    )
    return [math.fsum(means) / len(means), max(highs), min(lows)]


@tool(
    kit=STATISTICS,
    source="Pooled moments; Chan, Golub & LeVeque 1983, Am. Stat. 37:242.",
    gives=Gives("table", "pooled", OF_INPUT),
    formula="mean = sum of all valid pixels / their count",
)
def calc_batch_image_pooled_statistics(file_list: Images) -> dict[str, Any]:
    """Mean, standard deviation and extremes over the pixels of all images together (pooled).

    An image with more valid pixels counts for more; ``calc_batch_image_mean_mean`` counts images
    alike.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable; masked pixels are left out.

    Returns
    -------
    dict
        ``mean``, ``std`` (divisor n), ``min``, ``max``, ``sum`` in the unit of the images, and the
        ``count`` of valid pixels.
    """
    found = present(each(_statistics, files_of(file_list, "file_list"), label="pooled"), "file_list")
    count = sum(f.count_valid for f in found)
    mean = math.fsum(f.mean * f.count_valid for f in found) / count
    # The variance of all pixels is that within the images and that between their means.
    spread = math.fsum((f.std**2 + (f.mean - mean) ** 2) * f.count_valid for f in found) / count
    return {
        "mean": mean,
        "std": math.sqrt(spread),
        "min": min(f.min for f in found),
        "max": max(f.max for f in found),
        "sum": math.fsum(f.sum for f in found),
        "count": count,
    }


@tool(
    kit=STATISTICS,
    source="Counting.",
    gives=Gives("number", "count_images", "1"),
    formula="images with mean > (or <) threshold; 100 count / images",
    difference=DIFFERENCE + " earth_bench honours nodata here and leaves unreadable files out.",
)
def calc_batch_image_mean_threshold(
    file_list: Images,
    threshold: float,
    above: bool = True,
    uint8: bool = False,
    band_index: int = 0,
    return_type: Literal["ratio", "count"] = "ratio",
) -> float | int:
    """Share or number of the images whose mean lies above (or below) a threshold.

    Parameters
    ----------
    file_list : list of str
        Rasters; images without valid pixels are left out.
    threshold : float
        In the unit of the images; to be exceeded (or undercut), not reached.
    above : bool
        False counts images below the threshold.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.
    band_index : int
        Band, counted from 0.
    return_type : str
        ``ratio`` for percent of the images, ``count`` for their number.

    Returns
    -------
    float or int
        Percent, or a number of images.
    """
    addresses = [_address_of(address, band_index) for address in files_of(file_list, "file_list")]
    means = present(measures(addresses, "mean", uint8), "file_list")
    count = sum(bool(COMPARE["above" if above else "below"](mean, threshold)) for mean in means)
    return 100.0 * count / len(means) if return_type == "ratio" else count


@tool(
    kit=STATISTICS,
    source="Counting.",
    gives=Gives("number", "count_images", "1"),
    formula="count(mean > multiplier x mean of means)",
    difference="Science warns where the mean of means is negative, which turns a multiple round.",
)
def count_images_exceeding_mean_multiplier(
    image_paths: Annotated[str | list[str], Reads()],
    mean_multiplier: float = 1.1,
    mode: Mode = "above",
    verbose: bool = True,
) -> int:
    """Count the images whose mean lies above (or below) a multiple of the mean of all means.

    Parameters
    ----------
    image_paths : list of str
        Rasters; images without valid pixels are left out.
    mean_multiplier : float
        Factor on the mean of the means, such as 1.1 for ten percent more.
    mode : str
        ``above``, ``below``, ``above_equal`` or ``below_equal``.
    verbose : bool
        Kept for older calls; has no effect.

    Returns
    -------
    int
        Number of images.
    """
    means = present(measures(files_of(image_paths, "image_paths"), "mean", False), "image_paths")
    overall = math.fsum(means) / len(means)
    if overall < 0:
        current_context().warn(f"The mean of the means is {overall:g}; a multiple above 1 lies below it.")
    return sum(bool(COMPARE[mode](mean, mean_multiplier * overall)) for mean in means)


@null_without_pixels
def _statistics(address: str) -> RasterStatistics:
    band = source(address)
    check_statistics([band], "mean")
    return statistics(band, order=2)


def _address_of(address: str, band_index: int) -> str:
    return f"{address}#{band_at(address, band_index).band.index}" if band_index else address
