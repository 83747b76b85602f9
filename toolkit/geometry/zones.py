"""Statistics of a raster by polygons, weighted by the part of each pixel that a polygon covers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
import shapely
from exactextract import exact_extract
from exactextract.feature import JSONFeatureSource
from exactextract.raster import RasterSource
from numpy.typing import NDArray
from rasterio.windows import Window
from shapely.geometry import mapping

from treeline.toolkit.context import current_context
from treeline.toolkit.decibels import check_statistics
from treeline.toolkit.errors import GridMismatch, NoValidPixels
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Source, source
from treeline.toolkit.raster.reading import Reader
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, tool
from treeline.toolkit.vector import Feature, Features, read_features, write_features

# ``stdev`` is what exactextract calls ``std``.
Statistic = Literal[
    "mean",
    "median",
    "min",
    "max",
    "sum",
    "std",
    "variance",
    "count",
    "majority",
    "minority",
    "variety",
    "stdev",
]
COMMON: tuple[Statistic, ...] = ("mean", "min", "max", "std", "count")
_DEVIATION = "stdev"
CELLS_AT_ONCE = 4_000_000
MANY = 8
Row = dict[str, Any]


@tool(
    kit=GEOMETRY,
    source="exactextract (ISciences, doi:10.5281/zenodo.11396420): exact pixel coverage",
    gives=Gives("table", "zonal_statistics", OF_INPUT),
    formula="statistics of the pixels in each polygon, weighted by the covered part of each pixel",
)
def zonal_statistics(
    input_path: Annotated[str, Reads()],
    zones_path: str,
    statistics: list[Statistic] | None = None,
    output_path: str | None = None,
) -> list[Row]:
    """Zonal statistics: mean, median, extremes, deviation and more of a raster in each polygon.

    A percentile by polygon: ``statistics_by_class`` gives it of the raster that ``number_features`` makes.

    Parameters
    ----------
    input_path : str
        A raster with a CRS; nodata is left out.
    zones_path : str
        Name of a vector file with polygons in the workspace, in any CRS; or WKT or GeoJSON text.
    statistics : list of str, optional
        Of ``mean``, ``median``, ``min``, ``max``, ``sum``, ``std``, ``variance``, ``count`` (covered
        pixels, with fractions), ``majority``, ``minority``, ``variety``; default: mean, min, max, std
        and count. Median, majority, minority and variety take many times longer.
    output_path : str, optional
        GeoJSON or GPKG to write: the polygons with the statistics as attributes.

    Returns
    -------
    list of dict
        For each polygon ``zone`` (from 1), its attributes and the statistics in the raster's unit; null
        where no valid pixel lies in it.
    """
    band, zones = _band_and_zones(input_path, zones_path)
    wanted = list(dict.fromkeys("std" if name == _DEVIATION else name for name in statistics or COMMON))
    check_statistics([band], *wanted)
    found = _extract(band, zones, wanted)
    if all(not row["count"] for row in found):
        raise NoValidPixels(
            f"No valid pixel of {band.name} lies in {zones.name}.", "Check extent and clouds."
        )
    rows = [
        {"zone": number, **item.attributes, **{name: row[name] for name in wanted}}
        for number, (item, row) in enumerate(zip(zones.items, found, strict=True), start=1)
    ]
    if output_path is not None:
        items = tuple(Feature(item.geometry, row) for item, row in zip(zones.items, rows, strict=True))
        paths = [band.path, *([zones.path] if zones.path else [])]
        write_features(Features(zones.name, zones.crs, items), output_path, "zonal_statistics", paths)
    return rows


@tool(
    kit=GEOMETRY,
    source="exactextract (ISciences, doi:10.5281/zenodo.11396420): exact pixel coverage",
    gives=Gives("table", "class_shares", "%"),
    formula="100 x covered pixels of the class / covered valid pixels",
)
def zonal_class_shares(input_path: Annotated[str, Reads()], zones_path: str) -> list[Row]:
    """Share of each class of a class raster in each polygon, in percent.

    Parameters
    ----------
    input_path : str
        A raster of classes or a mask.
    zones_path : str
        Name of a vector file with polygons in the workspace, in any CRS; or WKT or GeoJSON text.

    Returns
    -------
    list of dict
        For each polygon ``zone`` (from 1), its attributes, and ``shares``: class number to percent.
    """
    band, zones = _band_and_zones(input_path, zones_path)
    found = _extract(band, zones, ["unique", "frac"])
    rows = []
    for number, (item, row) in enumerate(zip(zones.items, found, strict=True), start=1):
        shares = {f"{v:g}": 100.0 * float(f) for v, f in sorted(zip(row["unique"], row["frac"], strict=True))}
        rows.append({"zone": number, **item.attributes, "shares": shares})
    return rows


def zones_on(band: Source, zones_path: str) -> Features:
    """Return the polygons of a file or text in the CRS of a band.

    Raises
    ------
    GridMismatch
        The band has no CRS, or its grid is rotated.
    """
    if not band.grid.crs:
        raise GridMismatch(f"{band.name} has no CRS, so no polygon can be found in it.", "Give it a CRS.")
    # exactextract knows grids by their extent and pixel size alone.
    if band.grid.transform[1] or band.grid.transform[3]:
        raise GridMismatch(f"{band.name} stands on a rotated grid.", "Reproject it first.")
    return read_features(zones_path).of_kind("Polygon").in_crs(band.grid.crs, band.grid.bounds)


def zone_means(band: Source, zones_path: str) -> list[float]:
    """Return the mean of a band in each polygon; NaN where no valid pixel lies in it."""
    rows = _extract(band, zones_on(band, zones_path), ["mean"])
    return [math.nan if row["mean"] is None else row["mean"] for row in rows]


class _Blocks(RasterSource):
    """Physical values of a band for exactextract; a small band that many zones ask for is read once."""

    def __init__(self, band: Source, reader: Reader, zones: int) -> None:
        super().__init__()
        self.grid, self.reader = band.grid, reader
        self.set_name("band")
        small = self.grid.width * self.grid.height <= CELLS_AT_ONCE
        self._whole = (
            self._read(Window(0, 0, self.grid.width, self.grid.height)) if small and zones > MANY else None
        )

    def _read(self, window: Window) -> NDArray[np.floating]:
        return self.reader.read(window)["band"]

    def res(self) -> tuple[float, float]:
        return abs(self.grid.transform[0]), abs(self.grid.transform[4])

    def extent(self) -> tuple[float, float, float, float]:
        return self.grid.bounds

    def srs_wkt(self) -> None:
        return None

    def nodata_value(self) -> float:
        return math.nan

    def read_window(self, x0: int, y0: int, nx: int, ny: int) -> NDArray[np.floating]:
        current_context().check_stop()
        a, e = self.grid.transform[0], self.grid.transform[4]
        # exactextract counts from the north-west, whichever way rows and columns of the raster run.
        left = x0 if a > 0 else self.grid.width - x0 - nx
        top = y0 if e < 0 else self.grid.height - y0 - ny
        if self._whole is None:
            values = self._read(Window(left, top, nx, ny))
        else:
            values = self._whole[top : top + ny, left : left + nx]
        return np.ascontiguousarray(values[:: 1 if e < 0 else -1, :: 1 if a > 0 else -1])


def _band_and_zones(input_path: str, zones_path: str) -> tuple[Source, Features]:
    band = source(input_path)
    return band, zones_on(band, zones_path)


def _extract(band: Source, zones: Features, statistics: Sequence[str]) -> list[Row]:
    # Outlines that cross themselves are common in files, and exactextract refuses them.
    shapes = [shapely.make_valid(geometry) for geometry in zones.geometries]
    members = [
        {"type": "Feature", "id": n, "geometry": mapping(g), "properties": {"id": n}}
        for n, g in enumerate(shapes)
    ]
    # The count tells whether any valid pixel lies in a zone.
    asked = list(dict.fromkeys([*statistics, "count"]))
    with Reader({"band": band}) as reader:
        found = exact_extract(
            _Blocks(band, reader, len(members)),
            JSONFeatureSource(members),
            [f"std={_DEVIATION}" if name == "std" else name for name in asked],
            max_cells_in_memory=CELLS_AT_ONCE,
        )
    return [_plain(member["properties"], asked) for member in found]


def _plain(properties: Row, names: list[str]) -> Row:
    """Return values as JSON has them; NaN is what exactextract gives where a polygon holds nothing."""
    row: Row = {}
    for name in names:
        value = properties.get(name)
        if isinstance(value, np.ndarray):
            row[name] = value.tolist()
        else:
            row[name] = None if value is None or math.isnan(value) else float(value)
    return row
