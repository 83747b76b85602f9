"""Writing features: whole or not at all, within the output folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import shapely
from shapely.geometry import mapping

from treeline.toolkit.context import Product, current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.files import output_file
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.vector.drivers import ogr
from treeline.toolkit.vector.features import Features

_WRITES = {".geojson": "GeoJSON", ".json": "GeoJSON", ".gpkg": "GPKG"}


def write_features(
    features: Features, output: str | Path, role: str = "", inputs: Sequence[Path] = ()
) -> Product:
    """Write features as GeoJSON (in longitude and latitude) or GeoPackage (in their CRS).

    Returns
    -------
    Product
        Of kind ``vector``; also appended to the context's products.

    Raises
    ------
    InputError
        The output has another suffix, or is an input.
    PathOutside
        It leaves the output folder.
    """
    target = current_context().output_path(output, inputs, ".geojson")
    driver = _WRITES.get(target.suffix.lower())
    if driver is None:
        raise InputError(
            f"The output {target.name!r} is no vector file.", f"Call it {target.stem + '.geojson'!r}."
        )
    with output_file(target, RuntimeError) as temporary:
        _WRITERS[driver](features, temporary)
    product = Product(target, role, "", tuple(str(path) for path in inputs), kind="vector")
    current_context().products.append(product)
    return product


def _write_geojson(features: Features, path: Path) -> None:
    placed = features.in_crs(LONGITUDE_LATITUDE) if features.crs else features
    members = [
        {"type": "Feature", "geometry": mapping(item.geometry), "properties": dict(item.attributes)}
        for item in placed.items
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": members}, default=str), "utf-8")


def _write_geopackage(features: Features, path: Path) -> None:
    names = list(dict.fromkeys(name for item in features.items for name in item.attributes))
    columns = [np.array([item.attributes.get(name) for item in features.items]) for name in names]
    kinds = {item.geometry.geom_type for item in features.items}
    kind = kinds.pop() if len(kinds) == 1 else "Unknown"
    geometries = np.array(shapely.to_wkb(features.geometries), dtype=object)
    ogr().write(
        path,
        geometries,
        columns,
        np.array(names, dtype=object),
        driver="GPKG",
        geometry_type=kind,
        layer="features",
        crs=features.crs,
    )


_WRITERS: Mapping[str, Callable[[Features, Path], None]] = {
    "GeoJSON": _write_geojson,
    "GPKG": _write_geopackage,
}
