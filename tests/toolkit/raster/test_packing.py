from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.raster import Grid, Packing, open_raster_file, source, statistics, write_array

GRID = Grid("EPSG:32633", (20.0, 0.0, 500_000.0, 0.0, -20.0, 5_100_000.0), 6, 5)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=arrays(np.float32, (2, 5, 6), elements=st.floats(-0.0625, 1.5, width=32)))
def test_packed_values_come_back_within_half_a_step(tmp_path, values):
    with use_context(ToolContext(output_folder=tmp_path)):
        write_array(
            values, GRID, "packed.tif", role=("red", "nir"), dtype="uint16", packing=Packing(1e-4, -0.1)
        )
    with open_raster_file(tmp_path / "packed.tif") as dataset:
        assert dataset.scales == pytest.approx((1e-4, 1e-4))
        assert dataset.offsets == pytest.approx((-0.1, -0.1))
        assert dataset.descriptions == ("red", "nir")
        stored = dataset.read()
    assert stored.dtype == np.uint16
    np.testing.assert_allclose(stored * 1e-4 - 0.1, values, atol=0.51e-4)


def test_packed_gaps_are_nodata_and_measures_stay_physical(tmp_path):
    values = np.full((5, 6), 300.0, np.float32)
    values[0, 0], values[4, 5] = np.nan, 310.0
    with use_context(ToolContext(output_folder=tmp_path)):
        product = write_array(values, GRID, "lst.tif", role="lst", dtype="uint16", packing=Packing(0.01))
        found = statistics(source(str(tmp_path / "lst.tif"), "lst"))
    assert (product.minimum, product.maximum) == pytest.approx((300.0, 310.0))
    assert product.valid_share == pytest.approx(29 / 30)
    assert found.count_valid == 29
    assert found.mean == pytest.approx(np.nanmean(values), abs=1e-3)
    assert found.max == pytest.approx(310.0, abs=1e-3)
