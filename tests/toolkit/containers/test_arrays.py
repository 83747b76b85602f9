"""NetCDF and HDF5 files, written by the libraries that providers use, become rasters that say the same."""

from __future__ import annotations

from calendar import month_name
from datetime import datetime
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import rasterio
import rasterio.shutil
import xarray

from tests.rasters import write_raster
from treeline.toolkit.containers.unpacking import unpack
from treeline.toolkit.errors import InputError, RasterUnreadable
from treeline.toolkit.files import make_folder
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.recognition.periods import depth_factor

LATITUDES, LONGITUDES = np.arange(46.95, 46.0, -0.1), np.arange(10.05, 12.0, 0.1)
DAYS = np.array([0.0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334])
RANDOM = np.random.default_rng(4)


def dataset(values: np.ndarray, name: str = "NDVI", **attributes: Any) -> xarray.Dataset:
    """Values by time, latitude and longitude with the attributes of the CF conventions."""
    coordinates = {
        "time": ("time", DAYS[: len(values)], {"units": "days since 2021-01-01", "calendar": "standard"}),
        "lat": ("lat", LATITUDES, {"units": "degrees_north", "standard_name": "latitude"}),
        "lon": ("lon", LONGITUDES, {"units": "degrees_east", "standard_name": "longitude"}),
    }
    return xarray.Dataset({name: (("time", "lat", "lon"), values, attributes)}, coordinates)


def stored_values(days: int = 3) -> np.ndarray:
    return RANDOM.integers(1000, 9000, (days, LATITUDES.size, LONGITUDES.size)).astype("int16")


def hdf5(path: Path, found: xarray.Dataset, group: str = "") -> Path:
    """Write a dataset as netCDF-4 lays it out in HDF5: dimension scales attached to the variables."""
    with h5py.File(path, "w") as opened:
        home = opened.require_group(group) if group else opened
        for name in found.variables:
            variable = found.variables[name]
            written = home.create_dataset(str(name), data=variable.values, chunks=variable.ndim > 1 or None)
            for key, value in variable.attrs.items():
                written.attrs[key] = value
        for name in found.dims:
            home[str(name)].make_scale(str(name))
        for name in found.data_vars:
            for place, dimension in enumerate(found[name].dims):
                home[str(name)].dims[place].attach_scale(home[str(dimension)])
    return path


def classic(path: Path, found: xarray.Dataset) -> Path:
    found.to_netcdf(path, engine="scipy")
    return path


WRITERS = {"hdf5": (hdf5, "veg.h5"), "netcdf4": (hdf5, "veg.nc"), "classic": (classic, "veg.nc")}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def rasters(folder: Path) -> dict[str, np.ndarray]:
    found = {}
    for path in sorted(folder.rglob("*.tif")):
        with rasterio.open(path) as opened:
            found[path.name] = opened.read(1)
    return found


@pytest.mark.parametrize("kind", WRITERS)
def test_each_date_of_a_variable_is_a_raster(tmp_path: Path, out: Path, kind: str) -> None:
    write, name = WRITERS[kind]
    values = stored_values()
    values[0, 2, 3] = -3000
    attributes = {"units": "1", "scale_factor": 1e-4, "add_offset": 0.01, "_FillValue": np.int16(-3000)}
    file = write(tmp_path / name, dataset(values, **attributes))
    assert unpack(file, out) == 3
    names = [f"veg_NDVI_{date}.tif" for date in ("2021-01-01", "2021-02-01", "2021-03-01")]
    assert sorted(path.name for path in out.iterdir()) == names
    for path, expected in zip(names, values, strict=True):
        np.testing.assert_array_equal(rasters(out)[path], expected)
    described = describe(out / names[1])
    band = described.bands[0]
    assert (band.role, band.scale, band.offset, band.scale_known) == ("ndvi", 1e-4, 0.01, True)
    assert -3000 in band.fill
    assert described.date == datetime(2021, 2, 1)
    assert described.crs == "EPSG:4326"
    np.testing.assert_allclose(described.bounds, (10, 46, 12, 47), atol=1e-6)


@pytest.mark.parametrize("order", [("time", "lat", "lon"), ("time", "lon", "lat"), ("lat", "lon", "time")])
@pytest.mark.parametrize("turned", [(), ("lat",), ("lon",), ("lat", "lon")])
def test_the_order_and_direction_of_the_axes_do_not_matter(
    tmp_path: Path, out: Path, order: tuple[str, ...], turned: tuple[str, ...]
) -> None:
    values = stored_values()
    found = dataset(values).isel({axis: slice(None, None, -1) for axis in turned}).transpose(*order)
    unpack(hdf5(tmp_path / "veg.h5", found), out)
    np.testing.assert_array_equal(rasters(out)["veg_NDVI_2021-03-01.tif"], values[2])
    np.testing.assert_allclose(describe(out / "veg_NDVI_2021-03-01.tif").bounds, (10, 46, 12, 47), atol=1e-6)


def test_parts_of_a_large_variable_join_without_seams(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treeline.toolkit.containers.unpacking.SLAB", 60)
    values = stored_values(1)
    found = dataset(values).isel(lat=slice(None, None, -1))
    unpack(hdf5(tmp_path / "veg.h5", found), out)
    np.testing.assert_array_equal(rasters(out)["veg_NDVI_2021-01-01.tif"], values[0])


def test_a_globe_from_0_to_360_degrees_is_turned(tmp_path: Path, out: Path) -> None:
    longitudes = np.arange(0, 360, 30.0)
    values = np.tile(longitudes, (6, 1)).astype("float32")
    axes = {
        "lat": ("lat", np.arange(75, -76, -30.0), {"units": "degrees_north"}),
        "lon": ("lon", longitudes, {"units": "degrees_east"}),
    }
    unpack(hdf5(tmp_path / "globe.nc", xarray.Dataset({"t2m": (("lat", "lon"), values)}, axes)), out)
    (path,) = out.iterdir()
    with rasterio.open(path) as opened:
        for column in range(12):
            longitude = opened.transform.c + opened.transform.a * (column + 0.5)
            assert -195 <= longitude <= 180
            assert opened.read(1)[0, column] == longitude % 360


def test_a_valid_range_leaves_out_what_is_outside(tmp_path: Path, out: Path) -> None:
    values = stored_values(1)
    values[0, :2] = 20000
    unpack(hdf5(tmp_path / "v.nc", dataset(values, valid_range=np.array([0, 10000], "int16"))), out)
    with rasterio.open(next(out.iterdir())) as opened:
        masked = opened.read(1, masked=True)
    assert masked.mask[:2].all() and not masked.mask[2:].any()


def test_bytes_may_stand_for_unsigned_numbers(tmp_path: Path, out: Path) -> None:
    values = np.full((1, LATITUDES.size, LONGITUDES.size), -56, "int8")
    values[0, 0, 0] = -1
    valid = np.array([0, -6], "int8")
    found = dataset(values, _Unsigned="true", _FillValue=np.int8(-1), valid_range=valid)
    unpack(classic(tmp_path / "v.nc", found), out)
    with rasterio.open(next(out.iterdir())) as opened:
        assert (opened.dtypes[0], opened.nodata, opened.read(1)[5, 5]) == ("uint8", 255, 200)


def test_means_of_months_over_years_are_of_no_year(tmp_path: Path, out: Path) -> None:
    found = dataset(stored_values(12), cell_methods="time: mean within years time: mean over years")
    unpack(classic(tmp_path / "normals.nc", found), out)
    assert {path.stem.rpartition("_")[2] for path in out.iterdir()} == set(month_name[1:])
    assert {describe(path).date for path in out.iterdir()} == {None}


def test_groups_hours_and_a_file_that_gdal_wrote(tmp_path: Path, out: Path) -> None:
    found = dataset(stored_values(2), name="precipitation", units="mm/h")
    found["time"] = (
        "time",
        [0.0, 1800.0],
        {"units": "seconds since 2020-06-01 00:00:00 UTC", "calendar": "julian"},
    )
    assert unpack(hdf5(tmp_path / "imerg.HDF5", found, "Grid"), out) == 2
    names = sorted(path.name for path in out.iterdir())
    assert names == ["imerg_precipitation_2020-06-01.tif", "imerg_precipitation_2020-06-01_0030.tif"]
    assert describe(out / names[1]).date == datetime(2020, 6, 1, 0, 30)
    assert describe(out / names[1]).bands[0].unit == "mm/h"

    plain = RANDOM.normal(280, 5, (40, 50)).astype("float32")
    write_raster(tmp_path / "a.tif", plain, crs="EPSG:32633", descriptions=("lst",))
    rasterio.shutil.copy(tmp_path / "a.tif", tmp_path / "gdal.nc", driver="netCDF", format="NC4")
    (tmp_path / "second").mkdir()
    assert unpack(tmp_path / "gdal.nc", tmp_path / "second") == 1
    (path,) = (tmp_path / "second").iterdir()
    with rasterio.open(path) as mine, rasterio.open(tmp_path / "a.tif") as theirs:
        assert mine.crs == theirs.crs
        assert mine.transform.almost_equals(theirs.transform, 1e-6)
        np.testing.assert_array_equal(mine.read(1), plain)


def _uneven() -> xarray.Dataset:
    found = dataset(stored_values(1))
    return found.assign_coords(lat=("lat", 46 - 0.05 * np.arange(LATITUDES.size) ** 1.5, found["lat"].attrs))


def _months() -> xarray.Dataset:
    found = dataset(stored_values(1))
    found["time"].attrs.update(units="days since 2021-01-01", calendar="360_day")
    return found


def _levels() -> xarray.Dataset:
    return dataset(stored_values(1)).expand_dims(level=[1.0, 2.0])


@pytest.mark.parametrize(
    ("found", "match"),
    [
        (_uneven(), "uneven steps along lat"),
        (_months(), "360_day"),
        (_levels(), "another axis, level"),
        (
            xarray.Dataset({"a": ("row", np.arange(5))}, {"row": ("row", np.arange(5))}),
            "no variable with even axes.* nor with a latitude and a longitude for each pixel",
        ),
    ],
)
def test_what_is_no_grid_is_refused_by_name(
    tmp_path: Path, out: Path, found: xarray.Dataset, match: str
) -> None:
    with pytest.raises(RasterUnreadable, match=match):
        unpack(hdf5(tmp_path / "x.nc", found), out)
    assert not list(out.iterdir())


def test_files_that_lead_elsewhere_are_not_followed(tmp_path: Path, out: Path) -> None:
    secret = tmp_path / "secret.bin"
    secret.write_bytes(np.full((10, 20), 201, "uint8").tobytes())
    hdf5(tmp_path / "other.h5", dataset(stored_values(1), name="secret"))
    with h5py.File(hdf5(tmp_path / "link.h5", dataset(stored_values(1))), "a") as opened:
        opened["away"] = h5py.ExternalLink("other.h5", "/secret")
        opened["soft"] = h5py.SoftLink("/NDVI")
    assert unpack(tmp_path / "link.h5", out) == 1
    assert [path.name for path in out.iterdir()] == ["link_NDVI_2021-01-01.tif"]
    with h5py.File(tmp_path / "kept.h5", "w") as opened:
        opened.create_dataset("secret", (10, 20), "uint8", external=[(str(secret), 0, 200)])
    with pytest.raises(RasterUnreadable, match="in other files"):
        unpack(tmp_path / "kept.h5", out)
    with h5py.File(tmp_path / "virtual.h5", "w") as opened:
        layout = h5py.VirtualLayout((1, LATITUDES.size, LONGITUDES.size), "int16")
        layout[:] = h5py.VirtualSource(str(tmp_path / "other.h5"), "secret", layout.shape)
        opened.create_virtual_dataset("secret", layout)
    with pytest.raises(RasterUnreadable, match="in other files"):
        unpack(tmp_path / "virtual.h5", out)


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.95])
def test_a_damaged_file_is_refused(tmp_path: Path, out: Path, kind: str, share: float) -> None:
    write, name = WRITERS[kind]
    file = write(tmp_path / name, dataset(stored_values()))
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])
    with pytest.raises((RasterUnreadable, InputError), match="veg"):
        unpack(file, out)


def test_limits_hold(tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = hdf5(tmp_path / "veg.h5", dataset(stored_values()))
    for limit, match in (
        ("bands=2", "3 rasters"),
        ("unpacked=100", "3 rasters"),
        ("members=2", "more than 2"),
    ):
        monkeypatch.setenv("TREELINE_LIMITS", limit)
        with pytest.raises((RasterUnreadable, InputError), match=match):
            unpack(file, out)


@pytest.mark.parametrize(
    ("since", "days", "date"),
    [
        ("2000-01-01", 21 * 365 + 151, datetime(2021, 6, 1)),
        ("2000-02-28 12:00:00", 1, datetime(2000, 3, 1, 12)),
        ("1990-01-01", -1, datetime(1989, 12, 31)),
    ],
)
def test_years_of_models_have_no_leap_days(tmp_path: Path, since: str, days: int, date: datetime) -> None:
    found = dataset(stored_values(1)).assign_coords(time=[float(days)])
    found["time"].attrs.update(units=f"days since {since}", calendar="noleap")
    assert unpack(hdf5(tmp_path / "model.nc", found), make_folder(tmp_path / "out")) == 1
    (path,) = (tmp_path / "out").iterdir()
    assert describe(path).date == date


# Variables of CMIP6 as ESGF distributes them (names and attributes of the CMIP6 data request); not tried on a
# real file.
def test_rates_of_models_are_told_per_day(tmp_path: Path, out: Path) -> None:
    values = np.full((2, LATITUDES.size, LONGITUDES.size), 3e-5, "float32")
    attributes = {
        "standard_name": "precipitation_flux",
        "long_name": "Precipitation",
        "units": "kg m-2 s-1",
        "cell_methods": "area: time: mean",
        "_FillValue": np.float32(1e20),
    }
    values[0, 0, 0] = 1e20
    found = dataset(values, "pr", **attributes).assign_coords(time=np.array([15.5, 45.0]))
    found["time"].attrs.update(units="days since 1850-01-01", calendar="noleap", bounds="time_bnds")
    found["time_bnds"] = (("time", "bnds"), np.array([[0.0, 31], [31, 59]]))
    found = found.assign_coords(bnds=[0, 1])
    unpack(hdf5(tmp_path / "pr_Amon_CESM2_historical_r1i1p1f1_gn_185001-201412.nc", found), out)
    first, second = map(describe, sorted(out.iterdir()))
    assert (first.date, second.date) == (datetime(1850, 1, 16, 12), datetime(1850, 2, 15))
    band = first.bands[0]
    assert (band.role, band.unit, band.scale_known) == ("precipitation", "mm/day", True)
    assert band.physical(3e-5) == pytest.approx(2.592)
    assert depth_factor(band.unit, band.period_days) == 31
    assert any("told per day" in reason.because for reason in band.evidence)


def test_what_gdal_takes_out_of_netcdf_keeps_its_name_and_dates(tmp_path: Path) -> None:
    values = RANDOM.normal(280, 5, (3, LATITUDES.size, LONGITUDES.size)).astype("float32")
    found = dataset(values, "tas", units="K", standard_name="air_temperature")
    found["time"].attrs.update(units="days since 1850-01-01", calendar="noleap")
    hdf5(tmp_path / "tas.nc", found)
    with rasterio.open(f"NETCDF:{tmp_path / 'tas.nc'}:tas") as opened:
        rasterio.shutil.copy(opened, tmp_path / "all.tif", driver="GTiff")
        profile, tags, own = opened.profile | {"driver": "GTiff", "count": 1}, opened.tags(), opened.tags(2)
        with rasterio.open(tmp_path / "one.tif", "w", **profile) as one:
            one.write(opened.read(2), 1)
            one.update_tags(**tags)
            one.update_tags(1, **own)
    bands = describe(tmp_path / "all.tif").bands
    assert {band.role for band in bands} == {"air_temperature"}
    assert [band.date for band in bands] == [datetime(1850, month, 1) for month in (1, 2, 3)]
    assert describe(tmp_path / "one.tif").date == datetime(1850, 2, 1)
    with rasterio.open(tmp_path / "all.tif", "r+") as opened:
        opened.update_tags(**{"time#calendar": "360_day"})
    assert {band.date for band in describe(tmp_path / "all.tif").bands} == {None}


def test_levels_that_gdal_makes_bands_are_not_told_apart_by_the_name_of_the_variable(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "a.tif", RANDOM.normal(280, 5, (2, 20, 30)).astype("float32"))
    with rasterio.open(path, "r+") as opened:
        for band, level in ((1, "500"), (2, "850")):
            opened.update_tags(band, NETCDF_VARNAME="tas", NETCDF_DIM_plev=level)
    assert {band.role for band in describe(path).bands} == {None}


def test_every_value_that_is_said_to_be_missing_is(tmp_path: Path) -> None:
    values = stored_values(1)
    values[0, 0], values[0, 1], values[0, 2] = -9999, -8888, -7777
    missing = {"_FillValue": np.int16(-9999), "missing_value": np.array([-8888, -7777], "int16")}
    unpack(hdf5(tmp_path / "a.nc", dataset(values, **missing)), make_folder(tmp_path / "out"))
    with rasterio.open(next((tmp_path / "out").iterdir())) as opened:
        assert np.count_nonzero(opened.read_masks(1) == 0) == 3 * LONGITUDES.size


# ECMWF, ERA5 and ERA5-Land data documentation: depths in metres; monthly means are of a mean day, and hours
# of ERA5-Land, on a grid of 0.1 degrees, add up since midnight.
def depth_of(tmp_path: Path, out: Path, days: list[float], step: float = 0.1, **attributes: Any) -> Any:
    """Return the first band of total precipitation of some days, each two thousandths of a metre."""
    values = np.full((len(days), LATITUDES.size, LONGITUDES.size), 0.002, "float32")
    found = dataset(values, "tp", units="m", long_name="Total precipitation", **attributes)
    found["time"] = ("time", np.array(days), found["time"].attrs)
    found["lon"] = ("lon", LONGITUDES[0] + step * np.arange(LONGITUDES.size), found["lon"].attrs)
    found["lat"] = ("lat", LATITUDES[0] - step * np.arange(LATITUDES.size), found["lat"].attrs)
    unpack(hdf5(tmp_path / "era5.nc", found), out)
    return describe(sorted(out.glob("*.tif"))[0]).bands[0]


@pytest.mark.parametrize(
    ("days", "step", "kind", "unit"),
    [
        ([0, 31, 59], 0.1, "accum", "mm/day"),
        ([0], 0.1, "avgad", "mm/day"),
        ([0, 1, 2], 0.1, "accum", "mm"),
        ([0, 1 / 24, 2 / 24], 0.25, "accum", "mm"),
    ],
)
def test_depths_of_ecmwf_are_those_of_their_time(
    tmp_path: Path, out: Path, days: list[float], step: float, kind: str, unit: str
) -> None:
    band = depth_of(tmp_path, out, days, step, GRIB_stepType=kind)
    assert (band.role, band.unit, band.scale_known) == ("precipitation", unit, True)
    assert band.physical(0.002) == pytest.approx(2.0)


@pytest.mark.parametrize(("kind", "open"), [({}, True), ({"GRIB_stepType": "accum"}, False)])
def test_one_depth_without_its_kind_of_step_may_be_of_a_mean_day(
    tmp_path: Path, out: Path, kind: dict[str, str], open: bool
) -> None:
    assert bool(depth_of(tmp_path, out, [0], **kind).unit_open) == open


def test_depths_since_midnight_are_no_depths_of_an_hour(tmp_path: Path, out: Path) -> None:
    assert depth_of(tmp_path, out, [1 / 24, 2 / 24, 3 / 24]).role is None
    (first, *_) = sorted(out.glob("*.tif"))
    assert any("since midnight" in warning for warning in describe(first).warnings)


@pytest.mark.parametrize(
    ("name", "methods", "role"),
    [
        ("tas", "area: time: mean", "air_temperature"),
        ("tasmax", "area: mean time: maximum within days", None),
        ("t2m", "time: maximum", None),
        ("tmin", "", None),
    ],
)
def test_an_extreme_of_a_day_is_not_the_air_temperature(
    tmp_path: Path, out: Path, name: str, methods: str, role: str | None
) -> None:
    values = np.full((1, LATITUDES.size, LONGITUDES.size), 290.0, "float32")
    attributes = {"units": "K", "standard_name": "air_temperature", "cell_methods": methods}
    unpack(hdf5(tmp_path / "model.nc", dataset(values, name, **attributes)), out)
    assert describe(next(out.glob("*.tif"))).bands[0].role == role


# CHIRPS 2.0, E-OBS, CRU TS 4 and ESA CCI soil moisture as their files write these attributes.
@pytest.mark.parametrize(
    ("name", "attributes", "role"),
    [
        ("sm", {"long_name": "Volumetric Soil Moisture", "units": "m3 m-3"}, "soil_moisture"),
        ("rr", {"standard_name": "thickness_of_rainfall_amount", "units": "mm"}, "precipitation"),
        ("pre", {"long_name": "precipitation", "units": "mm/month"}, "precipitation"),
        (
            "Rainf_f_tavg",
            {"long_name": "Total precipitation rate", "units": "kg m-2 s-1"},
            "precipitation",
        ),
        ("sm_uncertainty", {"long_name": "Volumetric Soil Moisture Uncertainty", "units": "m3 m-3"}, None),
        ("rr", {"long_name": "rainfall anomaly", "units": "mm"}, None),
    ],
)
def test_a_long_or_standard_name_tells_what_a_short_name_does_not(
    tmp_path: Path, out: Path, name: str, attributes: dict[str, str], role: str | None
) -> None:
    values = RANDOM.random((1, LATITUDES.size, LONGITUDES.size)).astype("float32")
    unpack(hdf5(tmp_path / "a.nc", dataset(values, name, **attributes)), out)
    assert describe(next(out.iterdir())).bands[0].role == role


def test_the_name_of_a_product_is_kept_beside_the_date_of_its_axis(tmp_path: Path, out: Path) -> None:
    classes = RANDOM.choice([10, 50, 210], (1, LATITUDES.size, LONGITUDES.size)).astype("uint8")
    given = dataset(classes, "lccs_class").assign(
        dict.fromkeys(("processed_flag", "change_count"), (("time", "lat", "lon"), classes))
    )
    unpack(hdf5(tmp_path / "C3S-LC-L4-LCCS-Map-300m-P1Y-2020-v2.1.1.nc", given), out)
    others = [describe(path) for path in out.iterdir() if "lccs" not in path.name.split("v2.1.1")[1]]
    assert [other.bands[0].role for other in others] == [None, None]
    (path,) = out.glob("*_lccs_class_*")
    found = describe(path)
    assert (found.product, found.bands[0].role, found.bands[0].fill) == (
        "esa_cci_land_cover",
        "landcover",
        (0.0,),
    )


@pytest.mark.parametrize(("half", "first"), [("0106", 1), ("0712", 7)])
def test_halves_of_months_of_gimms_are_dated_by_the_name_of_their_file(
    tmp_path: Path, out: Path, half: str, first: int
) -> None:
    """As the readme of NDVI3g.v1 has it: twelve places that are counted since nothing; not a real file."""
    stored = stored_values(12)
    stored[:, 0] = -5000
    stored[:, 1] = -10000
    stored[:, 2] = -3000
    index = dataset(stored, "ndvi", units="1", scale="x 10000", missing_value=np.float32(-5000))
    index = index.assign(percentile=index["ndvi"] * 0 + 1)
    index["time"] = ("time", np.arange(first, first + 6, 0.5), {"units": "months"})
    name = f"ndvi3g_geo_v1_1982_{half}.nc4"
    unpack(hdf5(tmp_path / name, index), out)
    found = sorted((describe(path) for path in out.glob("*_ndvi_*")), key=lambda each: str(each.date))
    days = [datetime(1982, first + month, day) for month in range(6) for day in (1, 16)]
    assert [each.date for each in found] == days
    for each, values in zip(found, stored, strict=True):
        (band,) = each.bands
        assert (band.role, band.scale, band.scale_known) == ("ndvi", 0.0001, True)
        with rasterio.open(out / each.path.name) as opened:
            read = opened.read(1)
        assert np.array_equal(read, values)
        assert not set(np.unique(values[:2])) - {*band.fill} and -3000 not in band.fill
    assert {describe(path).bands[0].role for path in out.glob("*percentile*")} == {None}
    with pytest.raises(RasterUnreadable, match="counts time in 'months'"):
        unpack(hdf5(tmp_path / "some_index.nc", index), out)


@pytest.mark.parametrize(
    ("days", "bounds", "unit", "total"),
    [
        ([0, 1, 4], None, "mm/day", 2.0),
        ([0, 31, 59], None, "mm/day", 62.0),
        ([0, 31, 59], None, "mm/month", 2.0),
        ([0], [[0, 31]], "mm/h", 2.0 * 24 * 31),
        ([0], [[0, 1 / 48]], "mm/hr", 1.0),
        ([0], None, "mm/day", None),
        ([0, 5, 15], None, "mm/day", None),
        ([0, 0.25, 0.5], None, "mm/h", None),  # nothing tells whether hours are means or samples
    ],
)
def test_a_rate_is_the_depth_of_its_time_where_bounds_or_steps_tell_that(
    tmp_path: Path, out: Path, days: list[float], bounds: list[list[float]] | None, unit: str, total: float
) -> None:
    values = np.full((len(days), LATITUDES.size, LONGITUDES.size), 2.0, "float32")
    found = dataset(values, "precipitation", units=unit).assign_coords(time=np.array(days, "float64"))
    found["time"].attrs.update(units="days since 2021-01-01", **({"bounds": "time_bnds"} if bounds else {}))
    if bounds:
        found["time_bnds"] = (("time", "nv"), np.array(bounds))
        found = found.assign_coords(nv=[0, 1])
    unpack(hdf5(tmp_path / "rain.nc", found), out)
    band = describe(sorted(out.iterdir())[0]).bands[0]
    factor = depth_factor(band.unit or "", band.period_days)
    assert (factor and band.physical(2.0) * factor) == (total and pytest.approx(total))


@pytest.mark.parametrize(
    ("name", "attributes", "role", "unit", "zero"),
    [
        # CRU TS 4 and GLEAM 3 and 4, whose names are short
        (
            "tmp",
            {"long_name": "near-surface temperature", "units": "degrees Celsius"},
            "air_temperature",
            "K",
            273.15,
        ),
        (
            "E",
            {"long_name": "Actual evaporation", "units": "mm/month"},
            "evapotranspiration",
            "mm/month",
            0.0,
        ),
        ("E", {"long_name": "Actual Evaporation", "units": "mm.day-1"}, "evapotranspiration", "mm/day", 0.0),
        (
            "Ep",
            {"long_name": "Potential evaporation", "units": "mm/month"},
            "potential_evapotranspiration",
            "mm/month",
            0.0,
        ),
    ],
)
def test_short_names_are_told_by_their_long_names(
    tmp_path: Path, name: str, attributes: dict[str, str], role: str, unit: str, zero: float
) -> None:
    values = RANDOM.uniform(1, 30, (3, LATITUDES.size, LONGITUDES.size)).astype("float32")
    path = hdf5(tmp_path / "cube.nc", dataset(values, name, **attributes))
    unpack(path, make_folder(tmp_path / "out"))
    band = describe(sorted((tmp_path / "out").iterdir())[0]).bands[0]
    assert (band.role, band.unit) == (role, unit)
    assert band.physical(20.0) == pytest.approx(20.0 + zero)
