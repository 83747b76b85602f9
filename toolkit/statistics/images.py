"""One number from each image."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from toolkit.execution import each
from toolkit.raster import RasterStatistics, statistics
from toolkit.statistics.conditions import files_of, null_without_pixels
from toolkit.statistics.kit import STATISTICS
from toolkit.tool import Gives, Reads, tool

Images = Annotated[list[str], Reads()]
Series = list[float | None]

DIFFERENCE = (
    "Science leaves out nodata, applies scale and offset, and reads the first band unless the address names "
    "one; earth_bench counts nodata as data, stored values, all bands together."
)
WHITE = 255.0


@dataclass(frozen=True, slots=True)
class Measure:
    """How a number follows from an image's statistics, and how it changes with a stretch of the values.

    Attributes
    ----------
    of : callable
        From the statistics.
    order : int
        Highest moment that it needs.
    shifted, scaled : callable
        How often the minimum is subtracted, given the statistics; and the power of the factor.
    """

    of: Callable[[RasterStatistics], float]
    order: int = 1
    shifted: Callable[[RasterStatistics], float] = lambda found: 1.0
    scaled: int = 1


def _std(found: RasterStatistics) -> float:
    n = found.count_valid
    return found.std * math.sqrt(n / (n - 1)) if n > 1 else math.nan


def _skewness(found: RasterStatistics) -> float:
    n = found.count_valid
    return found.skewness * math.sqrt(n * (n - 1)) / (n - 2) if n > 2 else math.nan


MEASURES: Mapping[str, Measure] = {
    "mean": Measure(lambda found: found.mean),
    "median": Measure(lambda found: found.percentiles[50.0]),
    "min": Measure(lambda found: found.min),
    "max": Measure(lambda found: found.max),
    "sum": Measure(lambda found: found.sum, shifted=lambda found: found.count_valid),
    "std": Measure(_std, 2, shifted=lambda found: 0.0),
    "skewness": Measure(_skewness, 4, shifted=lambda found: 0.0, scaled=0),
    "kurtosis": Measure(lambda found: found.kurtosis + 3.0, 4, shifted=lambda found: 0.0, scaled=0),
}


@null_without_pixels
def measure(address: str, name: str, uint8: bool = False) -> float | None:
    """Return a number of an image, or ``None`` where it has none: no valid pixels, or all alike.

    Parameters
    ----------
    address : str
        One band.
    name : str
        A key of :data:`MEASURES`.
    uint8 : bool
        Of the values stretched to 0..255 from their minimum to their maximum.
    """
    found = statistics(address, percentiles=(50.0,) if name == "median" else (), order=MEASURES[name].order)
    value = MEASURES[name].of(found)
    if uint8:
        value = _stretched(value, MEASURES[name], found)
    return value if math.isfinite(value) else None


def _stretched(value: float, kind: Measure, found: RasterStatistics) -> float:
    if found.max == found.min:
        return 0.0 if kind.scaled else value
    return (value - kind.shifted(found) * found.min) * (WHITE / (found.max - found.min)) ** kind.scaled


def measures(file_list: list[str], name: str, uint8: bool) -> Series:
    """Return a number of each image, see :func:`measure`."""
    return each(partial(measure, name=name, uint8=uint8), files_of(file_list, "file_list"), label=name)


def _tool(quantity: str, source: str, formula: str, unit: str = "") -> Callable[..., Callable[..., Series]]:
    return tool(
        kit=STATISTICS,
        source=source,
        gives=Gives("series", quantity, unit),
        formula=formula,
        difference=DIFFERENCE,
    )


@_tool("mean", "Arithmetic mean.", "sum(v) / n")
def calc_batch_image_mean(file_list: Images, uint8: bool = False) -> Series:
    """Mean of the valid pixels of each image, one number per image.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each, ``file.tif#band`` for another than the first.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    list of float
        In the order of the images and in their unit; null for an image without valid pixels.
    """
    return measures(file_list, "mean", uint8)


@_tool("std", "Sample standard deviation.", "sqrt(sum (v - m)^2 / (n - 1))")
def calc_batch_image_std(file_list: Images, uint8: bool = False) -> Series:
    """Standard deviation of the valid pixels of each image (divisor n - 1), one number per image.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each, ``file.tif#band`` for another than the first.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    list of float
        In the order of the images and in their unit; null with fewer than two valid pixels.
    """
    return measures(file_list, "std", uint8)


@_tool("median", "Median; Hyndman & Fan 1996, Am. Stat. 50:361, type 7.", "50th percentile")
def calc_batch_image_median(file_list: Images, uint8: bool = False) -> Series:
    """Median of the valid pixels of each image, one number per image.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each, ``file.tif#band`` for another than the first.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    list of float
        In the order of the images and in their unit; null for an image without valid pixels.
    """
    return measures(file_list, "median", uint8)


@_tool("min", "Smallest value.", "min(v)")
def calc_batch_image_min(file_list: Images, uint8: bool = False) -> Series:
    """Smallest valid pixel of each image, one number per image.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each, ``file.tif#band`` for another than the first.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    list of float
        In the order of the images and in their unit; null for an image without valid pixels.
    """
    return measures(file_list, "min", uint8)


@_tool("max", "Largest value.", "max(v)")
def calc_batch_image_max(file_list: Images, uint8: bool = False) -> Series:
    """Largest valid pixel of each image, one number per image.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each, ``file.tif#band`` for another than the first.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    list of float
        In the order of the images and in their unit; null for an image without valid pixels.
    """
    return measures(file_list, "max", uint8)


@_tool("skewness", "Joanes & Gill 1998, The Statistician 47:183.", "G1 = g1 sqrt(n (n - 1)) / (n - 2)", "1")
def calc_batch_image_skewness(file_list: Images, uint8: bool = False) -> Series:
    """Skewness of the valid pixels of each image (corrected for bias), one number per image.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each, ``file.tif#band`` for another than the first.
    uint8 : bool
        Has no effect: a stretch does not change the shape of a distribution.

    Returns
    -------
    list of float
        In the order of the images; null for an image without pixels that vary.
    """
    return measures(file_list, "skewness", uint8)


@_tool("kurtosis", "Joanes & Gill 1998, The Statistician 47:183.", "m4 / m2^2", "1")
def calc_batch_image_kurtosis(file_list: Images, uint8: bool = False) -> Series:
    """Kurtosis (Pearson's, 3 for a normal distribution) of the valid pixels of each image.

    The tool ``kurtosis`` for lists gives the excess over 3 instead.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each, ``file.tif#band`` for another than the first.
    uint8 : bool
        Has no effect: a stretch does not change the shape of a distribution.

    Returns
    -------
    list of float
        In the order of the images; null for an image without pixels that vary.
    """
    return measures(file_list, "kurtosis", uint8)


@_tool("sum", "Arithmetic: the sum over the valid pixels.", "sum(v)")
def calc_batch_image_sum(file_list: Images, uint8: bool = False) -> Series:
    """Sum of the valid pixels of each image, one number per image.

    Parameters
    ----------
    file_list : list of str
        Rasters; one band each, ``file.tif#band`` for another than the first.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.

    Returns
    -------
    list of float
        In the order of the images and in their unit; null for an image without valid pixels.
    """
    return measures(file_list, "sum", uint8)
