"""Surface temperature where vegetation is above or below a threshold."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, NamedTuple

from treeline.toolkit.batches import each_of
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.raster import conditional_statistics, require_scale, source
from treeline.toolkit.tool import Gives, Reads, tool

LST_ROLES = ("lst", "lst_day", "lst_night")

_DIFFERENCE = (
    "earth_bench counts nodata, takes an unknown mode for 'above' and ignores files it cannot read; science "
    "masks nodata, refuses, and says when no pixel meets the condition"
)


class Selection(NamedTuple):
    """Temperature of the selected pixels of one image."""

    pixels: int
    total: float
    highest: float


@tool(
    kit=INVERSION,
    source="Rouse et al. 1974, NASA SP-351 (NDVI)",
    gives=Gives("number", "conditional_mean", "K"),
    formula="mean of LST over all pixels of all images where NDVI >= threshold (above) or < threshold "
    "(below)",
    difference=_DIFFERENCE,
)
def calculate_mean_lst_by_ndvi(
    red_paths: Annotated[str | list[str], Reads("red")],
    nir_paths: Annotated[str | list[str], Reads("nir", "nir08")],
    lst_paths: Annotated[str | list[str], Reads(*LST_ROLES)],
    ndvi_threshold: float,
    mode: str = "above",
) -> float:
    """Mean surface temperature where NDVI is above or below a threshold, pooled over all images.

    Parameters
    ----------
    red_paths : str or list of str
        Red bands.
    nir_paths : str or list of str
        Near-infrared bands, in the same order.
    lst_paths : str or list of str
        Land surface temperature in K, in the same order.
    ndvi_threshold : float
        Threshold of NDVI.
    mode : str
        ``above`` (at or above the threshold) or ``below``.

    Returns
    -------
    float
        Mean temperature in the unit of the rasters, over all selected pixels alike.
    """
    item = partial(_select, float(ndvi_threshold), _check_mode(mode))
    lists = {"red_paths": _list(red_paths), "nir_paths": _list(nir_paths), "lst_paths": _list(lst_paths)}
    selections = each_of(item, lists, label="LST by NDVI")
    count = sum(selection.pixels for selection in selections)
    if not count:
        raise _no_pixel_error(ndvi_threshold, mode)
    # Pooled: each pixel counts alike, however many of an image are selected.
    return sum(selection.total for selection in selections) / count


@tool(
    kit=INVERSION,
    source="Rouse et al. 1974, NASA SP-351 (NDVI)",
    gives=Gives("number", "conditional_max", "K"),
    formula="maximum of LST where NDVI >= threshold (above) or < threshold (below)",
    difference=_DIFFERENCE,
)
def calculate_max_lst_by_ndvi(
    red_path: Annotated[str, Reads("red")],
    nir_path: Annotated[str, Reads("nir", "nir08")],
    lst_path: Annotated[str, Reads(*LST_ROLES)],
    ndvi_threshold: float,
    mode: str = "above",
) -> float:
    """Highest surface temperature of an image where NDVI is above or below a threshold.

    Parameters
    ----------
    red_path : str
        Red band.
    nir_path : str
        Near-infrared band.
    lst_path : str
        Land surface temperature in K.
    ndvi_threshold : float
        Threshold of NDVI.
    mode : str
        ``above`` (at or above the threshold) or ``below``.

    Returns
    -------
    float
        The maximum in the unit of the raster.
    """
    selection = _select(float(ndvi_threshold), _check_mode(mode), red_path, nir_path, lst_path)
    if not selection.pixels:
        raise _no_pixel_error(ndvi_threshold, mode)
    return selection.highest


_MODES = {
    "above": lambda ndvi, threshold: ndvi >= threshold,
    "below": lambda ndvi, threshold: ndvi < threshold,
}


def _check_mode(mode: str) -> str:
    if mode not in _MODES:
        raise InputError(f"mode: {mode!r} is not known.", f"Use {' or '.join(_MODES)}.")
    return mode


def _select(threshold: float, mode: str, red: str, nir: str, lst: str) -> Selection:
    condition = partial(_meets_threshold, threshold, mode)
    inputs = {"red": source(red, "red"), "nir": source(nir, "nir", "nir08")}
    try:
        found = conditional_statistics(require_scale(source(lst, *LST_ROLES)), condition, inputs)
    except NoValidPixels:
        # An image without such a pixel adds nothing to the mean of all.
        return Selection(0, 0.0, float("nan"))
    return Selection(found.count_valid, found.mean * found.count_valid, found.max)


def _meets_threshold(threshold: float, mode: str, red: Any, nir: Any) -> Any:
    return _MODES[mode]((nir - red) / (nir + red), threshold)


def _list(paths: str | list[str]) -> list[str]:
    return [paths] if isinstance(paths, str) else list(paths)


def _no_pixel_error(threshold: float, mode: str) -> NoValidPixels:
    return NoValidPixels(f"No valid pixel has NDVI {mode} {threshold:g}.", "Use another threshold.")
