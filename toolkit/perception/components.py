"""Counting the separate objects of a mask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.perception.kit import PERCEPTION
from treeline.toolkit.perception.picture import Mask
from treeline.toolkit.raster import bands_of, read_arrays
from treeline.toolkit.tool import Gives, Reads, tool

NEIGHBOURS: Mapping[int, NDArray[np.bool_]] = {
    4: np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=bool),
    8: np.ones((3, 3), dtype=bool),
}


@tool(
    kit=PERCEPTION,
    source="Rosenfeld & Pfaltz 1966, J. ACM 13:471 (connected components).",
    gives=Gives("number", "count_objects", "1"),
    formula="number of connected components of v != 0",
)
def count_connected_components(
    image_path: Annotated[str, Reads()],
    connectivity: Literal[4, 8] = 8,
    minimum_size: int = 1,
    threshold: float = 0.0,
) -> int:
    """Count the separate objects (connected components) of a mask.

    Parameters
    ----------
    image_path : str
        A mask: objects are above 0. Of several bands a pixel counts where any of them is.
    connectivity : int
        4: pixels that share a side belong together; 8: also those that share a corner.
    minimum_size : int
        Smaller objects are not counted; in pixels.
    threshold : float
        Objects are above it; 127 for a grey picture.

    Returns
    -------
    int
        Number of objects.
    """
    if minimum_size < 1:
        raise InputError(f"The argument 'minimum_size' is {minimum_size}.", "Give 1 or more pixels.")
    sizes = component_sizes(objects_of(image_path, threshold), connectivity)
    return int((sizes >= minimum_size).sum())


@tool(
    kit=PERCEPTION,
    source="Zhang & Suen 1984, Commun. ACM 27:236 (skeleton).",
    gives=Gives("number", "count_objects", "1"),
    formula="number of outer contours of the skeleton of v != 0, after erosion",
    difference="Science takes every value above 0 as object and erodes only when asked; earth_bench takes "
    "grey values above 127 and erodes once by 3 x 3, which removes thin and small objects.",
)
def count_skeleton_contours(
    image_path: Annotated[str, Reads()], erosion: int = 0, threshold: float = 0.0
) -> int:
    """Count the objects of a mask by the outer contours of their skeletons; nested ones count once.

    Parameters
    ----------
    image_path : str
        A mask: objects are above 0. Of several bands a pixel counts where any of them is.
    erosion : int
        How often to erode by 3 x 3 pixels first: parts objects that touch, and loses thin ones.
    threshold : float
        Objects are above it; 127 for a grey picture.

    Returns
    -------
    int
        Number of objects.
    """
    if erosion < 0:
        raise InputError(f"The argument 'erosion' is {erosion}.", "Give 0 or more.")
    objects = objects_of(image_path, threshold)
    before = len(component_sizes(objects))
    left = erode(objects, erosion)
    if before and not left.any():
        current_context().warn(f"The erosion removed all {before} objects; use a smaller 'erosion'.")
    return count_outer_contours(skeleton(left))


def objects_of(address: str, threshold: float) -> Mask:
    """Return where any band of a mask is above a threshold; nodata is no object.

    Raises
    ------
    NoValidPixels
        Every pixel is masked.
    """
    origins = bands_of(address)
    found = np.zeros(origins[0].grid.shape, dtype=bool)
    valid = np.zeros_like(found)
    for origin in origins:
        values = read_arrays({"values": origin})[0]["values"]
        found |= values > threshold
        valid |= ~np.isnan(values)
    if not valid.any():
        raise NoValidPixels(f"No pixel of {origins[0].path.name} is valid.", "Check its nodata value.")
    return found


def component_sizes(mask: Mask, connectivity: int = 8) -> NDArray[np.int64]:
    """Return the number of pixels of each connected component."""
    from scipy import ndimage

    labels, _ = ndimage.label(mask, structure=NEIGHBOURS[connectivity])
    # Label 0 is the background.
    return np.bincount(labels.ravel())[1:]


def erode(mask: Mask, times: int) -> Mask:
    """Return a mask eroded by 3 x 3 pixels; beyond its border everything counts as object."""
    from scipy import ndimage

    if not times:
        return mask
    return ndimage.binary_erosion(mask, structure=NEIGHBOURS[8], iterations=times, border_value=1)


def skeleton(mask: Mask) -> Mask:
    """Return the skeleton of a mask, one pixel wide."""
    from skimage.morphology import skeletonize

    return skeletonize(mask)


def count_outer_contours(mask: Mask) -> int:
    """Return how many components (8 neighbours) do not lie inside a hole of another."""
    from scipy import ndimage

    filled = ndimage.binary_fill_holes(mask)
    return int(ndimage.label(filled, structure=NEIGHBOURS[8])[1])


def grey(bands: NDArray[Any]) -> NDArray[np.float64]:
    """Return the luminance of a picture (bands, rows, columns): ITU-R BT.601; one band as it is."""
    if len(bands) < 3:
        return bands[0].astype(np.float64)
    return np.rint(np.tensordot([0.299, 0.587, 0.114], bands[:3].astype(np.float64), axes=1))
