"""WorldPop and GHSL as their documents say; not real products."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product_layers import Layer, assert_reads

VALUES = [
    Layer(
        "svn_ppp_2020.tif",
        "float32",
        (0.0, 12.5, -99999.0),
        "population",
        (0.0, 12.5),
        "persons",
        "2020-01-01",
    ),
    Layer(
        "svn_pd_2020_1km.tif",
        "float32",
        (0.0, 412.5, -99999.0),
        "population_density",
        (0.0, 412.5),
        "persons/km2",
        "2020-01-01",
    ),
    Layer(
        "gpw_v4_population_density_rev11_2020_30_sec.tif",
        "float32",
        (0.0, 512.5),
        "population_density",
        (0.0, 512.5),
        "persons/km2",
        "2020-01-01",
    ),
    Layer(
        "GHS_POP_E2020_GLOBE_R2023A_54009_100_V1_0_R4_C19.tif",
        "float64",
        (0.0, 12.5, -200.0),
        "population",
        (0.0, 12.5),
        "persons",
        "2020-01-01",
    ),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)
