"""Which pixels have a value, and rasters of which only those are kept where another meets a condition."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.raster import class_tags, map_pixels, source
from treeline.toolkit.raster.emptiness import CONDITION
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.conditions import Comparison, Condition
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=STATISTICS,
    source="Tomlin 1990, Geographic Information Systems and Cartographic Modeling (local operations)",
    gives=Gives("raster", "condition_masked"),
    formula="value where the other raster meets the condition, else nodata",
)
def keep_where(
    image_path: Annotated[str, Reads()],
    condition_path: Annotated[str, Reads()],
    threshold: float,
    output_path: Annotated[str, Writes("condition_masked", keeps_role=True)],
    mode: Comparison = "above",
) -> str:
    """Raster of which only the pixels are kept where another raster meets a condition.

    Any statistic of the result is the statistic under the condition; for two conditions, apply it to
    its own result.

    Parameters
    ----------
    image_path : str
        The raster to keep pixels of; its grid, role and unit are kept.
    condition_path : str
        The raster that is compared; resampled onto the first where it stands on another grid.
    threshold : float
        In the unit of ``condition_path``.
    output_path : str
        GeoTIFF to write: nodata where the condition is not met or cannot be told.
    mode : str
        ``above`` (greater), ``below`` (less), ``above_equal``, ``below_equal``, ``equal`` or
        ``not_equal``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band, tested = source(image_path), source(condition_path)
    condition = Condition(mode, threshold)

    def keep(values: NDArray[np.floating], tested: NDArray[np.floating]) -> NDArray[np.floating]:
        return np.where(condition(tested), values, np.nan)

    inputs = {"values": band, "tested": tested}
    met = f"{tested.role or tested.name} {mode} {threshold:g}"
    tags = {CONDITION: met, **class_tags(band)}
    return report_saved(
        map_pixels(
            keep, inputs, output_path, role=band.role or "", unit=band.unit, extra_tags=tags, dated_by=[band]
        )
    )


@tool(
    kit=STATISTICS,
    source="Counting.",
    gives=Gives("raster", "mask"),
    formula="1 where the pixel has a value, 0 where it has none",
)
def mark_valid_pixels(
    image_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("mask")],
) -> str:
    """Mask of the pixels that have a value: 1 where a raster is valid, 0 where its data are missing.

    Parameters
    ----------
    image_path : str
        A raster of any variable; what its nodata value, its mask and its fill values mark is missing.
    output_path : str
        GeoTIFF to write, of the same grid. It has a value everywhere.

    Returns
    -------
    str
        Result saved at PATH.
    """

    def mark(values: NDArray[np.floating]) -> NDArray[np.floating]:
        return np.where(np.isnan(values), 0.0, 1.0)

    return report_saved(
        map_pixels(mark, {"values": source(image_path)}, output_path, role="mask", dtype="uint8")
    )
