"""Swaths: each cell of the grid has the value of the nearest pixel, and no value where none is near."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import rasterio
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.toolkit.containers.test_archives import write_zip
from treeline.core.workspace import Workspace
from treeline.toolkit.containers.unpacking import unpack
from treeline.toolkit.errors import RasterUnreadable

RANDOM = np.random.default_rng(20200601)
LST = {"units": "K", "standard_name": "surface_temperature", "scale_factor": 0.01, "add_offset": 250.0}


def track(rows: int = 40, columns: int = 50, step: float = 0.01, turn: float = 0.2, west: float = 14.0):
    """Return the latitudes and longitudes of a swath whose rows do not run along parallels."""
    down, across = np.meshgrid(np.arange(rows) * step, np.arange(columns) * step, indexing="ij")
    latitude = 46.0 - down * np.cos(turn) - across * np.sin(turn)
    return latitude, west + (across * np.cos(turn) - down * np.sin(turn)) / np.cos(np.radians(46.0))


def write(path: Path, variables: dict[str, tuple[np.ndarray, dict[str, Any]]], **attributes: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    with h5py.File(path, "w") as opened:
        opened.attrs.update(attributes)
        for name, (values, stated) in variables.items():
            opened.create_dataset(name, data=values).attrs.update(stated)
    return path


def coordinates(latitude: np.ndarray, longitude: np.ndarray, ending: str = "") -> dict[str, Any]:
    return {
        f"latitude{ending}": (latitude, {"units": "degrees_north"}),
        f"longitude{ending}": (longitude, {"units": "degrees_east"}),
    }


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


# Rows along parallels are those of a grid.
TURNS = st.floats(-3.1, 3.1).filter(lambda turn: abs(turn) > 0.001)


@settings(max_examples=10)
@given(turn=TURNS, step=st.floats(0.001, 0.05), seed=st.integers(0, 99))
def test_a_cell_has_the_nearest_pixel(
    tmp_path_factory: pytest.TempPathFactory, turn: float, step: float, seed: int
):
    folder = tmp_path_factory.mktemp("swath")
    latitude, longitude = track(step=step, turn=turn)
    values = np.random.default_rng(seed).permutation(latitude.size).astype("int16").reshape(latitude.shape)
    latitude[3, 4] = np.nan  # a pixel without a place
    path = write(
        folder / "s.nc", {"LST": (values, {**LST, "_FillValue": -1}), **coordinates(latitude, longitude)}
    )
    (folder / "out").mkdir()
    assert unpack(path, folder / "out") == 1
    with rasterio.open(next((folder / "out").iterdir())) as opened:
        found, (rows, columns) = opened.read(1), np.indices(opened.shape)
        east, north = opened.transform * (columns + 0.5, rows + 0.5)
    # By brute force, in kilometres on the ground.
    known = np.isfinite(latitude)
    dy = (north[..., None] - latitude[known]) * 111.195
    dx = (
        (east[..., None] - longitude[known])
        * 111.195
        * np.cos(np.radians((north[..., None] + latitude[known]) / 2))
    )
    apart = np.hypot(dx, dy)
    nearest, near = values[known][apart.argmin(-1)], apart.min(-1)
    side = step * 111.195
    there = found != -1
    assert there[near < 0.7 * side].all() and not there[near > 0.9 * side].any()
    second = np.partition(apart, 1, axis=-1)[..., 1]
    clear = there & (second - near > 0.01 * side)  # where two pixels are equally near either may be taken
    assert (found == nearest)[clear].all()


def test_coordinates_have_the_one_time_of_the_file_as_their_variables_have(tmp_path: Path, out: Path):
    """All variables of a level 2 file of TROPOMI have the dimensions time, scanline and ground pixel."""
    latitude, longitude = track()
    column = RANDOM.uniform(1e-5, 9e-5, latitude.shape).astype("float32")
    name = "S5P_OFFL_L2__NO2____20210712T105937_20210712T124107_19400_02_020200_20210714T040000.nc"
    column_of = {"units": "mol m-2", "_FillValue": np.float32(9.96921e36)}
    variables = {
        "nitrogendioxide_tropospheric_column": (column, column_of),
        **coordinates(latitude, longitude),
    }
    path = write(
        tmp_path / name,
        {f"PRODUCT/{each}": (values[np.newaxis], stated) for each, (values, stated) in variables.items()},
    )
    assert unpack(path, out) == 1  # and none of the coordinates
    with rasterio.open(next(out.iterdir())) as opened:
        found = opened.read(1, masked=True).compressed()
    assert set(found) <= set(column.ravel()) and len(set(found)) > 0.8 * column.size


def test_a_product_of_sentinel_3_has_its_coordinates_beside(tmp_path: Path):
    latitude, longitude = track()
    stored, flags = RANDOM.integers(3000, 5000, latitude.shape), RANDOM.integers(0, 4, latitude.shape)
    started = {"start_time": "2020-06-01T09:30:00.000000Z"}
    folder = tmp_path / "S3A_SL_2_LST____20200601T093000_NT_004.SEN3"
    files = [
        write(
            folder / "LST_in.nc", {"LST": (stored.astype("int16"), {**LST, "_FillValue": -9999})}, **started
        ),
        write(folder / "flags_in.nc", {"flags": (flags.astype("uint8"), {})}, **started),
        write(folder / "geodetic_in.nc", coordinates(latitude, longitude, "_in")),
        write(folder / "indices.nc", {"scan": (np.arange(5), {})}),
    ]
    archive = write_zip(
        tmp_path / "s3.zip", {f"{folder.name}/{file.name}": file.read_bytes() for file in files}
    )
    for source in (folder, archive):
        workspace = Workspace(tmp_path / f"w-{source.suffix}", [source])
        lst = workspace.collections["@lst"].members
        assert [member.description.date for member in lst] == [datetime(2020, 6, 1, 9, 30)]
        with rasterio.open(lst[0].description.path) as opened:
            read = opened.read(1, masked=True)
            assert opened.crs.to_epsg() == 4326 and set(read.compressed()) <= set(stored.ravel())
            assert read.count() > 0.9 * stored.size
        of_flags = next(each for each in workspace.rasters if "flags" in each.path.name)
        with rasterio.open(of_flags.path) as opened:  # 0 is a flag, and what is beside the swath is none
            assert opened.dtypes == ("int32",) and set(opened.read(1, masked=True).compressed()) == {
                0,
                1,
                2,
                3,
            }
        assert "indices.nc" in workspace.problems


@pytest.mark.parametrize("fill", [{}, {"_FillValue": np.int8(-1)}])
def test_bytes_may_stand_for_unsigned_numbers(tmp_path: Path, out: Path, fill: dict[str, Any]):
    latitude, longitude = track()
    values = np.full(latitude.shape, -56, "int8")
    values[:20] = 7
    stated = {"_Unsigned": "true", **fill}
    unpack(write(tmp_path / "s.nc", {"flags": (values, stated), **coordinates(latitude, longitude)}), out)
    with rasterio.open(next(out.iterdir())) as opened:
        read = opened.read(1, masked=True)
        assert set(read.compressed()) == {7, 200} and 0 < np.ma.count_masked(read) < read.size / 2


@pytest.mark.parametrize(
    ("place", "match"),
    [
        (lambda: track(west=179.9), "over a pole or the antimeridian"),
        (lambda: (np.full((5, 6), np.nan),) * 2, "without usable coordinates"),
        (lambda: track(rows=2), "from 3 x 3"),
    ],
)
def test_what_cannot_be_laid_on_a_grid_is_refused_by_name(tmp_path: Path, out: Path, place, match: str):
    latitude, longitude = place()
    longitude = (longitude + 180) % 360 - 180
    values = np.zeros(latitude.shape, "float32")
    path = write(tmp_path / "s.nc", {"LST": (values, {}), **coordinates(latitude, longitude)})
    with pytest.raises(RasterUnreadable, match=match):
        unpack(path, out)
    assert not list(out.iterdir())


def test_the_last_column_is_there_whichever_way_its_coordinates_are_rounded(tmp_path: Path, out: Path):
    longitude, latitude = np.meshgrid(10 + 0.05 * np.arange(36), 2 - 0.05 * np.arange(40))
    values = np.tile(np.arange(36, dtype="float32"), (40, 1))
    places = coordinates(latitude.astype("float32"), longitude.astype("float32"))
    assert unpack(write(tmp_path / "s.nc", {"LST": (values, {"units": "K"}), **places}), out) == 1
    with rasterio.open(next(out.iterdir())) as opened:
        assert np.unique(opened.read(1, masked=True).compressed()).tolist() == list(range(36))
