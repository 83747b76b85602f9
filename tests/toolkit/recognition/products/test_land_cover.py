"""Published maps of land cover, from WorldCover to NLCD, as their manuals say; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.product_layers import Layer, assert_holds
from tests.rasters import write_raster
from treeline.toolkit.raster import Source, class_legend
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.describe import describe

CLASSES = [
    Layer(
        "ESA_WorldCover_10m_2021_v200_N45E012_Map.tif", "uint8", (10, 10, 80, 0), "landcover", (10, 10, 80)
    ),
    Layer(
        "20210712T100031_20210712T100031_T33TVM.label.tif", "uint8", (0, 0, 1, 8), "landcover", (0, 0, 1, 8)
    ),
    Layer("DynamicWorld_label_2021-07-12.tif", "uint8", (0, 0, 1, 8), "landcover", (0, 0, 1, 8)),
    Layer("U2018_CLC2018_V2020_20u1.tif", "uint8", (1, 12, 12, 44, 48, 128), "landcover", (1, 12, 12, 44)),
    Layer(
        "ESACCI-LC-L4-LCCS-Map-300m-P1Y-2015-v2.0.7.tif",
        "uint8",
        (10, 210, 210, 0),
        "landcover",
        (10, 210, 210),
    ),
    Layer(
        "NLCD_2019_Land_Cover_L48_20210604.tif",
        "uint8",
        (11, 41, 41, 95, 0, 250),
        "landcover",
        (11, 41, 41, 95),
        "class",
        "2019-01-01",
    ),
    Layer(
        "PROBAV_LC100_global_v3.0.1_2019-nrt_Discrete-Classification-map_EPSG-4326.tif",
        "uint8",
        (20, 111, 200, 0),
        "landcover",
        (20, 111, 200),
        "class",
        "2019-01-01",
    ),
    Layer("mapbiomas_collection80_2021.tif", "uint8", (3, 15, 15, 33, 0), "landcover", (3, 15, 15, 33)),
    Layer("CDL_2021_17019.tif", "uint8", (1, 5, 5, 141, 0, 81), "landcover", (1, 5, 5, 141)),
    Layer("2021_30m_cdls.tif", "uint8", (1, 24, 24, 0), "landcover", (1, 24, 24), "class", "2021-01-01"),
    Layer("DLT_2018_010m_E43N25_03035_v020.tif", "uint8", (0, 1, 1, 2, 254, 255), "landcover", (0, 1, 1, 2)),
    Layer("WAW_2018_010m_E43N25_03035_v010.tif", "uint8", (0, 1, 1, 4, 253), "landcover", (0, 1, 1, 4)),
    Layer("n33_45_2020lc030.tif", "uint8", (20, 20, 60, 0), "landcover", (20, 20, 60), "class", "2020-01-01"),
    Layer("N46E014_15_C_F02DAR.tif", "uint8", (1, 1, 2, 3, 0), "landcover", (1, 1, 2, 3)),
    Layer("N46E014_20_C_F02DAR.tif", "uint8", (1, 2, 4, 0), "landcover", (1, 2, 4), "class", "2020-01-01"),
    Layer(
        "GHS_SMOD_E2020_GLOBE_R2023A_54009_1000_V2_0.tif",
        "int16",
        (30, 11, 30, -200),
        "landcover",
        (30, 11, 30),
    ),
    Layer(
        "20210701-ESACCI-L3S_FIRE-BA-MODIS-AREA_4-fv5.1-JD.tif",
        "int16",
        (0, 195, 195, -1, -2),
        "burn_date",
        (0, 195, 195),
    ),
    Layer(
        "OPERA_L3_DSWx-HLS_T33TVM_20210712T095031Z_20230101T000000Z_L8_30_v1.0_B01_WTR.tif",
        "uint8",
        (0, 1, 1, 2, 252, 253, 254, 255),
        "landcover",
        (0, 1, 1, 2),
        "class",
        "2021-07-12",
    ),
    Layer("33T_20210101-20220101.tif", "uint8", (1, 11, 11, 0), "landcover", (1, 11, 11)),
]


@pytest.mark.parametrize("layer", CLASSES, ids=str)
def test_classes(tmp_path: Path, layer: Layer) -> None:
    assert_holds(tmp_path, layer)


def test_dates_and_sensors() -> None:
    corine = describe_name("U2018_CLC2012_V2020_20u1.tif")
    assert corine.date is not None and (corine.date.year, corine.date_precision) == (2012, "year")
    # The L4 in these names is a level of processing and no satellite.
    assert describe_name("C3S-LC-L4-LCCS-Map-300m-P1Y-2020-v2.1.1.nc").sensor == "ESA CCI Land Cover"


MCD12Q1 = "MCD12Q1.061_{}_doy2020001_aid0001.tif"


@pytest.mark.parametrize(
    ("file", "value", "name"),
    [
        (MCD12Q1.format("LC_Type1"), 17, "Water bodies"),
        (MCD12Q1.format("LC_Type2"), 0, "Water bodies"),
        (MCD12Q1.format("LC_Type3"), 5, "Evergreen broadleaf forests"),
        (MCD12Q1.format("LC_Type5"), 7, "Cereal croplands"),
        ("mapbiomas_collection80_2021.tif", 15, "Pasture"),
        ("CDL_2021_17019.tif", 24, "Winter wheat"),
        ("DLT_2018_010m_E43N25_03035_v020.tif", 2, "Coniferous trees"),
        ("WAW_2018_010m_E43N25_03035_v010.tif", 4, "Temporary wetness"),
        ("n33_45_2020lc030.tif", 20, "Forest"),
        (
            "OPERA_L3_DSWx-S1_T33TVM_20240712T051234Z_20240713T000000Z_S1A_30_v1.0_B01_WTR.tif",
            1,
            "Open water",
        ),
        ("N46E014_15_C_F02DAR.tif", 2, "Non-forest"),
        ("N46E014_20_C_F02DAR.tif", 2, "Sparse forest"),
        ("GHS_SMOD_POP2015_GLOBE_R2019A_54009_1K_V2_0.tif", 30, "Urban centre"),
        ("GHS_SMOD_E2020_GLOBE_R2023A_54009_1000_V2_0.tif", 30, "Urban centre"),
        ("GOOGLE_DYNAMICWORLD_V1_20210712T095031_20210712T095030_T33TVM_label.tif", 1, "Trees"),
        ("20210712T095031_20210712T095030_T33TVM_dynamicworld_label.tif", 1, "Trees"),
    ],
)
def test_legends(tmp_path: Path, file: str, value: int, name: str) -> None:
    description = describe(write_raster(tmp_path / file, np.full((4, 4), value, "uint8")))
    assert class_legend(Source(description, description.bands[0])).names[value] == name


def test_a_forest_map_of_palsar_that_may_have_three_or_four_classes_names_none(tmp_path: Path) -> None:
    description = describe(write_raster(tmp_path / "N46E014_17_C_F02DAR.tif", np.full((4, 4), 2, "uint8")))
    assert description.bands[0].role == "landcover"
    assert not class_legend(Source(description, description.bands[0])).names
    assert any("three and with four classes" in warning for warning in description.warnings)
