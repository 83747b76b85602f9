"""Manuals of WorldCover, Dynamic World, CORINE, ESA CCI and Impact Observatory; not real products."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product_layers import Layer, assert_holds
from treeline.toolkit.recognition import describe_name

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
