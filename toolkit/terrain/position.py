"""Where a pixel stands among its neighbours: topographic position, ruggedness."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import map_pixels, source, statistics
from treeline.toolkit.results import report_saved
from treeline.toolkit.terrain.gradient import Floats
from treeline.toolkit.terrain.kit import TERRAIN
from treeline.toolkit.tool import Gives, Reads, Writes, tool

LARGEST_RADIUS = 200
POSITIONS = ("valley", "lower slope", "flat", "middle slope", "upper slope", "ridge")


@tool(
    kit=TERRAIN,
    source="Weiss 2001, Topographic position and landforms analysis, ESRI User Conference",
    gives=Gives("raster", "tpi", "m"),
    formula="z - mean of the other pixels of the window",
)
def calculate_topographic_position(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("tpi", "m")],
    radius: int = 1,
) -> str:
    """Topographic position index (TPI): height above the mean of the surroundings, in metres.

    Parameters
    ----------
    dem_path : str
        Elevation model.
    output_path : str
        GeoTIFF to write: positive on ridges, negative in valleys, near 0 on plains and even slopes.
    radius : int
        Of the square window, in pixels: 1 is 3 x 3. It decides the size of the landforms.

    Returns
    -------
    str
        Result saved at PATH.
    """
    radius = _radius(radius)
    dem = source(dem_path, "dem")

    def position(dem: Floats) -> Floats:
        return dem - _mean_of_others(dem, radius)

    return report_saved(map_pixels(position, {"dem": dem}, output_path, role="tpi", unit="m", halo=radius))


@tool(
    kit=TERRAIN,
    source="Weiss 2001, Topographic position and landforms analysis, ESRI User Conference",
    gives=Gives("raster", "slope_position"),
    formula="TPI in standard deviations: > 1 ridge, > 0.5 upper slope, -0.5 to 0.5 middle slope (slope > 5 "
    "degrees) or flat, < -0.5 lower slope, < -1 valley",
)
def classify_slope_position(
    tpi_path: Annotated[str, Reads("tpi")],
    slope_path: Annotated[str, Reads("terrain_slope")],
    output_path: Annotated[str, Writes("slope_position", "class")],
    flat_below: float = 5.0,
) -> str:
    """Slope position in six classes: valley, lower slope, flat, middle slope, upper slope, ridge.

    Parameters
    ----------
    tpi_path : str
        Topographic position index; a wide radius gives large landforms.
    slope_path : str
        Slope in degrees.
    output_path : str
        GeoTIFF to write: 1 valley, 2 lower slope, 3 flat, 4 middle slope, 5 upper slope, 6 ridge.
    flat_below : float
        Slope in degrees under which a middle position is called flat.

    Returns
    -------
    str
        Result saved at PATH.
    """
    tpi, slope = source(tpi_path, "tpi"), source(slope_path, "terrain_slope")
    if slope.unit == "%":
        raise InputError(f"{slope.name} holds percent.", "Calculate the slope with unit='degree'.")
    found = statistics(tpi)

    def classes(tpi: Floats, slope: Floats) -> Floats:
        score = (tpi - found.mean) / found.std if found.std else tpi * 0
        position = np.digitize(score, [-1.0, -0.5, 0.5, 1.0], right=True)
        numbers = np.array([1, 2, 4, 5, 6])[position]
        numbers = np.where((position == 2) & (slope < flat_below), 3, numbers)
        return np.where(np.isnan(tpi) | np.isnan(slope), np.nan, numbers)

    names = ", ".join(f"{number} {name}" for number, name in enumerate(POSITIONS, start=1))
    product = map_pixels(
        classes,
        {"tpi": tpi, "slope": slope},
        output_path,
        role="slope_position",
        unit="class",
        dtype="uint8",
        extra_tags={"TREELINE_CLASSES": names},
    )
    return report_saved(product)


@tool(
    kit=TERRAIN,
    source="Riley, DeGloria & Elliot 1999, Intermountain J. Sci. 5:23",
    gives=Gives("raster", "ruggedness", "m"),
    formula="sqrt(sum over the eight neighbours of (z_i - z)^2)",
)
def calculate_ruggedness(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("ruggedness", "m")],
) -> str:
    """Terrain ruggedness index (TRI): how much the eight neighbours differ in height, in metres.

    Parameters
    ----------
    dem_path : str
        Elevation model. The index grows with the size of the pixels; compare like with like.
    output_path : str
        GeoTIFF to write; nodata at the rim.

    Returns
    -------
    str
        Result saved at PATH.
    """
    dem = source(dem_path, "dem")
    return report_saved(
        map_pixels(_ruggedness, {"dem": dem}, output_path, role="ruggedness", unit="m", halo=1)
    )


@tool(
    kit=TERRAIN,
    source="Wilson et al. 2007, Mar. Geod. 30:3",
    gives=Gives("raster", "roughness", "m"),
    formula="max - min in the window",
)
def calculate_roughness(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("roughness", "m")],
    radius: int = 1,
) -> str:
    """Roughness: highest minus lowest elevation around a pixel (local relief), in metres.

    Parameters
    ----------
    dem_path : str
        Elevation model.
    output_path : str
        GeoTIFF to write.
    radius : int
        Of the square window, in pixels: 1 is 3 x 3.

    Returns
    -------
    str
        Result saved at PATH.
    """
    radius = _radius(radius)

    def roughness(dem: Floats) -> Floats:
        from scipy.ndimage import maximum_filter, minimum_filter

        hole, size = np.isnan(dem), 2 * radius + 1
        # A hole must be neither the highest nor the lowest of its neighbourhood.
        high = maximum_filter(np.where(hole, -np.inf, dem), size, mode="nearest")
        low = minimum_filter(np.where(hole, np.inf, dem), size, mode="nearest")
        return np.where(hole, np.nan, high - low)

    dem = source(dem_path, "dem")
    return report_saved(
        map_pixels(roughness, {"dem": dem}, output_path, role="roughness", unit="m", halo=radius)
    )


def _mean_of_others(dem: Floats, radius: int) -> Floats:
    """Return the mean of the valid pixels of each window, its centre left out."""
    from scipy.ndimage import uniform_filter

    side = 2 * radius + 1
    there = ~np.isnan(dem)
    # Relative to the block's mean, so that float sums of large heights keep their digits.
    level = float(dem[there].mean()) if there.any() else 0.0
    known = np.where(there, dem - level, 0).astype(np.float64)
    # The filter gives the mean of a window, beyond whose rim 0 is taken; times the pixels it is the sum of
    # the valid ones.
    total = uniform_filter(known, side, mode="constant") * side**2 - known
    count = np.rint(uniform_filter(there.astype(np.float64), side, mode="constant") * side**2) - there
    return np.where(there & (count > 0), level + total / np.where(count > 0, count, 1), np.nan)


def _ruggedness(dem: Floats) -> Floats:
    z = np.pad(dem, 1, constant_values=np.nan)
    rows, columns = dem.shape
    shifts = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    return np.sqrt(sum((z[r : r + rows, c : c + columns] - dem) ** 2 for r, c in shifts))


def _radius(radius: int) -> int:
    if not 1 <= radius <= LARGEST_RADIUS:
        raise InputError(f"The argument 'radius' is {radius}.", f"Give 1 to {LARGEST_RADIUS} pixels.")
    return radius
