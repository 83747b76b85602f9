"""Slope, aspect, hillshade and curvature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Grid, map_pixels
from treeline.toolkit.results import saved
from treeline.toolkit.terrain.gradient import Floats, Method, Sides, downhill, elevation, gradient, steepness
from treeline.toolkit.terrain.kit import TERRAIN
from treeline.toolkit.tool import Gives, Reads, Writes, tool

HORN = "Horn 1981, Proc. IEEE 69:14; Zevenbergen & Thorne 1987, Earth Surf. Process. Landforms 12:47"
SlopeUnit = Literal["degree", "percent"]
Curvature = Literal["profile", "plan", "total"]
Direction = Literal["north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest"]
# From where to where a slope's aspect is, in degrees clockwise from north.
SECTORS: Mapping[Direction, tuple[float, float]] = {
    "north": (315.0, 45.0),
    "east": (45.0, 135.0),
    "south": (135.0, 225.0),
    "west": (225.0, 315.0),
    "northeast": (22.5, 67.5),
    "southeast": (112.5, 157.5),
    "southwest": (202.5, 247.5),
    "northwest": (292.5, 337.5),
}


@tool(
    kit=TERRAIN,
    source=HORN,
    gives=Gives("raster", "terrain_slope", "degree"),
    formula="arctan sqrt((dz/dx)^2 + (dz/dy)^2), by 3 x 3 pixels",
)
def calculate_slope(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("terrain_slope", "degree")],
    unit: SlopeUnit = "degree",
    method: Method = "horn",
    z_factor: float = 1.0,
) -> str:
    """Slope of the land from elevation, in degrees or percent.

    Parameters
    ----------
    dem_path : str
        Elevation model in metres, projected or geographic; the true size of its pixels is used.
    output_path : str
        GeoTIFF to write; nodata at the outermost pixels and beside nodata.
    unit : str
        ``degree`` (0 to 90) or ``percent``.
    method : str
        ``horn`` for rough, ``zevenbergen_thorne`` for smooth land.
    z_factor : float
        Metres per unit of elevation, such as 0.3048 for feet.

    Returns
    -------
    str
        Result saved at PATH.
    """
    dem = elevation(dem_path, z_factor)

    def slope(dem: Floats, grid: Grid) -> Floats:
        angle = steepness(*gradient(dem * z_factor, grid, method))
        return np.degrees(angle) if unit == "degree" else 100 * np.tan(angle)

    shown = "degree" if unit == "degree" else "%"
    return saved(
        map_pixels(slope, {"dem": dem}, output_path, role="terrain_slope", unit=shown, halo=1, placed=True)
    )


@tool(
    kit=TERRAIN,
    source=HORN,
    gives=Gives("raster", "terrain_aspect", "degree"),
    formula="atan2(-dz/dx, -dz/dy), clockwise from north",
)
def calculate_aspect(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("terrain_aspect", "degree")],
    method: Method = "horn",
) -> str:
    """Aspect: the direction that a slope faces, in degrees clockwise from north.

    Parameters
    ----------
    dem_path : str
        Elevation model.
    output_path : str
        GeoTIFF to write: 0 north, 90 east, 180 south, 270 west; nodata where it is flat and at the rim.
    method : str
        ``horn`` or ``zevenbergen_thorne``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    dem = elevation(dem_path)

    def aspect(dem: Floats, grid: Grid) -> Floats:
        return np.degrees(downhill(*gradient(dem, grid, method))) % 360

    product = map_pixels(
        aspect, {"dem": dem}, output_path, role="terrain_aspect", unit="degree", halo=1, placed=True
    )
    return saved(product)


# Soil Science Division Staff 2017, Soil Survey Manual (USDA Handbook 18), ch. 2: up to 8 % the ground is
# nearly level to gently sloping. There the aspect of an elevation model in whole metres is that of its steps.
LEVEL_PERCENT = 8.0


@tool(
    kit=TERRAIN,
    source=HORN,
    gives=Gives("raster", "mask"),
    formula="low <= aspect < high of any direction, where the slope is at least level_percent; 0 elsewhere",
)
def mask_slopes_facing(
    dem_path: Annotated[str, Reads("dem")],
    directions: list[Direction],
    output_path: Annotated[str, Writes("mask")],
    method: Method = "horn",
    level_percent: float = LEVEL_PERCENT,
) -> str:
    """Mask of the slopes that face a compass direction; level ground faces none.

    Parameters
    ----------
    dem_path : str
        Elevation model.
    directions : list of str
        ``north``, ``east``, ``south``, ``west``: a quarter of the compass each; ``northeast``,
        ``southeast``, ``southwest``, ``northwest``: an eighth each.
    output_path : str
        GeoTIFF to write: 1 where a slope faces any of the directions, 0 where not, nodata at the rim.
    method : str
        ``horn`` or ``zevenbergen_thorne``.
    level_percent : float
        Ground whose slope is below this, in per cent, is level.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not directions:
        raise InputError("The argument 'directions' is empty.", f"Give some of {', '.join(SECTORS)}.")
    dem = elevation(dem_path)

    def facing(dem: Floats, grid: Grid) -> Floats:
        eastward, northward = gradient(dem, grid, method)
        aspect = np.degrees(downhill(eastward, northward)) % 360
        inside = np.any([_within(aspect, *SECTORS[direction]) for direction in directions], axis=0)
        sloping = 100 * np.hypot(eastward, northward) >= level_percent
        return np.where(np.isnan(eastward), np.nan, inside & sloping)

    return saved(
        map_pixels(facing, {"dem": dem}, output_path, role="mask", dtype="uint8", halo=1, placed=True)
    )


def _within(aspect: Floats, low: float, high: float) -> NDArray[np.bool_]:
    return (aspect >= low) & (aspect < high) if low < high else (aspect >= low) | (aspect < high)


@tool(
    kit=TERRAIN,
    source="Horn 1981, Proc. IEEE 69:14",
    gives=Gives("raster", "hillshade", "1"),
    formula="254 (sin h cos s + cos h sin s cos(azimuth - aspect)), 0 in shade",
)
def calculate_hillshade(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("hillshade", "1")],
    azimuth: float = 315.0,
    altitude: float = 45.0,
    z_factor: float = 1.0,
) -> str:
    """Hillshade: how bright the land looks under a light, 0 (away from it) to 254.

    Parameters
    ----------
    dem_path : str
        Elevation model.
    output_path : str
        GeoTIFF of bytes to write; 255 means nodata.
    azimuth : float
        Where the light comes from, degrees clockwise from north.
    altitude : float
        Height of the light above the horizon, 0 to 90 degrees.
    z_factor : float
        Exaggerates the relief when above 1.

    Returns
    -------
    str
        Result saved at PATH.
    """
    require_sun(azimuth, altitude, "azimuth", "altitude")
    dem = elevation(dem_path, z_factor)

    def shade(dem: Floats, grid: Grid) -> Floats:
        return 254 * np.clip(illumination(dem * z_factor, grid, azimuth, altitude), 0, 1)

    product = map_pixels(
        shade, {"dem": dem}, output_path, role="hillshade", unit="1", dtype="uint8", halo=1, placed=True
    )
    return saved(product)


@tool(
    kit=TERRAIN,
    source="Zevenbergen & Thorne 1987, Earth Surf. Process. Landforms 12:47",
    gives=Gives("raster", "curvature", "1/m"),
    formula="-2 (D G^2 + E H^2 + F G H) / (G^2 + H^2) profile; 2 (D H^2 + E G^2 - F G H) / (G^2 + H^2) plan; "
    "-2 (D + E) total",
)
def calculate_curvature(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("curvature", "1/m")],
    kind: Curvature = "total",
) -> str:
    """Curvature of the land, per metre; total curvature is positive on ridges and negative in hollows.

    Parameters
    ----------
    dem_path : str
        Elevation model.
    output_path : str
        GeoTIFF to write, in 1/m (GIS programs often show a hundred times this).
    kind : str
        ``total`` (of the surface, positive where it bulges), ``profile`` (along the steepest descent,
        positive where the slope is convex) or ``plan`` (across it, positive where flow converges).

    Returns
    -------
    str
        Result saved at PATH.
    """
    dem = elevation(dem_path)

    def curvature(dem: Floats, grid: Grid) -> Floats:
        return _curved(dem, grid, kind)

    product = map_pixels(
        curvature, {"dem": dem}, output_path, role="curvature", unit="1/m", halo=1, placed=True
    )
    return saved(product)


def illumination(dem: Floats, grid: Grid, azimuth: float, altitude: float) -> Floats:
    """Return the cosine of the angle between the light and the surface's normal."""
    eastward, northward = gradient(dem, grid)
    sun, height = np.radians(azimuth), np.radians(altitude)
    rise = eastward * np.sin(sun) + northward * np.cos(sun)
    return (np.sin(height) - np.cos(height) * rise) / np.sqrt(1 + eastward**2 + northward**2)


def require_sun(azimuth: float, altitude: float, azimuth_name: str, altitude_name: str) -> None:
    """Refuse a position of the light that is not in the sky.

    Raises
    ------
    InputError
        Names the argument.
    """
    if not 0 <= azimuth <= 360:
        raise InputError(
            f"The argument {azimuth_name!r} is {azimuth:g}.", "Give 0 to 360 degrees from north."
        )
    if not 0 < altitude <= 90:
        raise InputError(
            f"The argument {altitude_name!r} is {altitude:g}.", "Give degrees above 0, up to 90."
        )


def _curved(dem: Floats, grid: Grid, kind: Curvature) -> Floats:
    sides, z = Sides.of(grid), np.pad(dem, 1, constant_values=np.nan)
    centre, east, west = z[1:-1, 1:-1], z[1:-1, 2:], z[1:-1, :-2]
    north, south = z[:-2, 1:-1], z[2:, 1:-1]
    d = ((west + east) / 2 - centre) / sides.east**2
    e = ((north + south) / 2 - centre) / sides.north**2
    if kind == "total":
        return -2 * (d + e)
    f = (z[:-2, 2:] - z[:-2, :-2] + z[2:, :-2] - z[2:, 2:]) / (4 * sides.east * sides.north)
    g, h = (east - west) / (2 * sides.east), (north - south) / (2 * sides.north)
    steep = g**2 + h**2
    along = -2 * (d * g**2 + e * h**2 + f * g * h)
    across = 2 * (d * h**2 + e * g**2 - f * g * h)
    return np.where(steep > 0, (along if kind == "profile" else across) / np.where(steep > 0, steep, 1), 0)
