from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import PlainResolver, write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import InputError, RasterMissing, RoleMismatch, ScaleUnknown
from treeline.toolkit.raster import all_bands, require_scale, source, sources

PIXELS = np.ones((3, 4, 4), dtype="uint16")


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    return write_raster(tmp_path / "scene.tif", PIXELS, descriptions=["red", "nir", "swir1"])


@pytest.mark.parametrize("address", ["scene.tif#nir", "scene.tif#NIR", "scene.tif#2"])
def test_a_band_is_named_by_name_or_number(context: ToolContext, scene: Path, address: str) -> None:
    assert source(address).band.index == 2


def test_the_first_matching_role_wins(context: ToolContext, scene: Path) -> None:
    assert source("scene.tif", "nir08", "swir1", "red").role == "swir1"


def test_a_missing_band_names_those_that_exist(context: ToolContext, scene: Path) -> None:
    with pytest.raises(RasterMissing) as fault:
        source("scene.tif#B11")
    assert "swir1" in fault.value.hint


def test_another_role_is_refused_and_named(context: ToolContext, scene: Path) -> None:
    with pytest.raises(RoleMismatch, match=r"holds red .*not lst"):
        source("scene.tif#red", "lst")
    with pytest.raises(RoleMismatch) as fault:
        source("scene.tif", "lst")
    assert "swir1" in fault.value.hint


def test_an_unknown_single_band_is_accepted_with_a_warning(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", PIXELS[0])
    assert source("a.tif", "ndvi").role is None
    assert "a.tif" in context.warnings[0]


def test_several_bands_without_a_role_warn(context: ToolContext, scene: Path) -> None:
    assert source("scene.tif").band.index == 1
    assert "3 bands" in context.warnings[0]


def test_lists_and_all_bands(context: ToolContext, scene: Path) -> None:
    assert [s.role for s in sources(["scene.tif#1", "scene.tif#2"])] == ["red", "nir"]
    assert [s.role for s in sources("scene.tif", "nir")] == ["nir"]
    assert [s.role for s in all_bands("scene.tif")] == ["red", "nir", "swir1"]
    with pytest.raises(InputError, match="empty"):
        sources([])


def test_sources_travel(context: ToolContext, scene: Path) -> None:
    origin = source("scene.tif#nir")
    assert pickle.loads(pickle.dumps(origin)) == origin


def test_an_unstated_scale_is_an_error_where_it_matters(
    context: ToolContext, scene: Path, resolver: PlainResolver
) -> None:
    assert require_scale(source("scene.tif#nir")).role == "nir"
    resolver.bands["scene.tif"] = {"scale_known": False}
    with pytest.raises(ScaleUnknown, match="scene.tif#nir"):
        require_scale(source("scene.tif#nir"))
