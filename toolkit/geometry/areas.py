"""Areas by class, true to the ground in any CRS."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Source, row_areas, source
from treeline.toolkit.raster.area import M2_PER_UNIT, AreaUnit
from treeline.toolkit.raster.blocks import plan, stream
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.tool import Gives, Reads, tool
from treeline.toolkit.vector import read_features

# Bounds of the table in memory: more values are a measured variable, unless the raster says that it numbers
# classes.
MOST_CLASSES = 1000
MOST_ZONES = 100_000
Row = dict[str, Any]


@tool(
    kit=GEOMETRY,
    source="Snyder 1987, USGS Professional Paper 1395, eq. 3-12 (cells of the ellipsoid)",
    gives=Gives("table", "area", "ha"),
    formula="sum of the pixels' areas on the ground, by class",
)
def area_by_class(
    input_path: Annotated[str, Reads()],
    unit: AreaUnit = "ha",
    class_names: dict[str, str] | None = None,
) -> list[Row]:
    """Area of each class of a class raster, in hectares; true to area for geographic CRS too.

    Parameters
    ----------
    input_path : str
        A raster of classes, or a mask, with a CRS.
    unit : str
        ``ha``, ``m2`` or ``km2``.
    class_names : dict, optional
        Class number as text to its name, such as ``{"1": "forest"}``.

    Returns
    -------
    list of dict
        For each class ``class``, ``name`` where given, ``pixels``, ``area`` and ``percent`` of the
        valid area.
    """
    band = source(input_path)
    areas, pixels = _by_class(band, row_areas(band.grid))
    total = sum(areas.values())
    names = class_names or {}
    return [
        {
            "class": value,
            **({"name": names[f"{value:g}"]} if f"{value:g}" in names else {}),
            "pixels": pixels[value],
            "area": areas[value] / M2_PER_UNIT[unit],
            "percent": 100.0 * areas[value] / total,
        }
        for value in sorted(areas)
    ]


@tool(
    kit=GEOMETRY,
    source="Karney 2013, J. Geodesy 87:43 (areas of polygons on the ellipsoid)",
    gives=Gives("table", "area", "ha"),
    formula="geodesic area on WGS 84",
)
def polygon_areas(vector_path: str, unit: AreaUnit = "ha") -> list[Row]:
    """Area of each polygon of a vector file on the ellipsoid, with their sum.

    Parameters
    ----------
    vector_path : str
        Name of a vector file with polygons in the workspace; or WKT or GeoJSON text. Polygons are cut at
        the edge of the area of interest, where there is one.
    unit : str
        ``ha``, ``m2`` or ``km2``.

    Returns
    -------
    list of dict
        For each polygon ``zone`` (from 1), its attributes and ``area_on_ground``; last a row ``zone`` =
        ``all`` with the sum.
    """
    features = read_features(vector_path).of_kind("Polygon").inside(current_context().area)
    areas = features.areas() / M2_PER_UNIT[unit]
    rows: list[Row] = [
        {"zone": number, **item.attributes, "area_on_ground": float(area)}
        for number, (item, area) in enumerate(zip(features.items, areas, strict=True), start=1)
    ]
    return [*rows, {"zone": "all", "area_on_ground": float(areas.sum())}]


def _by_class(band: Source, areas_m2: NDArray[np.float64]) -> tuple[dict[float, float], Counter[float]]:
    areas: Counter[float] = Counter()
    pixels: Counter[float] = Counter()
    with Reader({"values": band}) as reader:

        def of_window(window: Window) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
            values = reader.read(window)["values"]
            valid = ~np.isnan(values)
            found, inverse = np.unique(values[valid], return_inverse=True)
            _require_few(band, found.size)
            weights = np.broadcast_to(
                areas_m2[window.row_off : window.row_off + window.height, np.newaxis], values.shape
            )[valid]
            return (
                found,
                np.bincount(inverse, weights, found.size),
                np.bincount(inverse, minlength=found.size),
            )

        for _, (found, area, count) in stream(of_window, plan(reader), "areas"):
            areas.update(dict(zip(found.tolist(), area.tolist(), strict=True)))
            pixels.update(dict(zip(found.tolist(), count.tolist(), strict=True)))
            # After each block, so that a measured raster is refused long before its values fill the memory.
            _require_few(band, len(areas))
    if not areas:
        raise NoValidPixels(f"No pixel of {band.name} is valid.", "Check nodata and extent.")
    return dict(areas), pixels


def _require_few(band: Source, count: int) -> None:
    most = MOST_ZONES if band.role == "classes" else MOST_CLASSES
    if count > most:
        raise InputError(
            f"{band.name} has more than {most} different values; it holds no classes.",
            "Classify it first, such as by a threshold.",
        )
