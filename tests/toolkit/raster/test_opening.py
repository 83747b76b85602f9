from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.toolkit.errors import PathOutside, RasterMissing, RasterUnreadable
from treeline.toolkit.raster import open_raster_file

VRT = b'<VRTDataset rasterXSize="1" rasterYSize="1"><VRTRasterBand/></VRTDataset>'


def test_opens_geotiff_png_and_jpeg(tmp_path: Path) -> None:
    pixels = np.full((3, 8, 8), 7, dtype="uint8")
    for name, driver in (("a.tif", "GTiff"), ("a.png", "PNG"), ("a.jpg", "JPEG")):
        with rasterio.open(
            tmp_path / name, "w", driver=driver, width=8, height=8, count=3, dtype="uint8"
        ) as dataset:
            dataset.write(pixels)
        with open_raster_file(tmp_path / name) as dataset:
            assert (dataset.driver, dataset.count) == (driver, 3)


@pytest.mark.parametrize(
    "address",
    ["/vsicurl/http://example.org/a.tif", "http://example.org/a.tif", "/vsizip/a.zip/a.tif", VRT.decode()],
)
def test_refuses_addresses_that_are_no_local_files(address: str) -> None:
    with pytest.raises(RasterUnreadable, match="not the path of a file"):
        open_raster_file(address)


@pytest.mark.parametrize(("name", "content"), [("a.vrt", VRT), ("a.tif", VRT), ("a.tif", b"GIF89a......")])
def test_refuses_other_formats_whatever_their_name(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(RasterUnreadable, match="not a raster of an allowed format"):
        open_raster_file(tmp_path / name)


@pytest.mark.parametrize("suffix", [".ovr", ".msk"])
def test_refuses_a_virtual_dataset_as_companion(tmp_path: Path, suffix: str) -> None:
    path = write_raster(tmp_path / "a.tif", np.ones((4, 4), dtype="uint8"))
    (tmp_path / f"a.tif{suffix}").write_bytes(VRT)
    with pytest.raises(RasterUnreadable, match="is not a TIFF file"):
        open_raster_file(path)


def test_refuses_paths_with_dots(tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((4, 4), dtype="uint8"))
    with pytest.raises(PathOutside):
        open_raster_file(tmp_path / "folder" / ".." / "a.tif")


def test_missing_and_empty_files_say_so(tmp_path: Path) -> None:
    with pytest.raises(RasterMissing, match="no file 'b.tif'"):
        open_raster_file(tmp_path / "b.tif")
    (tmp_path / "c.tif").touch()
    with pytest.raises(RasterUnreadable, match="is empty"):
        open_raster_file(tmp_path / "c.tif")


@pytest.mark.parametrize("keep", [0.3, 0.7, 0.95])
def test_truncated_files_are_refused(tmp_path: Path, keep: float) -> None:
    pixels = np.random.default_rng(0).integers(0, 60000, (600, 600)).astype("uint16")
    path = write_raster(tmp_path / "a.tif", pixels, tiled=True, blockxsize=256, blockysize=256)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * keep)])
    with pytest.raises(RasterUnreadable, match=r"a\.tif"):
        open_raster_file(path)


def test_the_truncated_file_of_the_evidence_is_refused(shared: Path) -> None:
    with pytest.raises(RasterUnreadable) as fault:
        open_raster_file(shared / "rasters" / "odd" / "corrupt.tif")
    assert len(str(fault.value).splitlines()) == 1


@pytest.mark.parametrize("dtype", ["complex64", "complex_int16"])
def test_complex_values_are_refused(tmp_path: Path, dtype: str) -> None:
    with rasterio.open(tmp_path / "a.tif", "w", driver="GTiff", width=4, height=4, count=1, dtype=dtype):
        pass
    with pytest.raises(RasterUnreadable, match="complex values"):
        open_raster_file(tmp_path / "a.tif")


def test_a_file_stored_as_one_giant_block_is_refused(tmp_path: Path) -> None:
    with rasterio.open(
        tmp_path / "a.tif",
        "w",
        driver="GTiff",
        width=32768,
        height=32768,
        count=1,
        dtype="uint8",
        compress="deflate",
        tiled=True,
        blockxsize=32768,
        blockysize=32768,
        sparse_ok=True,
    ):
        pass
    with pytest.raises(RasterUnreadable, match="stored in blocks of"):
        open_raster_file(tmp_path / "a.tif")
