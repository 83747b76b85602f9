"""GIMMS NDVI3g, NOAA vegetation health and eMODIS, as their papers and guides say; not real products."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product_layers import Layer, assert_reads
from treeline.toolkit.recognition import describe_name

STORED, INDEX = (7013, -1500, -5000, -10000), (0.7013, -0.15)
EMODIS = "US_eMAH_NDVI.2019.092-098.1KM.VI_NDVI.006.2019100034023.tif"
VALUES = [
    Layer("geo82jan15a.n07-VI3g.tif", "int16", STORED, "ndvi", INDEX, "1", "1982-01-01"),
    Layer("geo00feb15b.n14-VI3g.tif", "int16", STORED, "ndvi", INDEX, "1", "2000-02-16"),
    Layer("GIMMS_NDVI3g_1981-07-b.tif", "int16", STORED, "ndvi", INDEX, "1", "1981-07-16"),
    Layer("ndvi3g_1982_jan_a.tif", "float32", (0.7, -0.1), "ndvi", (0.7, -0.1), "1", "1982-01-01"),
    Layer(
        "VHP.G04.C07.npp.P2021023.SM.SMN.tif", "float32", (0.3, 0.6), "ndvi", (0.3, 0.6), "1", "2021-06-04"
    ),
    Layer(EMODIS, "int16", (7000, -1500, -2000), "ndvi", (0.7, -0.15), "1", "2019-04-02"),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


def test_the_satellite_in_the_name_of_vegetation_health_is_no_productivity() -> None:
    assert describe_name("VHP.G04.C07.npp.P2021023.VH.tif").role is None
