"""Changes between classes."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.analysis.series_kit import stack_of
from treeline.toolkit.change.kit import CHANGE
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import map_many, require_classes, row_areas, source
from treeline.toolkit.raster.area import M2_PER_UNIT, AreaUnit
from treeline.toolkit.raster.blocks import plan, stream
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

MOST_PAIRS = 2500
Floats = NDArray[np.floating]


@tool(
    kit=CHANGE,
    source="Pontius, Shusas & McEachern 2004, Agric. Ecosyst. Environ. 101:251 (cross-tabulation)",
    gives=Gives("table", "transitions", "ha"),
    formula="area of the pixels of one class before and another after",
)
def class_transitions(
    before_path: Annotated[str, Reads()],
    after_path: Annotated[str, Reads()],
    unit: AreaUnit = "ha",
    class_names: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Transitions between the classes of two dates, with their areas, gains and losses.

    Parameters
    ----------
    before_path : str
        Classes of the first date, with a CRS; its grid is used.
    after_path : str
        Classes of the second date under the same numbers.
    unit : str
        ``ha``, ``m2`` or ``km2``.
    class_names : dict, optional
        Class number as text to its name.

    Returns
    -------
    dict
        ``transitions``: a row per pair of classes that occurs with ``before``, ``after``, ``pixels`` and
        ``area``; ``gain``, ``loss`` and ``net`` area by class; ``changed_percent`` of the valid area.
    """
    before, after = source(before_path), source(after_path)
    areas, pixels = _cross_table(
        {"before": before, "after": after}, row_areas(before.grid) / M2_PER_UNIT[unit]
    )
    if not areas:
        raise NoValidPixels(f"{before.name} and {after.name} have no valid pixel in common.", "Check nodata.")
    names = class_names or {}

    def name_of(number: float) -> str:
        return names.get(f"{number:g}", f"{number:g}")

    rows = [
        {
            "before": name_of(early),
            "after": name_of(late),
            "pixels": pixels[early, late],
            "area": areas[early, late],
        }
        for early, late in sorted(areas)
    ]
    classes = sorted({number for pair in areas for number in pair})
    gain = {name_of(c): sum(a for (e, n), a in areas.items() if n == c and e != c) for c in classes}
    loss = {name_of(c): sum(a for (e, n), a in areas.items() if e == c and n != c) for c in classes}
    changed = sum(area for (early, late), area in areas.items() if early != late)
    return {
        "transitions": rows,
        "gain": gain,
        "loss": loss,
        "net": {c: gain[c] - loss[c] for c in gain},
        "changed_percent": 100.0 * changed / sum(areas.values()),
    }


@tool(
    kit=CHANGE,
    source="Counting.",
    gives=Gives("raster", "change_count", "count"),
    formula="how often a valid value differs from the valid one before it",
)
def count_class_changes(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("change_count", "count")],
) -> str:
    """How often the class of each pixel changes in a series of class rasters.

    Parameters
    ----------
    file_list : list of str
        Classes or masks in the order of time; dates with nodata at a pixel are passed over.
    output_path : str
        GeoTIFF to write; nodata where no date is valid.

    Returns
    -------
    str
        Result saved at PATH.
    """
    stack = stack_of(file_list, at_least=2)
    product = map_many(
        _changes, {"stack": stack}, output_path, role="change_count", unit="count", dtype="uint16"
    )
    return report_saved(product)


def _changes(stack: Floats) -> Floats:
    last, count = stack[0].copy(), np.where(np.isnan(stack[0]), np.nan, 0.0)
    for values in stack[1:]:
        there = ~np.isnan(values)
        count = np.where(there & np.isnan(count), 0.0, count)
        count += there & ~np.isnan(last) & (values != last)
        # Over a gap the class before it is compared with the one after it.
        last = np.where(there, values, last)
    return count


def _cross_table(
    inputs: dict[str, Any], areas_by_row: NDArray[np.float64]
) -> tuple[Counter[tuple[float, float]], Counter[tuple[float, float]]]:
    areas: Counter[tuple[float, float]] = Counter()
    pixels: Counter[tuple[float, float]] = Counter()
    with Reader(inputs) as reader:

        def of_window(window: Window) -> tuple[list[Any], list[float], list[int]]:
            arrays = reader.read(window)
            for side in ("before", "after"):
                require_classes(inputs[side].name, arrays[side])
            valid = ~np.isnan(arrays["before"]) & ~np.isnan(arrays["after"])
            both = np.stack([arrays["before"][valid], arrays["after"][valid]])
            pairs, inverse = np.unique(both, axis=1, return_inverse=True)
            rows = areas_by_row[window.row_off : window.row_off + window.height, np.newaxis]
            weights = np.broadcast_to(rows, valid.shape)[valid]
            count = pairs.shape[1]
            if count > MOST_PAIRS:
                raise InputError(
                    "The rasters hold no classes: their values differ everywhere.", "Classify first."
                )
            area = np.bincount(inverse.ravel(), weights, count).tolist()
            return (
                list(map(tuple, pairs.T.tolist())),
                area,
                np.bincount(inverse.ravel(), minlength=count).tolist(),
            )

        for _, (pairs, area, count) in stream(of_window, plan(reader), "transitions"):
            areas.update(dict(zip(pairs, area, strict=True)))
            pixels.update(dict(zip(pairs, count, strict=True)))
    return areas, pixels
