"""Vegetation of the Copernicus Global Land Service and PROBA-V, as their user manuals store it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.product_layers import Layer, assert_reads
from tests.rasters import write_raster
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.raster import source, statistics
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.recognition.describe import describe


@pytest.mark.parametrize(
    ("name", "role", "year", "line"),
    [
        ("c_gls_NDVI300_202106010000_GLOBE_OLCI_V2.0.1.tif", "ndvi", 2021, (0.004, -0.08)),
        ("c_gls_LAI300-RT6_202106100000_GLOBE_OLCI_V1.1.1.tif", "lai", 2021, (1 / 30, 0.0)),
        ("c_gls_FAPAR300_201806100000_GLOBE_PROBAV_V1.0.1.tif", "fpar", 2018, (0.004, 0.0)),
        ("c_gls_FCOVER300_201806100000_GLOBE_PROBAV_V1.0.1.tif", "fvc", 2018, (0.004, 0.0)),
        ("c_gls_NDVI300-NDVI_202107110000_GLOBE_OLCI_V2.0.1.tiff", "ndvi", 2021, (0.004, -0.08)),
        ("c_gls_FAPAR300-RT0-FAPAR_202107100000_GLOBE_OLCI_V1.1.2.tiff", "fpar", 2021, (0.004, 0.0)),
        ("PROBAV_S10_TOC_X18Y02_20180601_100M_NDVI_V101.tif", "ndvi", 2018, (0.004, -0.08)),
        ("PROBAV_S10_TOC_20180601_333M_V101_NDVI.tif", "ndvi", 2018, (0.004, -0.08)),
        ("PROBAV_S10_TOC_NDVI_20180601_100M_V101.tif", "ndvi", 2018, (0.004, -0.08)),
    ],
)
def test_names_and_scales(tmp_path: Path, name: str, role: str, year: int, line: tuple[float, float]) -> None:
    stored = np.arange(256, dtype="uint8").reshape(16, 16)
    found = describe(write_raster(tmp_path / name, stored))
    (band,) = found.bands
    assert (band.role, found.product) == (role, "copernicus_vegetation")
    assert found.date is not None and found.date.year == year
    assert (band.scale, band.offset) == pytest.approx(line) and band.scale_known


def test_flags_are_no_values(tmp_path: Path) -> None:
    stored = np.array([[20, 145], [254, 255]], dtype="uint8")
    write_raster(tmp_path / "c_gls_NDVI300_202106010000_GLOBE_OLCI_V2.0.1.tif", stored)
    with use_context(ToolContext(tmp_path, FileResolver(tmp_path))):
        found = statistics(source("c_gls_NDVI300_202106010000_GLOBE_OLCI_V2.0.1.tif"))
    assert (found.count_valid, found.mean) == (2, pytest.approx(0.25))


def test_a_mosaic_of_palsar_is_no_sentinel(tmp_path: Path) -> None:
    stored = np.full((8, 8), 4000, dtype="uint16")
    found = describe(write_raster(tmp_path / "N46E014_20_sl_HH_F02DAR.tif", stored))
    assert (found.sensor, found.bands[0].role, found.bands[0].scale_known) == ("ALOS PALSAR", "hh", False)
    assert any("20 log10(DN) - 83" in warning for warning in found.warnings)


def test_tree_cover_of_the_high_resolution_layers(tmp_path: Path) -> None:
    values = (40, 60, 254, 255)
    name = "TCD_2018_010m_E43N25_03035_v020.tif"
    assert_reads(tmp_path, Layer(name, "uint8", values, "tree_cover", (40, 60), "%", "2018-01-01"))


def test_layers_beside_the_values_have_no_role(tmp_path: Path) -> None:
    name = "c_gls_NDVI300-QFLAG_202107110000_GLOBE_OLCI_V2.0.1.tiff"
    assert describe(write_raster(tmp_path / name, np.full((8, 8), 3, "uint8"))).bands[0].role is None


def test_vegetation_indices_of_high_resolution(tmp_path: Path) -> None:
    name = "VI_20210711T100031_S2B_T33TVM-010m_V101_NDVI.tif"
    assert_reads(tmp_path, Layer(name, "int16", (6500, -32768), "ndvi", (0.65,), "1", "2021-07-11"))


def test_whole_numbers_of_a_leaf_area_of_no_known_product_have_no_scale(tmp_path: Path) -> None:
    """They are tenths of MODIS or thirtieths of Copernicus Land; 90 is 9 or 3."""
    stored = np.arange(20, 120, dtype="uint8").reshape(10, 10)
    for name, known in (("LAI_2021-07-10.tif", False), ("MODIS_LAI_2021-07-10.tif", True)):
        (band,) = describe(write_raster(tmp_path / name, stored)).bands
        assert (band.role, band.scale_known) == ("lai", known)
