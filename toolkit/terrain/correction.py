"""Images freed of the shading of slopes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.raster import Grid, Source, map_pixels, reduce_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.terrain.gradient import Floats, elevation, ground_of
from treeline.toolkit.terrain.kit import TERRAIN
from treeline.toolkit.terrain.relief import illumination, require_sun
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Method = Literal["c", "cosine"]
# Cosine of the incidence angle, 87 degrees: beyond it the direct light is near none, and to divide by it
# would enlarge noise twentyfold.
LEAST_LIGHT = 0.05


@tool(
    kit=TERRAIN,
    source="Teillet, Guindon & Goodenough 1982, Can. J. Remote Sens. 8:84",
    gives=Gives("raster", "illumination", "1"),
    formula="cos i = sin h cos s + cos h sin s cos(azimuth - aspect)",
)
def calculate_illumination(
    dem_path: Annotated[str, Reads("dem")],
    output_path: Annotated[str, Writes("illumination", "1")],
    sun_azimuth: float,
    sun_elevation: float,
) -> str:
    """Illumination of slopes: cosine of the angle between the sun and the surface's normal.

    Parameters
    ----------
    dem_path : str
        Elevation model.
    output_path : str
        GeoTIFF to write, -1 to 1; below 0 the slope is turned away from the sun.
    sun_azimuth : float
        Degrees clockwise from north.
    sun_elevation : float
        Degrees above the horizon.

    Returns
    -------
    str
        Result saved at PATH.
    """
    require_sun(sun_azimuth, sun_elevation, "sun_azimuth", "sun_elevation")

    dem = elevation(dem_path)
    ground = ground_of(dem)

    def light(dem: Floats, grid: Grid) -> Floats:
        return illumination(dem, ground.steps(grid), sun_azimuth, sun_elevation)

    product = map_pixels(
        light,
        {"dem": dem},
        output_path,
        role="illumination",
        unit="1",
        halo=1,
        placed=True,
        extra_tags=ground.tags(),
    )
    return report_saved(product)


@tool(
    kit=TERRAIN,
    source="Teillet, Guindon & Goodenough 1982, Can. J. Remote Sens. 8:84",
    gives=Gives("raster", "topographic_correction"),
    formula="v (sin h + C) / (cos i + C), C = intercept / slope of v over cos i; cosine: C = 0",
)
def correct_topography(
    input_path: Annotated[str, Reads()],
    illumination_path: Annotated[str, Reads("illumination")],
    output_path: Annotated[str, Writes("topographic_correction", keeps_role=True)],
    sun_elevation: float,
    method: Method = "c",
) -> str:
    """Reflectance as if the land were level: C-correction of the shading of slopes.

    Parameters
    ----------
    input_path : str
        A reflectance band, clouds and water masked where they cover much.
    illumination_path : str
        From ``calculate_illumination`` with the sun of the image.
    output_path : str
        GeoTIFF to write; nodata in deep shade (cos i below 0.05).
    sun_elevation : float
        Degrees above the horizon, from the image's metadata.
    method : str
        ``c`` (for one kind of land cover at a time), or ``cosine``, which overcorrects steep slopes.

    Returns
    -------
    str
        Result saved at PATH.
    """
    require_sun(0.0, sun_elevation, "sun_azimuth", "sun_elevation")
    band = source(input_path)
    inputs = {"values": band, "light": source(illumination_path, "illumination")}
    empirical = _empirical(inputs) if method == "c" else 0.0
    level = np.sin(np.radians(sun_elevation))

    def correct(values: Floats, light: Floats) -> Floats:
        return np.where(light > LEAST_LIGHT, values * (level + empirical) / (light + empirical), np.nan)

    product = map_pixels(
        correct,
        inputs,
        output_path,
        role=band.role or "",
        unit=band.unit,
        extra_tags={"TREELINE_C": f"{empirical:.6g}"},
    )
    return report_saved(product)


def _empirical(inputs: Mapping[str, Source]) -> float:
    """Return C, the intercept over the slope of the band's values over the illumination."""
    count, light, values, squares, products = reduce_pixels(_sums, np.add, inputs, label="illumination")
    if count < 3:
        raise NoValidPixels(
            f"{inputs['values'].name} and its illumination share no lit pixels.", "Check extent and clouds."
        )
    spread, joint = squares - light**2 / count, products - light * values / count
    # The regression of the band on the illumination, from sums over all lit pixels.
    slope = joint / spread if spread > 0 else 0.0
    if slope <= 0:
        raise InputError(
            f"{inputs['values'].name} does not get brighter with the illumination, so C is unknown.",
            "Is the sun that of the image? Use method='cosine', or leave level land as it is.",
        )
    return float((values - slope * light) / count / slope)


def _sums(values: Floats, light: Floats) -> NDArray[np.float64]:
    lit = ~np.isnan(values) & (light > LEAST_LIGHT)
    v, x = values[lit].astype(np.float64), light[lit].astype(np.float64)
    return np.array([v.size, x.sum(), v.sum(), (x * x).sum(), (x * v).sum()])
