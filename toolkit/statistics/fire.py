"""Fire: counts, increases and the places that burn most."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.execution import each
from treeline.toolkit.raster import Source, conditional_statistics, map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.conditions import Condition, files_of
from treeline.toolkit.statistics.images import WHITE
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.statistics.maps import extent
from treeline.toolkit.statistics.thresholds import share_of
from treeline.toolkit.tool import Gives, Reads, Writes, tool

COUNTING = "Counting."


@tool(
    kit=STATISTICS,
    source=COUNTING,
    gives=Gives("series", "count", "1"),
    formula="count(v > fire_threshold)",
    difference="Science leaves nodata out; earth_bench counts it as data, over all bands.",
)
def calc_batch_fire_pixels(file_list: Annotated[list[str], Reads()], fire_threshold: float = 0) -> list[int]:
    """Number of pixels above a threshold in each image, such as burning ones in fire radiative power.

    Parameters
    ----------
    file_list : list of str
        Rasters, such as fire radiative power in MW.
    fire_threshold : float
        To be exceeded, in the unit of the rasters.

    Returns
    -------
    list of int
        Numbers of pixels in the order of the images; 0 for an image without valid pixels.
    """
    one = partial(_count, condition=Condition("above", fire_threshold))
    return each(one, files_of(file_list, "file_list"), label="fire")


@tool(
    kit=STATISTICS,
    source="Threshold.",
    gives=Gives("raster", "mask"),
    formula="1 where v >= threshold, 0 where not",
    difference="Science keeps nodata as nodata; earth_bench writes 0 there.",
)
def create_fire_increase_map(
    change_image_path: Annotated[str, Reads("difference")],
    output_path: Annotated[str, Writes("mask")],
    threshold: float = 20.0,
) -> str:
    """Mask of the places where a change raster reaches a threshold (at least), such as more fire.

    Parameters
    ----------
    change_image_path : str
        A change, later less earlier.
    output_path : str
        GeoTIFF to write; 1, 0, and 255 for nodata.
    threshold : float
        To be reached, in the unit of the raster.

    Returns
    -------
    str
        Result saved at PATH.
    """
    condition = Condition("above_equal", threshold)
    inputs = {"values": source(change_image_path, "difference")}
    return report_saved(map_pixels(condition, inputs, output_path, role="mask", dtype="uint8"))


@tool(
    kit=STATISTICS,
    source="Percentile threshold.",
    gives=Gives("raster", "mask"),
    formula="1 where v >= percentile of the values above 0",
    difference="Science keeps nodata as nodata; earth_bench writes 0 there.",
)
def identify_fire_prone_areas(
    file_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("mask")],
    threshold_percentile: float = 75,
    uint8: bool = False,
) -> list[str | float]:
    """Mask of the pixels that reach a percentile of the values above 0, and that threshold.

    Parameters
    ----------
    file_path : str
        How much burns, such as fire radiative power, a number of fires, or a z-score.
    output_path : str
        GeoTIFF to write; 1, 0, and 255 for nodata.
    threshold_percentile : float
        0 to 100, of the values above 0.
    uint8 : bool
        Give the threshold on the scale of the image stretched to 0..255; the mask is the same.

    Returns
    -------
    list
        ``[Result saved at PATH, threshold]``. Without a value above 0 the mask is empty and the
        threshold 0.
    """
    if not 0 <= threshold_percentile <= 100:
        raise InputError(
            f"The argument 'threshold_percentile' is {threshold_percentile:g}.",
            "Give a number from 0 to 100.",
        )
    values = source(file_path)
    threshold = _percentile_above_zero(values, float(threshold_percentile))
    # No value is above infinity: where nothing burns, the mask is 0 throughout.
    condition = Condition("above_equal", threshold) if threshold else Condition("above", float("inf"))
    written = report_saved(map_pixels(condition, {"values": values}, output_path, role="mask", dtype="uint8"))
    return [written, _on_byte_scale(values, threshold) if uint8 else threshold]


def _count(address: str, condition: Condition) -> int:
    found = share_of(address, condition)
    return found.met if found else 0


def _percentile_above_zero(values: Source, percentile: float) -> float:
    try:
        found = conditional_statistics(
            values, Condition("above", 0.0), {"values": values}, percentiles=(percentile,)
        )
    except NoValidPixels:
        current_context().warn(f"{values.name} has no value above 0; nothing is marked.")
        return 0.0
    return found.percentiles[percentile]


def _on_byte_scale(values: Source, threshold: float) -> float:
    low, high = extent(lambda values: values, {"values": values})
    return (threshold - low) * WHITE / (high - low) if high > low else 0.0
