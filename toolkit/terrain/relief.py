"""Slope, aspect, hillshade and curvature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Grid, map_pixels
from treeline.toolkit.raster.ground import Steps
from treeline.toolkit.results import report_saved
from treeline.toolkit.terrain.gradient import (
    Floats,
    Method,
    downhill,
    elevation,
    gradient,
    ground_of,
    on_ground,
    steepness,
)
from treeline.toolkit.terrain.kit import TERRAIN
from treeline.toolkit.tool import Gives, Reads, Writes, tool

HORN = "Horn 1981, Proc. IEEE 69:14; Zevenbergen & Thorne 1987, Earth Surf. Process. Landforms 12:47"
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
    method: Method = "horn",
    z_factor: float = 1.0,
) -> str:
    """Slope of the land from elevation, in degrees.

    Parameters
    ----------
    dem_path : str
        Elevation model in metres, in any CRS; the true lengths on the ground are used.
    output_path : str
        GeoTIFF to write; nodata at the outermost pixels, at nodata and beside it.
    method : str
        ``horn`` for rough, ``zevenbergen_thorne`` for smooth land.
    z_factor : float
        Metres per unit of elevation, such as 0.3048 for feet where the file does not state its unit.

    Returns
    -------
    str
        Result saved at PATH.
    """
    return _write_slope(dem_path, output_path, "terrain_slope", method, z_factor)


@tool(
    kit=TERRAIN,
    source=HORN,
    gives=Gives("raster", "terrain_slope_percent", "%"),
    formula="100 sqrt((dz/dx)^2 + (dz/dy)^2), by 3 x 3 pixels",
)
def calculate_slope_percent(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("terrain_slope_percent", "%")],
    method: Method = "horn",
    z_factor: float = 1.0,
) -> str:
    """Slope of the land from elevation, in per cent: 100 for 45 degrees.

    A mean of it is no function of the mean in degrees, as the tangent is not linear.

    Parameters
    ----------
    dem_path : str
        Elevation model in metres, in any CRS; the true lengths on the ground are used.
    output_path : str
        GeoTIFF to write; nodata at the outermost pixels, at nodata and beside it.
    method : str
        ``horn`` for rough, ``zevenbergen_thorne`` for smooth land.
    z_factor : float
        Metres per unit of elevation, such as 0.3048 for feet where the file does not state its unit.

    Returns
    -------
    str
        Result saved at PATH.
    """
    return _write_slope(dem_path, output_path, "terrain_slope_percent", method, z_factor)


def _write_slope(dem_path: str, output_path: str, role: str, method: Method, z_factor: float) -> str:
    dem = elevation(dem_path, z_factor)
    ground = ground_of(dem, directions=False)
    degrees = role == "terrain_slope"

    def slope(dem: Floats, grid: Grid) -> Floats:
        angle = steepness(*gradient(dem * z_factor, ground.steps(grid), method))
        return np.degrees(angle) if degrees else 100 * np.tan(angle)

    return report_saved(
        map_pixels(
            slope,
            {"dem": dem},
            output_path,
            role=role,
            unit="degree" if degrees else "%",
            halo=1,
            placed=True,
            extra_tags=ground.tags(),
        )
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
        GeoTIFF to write: 0 true north, 90 east, 180 south, 270 west; nodata where it is flat and at the
        rim.
    method : str
        ``horn`` or ``zevenbergen_thorne``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    dem = elevation(dem_path)
    ground = ground_of(dem)

    def aspect(dem: Floats, grid: Grid) -> Floats:
        return np.degrees(downhill(*gradient(dem, ground.steps(grid), method))) % 360

    product = map_pixels(
        aspect,
        {"dem": dem},
        output_path,
        role="terrain_aspect",
        unit="degree",
        halo=1,
        placed=True,
        extra_tags=ground.tags(),
    )
    return report_saved(product)


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
    ground = ground_of(dem)

    def facing(dem: Floats, grid: Grid) -> Floats:
        eastward, northward = gradient(dem, ground.steps(grid), method)
        aspect = np.degrees(downhill(eastward, northward)) % 360
        inside = np.any([_is_within(aspect, *SECTORS[direction]) for direction in directions], axis=0)
        sloping = 100 * np.hypot(eastward, northward) >= level_percent
        return np.where(np.isnan(eastward), np.nan, inside & sloping)

    return report_saved(
        map_pixels(
            facing,
            {"dem": dem},
            output_path,
            role="mask",
            dtype="uint8",
            halo=1,
            placed=True,
            extra_tags=ground.tags(),
        )
    )


def _is_within(aspect: Floats, low: float, high: float) -> NDArray[np.bool_]:
    # The sector of north runs over 360 degrees.
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
    ground = ground_of(dem)

    def shade(dem: Floats, grid: Grid) -> Floats:
        # 255 is the nodata of bytes.
        return 254 * np.clip(illumination(dem * z_factor, ground.steps(grid), azimuth, altitude), 0, 1)

    product = map_pixels(
        shade,
        {"dem": dem},
        output_path,
        role="hillshade",
        unit="1",
        dtype="uint8",
        halo=1,
        placed=True,
        extra_tags=ground.tags(),
    )
    return report_saved(product)


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
    ground = ground_of(dem, directions=False)

    def curvature(dem: Floats, grid: Grid) -> Floats:
        return _curvature(dem, ground.steps(grid), kind)

    product = map_pixels(
        curvature,
        {"dem": dem},
        output_path,
        role="curvature",
        unit="1/m",
        halo=1,
        placed=True,
        extra_tags=ground.tags(),
    )
    return report_saved(product)


def illumination(dem: Floats, steps: Steps, azimuth: float, altitude: float) -> Floats:
    """Return the cosine of the angle between the light and the surface's normal.

    Parameters
    ----------
    dem : ndarray
        Elevations in metres, (rows, columns).
    steps : Steps
        From pixel to pixel on the ground in metres.
    azimuth, altitude : float
        Of the light in degrees: clockwise from north, and above the horizon.

    Returns
    -------
    ndarray
        -1 to 1; below 0 where the surface turns away from the light.
    """
    eastward, northward = gradient(dem, steps)
    sun, height = np.radians(azimuth), np.radians(altitude)
    # The rise towards the light; the normal of the surface is (-eastward, -northward, 1) over its length.
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


def _curvature(dem: Floats, steps: Steps, kind: Curvature) -> Floats:
    z = np.pad(dem, 1, constant_values=np.nan)
    centre, right, left = z[1:-1, 1:-1], z[1:-1, 2:], z[1:-1, :-2]
    above, below = z[:-2, 1:-1], z[2:, 1:-1]
    mixed = (z[:-2, :-2] - z[:-2, 2:] + z[2:, 2:] - z[2:, :-2]) / 4
    # The second derivatives by column and row, carried to the ground from the one side and the other.
    east_column, north_column = on_ground(left + right - 2 * centre, mixed, steps)
    east_row, north_row = on_ground(mixed, above + below - 2 * centre, steps)
    east_east, f = on_ground(east_column, east_row, steps)
    _, north_north = on_ground(north_column, north_row, steps)
    d, e = east_east / 2, north_north / 2
    if kind == "total":
        return -2 * (d + e)
    g, h = on_ground((right - left) / 2, (below - above) / 2, steps)
    steep = g**2 + h**2
    along = -2 * (d * g**2 + e * h**2 + f * g * h)
    across = 2 * (d * h**2 + e * g**2 - f * g * h)
    # Beside nodata the steepness is NaN, and so is the curvature; on level land it is 0.
    level = steep == 0
    return np.where(level, 0, (along if kind == "profile" else across) / np.where(level, 1, steep))
