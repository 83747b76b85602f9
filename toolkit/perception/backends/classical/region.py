"""The object in a box by watershed from markers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.perception.picture import Box, Mask, Picture

# Of the box, on each side: what is certainly background has to be seen around the object.
MARGIN = 0.25
# Of the box, in its middle: what is taken for the object with certainty.
CORE = 0.2
BACKGROUND, OBJECT = 1, 2


class Watershed:
    """Grows the middle of the box and its surroundings until they meet at an edge.

    Marker-controlled watershed (Meyer & Beucher 1990, J. Vis. Commun. Image Represent. 1:21) on the
    gradient of CIELAB colours.
    """

    name = "classical: watershed from the middle of the box"

    def segment(self, picture: Picture, boxes: Sequence[Box]) -> Mask:
        """Return the pixels of the objects in the boxes."""
        mask = np.zeros(picture.shape, dtype=bool)
        for box in boxes:
            current_context().check_stop()
            rows, columns = _around(box, picture.shape)
            inner = tuple(
                int(round(value)) - start
                for value, start in zip(box, (columns.start, rows.start) * 2, strict=True)
            )
            mask[rows, columns] |= _object_in(picture.pixels[rows, columns], inner)
        return mask & picture.valid


def _object_in(pixels: np.ndarray, box: tuple[int, ...]) -> Mask:
    from skimage.color import rgb2lab
    from skimage.filters import sobel
    from skimage.segmentation import watershed

    x1, y1, x2, y2 = box
    inside = np.zeros(pixels.shape[:2], dtype=bool)
    inside[y1:y2, x1:x2] = True
    colours = rgb2lab(pixels)
    edges = np.sqrt(sum(sobel(colours[..., layer]) ** 2 for layer in range(3)))
    markers = np.where(inside, 0, BACKGROUND)
    if inside.all():
        markers[[0, -1], :] = markers[:, [0, -1]] = BACKGROUND
    across, down = (max(1, int(CORE * length)) for length in (x2 - x1, y2 - y1))
    left, top = (x1 + x2 - across) // 2, (y1 + y2 - down) // 2
    markers[top : top + down, left : left + across] = OBJECT
    return (watershed(edges, markers) == OBJECT) & inside


def _around(box: Box, shape: tuple[int, int]) -> tuple[slice, slice]:
    x1, y1, x2, y2 = box
    across, down = max(2.0, MARGIN * (x2 - x1)), max(2.0, MARGIN * (y2 - y1))
    rows = slice(max(0, int(y1 - down)), min(shape[0], int(np.ceil(y2 + down))))
    return rows, slice(max(0, int(x1 - across)), min(shape[1], int(np.ceil(x2 + across))))
