"""A raster names other files in its metadata or beside it: none of them is opened, here or on the web."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from tests.security.loopback import Loopback
from treeline.core.serving.drawing import draw_preview, draw_tile
from treeline.core.serving.layers import MapLayer
from treeline.core.serving.styles import default_style
from treeline.core.serving.uploads import save_upload
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.raster import all_bands, read_small
from treeline.toolkit.recognition.describe import describe

SECRET = 201
SIDE = 600
COORDINATES = {f"{what}_{part}": "1" for what in ("PIXEL", "LINE") for part in ("OFFSET", "STEP")} | {
    "X_BAND": "1",
    "Y_BAND": "1",
}


@pytest.fixture
def web() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A raster of the server outside of every workspace."""
    (tmp_path / "private").mkdir()
    return write_raster(
        tmp_path / "private" / "secret.tif", np.full((SIDE // 2, SIDE // 2), SECRET, dtype="uint8")
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def innocent(path: Path, tags: dict[str, dict[str, str]] | None = None) -> Path:
    """Write a raster of ones; its tags go by their domain."""
    write_raster(path, np.ones((SIDE, SIDE), dtype="uint8"))
    with rasterio.open(path, "r+") as dataset:
        for domain, items in (tags or {}).items():
            dataset.update_tags(ns=domain, **items)
    return path


def assert_nothing_comes_out(path: Path, web: Loopback) -> None:
    """Describe, read, reduce and draw a raster; it may be refused, but shows no pixel but its own."""
    try:
        description = describe(path)
        source = all_bands(str(path))[0]
        layer = MapLayer.of((source,), "x")
        assert set(np.unique(read_small(source, 64)[np.isfinite(read_small(source, 64))])) <= {1.0}
        draw_preview(layer, default_style(layer), 64)
        draw_tile(layer, default_style(layer), 0, 0, 0)
        assert description.bands
    except RasterUnreadable as error:
        assert path.name in str(error)
    assert not web.paths


def sparse_of(path: Path) -> str:
    return (
        f"/vsisparse/<VSISparseFile><Length>100</Length><SubfileRegion><Filename>{path}</Filename>"
        "<DestinationOffset>0</DestinationOffset><SourceOffset>0</SourceOffset>"
        "<RegionLength>100</RegionLength></SubfileRegion></VSISparseFile>"
    )


def vrt_of(path: Path | str) -> str:
    return (
        f'<VRTDataset rasterXSize="{SIDE // 2}" rasterYSize="{SIDE // 2}">'
        '<VRTRasterBand dataType="Byte" band="1">'
        f'<SimpleSource><SourceFilename relativeToVRT="0">{path}</SourceFilename><SourceBand>1</SourceBand>'
        "</SimpleSource></VRTRasterBand></VRTDataset>"
    )


TARGETS: dict[str, Callable[[Path, str], str]] = {
    "file": lambda secret, web: str(secret),
    "based": lambda secret, web: f":::BASE:::/../private/{secret.name}",
    "curl": lambda secret, web: f"/vsicurl/{web}/secret.tif",
    "streamed": lambda secret, web: f"/vsicurl_streaming/{web}/secret.tif",
    "sparse": lambda secret, web: sparse_of(secret),
    "part": lambda secret, web: f"/vsisubfile/0_100000,{secret}",
    "virtual": lambda secret, web: vrt_of(secret),
    "virtual on the web": lambda secret, web: vrt_of(f"/vsicurl/{web}/secret.tif"),
    "service": lambda secret, web: (
        f"<GDAL_WMS><Service name='TMS'><ServerUrl>{web}/</ServerUrl></Service></GDAL_WMS>"
    ),
}


@pytest.mark.parametrize("domain", ["OVERVIEWS", "overviews", "Overviews"])
@pytest.mark.parametrize("target", TARGETS)
def test_overviews_that_lie_elsewhere_are_refused(
    target: str, domain: str, secret: Path, workspace: Workspace, web: Loopback
) -> None:
    name = TARGETS[target](secret, web.address)
    path = innocent(workspace.inputs_folder / "a.tif", {domain: {"OVERVIEW_FILE": name}})
    with pytest.raises(RasterUnreadable, match="names other files in its metadata"):
        open_raster_file(path)
    assert_nothing_comes_out(path, web)
    assert "names other files" in workspace.problems["a.tif"]


@pytest.mark.parametrize("target", ["file", "curl"])
def test_coordinates_that_lie_elsewhere_are_refused(
    target: str, secret: Path, tmp_path: Path, web: Loopback
) -> None:
    name = TARGETS[target](secret, web.address)
    tags = {"GEOLOCATION": {"X_DATASET": name, "Y_DATASET": name, **COORDINATES}}
    path = innocent(tmp_path / "a.tif", tags)
    with pytest.raises(RasterUnreadable, match="GEOLOCATION"):
        open_raster_file(path)
    assert_nothing_comes_out(path, web)


@pytest.mark.parametrize("target", ["file", "curl", "sparse"])
@pytest.mark.parametrize("driver", ["GTiff", "PNG", "JPEG"])
def test_a_metadata_file_beside_a_raster_names_no_other(
    driver: str, target: str, secret: Path, tmp_path: Path, web: Loopback
) -> None:
    name = (
        TARGETS[target](secret, web.address).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    )
    path = tmp_path / {"GTiff": "a.tif", "PNG": "a.png", "JPEG": "a.jpg"}[driver]
    with rasterio.open(path, "w", driver=driver, width=SIDE, height=SIDE, count=1, dtype="uint8") as dataset:
        dataset.write(np.ones((1, SIDE, SIDE), dtype="uint8"))
    path.with_name(path.name + ".aux.xml").write_text(
        f'<PAMDataset><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">{name}</MDI></Metadata>'
        "</PAMDataset>"
    )
    with pytest.raises(RasterUnreadable, match="OVERVIEWS"):
        open_raster_file(path)
    assert_nothing_comes_out(path, web)


@pytest.mark.parametrize("suffix", [".ovr", ".OVR", ".msk", ".ovr.ovr", ".msk.ovr"])
def test_a_companion_names_no_other_file(suffix: str, secret: Path, tmp_path: Path, web: Loopback) -> None:
    path = innocent(tmp_path / "a.tif")
    companion = tmp_path / "a.tif"
    for part in suffix.split(".")[1:]:
        companion = companion.with_name(f"{companion.name}.{part}")
        innocent(companion)
    with rasterio.open(companion, "r+") as dataset:
        dataset.update_tags(ns="OVERVIEWS", OVERVIEW_FILE=str(secret))
    with pytest.raises(RasterUnreadable, match="names other files"):
        open_raster_file(path)
    assert_nothing_comes_out(path, web)


@pytest.mark.parametrize("name", ["a.aux", "a.AUX", "a.tif.aux"])
def test_an_erdas_companion_is_refused(name: str, tmp_path: Path) -> None:
    path = innocent(tmp_path / "a.tif")
    (tmp_path / name).write_bytes(b"EHFA_HEADER_TAG" + bytes(200))
    with pytest.raises(RasterUnreadable, match="may name other files"):
        open_raster_file(path)


def imagine(path: Path, **options: str) -> Path:
    """Write an ERDAS IMAGINE file of ones."""
    with rasterio.open(
        path, "w", driver="HFA", width=SIDE, height=SIDE, count=1, dtype="uint8", **options
    ) as dataset:
        dataset.write(np.ones((1, SIDE, SIDE), dtype="uint8"))
    return path


def test_an_erdas_image_is_read_where_it_is_alone(tmp_path: Path, workspace: Workspace) -> None:
    path = imagine(tmp_path / "a.img")
    with open_raster_file(path) as dataset:
        assert (dataset.driver, dataset.read(1).min()) == ("HFA", 1)
    save_upload(workspace, "a.img", [path.read_bytes()])
    assert [each.name for each in workspace.files()] == ["a.img"]


def test_an_erdas_image_names_no_other_file(tmp_path: Path, secret: Path) -> None:
    apart = imagine(tmp_path / "apart.img", USE_SPILL="YES")
    assert apart.with_suffix(".ige").is_file()
    overviews = imagine(tmp_path / "overviews.img")
    with rasterio.Env(HFA_USE_RRD="YES"), rasterio.open(overviews, "r+") as dataset:
        dataset.build_overviews([2, 4])
    assert overviews.with_suffix(".rrd").is_file()
    content = imagine(tmp_path / "whole.img").read_bytes()
    for path in (apart, overviews):
        with pytest.raises(RasterUnreadable, match="other files"):
            open_raster_file(path)
    looped = bytearray(content)
    root = int.from_bytes(looped[int.from_bytes(looped[16:20], "little") + 8 :][:4], "little")
    looped[root : root + 4] = root.to_bytes(4, "little")
    looped[root + 12 : root + 16] = (2**31).to_bytes(4, "little")
    (tmp_path / "looped.img").write_bytes(looped)
    with pytest.raises(RasterUnreadable, match="damaged"):
        open_raster_file(tmp_path / "looped.img")


def test_an_upload_that_names_other_files_is_not_kept(
    secret: Path, workspace: Workspace, tmp_path: Path
) -> None:
    path = innocent(tmp_path / "b.tif", {"OVERVIEWS": {"OVERVIEW_FILE": str(secret)}})
    with pytest.raises(RasterUnreadable):
        save_upload(workspace, "b.tif", [path.read_bytes()])
    assert not list(workspace.inputs_folder.iterdir())


def test_what_gdal_writes_itself_is_read(tmp_path: Path) -> None:
    path = innocent(tmp_path / "a.tif", {"": {"note": "x"}, "PROVENANCE": {"made_by": "/vsicurl/http://x/"}})
    with rasterio.Env(TIFF_USE_OVR="YES"), rasterio.open(path, "r+") as dataset:
        dataset.build_overviews([2, 4])
    assert path.with_name("a.tif.ovr").is_file()
    with open_raster_file(path) as dataset:
        assert dataset.overviews(1) == [2, 4]


def test_without_the_check_the_attack_succeeds(secret: Path, tmp_path: Path) -> None:
    """What is refused here is no phantom: GDAL alone gives the pixels out."""
    path = innocent(tmp_path / "a.tif", {"OVERVIEWS": {"OVERVIEW_FILE": str(secret)}})
    with rasterio.open(path) as dataset:
        assert np.unique(dataset.read(1, out_shape=(SIDE // 2, SIDE // 2))).tolist() == [SECRET]
