"""Landscape metrics: how the classes of a map are cut into patches."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import GridMismatch, InputError, NoValidPixels
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import read_arrays, source
from treeline.toolkit.raster.ground import Ground
from treeline.toolkit.tool import Gives, Reads, tool

MOST_CLASSES = 250
# In m2.
HECTARE = 10_000.0
Table = dict[str, Any]


@tool(
    kit=GEOMETRY,
    source="McGarigal & Marks 1995, FRAGSTATS, USDA PNW-GTR-351; Shannon 1948, Bell Syst. Tech. J. 27:379",
    gives=Gives("table", "landscape_metrics"),
    formula="PD = patches per 100 ha; LPI = 100 largest patch / landscape; ED = metres of edge per ha; mean "
    "patch area; SHDI = -sum p ln p; edges between pixels of different classes, not with nodata",
)
def landscape_metrics(input_path: Annotated[str, Reads()], diagonal: bool = True) -> Table:
    """Landscape metrics of a class map: patches, largest patch, edges, mean patch area, diversity.

    Parameters
    ----------
    input_path : str
        A raster of classes with a CRS; up to 50 million pixels.
    diagonal : bool
        Pixels of a class that share only a corner are of one patch.

    Returns
    -------
    dict
        ``classes``: for each ``class``, ``area_ha``, ``percent``, ``patches``, ``patch_density`` (per 100
        ha), ``largest_patch_ha``, ``largest_patch_index`` (percent of the landscape), ``mean_patch_ha``,
        ``edge_m``, ``edge_density`` (m/ha);
        of the landscape ``area_ha``, ``patches``, ``edge_density``, ``shannon_diversity`` and
        ``shannon_evenness``.
    """
    from scipy import ndimage

    band = source(input_path)
    if not band.grid.crs:
        raise GridMismatch(f"{band.name} has no CRS, so its areas are unknown.", "Give the file a CRS.")
    values = read_arrays({"values": band}, raw=True)[0]["values"]
    there = ~np.isnan(values)
    if not there.any():
        raise NoValidPixels(f"No pixel of {band.name} is valid.", "Check nodata and extent.")
    classes = np.unique(values[there])
    if len(classes) > MOST_CLASSES or (classes != np.floor(classes)).any():
        raise InputError(f"{band.name} holds no classes: {len(classes)} values.", "Classify it first.")
    steps = Ground(band.grid).steps()
    area = np.broadcast_to(steps.area, values.shape) / HECTARE
    total = float(area[there].sum())
    edges = _edges(values, there, steps)
    structure = np.ones((3, 3)) if diagonal else None
    rows: list[Table] = []
    for number in classes:
        marked = values == number
        labels, count = ndimage.label(marked, structure)
        sizes = ndimage.sum_labels(area, labels, np.arange(1, count + 1))
        own = float(sizes.sum())
        edge = edges.get(float(number), 0.0)
        rows.append(
            {
                "class": int(number),
                "area_ha": own,
                "percent": 100 * own / total,
                "patches": int(count),
                "patch_density": 100 * count / total,
                "largest_patch_ha": float(sizes.max()),
                "largest_patch_index": 100 * float(sizes.max()) / total,
                "mean_patch_ha": own / count,
                "edge_m": edge,
                "edge_density": edge / total,
            }
        )
    shares = np.array([row["percent"] for row in rows]) / 100
    # Adding zero turns the -0.0 of a single class into 0.0.
    diversity = float(-(shares * np.log(shares)).sum()) + 0.0
    return {
        "classes": rows,
        "area_ha": total,
        "patches": sum(row["patches"] for row in rows),
        # Each edge was counted for the classes on both of its sides.
        "edge_density": sum(edges.values()) / 2 / total,
        "shannon_diversity": diversity,
        "shannon_evenness": diversity / math.log(len(rows)) if len(rows) > 1 else None,
    }


def _edges(values: NDArray[Any], there: NDArray[np.bool_], steps: Any) -> dict[float, float]:
    """Return the metres of edge of each class with any other."""
    found: dict[float, float] = {}
    rows, columns = values.shape
    # The side between two pixels of a row is as long as a step down, and the other way round.
    down = np.broadcast_to(np.hypot(steps.row_east, steps.row_north), values.shape)
    over = np.broadcast_to(np.hypot(steps.column_east, steps.column_north), values.shape)
    pairs = (
        ((slice(None), slice(0, columns - 1)), (slice(None), slice(1, columns)), down),
        ((slice(0, rows - 1), slice(None)), (slice(1, rows), slice(None)), over),
    )
    for one, other, side in pairs:
        apart = there[one] & there[other] & (values[one] != values[other])
        length = side[one][apart]
        for numbers in (values[one][apart], values[other][apart]):
            kinds, places = np.unique(numbers, return_inverse=True)
            for kind, metres in zip(kinds, np.bincount(places, length), strict=True):
                found[float(kind)] = found.get(float(kind), 0.0) + float(metres)
    return found
