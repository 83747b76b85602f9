"""Links in a folder that several may write lead to no file outside of the folders that may be read."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from pyogrio import raw

from tests.rasters import write_raster
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError, RasterUnreadable
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.vector import read_features

SECRET = 201


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A raster of somebody else, alone, in an archive and as a folder beside it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    path = write_raster(folder / "secret.tif", np.full((8, 8), SECRET, dtype="uint8"))
    with zipfile.ZipFile(folder / "secret.zip", "w") as archive:
        archive.write(path, "packed.tif")
    return folder


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder of the server that a workspace reads, with one raster of its own."""
    folder = tmp_path / "shared"
    folder.mkdir()
    write_raster(folder / "own.tif", np.ones((8, 8), dtype="uint8"))
    return folder


def names(workspace: Workspace) -> list[str]:
    return sorted(raster.path.name for raster in workspace.rasters)


def test_a_linked_raster_folder_or_archive_is_not_read(tmp_path: Path, shared: Path, outside: Path) -> None:
    for name in ("secret.tif", "secret.zip"):
        (shared / name).symlink_to(outside / name)
    (shared / "folder").symlink_to(outside)
    workspace = Workspace(tmp_path / "home", [shared])
    assert names(workspace) == ["own.tif"]
    assert all("leaves the folders" in workspace.problems[name] for name in ("secret.tif", "secret.zip"))
    assert not list((tmp_path / "home").rglob("packed.tif"))


def test_a_linked_archive_within_what_may_be_read_is_unpacked(
    tmp_path: Path, shared: Path, outside: Path
) -> None:
    (shared / "secret.zip").symlink_to(outside / "secret.zip")
    workspace = Workspace(tmp_path / "home", [shared, outside / "secret.zip"])
    assert names(workspace).count("packed.tif") == 2, "of the link and of the archive"
    assert not workspace.problems


@pytest.mark.parametrize("suffix", [".ovr", ".msk", ".aux.xml"])
def test_a_linked_companion_of_a_raster_is_not_read(shared: Path, outside: Path, suffix: str) -> None:
    path = shared / "own.tif"
    path.with_name(f"own.tif{suffix}").symlink_to(outside / "secret.tif")
    with pytest.raises(RasterUnreadable, match="link to another folder"):
        open_raster_file(path)


@pytest.mark.parametrize("suffix", [".ovr", ".msk", ".aux.xml", ".aux"])
def test_a_pipe_beside_a_raster_holds_nobody(shared: Path, suffix: str) -> None:
    os.mkfifo(shared / f"own.tif{suffix}")
    with pytest.raises(RasterUnreadable, match="is no file"):
        open_raster_file(shared / "own.tif")


def test_a_raster_that_is_a_link_has_its_companions_where_it_lies(tmp_path: Path, shared: Path) -> None:
    path = shared / "own.tif"
    with rasterio.Env(TIFF_USE_OVR="YES"), rasterio.open(path, "r+") as dataset:
        dataset.build_overviews([2])
    (tmp_path / "links").mkdir()
    for name in ("own.tif", "own.tif.ovr"):
        (tmp_path / "links" / name).symlink_to(shared / name)
    with open_raster_file(tmp_path / "links" / "own.tif") as dataset:
        assert dataset.overviews(1) == [2]


def test_a_linked_part_of_a_shapefile_is_not_read(shared: Path, outside: Path) -> None:
    for folder in (shared, outside):
        square = shapely.to_wkb([shapely.box(0, 0, 1, 1)])
        raw.write(
            folder / "a.shp",
            square,
            [np.array([SECRET])],
            ["n"],
            geometry_type="Polygon",
            crs="EPSG:4326",
            driver="ESRI Shapefile",
        )
    (shared / "a.dbf").unlink()
    (shared / "a.dbf").symlink_to(outside / "a.dbf")
    with pytest.raises(InputError, match=r"a\.dbf is a link to another folder"):
        read_features(str(shared / "a.shp"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_links_in_an_archive_are_not_taken_out(
    tmp_path: Path, shared: Path, outside: Path, kind: bytes
) -> None:
    with tarfile.open(shared / "a.tar", "w") as archive:
        link = tarfile.TarInfo("linked.tif")
        link.type, link.linkname = kind, str(outside / "secret.tif")
        archive.addfile(link)
        content = (shared / "own.tif").read_bytes()
        plain = tarfile.TarInfo("plain.tif")
        plain.size = len(content)
        archive.addfile(plain, io.BytesIO(content))
    workspace = Workspace(tmp_path / "home", [shared])
    assert names(workspace) == ["own.tif", "plain.tif"]
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_symlink()]
