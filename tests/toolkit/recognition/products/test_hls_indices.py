"""HLS-VI User Guide 2.0; not real products."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product_layers import Layer, assert_reads

VALUES = [
    Layer(
        "HLS-VI.S30.T33UXP.2021193T100031.v2.0.NDVI.tif",
        "int16",
        (8123, -2000, -19999),
        "ndvi",
        (0.8123, -0.2),
        "1",
        "2021-07-12",
    ),
    Layer(
        "HLS-VI.L30.T33UXP.2021193T100031.v2.0.NBR.tif",
        "int16",
        (4123, -2000, -19999),
        "nbr",
        (0.4123, -0.2),
        "1",
        "2021-07-12",
    ),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)
