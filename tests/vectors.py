"""A workplace with vector files too."""

from __future__ import annotations

import json
from typing import Any

from shapely.geometry import mapping

from tests.workplace import Workplace


class VectorWorkplace(Workplace):
    """Writes vector files beside the rasters."""

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
            name = f"urn:ogc:def:crs:EPSG::{crs.split(':')[1]}"
            content["crs"] = {"type": "name", "properties": {"name": name}}
        (self.folder / file).write_text(json.dumps(content))
        return file
