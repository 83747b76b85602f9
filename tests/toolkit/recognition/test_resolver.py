from __future__ import annotations

import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.toolkit.errors import InputError, PathOutside, RasterMissing
from treeline.toolkit.recognition import Correction, FileResolver

VALUES = np.full((4, 4), 0.5, "float32")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inputs = tmp_path / "inputs"
    (inputs / "deep").mkdir(parents=True)
    write_raster(inputs / "A_NDVI_2020-01-02.tif", VALUES)
    write_raster(inputs / "deep" / "B_EVI_2020-01-02.tif", VALUES)
    write_raster(tmp_path / "secret.tif", VALUES)
    return inputs


def test_by_name_path_and_band(folder: Path) -> None:
    resolver = FileResolver(folder)
    for address in (
        "A_NDVI_2020-01-02.tif",
        "./A_NDVI_2020-01-02.tif",
        str(folder / "A_NDVI_2020-01-02.tif"),
    ):
        found, band = resolver.describe(address)
        assert (found.bands[0].role, band) == ("ndvi", None)
    assert resolver.describe("deep/B_EVI_2020-01-02.tif")[0].bands[0].role == "evi"
    assert resolver.describe("B_EVI_2020-01-02.tif#EVI")[1] == "EVI"


def test_a_name_may_hold_the_mark_of_bands(folder: Path) -> None:
    write_raster(folder / "x#1.tif", VALUES)
    assert FileResolver(folder).describe("x#1.tif")[1] is None
    assert FileResolver(folder).describe("x#1.tif#2")[1] == "2"


def test_missing_names_the_nearest(folder: Path) -> None:
    with pytest.raises(RasterMissing, match="A_NDVI_2020-01-02.tif") as caught:
        FileResolver(folder).describe("A_ndvi_2020_01_02.tif")
    assert caught.value.hint.startswith("Nearest: A_NDVI")


@pytest.mark.parametrize(
    "address", ["", " ", "a\0b.tif", "deep", "x" * 5000, "é" * 200 + ".tif", "a\ud800.tif", "a.tif#\ud800"]
)
def test_what_is_no_file_is_missing(folder: Path, address: str) -> None:
    with pytest.raises(RasterMissing):
        FileResolver(folder).describe(address)


def test_a_name_in_another_encoding_is_told_and_disturbs_no_other_file(folder: Path) -> None:
    odd = os.fsdecode(b"Gr\xf6\xdfe.tif")
    (folder / "A_NDVI_2020-01-02.tif").rename(folder / odd)
    (folder / "round.tif").symlink_to(folder / "round.tif")
    resolver = FileResolver(folder)
    with pytest.raises(RasterMissing, match="not the address") as caught:
        resolver.describe(str(folder / odd))
    str(caught.value).encode()
    assert resolver.describe("B_EVI_2020-01-02.tif")[0].bands[0].role == "evi"
    assert resolver.list_folder(".") == ["deep", "round.tif"]
    with pytest.raises(RasterMissing, match="Nearest"):
        resolver.describe("round.tif")


@pytest.mark.parametrize("address", ["../secret.tif", "deep/../../secret.tif", "/etc/passwd", "linked.tif"])
def test_nothing_outside_is_read(folder: Path, address: str) -> None:
    (folder / "linked.tif").symlink_to(folder.parent / "secret.tif")
    with pytest.raises(PathOutside):
        FileResolver(folder).describe(address)


def test_an_address_of_gdal_is_a_missing_file(folder: Path) -> None:
    with pytest.raises(InputError):
        FileResolver(folder).describe("/vsicurl/http://localhost/secret.tif")
    with pytest.raises(RasterMissing):
        FileResolver(folder).describe("GTIFF_DIR:1:A_NDVI_2020-01-02.tif")


def test_one_name_of_two_files_is_asked_for(folder: Path) -> None:
    for name in ("x", "y"):
        (folder / name).mkdir()
        write_raster(folder / name / "same.tif", VALUES)
    with pytest.raises(RasterMissing, match="x/same.tif, y/same.tif"):
        FileResolver(folder).describe("same.tif")


def test_a_new_file_is_found_and_a_changed_one_read_again(folder: Path) -> None:
    resolver = FileResolver(folder)
    resolver.describe("B_EVI_2020-01-02.tif")
    later = write_raster(folder / "deep" / "C_NDVI_2020-01-02.tif", VALUES)
    assert resolver.describe("C_NDVI_2020-01-02.tif")[0].width == 4
    write_raster(later, np.full((5, 6), 0.5, "float32"))
    os.utime(later, ns=(1, 1))
    assert resolver.describe("C_NDVI_2020-01-02.tif")[0].width == 6


def test_descriptions_are_kept(folder: Path) -> None:
    resolver = FileResolver(folder)
    assert resolver.describe("A_NDVI_2020-01-02.tif")[0] is resolver.describe("A_NDVI_2020-01-02.tif")[0]


def test_several_roots_one_of_them_a_file(folder: Path, tmp_path: Path) -> None:
    alone = write_raster(tmp_path / "alone_LST.tif", np.full((4, 4), 300.0, "float32"))
    resolver = FileResolver(folder, alone)
    assert resolver.describe("alone_LST.tif")[0].bands[0].role == "lst"
    assert resolver.describe("A_NDVI_2020-01-02.tif")[0].bands[0].role == "ndvi"
    with pytest.raises(PathOutside):
        resolver.describe(str(tmp_path / "secret.tif"))


def test_without_a_root_any_local_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert FileResolver().describe("A_NDVI_2020-01-02.tif")[0].bands[0].role == "ndvi"
    with pytest.raises(RasterMissing, match="A_NDVI_2020-01-02.tif"):
        FileResolver().describe("A_NDWI_2020-01-02.tif")


def test_folders_are_listed(folder: Path) -> None:
    (folder / ".hidden").touch()
    assert FileResolver(folder).list_folder(".") == ["A_NDVI_2020-01-02.tif", "deep"]
    assert FileResolver(folder).list_folder("deep") == ["B_EVI_2020-01-02.tif"]
    with pytest.raises(RasterMissing, match="deep"):
        FileResolver(folder).list_folder("nowhere")
    with pytest.raises(PathOutside):
        FileResolver(folder).list_folder("..")


def test_corrections_by_name_and_by_band(folder: Path) -> None:
    said = {
        "A_NDVI_2020-01-02.tif#NDVI": Correction(role="evi"),
        "deep/B_EVI_2020-01-02.tif": Correction(unit="x"),
    }
    resolver = FileResolver(folder, corrections=said)
    assert resolver.describe("A_NDVI_2020-01-02.tif")[0].bands[0].role == "evi"
    assert resolver.describe("B_EVI_2020-01-02.tif")[0].bands[0].unit == "x"


def test_workers_get_a_copy(folder: Path) -> None:
    resolver = FileResolver(folder, corrections={"A_NDVI_2020-01-02.tif": Correction(unit="x")})
    resolver.describe("A_NDVI_2020-01-02.tif")
    copy = pickle.loads(pickle.dumps(resolver))
    assert copy.describe("A_NDVI_2020-01-02.tif") == resolver.describe("A_NDVI_2020-01-02.tif")


def test_corrections_as_plain_data() -> None:
    made = Correction.from_json({"role": "nir", "scale": 0.5, "fill": [0, 1], "date": "2020-01-02 00:00:00"})
    assert (made.role, made.scale, made.fill) == ("nir", 0.5, (0.0, 1.0))
    assert made.date is not None and made.date.year == 2020
    for wrong in ({"colour": "red"}, {"scale": "much"}):
        with pytest.raises(InputError, match="not usable"):
            Correction.from_json(wrong)
