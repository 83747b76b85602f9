"""A server with the routes beside Streamlit's own, and layers to ask it for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.rasters import write_raster
from treeline.core.serving import LAYERS, MapLayer, routes
from treeline.core.workspace import Workspace
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition.describe import describe


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=routes()))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def layer_of(path: Path, *bands: int) -> MapLayer:
    description = describe(path)
    return MapLayer.of(tuple(Source(description, description.bands[b]) for b in bands or (0,)), path.stem)


@pytest.fixture
def halves(tmp_path: Path) -> tuple[str, MapLayer]:
    """A token and an NDVI raster of 0.8 in the west, -0.1 in the east, and no data in the north."""
    values = np.full((200, 200), 0.8, dtype="float32")
    values[:, 100:] = -0.1
    values[:50] = np.nan
    path = write_raster(tmp_path / "Place_NDVI_2021-07-12.tif", values, nodata=float("nan"))
    layer = layer_of(path)
    return LAYERS.token(layer), layer
