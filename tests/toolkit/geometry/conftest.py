"""A folder of small rasters and vector files, and tools that run in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shapely.geometry import mapping

from tests.workplace import Workplace


class GeometryWorkplace(Workplace):
    """Writes vector files too."""

    def features(
        self, file: str, *geometries: Any, crs: str | None = "EPSG:32633", **columns: list[Any]
    ) -> str:
        """Write geometries as GeoJSON with a CRS member, as GDAL writes it for other CRS."""
        members = [
            {
                "type": "Feature",
                "geometry": mapping(geometry),
                "properties": {k: v[n] for k, v in columns.items()},
            }
            for n, geometry in enumerate(geometries)
        ]
        content: dict[str, Any] = {"type": "FeatureCollection", "features": members}
        if crs is not None:
            code = crs.split(":")[1]
            content["crs"] = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:EPSG::{code}"}}
        (self.folder / file).write_text(json.dumps(content))
        return file


@pytest.fixture
def place(tmp_path: Path) -> GeometryWorkplace:
    return GeometryWorkplace(tmp_path)
