"""Where water runs: depressions filled, flow directions, accumulation, and watersheds."""

from __future__ import annotations

import heapq
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from rasterio.warp import transform

from treeline.toolkit.compilation import compile_function
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import Grid, Source, read_arrays, source, write_array
from treeline.toolkit.raster.grid import transform_points
from treeline.toolkit.raster.ground import Ground, Steps
from treeline.toolkit.results import report_saved
from treeline.toolkit.terrain.gradient import elevation
from treeline.toolkit.terrain.kit import TERRAIN
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool
from treeline.toolkit.vector import checked_crs

Floats = NDArray[np.floating]
DIRECTION = Variable(
    "flow_direction",
    "Flow direction (1 east, 2 south-east, 4 south, ... 128 north-east)",
    "class",
    (0.0, 255.0),
    ("flow direction",),
    "class",
)
ACCUMULATION = Variable(
    "flow_accumulation",
    "Flow accumulation: area that drains through",
    "m2",
    (0.0, 1e13),
    ("flow accumulation",),
)
FILLED = Variable("filled_elevation", "Elevation without depressions", "m", (-450.0, 8900.0))
# The codes of the eight neighbours, from the east clockwise by rows and columns, as most software has them.
ROWS = np.array([0, 1, 1, 1, 0, -1, -1, -1])
COLUMNS = np.array([1, 1, 0, -1, -1, -1, 0, 1])
CODES = 2 ** np.arange(8)
D8 = "O'Callaghan & Mark 1984, Comput. Vis. Graph. Image Process. 28:323"
FILLING = "depressions: Wang & Liu 2006, Int. J. Geogr. Inf. Sci. 20:193"
_compiled: dict[str, Any] = {}


@tool(
    kit=TERRAIN,
    source="Wang & Liu 2006, Int. J. Geogr. Inf. Sci. 20:193",
    gives=Gives("raster", "filled_elevation", "m"),
    formula="lowest elevation by which water can leave the raster: max(z, spill elevation)",
)
def fill_depressions(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("filled_elevation", declares=(FILLED,))],
) -> str:
    """Elevation with its depressions filled to the height at which water spills over.

    Parameters
    ----------
    dem_path : str
        Elevation in metres; up to 50 million pixels. Water leaves it at its rim and beside nodata.
    output_path : str
        GeoTIFF to write in metres.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band, dem, grid = elevations_of(dem_path)
    return report_saved(
        write_array(fill_sinks(dem)[0], grid, output_path, role=FILLED.role, unit="m", inputs=[band])
    )


@tool(
    kit=TERRAIN,
    source=f"{D8}; {FILLING}",
    gives=Gives("raster", "flow_direction"),
    formula="neighbour of the steepest fall (z - z_k) / distance_k; on filled land towards the spill",
)
def calculate_flow_direction(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("flow_direction", declares=(DIRECTION,))],
) -> str:
    """Flow direction (D8): to which of its eight neighbours each pixel drains; depressions are filled first.

    Parameters
    ----------
    dem_path : str
        Elevation in metres; up to 50 million pixels.
    output_path : str
        GeoTIFF to write: 1 to the right (east), 2 down right, 4 down, 8, 16 left, 32, 64 up, 128; 0 where
        water
        leaves the raster.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band, dem, grid = elevations_of(dem_path)
    receivers = receivers_of(dem, Ground(band.grid).steps())[0]
    codes = np.where(receivers >= 0, CODES[np.maximum(receivers, 0)], 0).astype(np.float64)
    codes[np.isnan(dem)] = np.nan
    product = write_array(
        codes, grid, output_path, role=DIRECTION.role, unit="class", dtype="uint8", inputs=[band]
    )
    return report_saved(product)


@tool(
    kit=TERRAIN,
    source=f"{D8}; {FILLING}",
    gives=Gives("raster", "flow_accumulation", "m2"),
    formula="own area + the areas of all pixels that drain through (D8)",
)
def calculate_flow_accumulation(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("flow_accumulation", declares=(ACCUMULATION,))],
) -> str:
    """Flow accumulation: the area in m2 that drains through each pixel, its own included (D8).

    Parameters
    ----------
    dem_path : str
        Elevation in metres; up to 50 million pixels. Depressions are filled first.
    output_path : str
        GeoTIFF to write in m2 on the ground.

    Returns
    -------
    str
        Result saved at PATH. Land beyond the rim of the raster is not counted.
    """
    band, dem, grid = elevations_of(dem_path)
    steps = Ground(band.grid).steps()
    receivers, order = receivers_of(dem, steps)
    area = np.broadcast_to(steps.area, dem.shape).astype(np.float64)
    total = compile_and_run("accumulate", _accumulate, np.ascontiguousarray(area), receivers, order)
    total[np.isnan(dem)] = np.nan
    return report_saved(
        write_array(total, grid, output_path, role=ACCUMULATION.role, unit="m2", inputs=[band])
    )


@tool(
    kit=TERRAIN,
    source=f"{D8}; {FILLING}",
    gives=Gives("raster", "watershed"),
    formula="pixels whose way downhill (D8) passes the outlet",
)
def watershed_of_point(
    dem_path: Annotated[str, Reads("dem")],
    point: tuple[float, float],
    output_path: Annotated[str, Writes("mask", "class")],
    snap: int = 0,
    crs: str | None = None,
) -> str:
    """Watershed of a point: mask of the land that drains to it (D8).

    Parameters
    ----------
    dem_path : str
        Elevation in metres; up to 50 million pixels. Depressions are filled first.
    point : (x, y)
        The outlet, on a stream.
    output_path : str
        GeoTIFF to write: 1 in the watershed, 0 outside.
    snap : int
        Pixels around the point in which the outlet is moved to where most land drains through.
    crs : str, optional
        CRS of ``point``, such as ``EPSG:4326`` for (longitude, latitude); default: the raster's.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not 0 <= snap <= 100:
        raise InputError(f"The argument 'snap' is {snap}.", "Give 0 to 100 pixels.")
    band, dem, grid = elevations_of(dem_path)
    row, column = pixel_of(grid, point, crs, dem)
    steps = Ground(band.grid).steps()
    receivers, order = receivers_of(dem, steps)
    if snap:
        ones = np.ones(dem.shape)
        # Pixels instead of areas: within some pixels both have their greatest value at the same place.
        total = compile_and_run("accumulate", _accumulate, ones, receivers, order)
        top, left = max(0, row - snap), max(0, column - snap)
        part = total[top : row + snap + 1, left : column + snap + 1]
        down, right = np.unravel_index(int(np.nanargmax(part)), part.shape)
        row, column = top + int(down), left + int(right)
    inside = compile_and_run("upstream", _upstream, receivers, order, row, column).astype(np.float64)
    inside[np.isnan(dem)] = np.nan
    if (inside == 1).any(axis=0)[[0, -1]].any() or (inside == 1).any(axis=1)[[0, -1]].any():
        current_context().warn("The watershed reaches the rim of the raster; it may be larger than it.")
    return report_saved(
        write_array(inside, grid, output_path, role="mask", unit="class", dtype="uint8", inputs=[band])
    )


def pixel_of(grid: Grid, point: tuple[float, float], crs: str | None, dem: Floats) -> tuple[int, int]:
    """Return row and column of a point that lies on a valid pixel.

    Raises
    ------
    InputError
        It does not.
    """
    x, y = float(point[0]), float(point[1])
    if crs is not None and grid.crs:
        (x,), (y,) = transform(checked_crs(crs), grid.crs, [x], [y])
    if not (np.isfinite(x) and np.isfinite(y)):
        raise InputError(f"The point {point} is no place on the Earth.", "Give x and y, and their 'crs'.")
    columns, rows = transform_points(~grid.affine, np.array([x]), np.array([y]))
    row, column = int(np.floor(rows[0])), int(np.floor(columns[0]))
    if not (0 <= row < grid.height and 0 <= column < grid.width) or np.isnan(dem[row, column]):
        raise InputError(
            f"The point ({x:g}, {y:g}) lies on no valid pixel of the raster.",
            "Give a point within it, in its CRS or with 'crs'.",
        )
    return row, column


def elevations_of(address: str) -> tuple[Source, Floats, Grid]:
    """Return the band, its elevations as a whole, and their grid.

    Raises
    ------
    NoValidPixels
        There is none.
    """
    band = elevation(address)
    Ground(band.grid).say()
    arrays, grid = read_arrays({"dem": source(band)})
    dem = arrays["dem"].astype(np.float64)
    if np.isnan(dem).all():
        raise NoValidPixels(f"No pixel of {band.name} is valid.", "Check nodata and extent.")
    return band, dem, grid


def receivers_of(dem: Floats, steps: Steps) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return to which neighbour each pixel drains (-1: out of the raster), and the order of flooding.

    Parameters
    ----------
    dem : ndarray
        Elevations in metres, (rows, columns); NaN without data.
    steps : Steps
        From pixel to pixel on the ground.

    Returns
    -------
    tuple of ndarray
        The place of the neighbour in ``ROWS`` and ``COLUMNS``, (rows, columns); and the numbers of the
        pixels that have data, counted row by row.
    """
    filled, spill, order = fill_sinks(dem)
    away = [
        np.hypot(c * steps.column_east + r * steps.row_east, c * steps.column_north + r * steps.row_north)
        for r, c in zip(ROWS, COLUMNS, strict=True)
    ]
    padded = np.pad(filled, 1, constant_values=np.nan)
    height, width = dem.shape
    falls = np.stack(
        [
            (filled - padded[1 + r : 1 + r + height, 1 + c : 1 + c + width]) / away[k]
            for k, (r, c) in enumerate(zip(ROWS, COLUMNS, strict=True))
        ]
    )
    falls = np.nan_to_num(falls, nan=-np.inf)
    steepest = falls.argmax(axis=0)
    # On filled land, which is level, no neighbour lies lower: there water goes the way by which the flood
    # came.
    downhill = np.take_along_axis(falls, steepest[np.newaxis], 0)[0] > 0
    found = np.where(downhill, steepest, spill).astype(np.int8)
    found[np.isnan(dem)] = -1
    return found, order


def fill_sinks(dem: Floats) -> tuple[Floats, NDArray[np.int8], NDArray[np.int64]]:
    """Return filled elevations, the neighbour towards the spill (-1 at the rim), the order of flooding."""
    return compile_and_run("flood", _flood, np.ascontiguousarray(dem), ROWS, COLUMNS)


def compile_and_run(name: str, function: Any, *arguments: Any) -> Any:
    """Return what a loop gives, compiled when it is first asked for."""
    if name not in _compiled:
        _compiled[name] = compile_function(function)
    return _compiled[name](*arguments)


def _flood(dem, steps_down, steps_right):  # type: ignore[no-untyped-def]
    height, width = dem.shape
    filled = dem.copy()
    towards = np.full((height, width), -1, dtype=np.int8)
    seen = np.isnan(dem)
    order = np.empty(height * width, dtype=np.int64)
    done = 0
    # numba takes the type of a list from its items, so that one is put in and taken out again.
    heap = [(0.0, np.int64(-1))]
    heap.pop()
    for row in range(height):
        for column in range(width):
            if seen[row, column]:
                continue
            rim = row == 0 or column == 0 or row == height - 1 or column == width - 1
            if not rim:
                for k in range(8):
                    if np.isnan(dem[row + steps_down[k], column + steps_right[k]]):
                        rim = True
            if rim:
                heapq.heappush(heap, (dem[row, column], np.int64(row * width + column)))
    for one in heap:
        seen[one[1] // width, one[1] % width] = True
    while len(heap) > 0:
        level, place = heapq.heappop(heap)
        order[done] = place
        done += 1
        row, column = place // width, place % width
        for k in range(8):
            other_row, other_column = row + steps_down[k], column + steps_right[k]
            if other_row < 0 or other_column < 0 or other_row >= height or other_column >= width:
                continue
            if seen[other_row, other_column]:
                continue
            seen[other_row, other_column] = True
            # Back to where the flood came from: the opposite of the eight directions.
            towards[other_row, other_column] = (k + 4) % 8
            filled[other_row, other_column] = max(level, dem[other_row, other_column])
            heapq.heappush(
                heap, (filled[other_row, other_column], np.int64(other_row * width + other_column))
            )
    return filled, towards, order[:done]


def _accumulate(area, receivers, order):  # type: ignore[no-untyped-def]
    height, width = area.shape
    total = area.copy()
    down = np.array([0, 1, 1, 1, 0, -1, -1, -1])
    right = np.array([1, 1, 0, -1, -1, -1, 0, 1])
    # From those flooded last to the rim: whoever drains to a pixel was flooded after it.
    for index in range(order.size - 1, -1, -1):
        row, column = order[index] // width, order[index] % width
        k = receivers[row, column]
        if k >= 0:
            total[row + down[k], column + right[k]] += total[row, column]
    return total


def _upstream(receivers, order, outlet_row, outlet_column):  # type: ignore[no-untyped-def]
    height, width = receivers.shape
    inside = np.zeros((height, width), dtype=np.uint8)
    inside[outlet_row, outlet_column] = 1
    down = np.array([0, 1, 1, 1, 0, -1, -1, -1])
    right = np.array([1, 1, 0, -1, -1, -1, 0, 1])
    for index in range(order.size):
        row, column = order[index] // width, order[index] % width
        k = receivers[row, column]
        if k >= 0 and inside[row + down[k], column + right[k]] == 1:
            inside[row, column] = 1
    return inside
