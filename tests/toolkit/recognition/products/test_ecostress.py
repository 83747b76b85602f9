"""ECOSTRESS Level 2 user guides, collections 1 and 2; not real products."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product_layers import Layer, assert_reads
from treeline.toolkit.recognition import describe_name

VALUES = [
    Layer(
        "ECOv002_L3T_JET_17134_003_33TVM_20210712T100031_0710_01_ETdaily.tif",
        "float32",
        (1.25, 4.5),
        "evapotranspiration",
        (1.25, 4.5),
        "mm/day",
        "2021-07-12",
    ),
    Layer(
        "ECOv002_L2T_LSTE_17134_003_33TVM_20210712T100031_0710_01_LST.tif",
        "float32",
        (301.25, 298.5),
        "lst",
        (301.25, 298.5),
        "K",
        "2021-07-12",
    ),
    Layer(
        "ECOv002_L2T_LSTE_17134_003_33TVM_20210712T100031_0710_01_EmisWB.tif",
        "float32",
        (0.96, 0.98),
        "emissivity",
        (0.96, 0.98),
        "1",
        "2021-07-12",
    ),
    Layer(
        "ECO2LSTE.001_SDS_LST_doy2021193100031_aid0001.tif",
        "uint16",
        (15203, 0),
        "lst",
        (304.06,),
        "K",
        "2021-07-12",
    ),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


@pytest.mark.parametrize("layer", ["LST_err", "water", "view_zenith", "height"])
def test_what_stands_beside_the_temperature_is_no_temperature(layer: str) -> None:
    name = f"ECOv002_L2T_LSTE_17134_003_33TVM_20210712T100031_0710_01_{layer}.tif"
    assert describe_name(name).role is None
