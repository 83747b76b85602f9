"""Archives: what is in them is taken out by honest names, counted as it comes; nothing else happens."""

from __future__ import annotations

import gzip
import io
import json
import stat
import tarfile
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

from tests.rasters import write_raster
from tests.toolkit.containers.test_arrays import dataset, hdf5, stored_values
from treeline.core.workspace import Workspace
from treeline.toolkit.containers import UNREAD, UNREADABLE, is_container, reason_unreadable
from treeline.toolkit.containers.unpacking import unpack
from treeline.toolkit.containers.unreadable_formats import HDF4
from treeline.toolkit.errors import InputError, RasterUnreadable


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.fixture
def raster(tmp_path: Path) -> Path:
    return write_raster(tmp_path / "A_2021-05-01_NDVI.tif", np.full((20, 20), 0.5, "float32"))


def write_zip(archive: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return archive


def write_tar(archive: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(archive, "w:gz" if archive.name.endswith("gz") else "w") as opened:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            opened.addfile(member, io.BytesIO(content))
    return archive


WRITERS = {"a.zip": write_zip, "a.tar": write_tar, "a.tar.gz": write_tar, "a.tgz": write_tar}


@pytest.mark.parametrize("name", WRITERS)
def test_rasters_and_their_metadata_are_taken_out(tmp_path: Path, out: Path, raster: Path, name: str) -> None:
    content = raster.read_bytes()
    files = {
        f"deep/{raster.name}": content,
        "deep/x_MTL.txt": b"GROUP",
        "readme.pdf": b"%PDF",
        "run.py": b"1",
    }
    archive = WRITERS[name](tmp_path / name, files)
    assert is_container(archive)
    assert unpack(archive, out) == 1
    assert (out / "deep" / raster.name).read_bytes() == content
    assert sorted(path.name for path in out.rglob("*.*")) == [raster.name, "x_MTL.txt"]


def test_a_raster_of_its_own_in_gzip(tmp_path: Path, out: Path, raster: Path) -> None:
    archive = tmp_path / f"{raster.name}.gz"
    archive.write_bytes(gzip.compress(raster.read_bytes()))
    assert is_container(archive)
    assert unpack(archive, out) == 1
    assert (out / raster.name).read_bytes() == raster.read_bytes()
    assert not is_container(tmp_path / "notes.txt.gz")


def test_netcdf_in_an_archive(tmp_path: Path, out: Path) -> None:
    inner = hdf5(tmp_path / "veg.nc", dataset(stored_values()))
    assert unpack(write_zip(tmp_path / "a.zip", {"d/veg.nc": inner.read_bytes()}), out) == 3
    assert {path.suffix for path in out.rglob("*.*")} == {".tif"}


def test_a_file_that_is_not_read_loses_none_of_the_others(tmp_path: Path, out: Path, raster: Path) -> None:
    whole = hdf5(tmp_path / "veg.nc", dataset(stored_values())).read_bytes()
    files = {
        raster.name: raster.read_bytes(),
        "whole.nc": whole,
        "cut.nc": whole[: len(whole) - 200],
        "old.hdf": HDF4 + bytes(20),
        "N46E014.hgt": b"12",
    }
    assert unpack(write_zip(tmp_path / "a.zip", files), out) == 4
    unread = json.loads((out / UNREAD).read_text("utf-8"))
    assert set(unread) == {"cut.nc", "old.hdf", "N46E014.hgt"} and "HDF4" in unread["old.hdf"]
    assert {path.suffix for path in out.iterdir()} == {".tif", ".json"}
    # The workspace has the others, and says of these why not.
    workspace = Workspace(tmp_path / "w", [tmp_path / "a.zip"])
    assert len(workspace.rasters) == 4 and set(workspace.problems) == set(unread)


@pytest.mark.parametrize("others", [2, 0])
def test_of_a_file_that_breaks_off_no_raster_stays(
    tmp_path: Path, out: Path, raster: Path, others: int
) -> None:
    found, path = dataset(stored_values()), tmp_path / "veg.nc"
    with h5py.File(hdf5(path, found.drop_vars("NDVI")), "a") as opened:
        shape = found["NDVI"].shape
        values = opened.create_dataset("NDVI", shape, "int16", chunks=(1, *shape[1:]), compression="gzip")
        for place, dimension in enumerate(found["NDVI"].dims):
            opened[dimension].make_scale(dimension)
            values.dims[place].attach_scale(opened[dimension])
        values[:2] = 1
        values.id.write_direct_chunk((2, 0, 0), b"no stream of zlib")
    files = {f"{number}.tif": raster.read_bytes() for number in range(others)}
    archive = write_zip(tmp_path / "a.zip", {**files, "veg.nc": path.read_bytes()})
    if others:
        assert unpack(archive, out) == others
    else:
        with pytest.raises(RasterUnreadable, match="a.zip holds what is not read"):
            unpack(archive, out)
    assert {path.name for path in out.iterdir()} - {UNREAD} == set(files)


NAMES = [
    "../out.tif",
    "/etc/out.tif",
    "a/../../out.tif",
    "..\\out.tif",
    "C:\\out.tif",
    "C:/out.tif",
    "a\x01.tif",
    ".hidden.tif",
    "a/.git/b.tif",
    "x" * 300 + ".tif",
    "/".join("abcdefghijklmn") + "/o.tif",
    "__MACOSX/o.tif",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["a.zip", "a.tar"])
def test_names_that_lead_elsewhere_are_passed_over(
    tmp_path: Path, out: Path, raster: Path, kind: str, name: str
) -> None:
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    archive = WRITERS[kind](tmp_path / kind, {name: b"II*\0evil", raster.name: raster.read_bytes()})
    assert unpack(archive, out) == 1
    after = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert after - before == {archive, out / raster.name}


def test_links_and_devices_are_passed_over(tmp_path: Path, out: Path, raster: Path) -> None:
    secret = tmp_path / "secret.tif"
    secret.write_bytes(b"II*\0secret")
    with tarfile.open(tmp_path / "a.tar", "w") as opened:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            member = tarfile.TarInfo(f"{kind.decode()}.tif")
            member.type, member.linkname = kind, str(secret)
            opened.addfile(member)
        opened.add(raster, raster.name)
    assert unpack(tmp_path / "a.tar", out) == 1
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as opened:
        link = zipfile.ZipInfo("link.tif")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        opened.writestr(link, str(secret))
        opened.write(raster, f"zip/{raster.name}")
    assert unpack(tmp_path / "a.zip", out) == 1
    assert sorted(p.relative_to(out).as_posix() for p in out.rglob("*.tif")) == [
        raster.name,
        f"zip/{raster.name}",
    ]


@pytest.mark.parametrize("kind", WRITERS)
def test_a_bomb_ends_at_the_limit(
    tmp_path: Path, out: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = WRITERS[kind](tmp_path / kind, {"a.tif": bytes(50_000_000)})
    monkeypatch.setenv("TREELINE_LIMITS", "unpacked=2000000")
    with pytest.raises(InputError, match="more than may be taken out"):
        unpack(archive, out)
    assert sum(path.stat().st_size for path in out.rglob("*.tif")) <= 2_000_000
    many = WRITERS[kind](tmp_path / f"many-{kind}", {f"{n}.txt": b"" for n in range(30)})
    monkeypatch.setenv("TREELINE_LIMITS", "members=20")
    with pytest.raises(InputError, match="more than 20 files"):
        unpack(many, out)


@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_no_archive_or_has_no_raster_is_said(
    tmp_path: Path, out: Path, raster: Path, kind: str
) -> None:
    with pytest.raises(InputError, match=f"{kind} holds no raster"):
        unpack(WRITERS[kind](tmp_path / kind, {"a.txt": b"a", "b.zip": b"PK"}), out)
    broken = tmp_path / kind
    broken.write_bytes(b"not an archive at all")
    with pytest.raises(InputError, match="no usable archive"):
        unpack(broken, out)


def test_an_archive_of_areas_gives_no_raster_and_no_fault(tmp_path: Path, out: Path) -> None:
    assert unpack(write_zip(tmp_path / "a.zip", {"a.shp": b"", "a.dbf": b"", "a.shx": b""}), out) == 0


def test_formats_that_are_not_read_have_a_sentence(tmp_path: Path, out: Path) -> None:
    file = tmp_path / "MOD11A1.A2021001.h18v04.061.hdf"
    file.write_bytes(HDF4 + bytes(20))
    assert "HDF4" in str(reason_unreadable(file))
    with pytest.raises(RasterUnreadable, match="HDF4 file, which the GDAL that is installed"):
        unpack(file, out)
    with pytest.raises(RasterUnreadable, match="a.zip holds what is not read: .*HDF4"):
        unpack(write_zip(tmp_path / "a.zip", {file.name: file.read_bytes()}), out)
    for suffix in UNREADABLE:
        assert str(reason_unreadable(tmp_path / f"a{suffix}")).endswith(".")
    assert reason_unreadable(tmp_path / "a.tif") is None
