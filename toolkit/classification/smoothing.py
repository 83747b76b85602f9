"""Class maps without isolated pixels."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.classification.features import MOST_CLASSES
from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import map_pixels, read_arrays, require_classes, source, write_array
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

LARGEST_RADIUS = 25
Floats = NDArray[np.floating]


@tool(
    kit=CLASSIFICATION,
    source="Lillesand, Kiefer & Chipman 2015, Remote Sensing and Image Interpretation, 7th ed., ch. 7",
    gives=Gives("raster", "classes"),
    formula="the class that most pixels of the window have; the own one where it is among several",
)
def majority_filter(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("classes", "class")],
    radius: int = 1,
) -> str:
    """Class map with each pixel set to the majority of its window.

    Parameters
    ----------
    input_path : str
        A raster of classes 0 to 254.
    output_path : str
        GeoTIFF of bytes to write; nodata stays nodata.
    radius : int
        Of the square window in pixels: 1 is 3 x 3.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not 1 <= radius <= LARGEST_RADIUS:
        raise InputError(f"The argument 'radius' is {radius}.", f"Give 1 to {LARGEST_RADIUS} pixels.")
    band = source(input_path)

    def majority(values: Floats) -> Floats:
        return _majority(values, 2 * radius + 1)

    product = map_pixels(
        majority,
        {"values": band},
        output_path,
        role=band.role or "classes",
        unit="class",
        dtype="uint8",
        halo=radius,
        raw=True,
    )
    return report_saved(product)


@tool(
    kit=CLASSIFICATION,
    source="GDAL/OGR contributors, sieve filter (doi:10.5281/zenodo.5884351)",
    gives=Gives("raster", "classes"),
    formula="groups of connected pixels below the size take the class of their largest neighbour",
)
def sieve_classes(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("classes", "class")],
    minimum_pixels: int = 10,
    diagonal: bool = False,
) -> str:
    """Class map or mask without small patches: each takes the class of its largest neighbour.

    Parameters
    ----------
    input_path : str
        A raster of classes or a mask.
    output_path : str
        GeoTIFF to write; nodata stays nodata and takes nothing.
    minimum_pixels : int
        Patches with fewer pixels go; 2 or more.
    diagonal : bool
        Pixels that touch at a corner belong together.

    Returns
    -------
    str
        Result saved at PATH.
    """
    from rasterio.features import sieve

    if minimum_pixels < 2:
        raise InputError(f"The argument 'minimum_pixels' is {minimum_pixels}.", "Give 2 or more.")
    band = source(input_path)
    arrays, grid = read_arrays({"values": band}, raw=True)
    values = arrays["values"]
    valid = ~np.isnan(values)
    require_classes(band.name, values)
    numbers = np.where(valid, values, 0).astype("int32")
    sieved = numbers
    if minimum_pixels < numbers.size:
        sieved = sieve(numbers, minimum_pixels, mask=valid, connectivity=8 if diagonal else 4)
    kind = "uint8" if not valid.any() or 0 <= numbers.min() <= numbers.max() < 255 else "int32"
    result = np.where(valid, sieved, np.nan)
    product = write_array(
        result, grid, output_path, role=band.role or "classes", unit="class", dtype=kind, inputs=[band]
    )
    return report_saved(product)


def _majority(values: Floats, side: int) -> Floats:
    from scipy.ndimage import uniform_filter

    classes = np.unique(values[~np.isnan(values)])
    if classes.size > MOST_CLASSES:
        raise InputError("The raster has too many different values to be classes.", "Classify it first.")
    best, votes = values.copy(), np.zeros(values.shape)
    for number in classes:
        own = values == number
        # The own class wins a draw.
        count = np.rint(uniform_filter(own.astype(np.float64), side, mode="constant") * side**2) + 0.5 * own
        best, votes = np.where(count > votes, number, best), np.maximum(count, votes)
    return np.where(np.isnan(values), np.nan, best)
