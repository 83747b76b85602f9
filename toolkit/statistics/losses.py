"""How much of what was there is lost from one date to another."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import share, source
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, Reads, tool

WATER = ("ndwi", "mndwi")


@tool(
    kit=STATISTICS,
    source="Water where NDWI > 0: McFeeters 1996, Int. J. Remote Sens. 17:1425.",
    gives=Gives("number", "loss_share", "%"),
    formula="100 count(a > 0 and a - b >= drop_ratio a) / count(a > 0)",
)
def calc_severe_water_loss_percentage(
    ndwi_a_path: Annotated[str, Reads(*WATER)],
    ndwi_b_path: Annotated[str, Reads(*WATER)],
    drop_ratio: float = 0.3,
) -> float:
    """Percentage of the water of a first date whose NDWI has dropped severely at a second.

    Parameters
    ----------
    ndwi_a_path : str
        Water index of the earlier date.
    ndwi_b_path : str
        Water index of the later date.
    drop_ratio : float
        Drop that counts, as a fraction of the earlier value: 0.3 is 30 %.

    Returns
    -------
    float
        Percent of the pixels that were water (NDWI above 0) and are valid on both dates.
    """
    if not drop_ratio > 0:
        raise InputError(
            f"The argument 'drop_ratio' is {drop_ratio:g}.", "Give a fraction above 0, such as 0.3."
        )

    def find_drops(before: NDArray[np.floating], after: NDArray[np.floating]) -> NDArray[np.bool_]:
        return before - after >= drop_ratio * before

    inputs = {"before": source(ndwi_a_path, *WATER), "after": source(ndwi_b_path, *WATER)}
    was_water = share(lambda before, after: before > 0, inputs)
    if not was_water.met:
        raise InputError(
            "No pixel of 'ndwi_a_path' that is valid on both dates was water.", "Choose another date."
        )
    lost = share(lambda before, after: (before > 0) & find_drops(before, after), inputs)
    return 100.0 * lost.met / was_water.met
