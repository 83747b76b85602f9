"""Copies of large rasters for the map: made once, told of, gone with their raster."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.core.serving.displays import Displays
from treeline.core.serving.layers import MapLayer
from treeline.core.serving.styles import default_style
from treeline.toolkit.raster import Source, display
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.recognition.model import RasterDescription

VALUES = np.random.default_rng(1).integers(1, 4000, (1100, 1200)).astype("uint16")


@pytest.fixture
def displays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Displays:
    monkeypatch.setattr(display, "QUICK", 2**20)
    return Displays(lambda: tmp_path / "displays")


def make_display(displays: Displays, raster: RasterDescription) -> Path | None:
    """Return the copy of a raster once nothing is under way."""
    displays.order(raster)
    until = time.monotonic() + 60
    while displays.under_way([raster]):
        assert time.monotonic() < until
        time.sleep(0.01)
    return displays.order(raster)


def test_a_large_raster_is_drawn_from_its_copy_and_looks_the_same(displays, tmp_path):
    raster = describe(write_raster(tmp_path / "a.tif", VALUES))
    layer = MapLayer.of((Source(raster, raster.bands[0]),), "a")
    assert displays.layer(layer).drawn_sources == layer.sources
    copy = make_display(displays, raster)
    shown = displays.layer(layer)
    assert copy is not None and shown.drawn_sources[0].path == copy
    # The same layer for every token, style and cache.
    assert shown == layer and hash(shown) == hash(layer) and default_style(shown) == default_style(layer)


def test_a_large_product_gets_overviews_and_no_copy(displays, tmp_path):
    path = write_raster(tmp_path / "Large_NDVI_2021-07-12.tif", VALUES, tags={"TREELINE_ROLE": "ndvi"})
    before = path.read_bytes()
    assert make_display(displays, describe(path)) is None
    with rasterio.open(path) as dataset:
        assert dataset.overviews(1) == [2, 4]
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.glob("Large*")) == [path.name, f"{path.name}.ovr"]
    assert not list((tmp_path / "displays").iterdir())


def test_a_layer_at_hand_is_one_for_which_nothing_is_left_to_make(displays, tmp_path):
    raster = describe(write_raster(tmp_path / "a.tif", VALUES))
    layer = MapLayer.of((Source(raster, raster.bands[0]),), "a")
    assert displays.layer_at_hand(layer) is None and displays.under_way([raster]) == []
    copy = make_display(displays, raster)
    at_hand = displays.layer_at_hand(layer)
    assert at_hand is not None and at_hand.drawn_sources[0].path == copy


def test_what_is_made_is_told_with_its_share(displays, tmp_path):
    raster = describe(write_raster(tmp_path / "a.tif", VALUES))
    displays.order(raster)
    told = displays.under_way([raster])
    assert [(each.name, 0 <= each.share < 1) for each in told] in ([("a.tif", True)], [])
    assert displays.under_way([]) == [] and make_display(displays, raster)


def test_a_copy_goes_with_its_raster(displays, tmp_path):
    first = describe(write_raster(tmp_path / "a.tif", VALUES))
    earlier = make_display(displays, first)
    first.path.unlink()
    later = make_display(displays, describe(write_raster(tmp_path / "b.tif", VALUES)))
    assert earlier is not None and not earlier.exists() and later is not None


def test_where_there_is_no_room_the_raster_is_drawn_as_it_is(displays, tmp_path, monkeypatch):
    monkeypatch.setenv("TREELINE_LIMITS", "free=1e18")
    raster = describe(write_raster(tmp_path / "a.tif", VALUES))
    assert make_display(displays, raster) is None and not list((tmp_path / "displays").iterdir())


def test_a_small_or_damaged_raster_has_none(displays, tmp_path):
    small = describe(write_raster(tmp_path / "s.tif", VALUES[:40]))
    assert make_display(displays, small) is None
    path = write_raster(tmp_path / "d.tif", VALUES)
    raster = describe(path)
    path.write_bytes(path.read_bytes()[:-500_000])
    assert make_display(displays, raster) is None
