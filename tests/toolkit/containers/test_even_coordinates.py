"""Grids with coordinates for each pixel: taken as they are, not laid on another grid."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio
from pyproj import Transformer

from tests.toolkit.containers.test_swaths import track, write
from treeline.toolkit.containers.unpacking import unpack

# NSIDC, EASE-Grid 2.0 of the world of 36 km (EASE2_M36km): size of a pixel, and the outer corner.
SIDE, LEFT, TOP, COLUMNS, ROWS = 36032.220840584, -17367530.4451615, 7314540.8306386, 964, 406
UNITS = {"units": "degrees", "_FillValue": np.float32(-9999)}
MOISTURE = {"units": "cm**3/cm**3", "_FillValue": np.float32(-9999)}


def unpacked(path: Path, folder: Path) -> Path:
    folder.mkdir()
    unpack(path, folder)
    return next(folder.iterdir())


def test_an_ease_grid_keeps_its_pixels_and_their_areas(tmp_path: Path) -> None:
    x, y = LEFT + SIDE * (np.arange(COLUMNS) + 0.5), TOP - SIDE * (np.arange(ROWS) + 0.5)
    degrees = Transformer.from_crs("EPSG:6933", "EPSG:4326", always_xy=True)
    east, north = (grid.astype("float32") for grid in degrees.transform(*np.meshgrid(x, y)))
    values = np.full(east.shape, -9999, "float32")
    part = (slice(60, 120), slice(480, 560))
    values[part] = np.random.default_rng(1).uniform(0.05, 0.45, (60, 80))
    values[70:80, 500:520] = -9999
    # SMAP leaves out the coordinates of what it has not measured, too.
    east[values == -9999], north[values == -9999] = -9999, -9999
    group = "Soil_Moisture_Retrieval_Data_AM"
    path = write(
        tmp_path / "SMAP_L3_SM_P_20200701_R18290_001.h5",
        {
            f"{group}/soil_moisture": (values, MOISTURE),
            f"{group}/latitude": (north, UNITS),
            f"{group}/longitude": (east, UNITS),
        },
    )
    with rasterio.open(unpacked(path, tmp_path / "out")) as opened:
        assert opened.crs.to_epsg() == 6933
        assert np.array_equal(opened.read(1), values)
        assert opened.transform.almost_equals(rasterio.Affine(SIDE, 0, LEFT, 0, -SIDE, TOP), precision=50.0)


@pytest.mark.parametrize("down", [0.1, -0.1])
def test_an_even_grid_of_degrees_is_one(tmp_path: Path, down: float) -> None:
    north, east = np.meshgrid(45 - down * np.arange(20), 14 + 0.1 * np.arange(30), indexing="ij")
    values = np.random.default_rng(2).uniform(0.05, 0.45, north.shape).astype("float32")
    path = write(
        tmp_path / "even.h5",
        {
            "soil_moisture": (values, MOISTURE),
            "latitude": (north.astype("float32"), UNITS),
            "longitude": (east.astype("float32"), UNITS),
        },
    )
    with rasterio.open(unpacked(path, tmp_path / "out")) as opened:
        assert np.array_equal(opened.read(1), values if down > 0 else values[::-1])


def test_rows_that_run_aslant_are_a_swath(tmp_path: Path) -> None:
    north, east = track()
    values = np.random.default_rng(3).uniform(0.05, 0.45, north.shape).astype("float32")
    path = write(
        tmp_path / "swath.h5",
        {"soil_moisture": (values, MOISTURE), "latitude": (north, UNITS), "longitude": (east, UNITS)},
    )
    with rasterio.open(unpacked(path, tmp_path / "out")) as opened:
        assert opened.shape != values.shape
