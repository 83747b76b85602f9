"""Real files: what they are, and what is said of odd ones."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
import rasterio
from PIL import Image

from tests.rasters import write_raster
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.recognition import FileResolver, RasterDescription
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.recognition.rules import role_table
from treeline.toolkit.recognition.sample import Sample

BANDS = ["B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B10", "B11", "B12"]
ODD = [
    "RGB.byte",
    "RGBA.uint16",
    "all-nodata",
    "float_raster_with_nodata",
    "goes",
    "rgb1_fake_nir_epsg3857",
    "rgbn_suba",
    "rgbn_subb",
    "test_esri_wkt",
]


@pytest.fixture(scope="module")
def resolver(shared: Path) -> FileResolver:
    return FileResolver(shared / "rasters")


def _one(resolver: FileResolver, name: str) -> RasterDescription:
    return resolver.describe(name)[0]


def _role(band: str) -> str:
    return role_table("sentinel2")[band[1:].lstrip("0")]


def test_scenes(slovenia: Path, resolver: FileResolver) -> None:
    scenes = sorted((slovenia / "scenes").glob("*.tif"))
    assert len(scenes) == 5
    for path in scenes:
        found = _one(resolver, path.name)
        assert [(b.name, b.role) for b in found.bands] == [(name, _role(name)) for name in BANDS]
        assert all(
            (b.scale, b.offset, b.scale_known, b.fill) == (0.0001, 0.0, True, (0.0,)) for b in found.bands
        )
        assert found.date == datetime.fromisoformat(path.stem[-10:])
        assert (found.date_precision, found.sensor, found.place) == ("day", "Sentinel-2 MSI", "Slovenia")
        assert (found.crs, found.warnings) == ("EPSG:32633", ())


@pytest.mark.parametrize(
    ("stated", "told"), [("2021-06-03T00:00:00", "2021-06-03"), ("2021-06-03T10:20:30", "2021-06-03 10:20")]
)
def test_a_reason_tells_a_date_as_people_write_it(tmp_path: Path, stated: str, told: str) -> None:
    path = write_raster(tmp_path / "ndvi.tif", np.ones((4, 4), "float32"))
    with rasterio.open(path, "r+") as dataset:
        dataset.update_tags(ACQUISITIONDATETIME=stated)
    assert f"date={told}" in [reason.concludes for reason in describe(path).evidence]


def test_single_bands(slovenia: Path, resolver: FileResolver) -> None:
    paths = sorted((slovenia / "bands").glob("*.tif"))
    assert len(paths) == 13
    for path in paths:
        (band,) = _one(resolver, path.name).bands
        name = path.stem[-3:]
        assert (band.name, band.role) == (name, _role(name))
        assert (band.scale, band.offset, band.scale_known, band.unit) == (0.0001, 0.0, True, "1")


@pytest.mark.parametrize(("folder", "role"), [("ndvi", "ndvi"), ("cloud_mask", "cloud_mask")])
def test_series(slovenia: Path, resolver: FileResolver, folder: str, role: str) -> None:
    paths = sorted((slovenia / folder).glob("*.tif"))
    found = [_one(resolver, path.name) for path in paths]
    assert len(found) == 68
    assert {d.bands[0].role for d in found} == {role}
    assert {(d.bands[0].scale, d.bands[0].scale_known) for d in found} == {(1.0, True)}
    assert len({d.date for d in found}) == 68
    assert {d.place for d in found} == {"Slovenia"}


def test_elevation_and_land_cover(resolver: FileResolver) -> None:
    dem, cover = _one(resolver, "Slovenia_DEM.tif"), _one(resolver, "Slovenia_LULC.tif")
    assert (dem.bands[0].role, dem.bands[0].unit, dem.bands[0].fill) == ("dem", "m", (-9999.0,))
    assert (cover.bands[0].role, cover.bands[0].unit, cover.bands[0].fill) == ("landcover", "class", ())


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_described_and_nothing_is_guessed(resolver: FileResolver, name: str) -> None:
    found = _one(resolver, f"{name}.tif")
    assert found.width > 0 and found.crs
    for band in found.bands:
        reasons = " ".join(found.warnings)
        assert band.scale_known or band.evidence or "not recognised" in reasons
        assert band.scale_known or "say" in reasons


def test_a_truncated_file_is_refused_in_one_sentence(resolver: FileResolver) -> None:
    with pytest.raises(RasterUnreadable, match="corrupt.tif is truncated"):
        _one(resolver, "corrupt.tif")


def test_planet_file_without_a_valid_pixel(resolver: FileResolver) -> None:
    found = _one(resolver, "all-nodata.tif")
    assert (found.sensor, found.date) == ("PlanetScope", datetime(2022, 1, 17, 10, 43, 43))
    assert [b.role for b in found.bands] == ["blue", "green", "red", "nir"]
    assert {(b.scale, b.fill) for b in found.bands} == {(0.0001, (0.0,))}
    assert "time of writing" in found.warnings[0]


def test_crs_without_a_code_stays_text(resolver: FileResolver) -> None:
    assert _one(resolver, "goes.tif").crs.startswith("PROJCS")
    assert _one(resolver, "RGB.byte.tif").crs == "EPSG:32618"


def test_four_bands_named_by_the_file(resolver: FileResolver) -> None:
    assert [b.role for b in _one(resolver, "rgbn_suba.tif").bands] == ["red", "green", "blue", "nir"]


def test_a_real_alpha_band(resolver: FileResolver) -> None:
    assert [b.role for b in _one(resolver, "RGBA.uint16.tif").bands] == ["blue", "green", "red", "mask"]


def test_a_file_of_several_images_says_that_the_first_alone_is_read(tmp_path: Path) -> None:
    values = np.random.default_rng(2).uniform(0.1, 0.9, (1024, 1024)).astype("float32")
    path = write_raster(tmp_path / "A_NDVI_2021-06-01.tif", values, mask=values > 0.2, tiled=True)
    with rasterio.open(path, "r+") as dataset:
        dataset.build_overviews([2, 4])
        profile = dataset.profile
    assert not any("images" in warning for warning in describe(path).warnings)
    with rasterio.open(path, "w", **profile, append_subdataset="YES") as dataset:
        dataset.write(values, 1)
    assert any("holds 2 images" in warning for warning in describe(path).warnings)


@pytest.mark.parametrize(
    ("name", "role"), [("time_pre.png", "rgb_pre"), ("B.jpg", "rgb"), ("harbour.jpg", "rgb")]
)
def test_pictures(tmp_path: Path, name: str, role: str) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (20, 30, 3), dtype="uint8")
    Image.fromarray(pixels).save(tmp_path / name)
    found = describe(tmp_path / name)
    assert [b.role for b in found.bands] == [role] * 3
    assert all(b.scale_known for b in found.bands)
    assert found.crs is None and found.warnings == ()


@pytest.mark.parametrize("content", [b"", b"no raster at all", b"II*\x00\x08\x00\x00\x00"])
def test_files_that_are_no_rasters(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ndvi.tif"
    path.write_bytes(content)
    with pytest.raises(RasterUnreadable, match="ndvi.tif"):
        describe(path)


def test_a_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_raster(tmp_path / "a_NDVI_2020-01-02.tif", np.full((4, 4), 0.5, "float32"))
    opened = []
    original = rasterio.open
    monkeypatch.setattr(
        rasterio, "open", lambda *given, **options: opened.append(given) or original(*given, **options)
    )
    describe(path)
    assert len(opened) == 1


def test_every_role_has_a_reason(resolver: FileResolver, slovenia: Path) -> None:
    for path in slovenia.rglob("*.tif"):
        for band in _one(resolver, path.name).bands:
            assert any(e.concludes == f"role={band.role}" and e.because for e in band.evidence)


def test_a_large_tiled_file_without_overviews_is_sampled(tmp_path: Path) -> None:
    values = np.full((2048, 2048), 15000, "uint16")
    path = write_raster(tmp_path / "x_LST_2020-01-02.tif", values, tiled=True, blockxsize=256, blockysize=256)
    (band,) = describe(path).bands
    assert (band.scale, band.fill) == (0.02, (0.0,))


@pytest.mark.parametrize("interleave", ["pixel", "band"])
def test_a_sample_is_of_its_own_band(tmp_path: Path, interleave: str) -> None:
    bands = np.arange(1, 21, dtype="uint16")[:, None, None] * np.ones((1, 300, 300), "uint16")
    with open_raster_file(write_raster(tmp_path / "many.tif", bands, interleave=interleave)) as dataset:
        sample = Sample(dataset)
        assert [set(sample.band(index).tolist()) for index in (20, 1, 7)] == [{20}, {1}, {7}]


def test_damaged_pixels_are_refused(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "hurt_NDVI.tif", np.full((64, 64), 0.5, "float32"), compress="deflate")
    content = bytearray(path.read_bytes())
    with open_raster_file(path) as dataset:
        start = int(dataset.get_tag_item("BLOCK_OFFSET_0_0", "TIFF", bidx=1))
        size = int(dataset.get_tag_item("BLOCK_SIZE_0_0", "TIFF", bidx=1))
    content[start : start + size] = b"\xff" * size
    path.write_bytes(content)
    with pytest.raises(RasterUnreadable, match="hurt_NDVI.tif cannot be read"):
        describe(path)


@pytest.mark.parametrize(
    "transform",
    [
        (0, 0, 5e5, 0, 0, 5e6),
        (1, 1, 5e5, 1, 1, 5e6),
        (1e300, 0, 0, 0, -1e300, 0),
        (float("nan"), 0, 0, 0, -1, 0),
    ],
)
def test_pixels_without_a_size_lie_nowhere(tmp_path: Path, transform: tuple[float, ...]) -> None:
    path = tmp_path / "a.tif"
    write_raster(path, np.ones((3, 4), "float32"))
    with rasterio.open(path, "r+") as dataset:
        dataset.transform = rasterio.Affine(*transform)
    found = describe(path)
    assert found.crs is None and found.transform == (1, 0, 0, 0, 1, 0)
    assert any("no size" in warning for warning in found.warnings)


@pytest.mark.parametrize("transform", [(30, 0, 5e5, 0, 30, 5e6), (-30, 0, 500120, 0, -30, 5000090)])
def test_bounds_stand_in_order_whichever_way_the_rows_run(
    tmp_path: Path, transform: tuple[float, ...]
) -> None:
    path = tmp_path / "a.tif"
    write_raster(path, np.ones((3, 4), "float32"))
    with rasterio.open(path, "r+") as dataset:
        dataset.transform = rasterio.Affine(*transform)
    assert describe(path).bounds == (5e5, 5e6, 500120, 5000090)


@pytest.mark.parametrize(("own", "date"), [(True, None), (False, datetime(2021, 7, 22))])
def test_what_treeline_made_of_two_days_is_of_neither(
    tmp_path: Path, own: bool, date: datetime | None
) -> None:
    tags = {"TREELINE_ROLE": "difference"} if own else {}
    path = tmp_path / "ndvi_change_2021-07-22T2022-07-18.tif"
    write_raster(path, np.zeros((4, 4), "float32"), tags=tags)
    assert describe(path).date == date
