"""Classes by thresholds: given ones, and those that a histogram suggests."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.thresholding import histogram, otsu_of_histogram
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Writes, tool

OTSU = "Otsu 1979, IEEE Trans. Syst. Man Cybern. 9:62"
Floats = NDArray[np.floating]


@tool(
    kit=CLASSIFICATION,
    source=OTSU,
    gives=Gives("number", "threshold", OF_INPUT),
    formula="t that maximises the variance between the pixels up to t and above t",
)
def otsu_threshold(input_path: Annotated[str, Reads()]) -> float:
    """Otsu's threshold: the value that best separates a raster into two groups of pixels.

    Parameters
    ----------
    input_path : str
        A raster with two populations, such as an index over water and land; clip it so that both have a
        good share.

    Returns
    -------
    float
        In the unit of the raster, good to a thousandth of its range.
    """
    return otsu_of_histogram(*histogram(source(input_path)))


@tool(
    kit=CLASSIFICATION,
    source=OTSU,
    gives=Gives("raster", "mask"),
    formula="1 above Otsu's threshold (or up to it), else 0",
)
def otsu_mask(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("mask", "class")],
    above: bool = True,
) -> str:
    """Mask by Otsu's threshold: 1 where a raster is above it, else 0.

    Parameters
    ----------
    input_path : str
        A raster with two populations.
    output_path : str
        GeoTIFF of bytes to write; 255 nodata. The threshold is kept in its tags.
    above : bool
        False marks the pixels that are not above the threshold.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(input_path)
    limit = otsu_of_histogram(*histogram(band))

    def mark(values: Floats) -> NDArray[np.bool_]:
        return (values > limit) == above

    product = map_pixels(
        mark,
        {"values": band},
        output_path,
        role="mask",
        unit="class",
        dtype="uint8",
        extra_tags={"TREELINE_THRESHOLD": f"{limit:.6g}"},
    )
    return report_saved(product)


@tool(
    kit=CLASSIFICATION,
    source=OTSU + "; several classes: Liao, Chen & Chung 2001, J. Inf. Sci. Eng. 17:713",
    gives=Gives("raster", "classes"),
    formula="thresholds that maximise the variance between the classes",
)
def multi_otsu_classes(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("classes", "class")],
    classes: int = 3,
) -> dict[str, Any]:
    """Classes of a raster by several thresholds of Otsu, from low (1) to high.

    Parameters
    ----------
    input_path : str
        A raster.
    output_path : str
        GeoTIFF of bytes to write; 255 nodata.
    classes : int
        2 to 5.

    Returns
    -------
    dict
        ``result`` and ``thresholds`` in the unit of the raster.
    """
    from skimage.filters import threshold_multiotsu

    if not 2 <= classes <= 5:
        raise InputError(f"The argument 'classes' is {classes}.", "Give 2 to 5.")
    band = source(input_path)
    counts, edges = histogram(band, 256)
    if np.count_nonzero(counts) < classes:
        raise InputError(f"{band.name} has fewer than {classes} different values.", "Give fewer 'classes'.")
    # Upper edges instead of centres: a limit is then the largest value of the class below it.
    limits = [float(t) for t in threshold_multiotsu(hist=(counts, edges[1:]), classes=classes)]
    product = map_pixels(
        _Cut(limits),
        {"values": band},
        output_path,
        role="classes",
        unit="class",
        dtype="uint8",
        extra_tags={"TREELINE_THRESHOLD": ", ".join(f"{limit:.6g}" for limit in limits)},
    )
    return {"result": report_saved(product), "thresholds": limits}


@tool(
    kit=CLASSIFICATION,
    source="Density slicing.",
    gives=Gives("raster", "mask"),
    formula="1 where minimum <= value <= maximum, else 0",
)
def threshold_mask(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("mask", "class")],
    minimum: float | None = None,
    maximum: float | None = None,
) -> str:
    """Mask of the pixels whose value lies between two limits, both included.

    Parameters
    ----------
    input_path : str
        A raster.
    output_path : str
        GeoTIFF of bytes to write: 1 within, 0 outside, 255 nodata.
    minimum : float, optional
        In the unit of the raster.
    maximum : float, optional
        In the unit of the raster.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if minimum is None and maximum is None:
        raise InputError("Neither 'minimum' nor 'maximum' is given.", "Give one of them or both.")
    low = -math.inf if minimum is None else minimum
    high = math.inf if maximum is None else maximum
    if not low <= high:
        raise InputError(f"The arguments 'minimum' and 'maximum' are {low:g} and {high:g}.", "Swap them.")

    def within(values: Floats) -> NDArray[np.bool_]:
        return (values >= low) & (values <= high)

    band = source(input_path)
    return report_saved(
        map_pixels(within, {"values": band}, output_path, role="mask", unit="class", dtype="uint8")
    )


@tool(
    kit=CLASSIFICATION,
    source="Density slicing.",
    gives=Gives("raster", "classes"),
    formula="class 1 below the first limit, 2 from the first limit, and so on",
)
def reclassify_raster(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("classes", "class")],
    limits: list[float] | None = None,
    mapping: dict[str, int] | None = None,
) -> str:
    """Classes of a raster by rising limits, or other numbers for its classes.

    Parameters
    ----------
    input_path : str
        A raster of quantities or classes.
    output_path : str
        GeoTIFF to write.
    limits : list of float, optional
        Rising limits; a value on a limit belongs to the class above it. Classes are numbered from 1.
    mapping : dict, optional
        Instead: old class as text to new class (0 to 254), such as ``{"3": 1, "4": 1}``; the others become
        nodata.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if (limits is None) == (mapping is None):
        raise InputError("Either 'limits' or 'mapping' must be given.", "Give one of them.")
    change = _Slices(limits) if limits is not None else _NewNumbers(mapping or {})
    band = source(input_path)
    product = map_pixels(change, {"values": band}, output_path, role="classes", unit="class", dtype="uint8")
    return report_saved(product)


class _Cut:
    """Classes from 1; a value on a limit belongs to the class below."""

    def __init__(self, limits: list[float]) -> None:
        self.limits = np.asarray(limits)

    def __call__(self, values: Floats) -> Floats:
        return np.where(np.isnan(values), np.nan, np.digitize(values, self.limits, right=True) + 1)


class _Slices:
    """Classes from 1; a value on a limit belongs to the class above."""

    def __init__(self, limits: list[float]) -> None:
        if (
            not limits
            # Classes are bytes whose 255 is nodata: 253 limits make 254 classes.
            or len(limits) > 253
            or not all(a < b for a, b in zip(limits, limits[1:], strict=False))
        ):
            raise InputError(f"The argument 'limits' is {limits[:8]}.", "Give rising numbers.")
        self.limits = np.asarray(limits)

    def __call__(self, values: Floats) -> Floats:
        # In the pixels' own precision: 0.1 of 32 bits lies above 0.1 of 64 bits and would change its class.
        limits = self.limits.astype(values.dtype)
        return np.where(np.isnan(values), np.nan, np.digitize(values, limits) + 1)


class _NewNumbers:
    """New numbers for classes."""

    def __init__(self, mapping: dict[str, int]) -> None:
        try:
            pairs = {float(old): new for old, new in mapping.items()}
        except ValueError:
            raise InputError(
                f"A key of 'mapping' is no number: {list(mapping)[:8]}.", "Give {'3': 1}."
            ) from None
        if not pairs or not all(0 <= new <= 254 for new in pairs.values()):
            raise InputError("The argument 'mapping' must lead to classes 0 to 254.", "Give {'3': 1}.")
        self.pairs = pairs

    def __call__(self, values: Floats) -> Floats:
        found = np.full(values.shape, np.nan, dtype="float32")
        for old, new in self.pairs.items():
            found[values == old] = new
        return found
