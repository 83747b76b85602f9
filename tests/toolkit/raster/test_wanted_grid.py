from __future__ import annotations

import numpy as np
import rasterio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rasterio.enums import Resampling

from tests.rasters import ORIGIN, UTM, write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.raster import Grid, bands_of, map_pixels


def _shift(columns: int, rows: int, width: int, height: int) -> Grid:
    return Grid(UTM, (10.0, 0.0, ORIGIN[0] + 10 * columns, 0.0, -10.0, ORIGIN[1] - 10 * rows), width, height)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(-5, 25), st.integers(-5, 15), st.integers(6, 20), st.integers(6, 20))
def test_pixels_keep_their_values_on_a_shifted_grid(
    context: ToolContext, columns: int, rows: int, width: int, height: int
) -> None:
    values = np.arange(600, dtype="float32").reshape(20, 30)
    write_raster(context.output_folder / "v.tif", values)
    grid = _shift(columns, rows, width, height)
    map_pixels(lambda v: v, {"v": "v.tif"}, "o.tif", role="", grid=grid, resampling=Resampling.nearest)
    around = np.full((60, 70), np.nan)
    around[20:40, 20:50] = values
    with rasterio.open(context.output_folder / "o.tif") as dataset:
        np.testing.assert_array_equal(
            dataset.read(1), around[20 + rows : 20 + rows + height, 20 + columns : 20 + columns + width]
        )
    assert not context.warnings


def test_a_placed_function_knows_where_its_block_lies(context: ToolContext) -> None:
    write_raster(context.output_folder / "v.tif", np.zeros((1100, 1300), dtype="float32"))

    def easting(v: np.ndarray, grid: Grid) -> np.ndarray:
        return np.broadcast_to(grid.transform[2] + 10 * np.arange(grid.width), grid.shape)

    map_pixels(easting, {"v": "v.tif"}, "o.tif", role="", placed=True, halo=3, dtype="float64")
    with rasterio.open(context.output_folder / "o.tif") as dataset:
        np.testing.assert_array_equal(dataset.read(1)[1050], ORIGIN[0] + 10 * np.arange(1300))


def test_named_band_or_all(context: ToolContext) -> None:
    write_raster(
        context.output_folder / "b.tif",
        np.zeros((3, 4, 4), dtype="uint8"),
        descriptions=["red", "nir", "pan"],
    )
    assert [band.role for band in bands_of("b.tif")] == ["red", "nir", "pan"]
    assert [band.role for band in bands_of("b.tif#nir")] == ["nir"]
    assert not context.warnings
