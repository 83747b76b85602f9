"""Classes that a raster does not name are called what a vector file beside it calls its numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tests.rasters import write_raster
from treeline.core.serving import MapLayer
from treeline.core.serving.styles import class_colours
from treeline.core.workspace import Workspace
from treeline.core.workspace.class_names import NamesBeside
from treeline.toolkit.raster import Source
from treeline.toolkit.raster.classes import CLASSES_TAG, rgba

NAMES = {1: "forest", 2: "grassland"}


def workspace_of(folder: Path, tags: dict[str, str] | None = None) -> Workspace:
    """Return a workspace of a map of the classes 0, 1 and 2, and of polygons that number forest as 1."""
    data = folder / "data"
    data.mkdir()
    write_raster(data / "Lake_LULC.tif", np.resize(np.array([0, 1, 2], "uint8"), (6, 7)), tags=tags or {})
    square = {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]]}
    features = [
        {"type": "Feature", "geometry": square, "properties": {"number": value, "cover": name}}
        for value, name in [*NAMES.items()] * 2
    ]
    (data / "parcels.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return Workspace(folder / "workspace", [data])


def test_a_layer_of_classes_has_the_names_and_their_colours(tmp_path):
    workspace = workspace_of(tmp_path)
    (raster,) = workspace.rasters
    cover = Source(raster, raster.bands[0])
    layer = MapLayer.of((cover,), "cover", NamesBeside(workspace).of(cover))
    assert layer.class_names == NAMES
    colours = class_colours(layer)
    assert colours[1.0] == rgba("#2e7d32")
    red, green, blue, _ = colours[0.0]
    assert max(red, green, blue) - min(red, green, blue) < 16, "what nothing names is grey"


def test_a_raster_that_names_its_classes_keeps_its_names(tmp_path):
    workspace = workspace_of(tmp_path, {CLASSES_TAG: "1 pine, 2 meadow"})
    (raster,) = workspace.rasters
    cover = Source(raster, raster.bands[0])
    assert NamesBeside(workspace).of(cover) == {}
    assert MapLayer.of((cover,), "cover").class_names == {1: "pine", 2: "meadow"}
