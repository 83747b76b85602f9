"""Where a raster lies."""

from __future__ import annotations

import numpy as np
import pytest
from pyproj import Transformer


@pytest.mark.parametrize(
    ("crs", "origin", "pixel", "unit"),
    [("EPSG:32633", (500_000.0, 5_100_000.0), 10.0, "m"), ("EPSG:4326", (14.0, 46.0), 0.001, "degrees")],
)
def test_tells_grid_and_bounds(workplace, crs, origin, pixel, unit):
    workplace.raster("dem.tif", np.ones((20, 30), "float32"), crs=crs, origin=origin, pixel=pixel)
    told = workplace.run("describe_grid", raster="dem.tif")
    assert (told["crs"], told["width"], told["height"], told["unit"]) == (crs, 30, 20, unit)
    assert told["pixel_width"] == pytest.approx(pixel)
    assert told["pixel_height"] == pytest.approx(pixel)
    left, top = origin
    right, bottom = left + 30 * pixel, top - 20 * pixel
    told_bounds = [told[side] for side in ("left", "bottom", "right", "top")]
    assert told_bounds == pytest.approx([left, bottom, right, top])
    corners = Transformer.from_crs(crs, "EPSG:4326", always_xy=True).transform(
        [left, left, right, right], [bottom, top, bottom, top]
    )
    assert told["west"] <= min(corners[0]) and told["east"] >= max(corners[0])
    assert told["south"] <= min(corners[1]) and told["north"] >= max(corners[1])
    assert told["west"] == pytest.approx(min(corners[0]), abs=pixel / 1e4)


def test_without_a_crs_there_are_no_degrees(workplace):
    workplace.raster("chip.tif", np.ones((2, 3), "float32"), crs=None)
    told = workplace.run("describe_grid", raster="chip.tif")
    assert told["crs"] is None and told["unit"] == "units" and "west" not in told
