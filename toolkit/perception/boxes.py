"""Boxes around objects, and points: plain geometry in pixels.

A box is ``x1, y1, x2, y2``: left, top, right and bottom, x from left to right and y downwards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.perception.kit import PERCEPTION
from treeline.toolkit.tool import OF_INPUT, Gives, tool

Numbers = list[float]
Boxes = list[Numbers] | Numbers
Distance = list[int | float]

ROWS_AT_ONCE = 512


@tool(
    kit=PERCEPTION,
    source="Plane geometry.",
    gives=Gives("boxes", "expanded_boxes", "px"),
    formula="x1 - r / gsd, y1 - r / gsd, x2 + r / gsd, y2 + r / gsd",
    difference="Science can cut the boxes at the border of the image; the formula is the same.",
)
def bbox_expansion(
    bboxes: Boxes, radius: float, gsd: float, width: int | None = None, height: int | None = None
) -> list[Numbers]:
    """Grow boxes on every side by a distance on the ground.

    Parameters
    ----------
    bboxes : list of list of float
        Boxes x1, y1, x2, y2 in pixels.
    radius : float
        Distance in metres; a negative one shrinks the boxes.
    gsd : float
        Ground sampling distance: the side of a pixel in metres.
    width : int, optional
        Width of the image in pixels; boxes are cut at it and at 0.
    height : int, optional
        Height of the image in pixels; boxes are cut at it and at 0.

    Returns
    -------
    list of list of float
        The boxes in their order.
    """
    pixels = radius / _positive(gsd, "gsd")
    grown = as_boxes(bboxes) + np.array([-pixels, -pixels, pixels, pixels])
    if (grown[:, :2] > grown[:, 2:]).any():
        raise InputError(
            f"The argument 'radius' is {radius:g} m; a box would shrink to nothing.",
            "Give a smaller distance.",
        )
    for size, columns in ((width, [0, 2]), (height, [1, 3])):
        if size is not None:
            grown[:, columns] = grown[:, columns].clip(0, size)
    return grown.tolist()


@tool(
    kit=PERCEPTION,
    source="Plane geometry.",
    gives=Gives("table", "centroids", "px"),
    formula="((x1 + x2) / 2, (y1 + y2) / 2)",
    difference="earth_bench rounds to single precision.",
)
def bboxes2centroids(bboxes: Boxes) -> list[Numbers]:
    """Centre (x, y) of each box.

    Parameters
    ----------
    bboxes : list of list of float
        Boxes x1, y1, x2, y2 in pixels.

    Returns
    -------
    list of list of float
        Points x, y in the order of the boxes.
    """
    boxes = as_boxes(bboxes)
    return ((boxes[:, :2] + boxes[:, 2:]) / 2).tolist()


@tool(
    kit=PERCEPTION,
    source="Plane geometry.",
    gives=Gives("value", "distance_extremes", "px"),
    formula="sqrt((xi - xj)^2 + (yi - yj)^2), smallest and largest over all pairs",
    difference="Science needs two points; earth_bench answers infinite distances for one.",
)
def centroid_distance_extremes(centroids: list[Numbers]) -> dict[str, Distance]:
    """Closest and farthest pair among points, with their distance.

    Parameters
    ----------
    centroids : list of list of float
        At least two points x, y, such as ``bboxes2centroids`` gives.

    Returns
    -------
    dict
        ``min`` and ``max``, each ``[i, j, distance]``: the indices of the two points, counted from
        0, and their distance in the points' unit (pixels; multiply by the ground sampling distance
        for metres).
    """
    points = as_points(centroids)
    if len(points) < 2:
        raise InputError(
            "The argument 'centroids' holds one point; a distance needs two.", "Give at least two points."
        )
    return distance_extremes(points)


@tool(
    kit=PERCEPTION,
    source="Plane geometry.",
    gives=Gives("number", "box_area", OF_INPUT),
    formula="sum of (x2 - x1) (y2 - y1) gsd^2",
    difference="None: the expert answers of the benchmark take x1, y1, x2, y2 as well, though its tool "
    "multiplied the third and the fourth number.",
)
def calculate_bbox_area(bboxes: Boxes, gsd: float | None = None) -> float:
    """Total area of boxes, in square metres where the size of a pixel is given.

    Ground that boxes share is counted for each of them.

    Parameters
    ----------
    bboxes : list of list of float
        Boxes x1, y1, x2, y2 in pixels (not x, y, width, height).
    gsd : float, optional
        Ground sampling distance: the side of a pixel in metres. Without it the result is in pixels.

    Returns
    -------
    float
        The sum of the areas.
    """
    boxes = as_boxes(bboxes)
    area = float(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1).sum())
    return area if gsd is None else area * _positive(gsd, "gsd") ** 2


def as_boxes(bboxes: Boxes, name: str = "bboxes") -> NDArray[np.float64]:
    """Return boxes as an array (n, 4); one box alone will do.

    Raises
    ------
    InputError
        There is none, a number is missing, or the corners are not in order.
    """
    boxes = _table(bboxes, 4, name, "x1, y1, x2, y2")
    turned = np.flatnonzero((boxes[:, 2] < boxes[:, 0]) | (boxes[:, 3] < boxes[:, 1]))
    if turned.size:
        found = [float(f"{value:g}") for value in boxes[turned[0]]]
        raise InputError(
            f"In the argument {name!r} the box {turned[0]} is {found}, whose right or bottom is before its "
            "left or top.",
            "Boxes are x1, y1, x2, y2; from x, y, width, height make x, y, x + width, y + height.",
        )
    return boxes


def as_points(points: list[Numbers], name: str = "centroids") -> NDArray[np.float64]:
    """Return points as an array (n, 2).

    Raises
    ------
    InputError
        There is none, or a number is missing.
    """
    return _table(points, 2, name, "x, y")


def distance_extremes(points: NDArray[np.float64]) -> dict[str, Distance]:
    """Return the closest and the farthest pair; the first of several, memory linear in the points."""
    from scipy.spatial.distance import cdist

    nearest, farthest = (0, 0, np.inf), (0, 0, -np.inf)
    for start in range(0, len(points), ROWS_AT_ONCE):
        distances = cdist(points[start : start + ROWS_AT_ONCE], points)
        rows = np.arange(len(distances))
        # A point is no partner of itself.
        distances[rows, start + rows] = np.inf
        nearest = min(nearest, _extreme(distances, start, np.argmin), key=lambda pair: pair[2])
        distances[rows, start + rows] = -np.inf
        farthest = max(farthest, _extreme(distances, start, np.argmax), key=lambda pair: pair[2])
    return {"min": list(nearest), "max": list(farthest)}


def _extreme(distances: NDArray[np.float64], start: int, search: object) -> tuple[int, int, float]:
    row, column = np.unravel_index(search(distances), distances.shape)  # type: ignore[operator]
    return int(row) + start, int(column), float(distances[row, column])


def _table(rows: object, columns: int, name: str, meaning: str) -> NDArray[np.float64]:
    hint = f"Give a list of lists of {columns} numbers: {meaning}."
    try:
        table = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"The argument {name!r} is not {columns} numbers a row; found {str(rows)[:60]!r}.", hint
        ) from None
    if not table.size:
        raise InputError(f"The argument {name!r} is empty.", hint)
    # One box alone comes without the outer list.
    table = table[np.newaxis] if table.ndim == 1 else table
    if table.ndim != 2 or table.shape[1] != columns:
        raise InputError(f"The argument {name!r} has rows of {table.shape[-1]} numbers, not {columns}.", hint)
    if not np.isfinite(table).all():
        raise InputError(f"The argument {name!r} holds a value that is not finite.", hint)
    return table


def _positive(value: float, name: str) -> float:
    if not value > 0 or not np.isfinite(value):
        raise InputError(f"The argument {name!r} is {value:g}.", "Give metres per pixel, above 0.")
    return value
