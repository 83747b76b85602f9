"""What can be seen from a point."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import write_array
from treeline.toolkit.raster.ground import Ground
from treeline.toolkit.results import report_saved
from treeline.toolkit.terrain.flow import compile_and_run, elevations_of, pixel_of
from treeline.toolkit.terrain.kit import TERRAIN
from treeline.toolkit.tool import Gives, Reads, Writes, tool

EARTH_RADIUS = 6_371_008.8
MOST_PIXELS = 4_000_000
REFRACTION = 0.13
"""Share of the Earth's curvature that the bending of light takes back, as surveyors use it."""


@tool(
    kit=TERRAIN,
    source="Franklin & Ray 1994, Adv. GIS Res. 6:751 (lines of sight, R3); curvature and refraction: Torge & "
    "Muller 2012, Geodesy, ch. 5",
    gives=Gives("raster", "viewshed"),
    formula="seen where no pixel on the line of sight stands above it; heights less (1 - 0.13) d^2 / (2 R)",
)
def viewshed(
    dem_path: Annotated[str, Reads("dem")],
    point: tuple[float, float],
    output_path: Annotated[str, Writes("mask", "class")],
    observer_height: float = 1.7,
    target_height: float = 0.0,
    maximum_distance: float | None = None,
    crs: str | None = None,
) -> str:
    """Viewshed: mask of the land that can be seen from a point, over the curvature of the Earth.

    Parameters
    ----------
    dem_path : str
        Elevation (of a surface model where trees and houses count) in metres; up to 4 million pixels.
    point : (x, y)
        Where the observer stands.
    output_path : str
        GeoTIFF to write: 1 seen, 0 not seen.
    observer_height : float
        Of the eye above the ground in metres.
    target_height : float
        Of what is looked at above the ground in metres.
    maximum_distance : float, optional
        How far one looks, in metres.
    crs : str, optional
        CRS of ``point``, such as ``EPSG:4326`` for (longitude, latitude); default: the raster's.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if observer_height < 0 or target_height < 0 or not np.isfinite(observer_height + target_height):
        raise InputError(
            f"The heights are {observer_height:g} and {target_height:g} m.", "Give metres from 0 up."
        )
    if maximum_distance is not None and not maximum_distance > 0:
        raise InputError(f"The argument 'maximum_distance' is {maximum_distance:g}.", "Give metres above 0.")
    band, dem, grid = elevations_of(dem_path)
    if dem.size > MOST_PIXELS:
        raise InputError(
            f"{band.name} has {dem.size} pixels; lines of sight are followed over {MOST_PIXELS} at most.",
            "Cut out the surroundings of the point, or resample it.",
        )
    row, column = pixel_of(grid, point, crs, dem)
    steps = Ground(band.grid).steps()
    # As the ground lies at the observer; a viewshed is small against what a map bends.
    here = [
        float(np.broadcast_to(step, dem.shape)[row, column])
        for step in (steps.column_east, steps.column_north, steps.row_east, steps.row_north)
    ]
    rows, columns = np.mgrid[: dem.shape[0], : dem.shape[1]]
    east = (columns - column) * here[0] + (rows - row) * here[2]
    north = (columns - column) * here[1] + (rows - row) * here[3]
    away = np.hypot(east, north)
    lowered = dem - (1 - REFRACTION) * away**2 / (2 * EARTH_RADIUS)
    eye = dem[row, column] + observer_height
    seen = compile_and_run("sight", _lines, lowered, away, row, column, eye, float(target_height)).astype(
        np.float64
    )
    if maximum_distance is not None:
        seen[away > maximum_distance] = 0
    seen[np.isnan(dem)] = np.nan
    return report_saved(
        write_array(seen, grid, output_path, role="mask", unit="class", dtype="uint8", inputs=[band])
    )


def _lines(height, away, own_row, own_column, eye, above):  # type: ignore[no-untyped-def]
    rows, columns = height.shape
    seen = np.zeros((rows, columns), dtype=np.uint8)
    for row in range(rows):
        for column in range(columns):
            down, right = row - own_row, column - own_column
            count = max(abs(down), abs(right))
            if count <= 1:
                seen[row, column] = 1
                continue
            slope = (height[row, column] + above - eye) / away[row, column]
            visible = True
            for k in range(1, count):
                # Between two pixels of a row (or column) the ground is a straight line.
                r, c = own_row + down * k / count, own_column + right * k / count
                r0, c0 = int(np.floor(r)), int(np.floor(c))
                # One of the two is whole.
                share = (r - r0) + (c - c0)
                r1, c1 = r0 + (1 if r > r0 else 0), c0 + (1 if c > c0 else 0)
                ground = height[r0, c0] * (1 - share) + height[r1, c1] * share
                distance = away[row, column] * k / count
                if (ground - eye) / distance > slope:
                    visible = False
                    break
            seen[row, column] = 1 if visible else 0
    return seen
