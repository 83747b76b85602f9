"""Elevation models, from Copernicus DEM to FABDEM, as their guides say; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.product_layers import Layer, assert_reads
from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.recognition import FileResolver, describe_name
from treeline.toolkit.recognition.describe import describe

VALUES = [
    Layer(
        "Copernicus_DSM_COG_10_N46_00_E014_00_DEM.tif",
        "float32",
        (301.25, 512.5),
        "dem",
        (301.25, 512.5),
        "m",
    ),
    Layer("n46_e014_1arc_v3.tif", "int16", (301, 512, -32768), "dem", (301, 512), "m"),
    Layer("srtm_39_03.tif", "int16", (301, 512, -32768), "dem", (301, 512), "m"),
    Layer("ASTGTMV003_N46E014_dem.tif", "int16", (301, 512, -9999), "dem", (301, 512), "m"),
    Layer("ALPSMLC30_N046E014_DSM.tif", "int16", (301, 512, -9999), "dem", (301, 512), "m"),
    Layer("n46e014_elv.tif", "float32", (301, 512, -9999), "dem", (301, 512), "m"),
    Layer("merit_n45e010_elv.tif", "float32", (301, 512, -9999), "dem", (301, 512), "m"),
    Layer("USGS_13_n46w116_20220309.tif", "float32", (301, 512, -999999), "dem", (301, 512), "m"),
    Layer("USGS_1M_10_x43y465_OR_South_2019.tif", "float32", (301, 512, -999999), "dem", (301, 512), "m"),
    Layer("swissalti3d_2019_2573-1085_2_2056_5728.tif", "float32", (301, 512, -9999), "dem", (301, 512), "m"),
    Layer("M_25GN1.tif", "float32", (3.25, 5.5, 3.4028234663852886e38), "dem", (3.25, 5.5), "m"),
    Layer("N46E014_FABDEM_V1-2.tif", "float32", (301, 512, -9999), "dem", (301, 512), "m"),
    Layer("50n000e_20101117_gmted_mea075.tif", "int16", (301, 512, -32768), "dem", (301, 512), "m"),
    Layer(
        "gebco_2023_n46.0_s40.0_w10.0_e16.0.tif",
        "int16",
        (-4100, 512, -32767),
        "bathymetry",
        (-4100, 512),
        "m",
    ),
    Layer("ETOPO_2022_v1_15s_N45E000_surface.tif", "float32", (-4100, 512), "bathymetry", (-4100, 512), "m"),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


def test_the_release_of_a_model_is_no_date_of_its_heights() -> None:
    assert describe_name("USGS_13_n46w116_20220309.tif").date is None
    assert describe_name("gebco_2023_n46.0_s40.0_w10.0_e16.0.tif").date is None
    assert describe_name("50n000e_20101117_gmted_mea075.tif").date is None


@pytest.mark.parametrize(
    "name",
    [
        "50n000e_20101117_gmted_std075.tif",
        "ASTGTMV003_N46E014_num.tif",
        "ALPSMLC30_N046E014_STK.tif",
        "Copernicus_DSM_10_N46_00_E014_00_WBM.tif",
    ],
)
def test_what_stands_beside_the_heights_is_no_height(name: str) -> None:
    assert describe_name(name).role is None


@pytest.mark.parametrize(
    ("name", "scale", "open_unit"),
    [("dem_ft.tif", 0.3048, False), ("dem_ft_collins.tif", 1.0, True), ("dem_2021.tif", 1.0, False)],
)
def test_feet_in_a_name_are_taken_or_named(tmp_path: Path, name: str, scale: float, open_unit: bool) -> None:
    heights = np.linspace(400.0, 900.0, 64, dtype="float32").reshape(8, 8)
    found = describe(write_raster(tmp_path / name, heights))
    assert found.bands[0].unit_assumed is open_unit
    assert any("may mean feet" in warning for warning in found.warnings) is open_unit
    place = Workplace(tmp_path, FileResolver(tmp_path))
    (mean,) = place.run("calc_batch_image_mean", file_list=[name])
    np.testing.assert_allclose(mean, scale * heights.mean(), rtol=1e-6)
