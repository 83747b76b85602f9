"""Areas on the ground."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, bands_of, row_areas
from treeline.toolkit.raster.area import M2_PER_UNIT
from treeline.toolkit.raster.blocks import plan, stream
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, Reads, tool

Unit = Literal["m2", "ha", "km2"]


@tool(
    kit=STATISTICS,
    source="Pixel counting; ellipsoidal cells: Snyder 1987, USGS Professional Paper 1395, eq. 3-12.",
    gives=Gives("number", "area", "m2"),
    formula="count(v != 0) gsd^2, or the sum of the pixels' areas on the ground",
    difference="Science leaves nodata out, counts a pixel of several bands once, or uses the georeference; "
    "earth_bench counts every band and nodata.",
)
def calculate_area(
    input_image_path: Annotated[str, Reads()],
    gsd: float | None,
    unit: Unit = "m2",
    value: float | None = None,
) -> float | None:
    """Area of the pixels of a mask that are not 0, in square metres unless another unit is asked.

    Parameters
    ----------
    input_image_path : str
        A mask or class raster; of several bands a pixel counts where any is not 0.
    gsd : float or null
        Ground sampling distance: the side of a pixel in metres. Null takes the area of each pixel
        from the georeference, true to area for geographic CRS too; without a georeference the
        result is then the number of pixels.
    unit : str
        ``m2``, ``ha`` or ``km2``.
    value : float, optional
        Count only the pixels of this class.

    Returns
    -------
    float or null
        The area, or the number of pixels; null where no pixel has a value.
    """
    bands = bands_of(input_image_path)
    if gsd is not None and not gsd > 0:
        raise InputError(f"The argument 'gsd' is {gsd:g}.", "Give the side of a pixel in metres, above 0.")
    counts, valid = _counts_by_row(bands, _condition(value))
    if not valid:
        current_context().warn(f"No pixel of {bands[0].name} has a value, so there is nothing to measure.")
        return None
    if gsd is not None:
        return float(counts.sum()) * gsd**2 / M2_PER_UNIT[unit]
    if not bands[0].grid.crs:
        current_context().warn(f"{bands[0].path.name} has no georeference; the result is a number of pixels.")
        return float(counts.sum())
    return float(counts @ row_areas(bands[0].grid)) / M2_PER_UNIT[unit]


def _condition(value: float | None) -> Callable[[NDArray[np.floating]], NDArray[np.bool_]]:
    if value is None:
        return lambda values: (values != 0) & ~np.isnan(values)
    return lambda values: values == value


def _counts_by_row(
    bands: list[Source], chosen: Callable[[NDArray[np.floating]], NDArray[np.bool_]]
) -> tuple[NDArray[np.int64], bool]:
    """Count the chosen pixels of each row, and tell whether any pixel has a value."""
    counts, valid = np.zeros(bands[0].grid.height, dtype=np.int64), False
    # Stored values: a mask is not scaled, and 0 must stay 0.
    with Reader({f"band_{n}": band for n, band in enumerate(bands)}, raw=True) as reader:

        def of_window(window: Window) -> tuple[NDArray[np.int64], bool]:
            arrays = reader.read(window).values()
            marked = reduce(operator.or_, (chosen(values) for values in arrays))
            return np.count_nonzero(marked, axis=1), any(not np.isnan(values).all() for values in arrays)

        for window, (found, there) in stream(of_window, plan(reader), "area"):
            counts[window.row_off : window.row_off + window.height] += found
            valid = valid or there
    return counts, valid
