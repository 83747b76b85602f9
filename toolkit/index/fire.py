"""Active fire masks and shares of binary maps."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from treeline.toolkit.batches import each_of
from treeline.toolkit.errors import InputError
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.raster import map_pixels, share, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=INDEX,
    source="Giglio et al. 2016, Remote Sens. Environ. 178:31 (fire radiative power product)",
    gives=Gives("raster", "fire_mask"),
    formula="1 where FRP > threshold, 0 elsewhere, 255 without data",
    difference="earth_bench writes 255 for fire and 0 as nodata, so that land without fire reads as missing; "
    "science writes 1 for fire, 0 for none and 255 for no data",
    parameter_aliases={"input_frp_path": "input_frp_paths", "output_path": "output_paths"},
)
def calculate_batch_frp(
    input_frp_paths: Annotated[list[str], Reads("frp")],
    output_paths: Annotated[list[str], Writes("fire_mask")],
    fire_threshold: float = 0,
) -> list[str]:
    """Fire mask of each raster of fire radiative power (FRP): 1 where it exceeds a threshold.

    Parameters
    ----------
    input_frp_paths : list of str
        Fire radiative power in MW.
    output_paths : list of str
        Where to write each mask.
    fire_threshold : float
        Pixels above it are fire, in MW.

    Returns
    -------
    list of str
        ``Result saved at PATH`` per raster.
    """
    lists = {"input_frp_paths": input_frp_paths, "output_paths": output_paths}
    return each_of(partial(_one_mask, fire_threshold), lists, label="fire mask")


def _one_mask(threshold: float, frp: str, output: str) -> str:
    inputs = {"frp": source(frp, "frp")}
    product = map_pixels(
        partial(_above, threshold), inputs, output, role="fire_mask", unit="class", dtype="uint8"
    )
    return report_saved(product)


def _above(threshold: float, frp: Any) -> Any:
    return frp > threshold


@tool(
    kit=INDEX,
    source="Feng et al. 2025, Earth-Agent, arXiv:2509.23141 (definition of the tool)",
    gives=Gives("number", "share", "1"),
    formula="count(value is 1) / count(valid)",
    difference="earth_bench counts nodata as valid and gives 0 for a mask of 0 and 255; science masks "
    "nodata, takes 255 for 1 in such a mask, and refuses a map that is not binary",
)
def calc_extreme_snow_loss_percentage_from_binary_map(binary_map_path: Annotated[str, Reads()]) -> float:
    """Fraction (0 to 1) of a binary map that is 1, such as the extent of extreme snow loss.

    Parameters
    ----------
    binary_map_path : str
        A map of 0 and 1, or of 0 and 255.

    Returns
    -------
    float
        Fraction of the valid pixels, 0 to 1 (times 100 for percent).
    """
    inputs = {"value": source(binary_map_path)}
    neither = share(lambda value: (value != 0) & (value != 1) & (value != 255), inputs)
    if neither.met:
        raise InputError(
            f"binary_map_path: {neither.met} of {neither.valid} pixels of {binary_map_path} are neither 0, 1 "
            "nor 255.",
            "Give a binary map, or count with calculate_threshold_ratio.",
        )
    return share(lambda value: value != 0, inputs).fraction
