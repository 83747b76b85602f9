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


@pytest.mark.parametrize(
    ("scheme", "value", "name"),
    [
        ("LC_Type1", 17, "Water bodies"),
        ("LC_Type2", 0, "Water bodies"),
        ("LC_Type3", 5, "Evergreen broadleaf forests"),
        ("LC_Type5", 7, "Cereal croplands"),
    ],
)
def test_each_scheme_of_one_product_has_its_own_legend(
    tmp_path: Path, scheme: str, value: int, name: str
) -> None:
    file = write_raster(
        tmp_path / f"MCD12Q1.061_{scheme}_doy2020001_aid0001.tif", np.full((4, 4), value, "uint8")
    )
    description = describe(file)
    assert class_legend(Source(description, description.bands[0])).names[value] == name
