"""One number from each image."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from treeline.toolkit.decibels import check_statistics
from treeline.toolkit.execution import each
from treeline.toolkit.raster import RasterStatistics, source, statistics
from treeline.toolkit.statistics.conditions import files_of, null_without_pixels
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.table_functions import Argument, Text, make_function
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, tool

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
    # From the deviation of the population to that of a sample.
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
    "kurtosis": Measure(lambda found: found.kurtosis, 4, shifted=lambda found: 0.0, scaled=0),
}


@null_without_pixels
def numbers_of(address: str, names: Sequence[str], uint8: bool = False) -> list[float | None]:
    """Return numbers of an image, read once; ``None`` for what it has not, as where all pixels are alike.

    Parameters
    ----------
    address : str
        One band.
    names : sequence of str
        Keys of :data:`MEASURES`.
    uint8 : bool
        Of the values stretched to 0..255 from their minimum to their maximum.

    Returns
    -------
    list of float
        ``None`` instead, with a warning, for an image without valid pixels.
    """
    wanted = [MEASURES[name] for name in names]
    percentiles = (50.0,) if "median" in names else ()
    band = source(address)
    check_statistics([band], *names)
    found = statistics(band, percentiles=percentiles, order=max(kind.order for kind in wanted))
    values = [_stretch(kind.of(found), kind, found) if uint8 else kind.of(found) for kind in wanted]
    return [value if math.isfinite(value) else None for value in values]


def _stretch(value: float, kind: Measure, found: RasterStatistics) -> float:
    if found.max == found.min:
        return 0.0 if kind.scaled else value
    # How a statistic follows a linear stretch of its values, so that the pixels need not be read again: a
    # mean shifts by the minimum, a sum by as often as there are pixels, a deviation and a shape not at all.
    return (value - kind.shifted(found) * found.min) * (WHITE / (found.max - found.min)) ** kind.scaled


def several_measures(file_list: list[str], names: Sequence[str], uint8: bool) -> list[Series]:
    """Return for each measure its number of each image, see :func:`numbers_of`."""
    nothing = [None] * len(names)
    found = each(
        partial(numbers_of, names=names, uint8=uint8), files_of(file_list, "file_list"), label=names[0]
    )
    return [list(column) for column in zip(*(row or nothing for row in found), strict=True)]


def measures(file_list: list[str], name: str, uint8: bool) -> Series:
    """Return a number of each image, see :func:`numbers_of`."""
    return several_measures(file_list, (name,), uint8)[0]


FILES = Argument(
    "file_list",
    Images,
    "list of str",
    "Rasters; one band each, ``file.tif#band`` for another than the first.",
)
STRETCHED = "Stretch each image to 0..255 from its minimum to its maximum first."
SHAPE_STAYS = "Has no effect: a stretch does not change the shape of a distribution."
IN_ORDER = "In the order of the images and in their unit; null "
WITHOUT_PIXELS = IN_ORDER + "for an image without valid pixels."
WITHOUT_SPREAD = "In the order of the images; null for an image without pixels that vary."
MOMENTS = "Joanes & Gill 1998, The Statistician 47:183."


@dataclass(frozen=True, slots=True)
class ImageTool:
    """A tool that gives one number per image: what it says of itself.

    Attributes
    ----------
    name : str
        Of the measure; the tool is ``calc_batch_image_<name>``.
    """

    name: str
    brief: str
    source: str
    formula: str
    returns: str = WITHOUT_PIXELS
    uint8: str = STRETCHED
    unit: str = OF_INPUT
    details: str = ""


TOOLS = (
    ImageTool("mean", "Mean of the valid pixels of each image", "Arithmetic mean.", "sum(v) / n"),
    ImageTool(
        "std",
        "Standard deviation of the valid pixels of each image (divisor n - 1)",
        "Sample standard deviation.",
        "sqrt(sum (v - m)^2 / (n - 1))",
        returns=IN_ORDER + "with fewer than two valid pixels.",
    ),
    ImageTool(
        "median",
        "Median of the valid pixels of each image",
        "Median; Hyndman & Fan 1996, Am. Stat. 50:361, type 7.",
        "50th percentile",
    ),
    ImageTool("min", "Smallest valid pixel of each image", "Smallest value.", "min(v)"),
    ImageTool("max", "Largest valid pixel of each image", "Largest value.", "max(v)"),
    ImageTool(
        "skewness",
        "Skewness of the valid pixels of each image (corrected for bias)",
        MOMENTS,
        "G1 = g1 sqrt(n (n - 1)) / (n - 2)",
        WITHOUT_SPREAD,
        SHAPE_STAYS,
        "1",
    ),
    ImageTool(
        "kurtosis",
        "Kurtosis (the excess, 0 for a normal distribution) of the valid pixels of each image",
        MOMENTS,
        "m4 / m2^2 - 3",
        WITHOUT_SPREAD,
        SHAPE_STAYS,
        "1",
        "As the tool ``kurtosis`` for lists; earth_bench gives m4 / m2^2 here, 3 for a normal distribution.",
    ),
    ImageTool(
        "sum", "Sum of the valid pixels of each image", "Arithmetic: the sum over the valid pixels.", "sum(v)"
    ),
)


def _add(row: ImageTool) -> None:
    register = tool(
        kit=STATISTICS,
        source=row.source,
        gives=Gives("series", row.name, row.unit),
        formula=row.formula,
        difference=DIFFERENCE,
    )
    text = Text(f"{row.brief}, one number per image.", row.returns, "list of float", row.details)
    stretch = Argument("uint8", bool, "bool", row.uint8, False)
    call = partial(measures, name=row.name)
    register(make_function(f"calc_batch_image_{row.name}", (FILES, stretch), text, call, __name__))


for _row in TOOLS:
    _add(_row)
