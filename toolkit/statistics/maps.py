"""Rasters from rasters by arithmetic, and by a threshold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.batches import each_of
from treeline.toolkit.context import Product
from treeline.toolkit.decibels import check_statistics
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, map_pixels, reduce_pixels, source, sources
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.conditions import Comparison, Condition, files_of
from treeline.toolkit.statistics.images import WHITE
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Variable, Writes, tool

Function = Callable[..., NDArray[Any]]
Floats = NDArray[np.floating[Any]]
ZONE_VALUES = Variable("zone_values", "Values of zones", OF_INPUT)
NODATA = (
    "Science honours nodata, scale and georeference; earth_bench counts nodata as data and takes all bands."
)


@tool(
    kit=STATISTICS,
    source="Arithmetic mean per pixel.",
    gives=Gives("raster", "mean"),
    formula="sum over the images / number of images valid at the pixel",
    difference=NODATA + " Science averages over the images that are valid at a pixel.",
    parameter_aliases={"output_filename": "output_path"},
)
def calculate_tif_average(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("mean", keeps_role=True)],
    uint8: bool = False,
) -> str:
    """Mean raster of several rasters: at each pixel the mean over the images that are valid there.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable; the first decides the grid.
    output_path : str
        GeoTIFF to write.
    uint8 : bool
        Stretch the result to 0..254 from its minimum to its maximum and store it as bytes, 255 without data.

    Returns
    -------
    str
        Result saved at PATH.
    """
    stack = sources(files_of(file_list, "file_list"))
    check_statistics(stack, "mean")
    return report_saved(
        write_map(mean_of_stack, {"stack": stack}, output_path, common_role(stack), stack[0].unit, uint8)
    )


@tool(
    kit=STATISTICS,
    source="Difference per pixel.",
    gives=Gives("raster", "difference"),
    formula="image_b - image_a",
    difference=NODATA,
)
def calculate_tif_difference(
    image_a_path: Annotated[str, Reads()],
    image_b_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("difference", OF_INPUT)],
    uint8: bool = False,
) -> str:
    """Change raster b - a: the second image less the first.

    Mind the order: ``subtract`` gives the first less the second.

    Parameters
    ----------
    image_a_path : str
        The earlier raster, which is subtracted; its grid is used.
    image_b_path : str
        The later raster, of the same variable.
    output_path : str
        GeoTIFF to write.
    uint8 : bool
        Stretch the result to 0..254 from its minimum to its maximum and store it as bytes, 255 without data.

    Returns
    -------
    str
        Result saved at PATH.
    """
    inputs = {"a": source(image_a_path), "b": source(image_b_path)}
    return report_saved(write_map(_b_less_a, inputs, output_path, "difference", inputs["a"].unit, uint8))


@tool(
    kit=STATISTICS,
    source="Difference per pixel.",
    gives=Gives("raster", "difference"),
    formula="img1 - img2",
    difference=NODATA,
)
def subtract(
    img1_path: Annotated[str, Reads()],
    img2_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("difference", OF_INPUT)],
) -> str:
    """Difference raster 1 - 2: the first image less the second.

    Mind the order: ``calculate_tif_difference`` gives the second less the first.

    Parameters
    ----------
    img1_path : str
        The raster from which the other is subtracted; its grid is used.
    img2_path : str
        The raster that is subtracted.
    output_path : str
        GeoTIFF to write.

    Returns
    -------
    str
        Result saved at PATH.
    """
    inputs = {"b": source(img1_path), "a": source(img2_path)}
    return report_saved(write_map(_b_less_a, inputs, output_path, "difference", inputs["b"].unit))


@tool(
    kit=STATISTICS,
    source="Threshold.",
    gives=Gives("raster", "mask"),
    formula="1 where v < threshold, 0 where not",
    difference="Science writes a byte mask and can also mark what lies above; earth_bench writes floats.",
)
def calc_batch_image_hotspot_tif(
    file_list: Annotated[list[str], Reads()],
    threshold: float,
    output_path_list: Annotated[list[str], Writes("mask")],
    uint8: bool = False,
    mode: Comparison = "below",
) -> list[str]:
    """Mask of each image: 1 where it lies below a threshold, 0 elsewhere.

    Below, unlike ``calc_batch_image_hotspot_percentage``, which counts what lies above: it serves
    burned areas in NBR and the like.

    Parameters
    ----------
    file_list : list of str
        Rasters.
    threshold : float
        In the unit of the rasters, or of 0..255 with ``uint8``.
    output_path_list : list of str
        GeoTIFFs to write, one per raster.
    uint8 : bool
        Stretch each image to 0..255 from its minimum to its maximum first.
    mode : str
        ``below`` (less), ``above`` (greater), ``above_equal``, ``below_equal``, ``equal`` or
        ``not_equal``.

    Returns
    -------
    list of str
        Result saved at PATH, for each image.
    """
    one = partial(_mask_of, condition=Condition(mode, threshold), uint8=uint8)
    return each_of(one, {"file_list": file_list, "output_path_list": output_path_list}, label="mask")


def write_map(
    function: Function, inputs: Mapping[str, Any], output: str, role: str, unit: str, uint8: bool = False
) -> Product:
    """Write a function of rasters, stretched to bytes if so wanted."""
    if not uint8:
        return map_pixels(function, inputs, output, role=role, unit=unit)
    low, high = extent(function, inputs)
    return map_pixels(_stretch(function, low, high), inputs, output, role=role, unit="1", dtype="uint8")


def extent(function: Function, inputs: Mapping[str, Any]) -> tuple[float, float]:
    """Return the smallest and the largest value of a function of rasters; infinities where it has none."""

    def of_block(**arrays: NDArray[np.floating]) -> tuple[float, float]:
        values = function(**arrays)
        there = values[np.isfinite(values)]
        return (float(there.min()), float(there.max())) if there.size else (np.inf, -np.inf)

    return reduce_pixels(of_block, lambda a, b: (min(a[0], b[0]), max(a[1], b[1])), inputs, label="extent")


def mean_of_stack(stack: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the mean over the images that are valid at a pixel, NaN where none is.

    Parameters
    ----------
    stack : ndarray
        (images, rows, columns); NaN where an image has no value.
    """
    there = ~np.isnan(stack)
    total = np.where(there, stack, 0).sum(axis=0, dtype=np.float64)
    return total / np.where(there.any(axis=0), there.sum(axis=0), np.nan)


def common_role(origins: Sequence[Source]) -> str:
    """Return the role that rasters share, or an empty one where they differ or nobody knows."""
    roles = {origin.role for origin in origins}
    role = roles.pop() if len(roles) == 1 else None
    return role or ""


def _b_less_a(a: NDArray[np.floating], b: NDArray[np.floating]) -> NDArray[np.floating]:
    return b - a


def _identity(values: NDArray[np.floating]) -> NDArray[np.floating]:
    return values


def _stretch(function: Function, low: float, high: float) -> Function:
    # 255 is the nodata of bytes, so that the brightest valid value is 254.
    factor = (WHITE - 1) / (high - low) if high > low else 0.0
    return lambda **arrays: (function(**arrays) - low) * factor


def _mask_of(address: str, output: str, condition: Condition, uint8: bool) -> str:
    inputs = {"values": source(address)}
    if uint8:
        low, high = extent(_identity, inputs)
        # The threshold is one of bytes: it is taken back to the values, so that nothing is rounded to bytes.
        condition = Condition(condition.comparison, low + condition.threshold / WHITE * (high - low))
    return report_saved(map_pixels(condition, inputs, output, role="mask", dtype="uint8"))


@tool(
    kit=STATISTICS,
    source="Tomlin 1990, Geographic Information Systems and Cartographic Modeling (zonal operations)",
    gives=Gives("raster", "zone_values"),
    formula="the value of the class or zone in which the pixel lies",
)
def map_values_of_classes(
    classes_path: Annotated[str, Reads()],
    values: dict[str, float | None],
    output_path: Annotated[str, Writes("zone_values", OF_INPUT, declares=(ZONE_VALUES,))],
    role: str = "zone_values",
    unit: str = "",
) -> str:
    """Raster in which each pixel has the value of its class or zone, such as the mean NDVI of its parcel.

    Parameters
    ----------
    classes_path : str
        A raster of whole numbers: classes, or numbered zones.
    values : dict
        Class number as text to value, such as ``{"1": 0.42, "3": 0.61}``, as ``statistics_by_class`` gives
        them; the pixels of other classes, and of those with null, become nodata.
    output_path : str
        GeoTIFF to write.
    role : str
        What the values are, such as ``ndvi``.
    unit : str
        Their unit.

    Returns
    -------
    str
        Result saved at PATH.
    """
    known = _numbers_of(values)
    numbers = np.asarray(sorted(known))
    told = np.asarray([known[number] for number in numbers])

    def of_block(classes: Floats) -> Floats:
        place = np.searchsorted(numbers, classes).clip(max=numbers.size - 1)
        return np.where(numbers[place] == classes, told[place], np.nan)

    return report_saved(
        map_pixels(of_block, {"classes": source(classes_path)}, output_path, role=role, unit=unit)
    )


def _numbers_of(values: Mapping[str, float | None]) -> dict[float, float]:
    try:
        known = {float(key): value for key, value in values.items() if value is not None}
    except ValueError:
        raise InputError(f"A key of 'values' is no number: {list(values)[:8]}.", "Give {'3': 0.6}.") from None
    if not known:
        raise InputError("The argument 'values' holds no value.", "Give {'3': 0.6}.")
    return known
