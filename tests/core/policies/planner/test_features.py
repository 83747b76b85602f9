"""Points, lines and nameless polygons of a vector file: what is asked at, along, within and of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
import rasterio
import shapely
from pyproj import Transformer
from rasterio.features import geometry_mask
from shapely.geometry import Point, box, mapping
from shapely.geometry.base import BaseGeometry

from tests.core.policies.planner.arrays import Array

DAY = "2015-08-30"
TO_GLOBE = Transformer.from_crs(32633, 4326, always_xy=True)


@dataclass(frozen=True)
class Ground:
    """Real rasters, and geometries on them that a test gives in longitude and latitude."""

    slovenia: Path
    folder: Path

    @property
    def dem(self) -> Path:
        return self.slovenia / "Slovenia_DEM.tif"

    @property
    def ndvi(self) -> Path:
        return self.slovenia / "ndvi"

    def at(self, *shares: tuple[float, float]) -> list[tuple[float, float]]:
        """Return places of the DEM by their share of its width and height."""
        with rasterio.open(self.dem) as raster:
            left, bottom, right, top = raster.bounds
        return [(left + x * (right - left), bottom + y * (top - bottom)) for x, y in shares]

    def write(self, name: str, geometries: list[BaseGeometry], names: list[str] | None = None) -> Path:
        """Write geometries of EPSG:32633 as GeoJSON, with a name each where given."""
        globe = [shapely.transform(g, TO_GLOBE.transform, interleaved=False) for g in geometries]
        members = [
            {"type": "Feature", "geometry": mapping(g), "properties": {"site": names[i]} if names else {}}
            for i, g in enumerate(globe)
        ]
        path = self.folder / name
        path.write_text(json.dumps({"type": "FeatureCollection", "features": members}), "utf-8")
        return path

    def inside(self, *geometries: BaseGeometry) -> Array:
        with rasterio.open(self.dem) as raster:
            return ~geometry_mask(geometries, raster.shape, raster.transform)

    def values(self, path: Path, places: list[tuple[float, float]]) -> list[float]:
        with rasterio.open(path) as raster:
            return [float(value[0]) for value in raster.sample(places)]


@pytest.fixture
def ground(slovenia: Path, tmp_path: Path) -> Ground:
    return Ground(slovenia, tmp_path)


@pytest.fixture
def stations(ground: Ground) -> tuple[Path, list[tuple[float, float]]]:
    places = ground.at((0.104, 0.203), (0.503, 0.508), (0.903, 0.102))
    return ground.write("stations.geojson", [Point(p) for p in places], ["Alder", "B", "Cedar"]), places


@pytest.fixture
def fields(ground: Ground) -> tuple[Path, list[BaseGeometry]]:
    corners = [ground.at(a, b) for a, b in (((0.1, 0.6), (0.9, 0.95)), ((0.1, 0.05), (0.7, 0.4)))]
    areas: list[BaseGeometry] = [box(*low, *high) for low, high in corners]
    return ground.write("aoi.geojson", areas), areas
