"""Pixels above a threshold: as a mask, and counted."""

from __future__ import annotations

from typing import Annotated

from treeline.toolkit.perception.kit import PERCEPTION
from treeline.toolkit.raster import map_pixels, share, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.conditions import Condition
from treeline.toolkit.tool import Gives, Reads, Writes, tool

SOURCE = "Thresholding."


@tool(
    kit=PERCEPTION,
    source=SOURCE,
    gives=Gives("raster", "threshold_mask"),
    formula="1 where v > threshold, 0 elsewhere, 255 without data",
    difference="earth_bench writes 255 where science writes 1, and compares nodata as a value.",
)
def threshold_segmentation(
    input_image_path: Annotated[str, Reads()], threshold: float, output_path: Annotated[str, Writes("mask")]
) -> str:
    """Mask of the pixels above a threshold: 1 above, 0 not above, 255 no data.

    Parameters
    ----------
    input_image_path : str
        Any raster.
    threshold : float
        To be exceeded, in the unit of the raster.
    output_path : str
        Where to write the mask.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    inputs = {"values": source(input_image_path)}
    return report_saved(
        map_pixels(Condition("above", threshold), inputs, output_path, role="mask", dtype="uint8")
    )


@tool(
    kit=PERCEPTION,
    source="Counting.",
    gives=Gives("number", "count_above", "1"),
    formula="count(v > threshold)",
    difference="Science leaves nodata out; earth_bench counts nodata as a value.",
)
def count_above_threshold(file_path: Annotated[str, Reads()], threshold: float) -> int:
    """Number of pixels of one raster above a threshold.

    For a percentage use ``calculate_threshold_ratio``.

    Parameters
    ----------
    file_path : str
        Any raster.
    threshold : float
        To be exceeded, in the unit of the raster.

    Returns
    -------
    int
        Number of pixels.
    """
    return share(Condition("above", threshold), {"values": source(file_path)}).met
