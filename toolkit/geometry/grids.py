"""Where a raster lies."""

from __future__ import annotations

from math import hypot
from typing import Annotated, Any

from treeline.toolkit.geodesy import unit_of_crs, way_between
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import bands_of
from treeline.toolkit.tool import Gives, Reads, tool


@tool(
    kit=GEOMETRY,
    source="The raster's own georeference.",
    gives=Gives("value", "grid"),
    formula="pixel width = hypot(a, d), height = hypot(b, e) of the affine transform",
)
def describe_grid(raster: Annotated[str, Reads()]) -> dict[str, Any]:
    """CRS, size in pixels, pixel size and bounds of a raster.

    Parameters
    ----------
    raster : str
        The raster.

    Returns
    -------
    dict
        ``crs`` (null without one), ``width`` and ``height`` in pixels, ``pixels`` (how many these make),
        ``pixel_width`` and ``pixel_height`` in ``unit`` (m, degrees, ft, or units without a CRS), ``left``,
        ``bottom``, ``right``, ``top`` in the CRS, and ``west``, ``south``, ``east``, ``north`` in degrees
        (WGS 84) where it has one.
    """
    grid = bands_of(raster)[0].grid
    a, b, _, d, e, _ = grid.transform
    left, bottom, right, top = grid.bounds
    described = {
        "crs": grid.crs,
        "width": grid.width,
        "height": grid.height,
        "pixels": grid.width * grid.height,
        "pixel_width": hypot(a, d),
        "pixel_height": hypot(b, e),
        "unit": unit_of_crs(grid.crs) if grid.crs else "units",
        "left": left,
        "bottom": bottom,
        "right": right,
        "top": top,
    }
    if not grid.crs:
        return described
    west, south, east, north = way_between(grid.crs, "EPSG:4326").transform_bounds(left, bottom, right, top)
    return {**described, "west": west, "south": south, "east": east, "north": north}
