"""SRTM tiles as the LP DAAC gives them, by themselves and in their ZIP; not a real product."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from treeline.core.workspace import Workspace
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.raster import source, statistics

SIDE = 1201


def write_tile(path: Path) -> np.ndarray:
    heights = np.add.outer(np.arange(SIDE), np.arange(SIDE)).astype(">i2")
    heights[5, :300] = -32768
    path.write_bytes(heights.tobytes())
    return heights


@pytest.mark.parametrize(
    ("name", "south", "west"), [("N46E014.hgt", 46, 14), ("S03W061.SRTMGL3.hgt", -3, -61)]
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_tile_is_read(tmp_path: Path, name: str, south: int, west: int, packed: bool) -> None:
    data = tmp_path / "data"
    data.mkdir()
    heights = write_tile(data / name)
    if packed:
        with zipfile.ZipFile(data / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(data / name, name)
        (data / name).unlink()
    workspace = Workspace(tmp_path / "home", [data])
    (raster,) = workspace.rasters
    half = 0.5 / (SIDE - 1)
    np.testing.assert_allclose(raster.bounds, (west - half, south - half, west + 1 + half, south + 1 + half))
    assert (raster.bands[0].role, raster.bands[0].unit, raster.crs) == ("dem", "m", "EPSG:4326")
    with use_context(ToolContext(tmp_path, workspace.resolver)):
        found = statistics(source(raster.path.name))
    assert found.mean == pytest.approx(heights[heights > -32768].mean())


def test_what_is_no_tile_is_said(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write_tile(data / "tile.hgt")
    (data / "N46E014.hgt").write_bytes(b"\0" * 100)
    problems = Workspace(tmp_path / "home", [data]).problems
    assert set(problems) == {"tile.hgt", "N46E014.hgt"} and "SRTM" in problems["tile.hgt"]
