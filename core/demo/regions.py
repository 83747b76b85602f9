"""The demo's administrative regions: one polygon around each settlement."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy import ndimage

from treeline.core.demo.landscape import Landscape
from treeline.core.demo.noise import fractal, generator
from treeline.core.demo.terrain import PIXEL
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE, way_between

NAMES = (
    "Larchford",
    "Upper Larchford",
    "Marshend",
    "Oakhollow",
    "Stonebridge",
    "Millbrook",
    "Ashfield",
    "Lakeside",
    "Pinehurst",
    "Willowbank",
)


def regions(place: Landscape, left: float, top: float, crs: str) -> str:
    """Return the regions as GeoJSON text in longitude and latitude (RFC 7946).

    Parameters
    ----------
    place : Landscape
        Whose settlements the regions surround.
    left, top : float
        Corner of the scene, metres.
    crs : str
        CRS of the scene.
    """
    to_degrees = way_between(crs, LONGITUDE_LATITUDE)
    features = []
    for name, polygon in zip(NAMES, _polygons(place), strict=False):
        metres = shapely.transform(polygon, lambda xy: np.array([left, top]) + xy * [PIXEL, -PIXEL])
        degrees = shapely.transform(metres, lambda xy: np.stack(to_degrees.transform(*xy.T), axis=-1))
        properties = {"name": name, "area_ha": round(metres.area / 1e4, 1), "source": "SIMULATED by Treeline"}
        features.append(_feature(shapely.orient_polygons(degrees), properties))
    return json.dumps({"type": "FeatureCollection", "name": "regions", "features": features}, indent=1)


def _feature(polygon: shapely.Polygon, properties: dict[str, Any]) -> dict[str, Any]:
    geometry = json.loads(shapely.to_geojson(polygon))
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def _polygons(place: Landscape) -> list[shapely.Polygon]:
    size = place.size
    centres = shapely.MultiPoint(place.settlement.places[:, ::-1] + 0.5)
    scene = shapely.box(0, 0, size, size)
    cells = shapely.voronoi_polygons(centres, extend_to=scene, ordered=True).geoms
    rng = generator(place.seed, "regions")
    sway = np.stack([fractal(rng, size, size * 0.12, 4.0) for _ in range(2)]) * size * 0.006
    polygons = []
    for cell in cells:
        fine = shapely.segmentize(cell.intersection(scene), size / 60)
        polygons.append(shapely.transform(fine, lambda xy: _bend(xy, sway, size)))
    return polygons


def _bend(points: NDArray[np.float64], sway: NDArray[np.floating], size: int) -> NDArray[np.float64]:
    # The sway fades towards the edge of the scene, so neighbours still share their borders.
    fade = np.clip(np.minimum(points, size - points).min(axis=1) / (size * 0.05), 0, 1)[:, None]
    at = np.clip(points[:, ::-1].T - 0.5, 0, size - 1)
    shift = np.stack([ndimage.map_coordinates(part, at, order=1) for part in sway], axis=-1)
    return points + fade * shift
