"""Conditions on several bands of one image."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Share, Source, share, source
from treeline.toolkit.statistics.conditions import Comparison, Condition, band_at
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, Reads, tool

BandConditions = list[tuple[int | str, float, Comparison]]


@tool(
    kit=STATISTICS,
    source="Counting.",
    gives=Gives("number", "share", "%"),
    formula="100 count(all conditions) / count(valid in all bands asked)",
    difference="Science counts pixels that are valid in all the bands; earth_bench in the first one asked.",
)
def calculate_multi_band_threshold_ratio(
    image_path: Annotated[str, Reads()], band_conditions: BandConditions
) -> float:
    """Percentage of pixels of a multi-band image that meet a condition in each of several bands.

    Parameters
    ----------
    image_path : str
        A raster of several bands.
    band_conditions : list
        ``[band, threshold, comparison]`` for each band: its index from 0, or its name or role as
        text; ``above``, ``below``, ``above_equal``, ``below_equal``, ``equal`` or ``not_equal``.

    Returns
    -------
    float
        Percent of the pixels that are valid in all the bands.
    """
    return _share_of_all(image_path, band_conditions).percent


@tool(
    kit=STATISTICS,
    source="Counting.",
    gives=Gives("number", "count", "1"),
    formula="count(all conditions)",
    difference="Science counts pixels that are valid in all the bands.",
)
def count_pixels_satisfying_conditions(
    image_path: Annotated[str, Reads()], band_conditions: BandConditions
) -> int:
    """Number of pixels of a multi-band image that meet a condition in each of several bands.

    Parameters
    ----------
    image_path : str
        A raster of several bands.
    band_conditions : list
        ``[band, threshold, comparison]`` for each band: its index from 0, or its name or role as
        text; ``above``, ``below``, ``above_equal``, ``below_equal``, ``equal`` or ``not_equal``.

    Returns
    -------
    int
        Number of pixels.
    """
    return _share_of_all(image_path, band_conditions).met


def _share_of_all(address: str, conditions: BandConditions) -> Share:
    if not conditions:
        raise InputError("The argument 'band_conditions' is empty.", "Give such as [[0, 0.5, 'above']].")
    bands = {f"band_{n}": _band(address, band) for n, (band, _, _) in enumerate(conditions)}
    tests = {f"band_{n}": Condition(how, limit) for n, (_, limit, how) in enumerate(conditions)}

    def meets_all(**arrays: NDArray[np.floating]) -> NDArray[np.bool_]:
        return np.logical_and.reduce([tests[name](values) for name, values in arrays.items()])

    return share(meets_all, bands)


def _band(address: str, band: int | str) -> Source:
    return source(f"{address}#{band}") if isinstance(band, str) else band_at(address, band, "band_conditions")
