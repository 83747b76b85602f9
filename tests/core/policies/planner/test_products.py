"""Products as they are downloaded, asked as people ask them."""

from __future__ import annotations

import json
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.transform import from_origin

from tests.core.policies.planner.test_fills import ask_folder
from tests.products import METADATA, SAFE, write_jp2, write_safe
from tests.rasters import write_raster
from tests.toolkit.containers.test_arrays import dataset, hdf5, stored_values
from treeline.core.runs.asking import require_rasters
from treeline.core.serving.uploads import save_upload
from treeline.core.workspace import Workspace
from treeline.toolkit.containers.unreadable_formats import HDF4
from treeline.toolkit.errors import InputError, RasterUnreadable
from treeline.toolkit.recognition.describe import describe

pytestmark = pytest.mark.sample(2)

QUESTION = "What is the mean NDVI?"
NDVI = (0.5 - 0.1) / (0.5 + 0.1)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_a_folder_of_jpeg_2000_is_read(folder: Path, home: Path) -> None:
    write_jp2(folder / "A_2017-05-01_B04.jp2", np.full((64, 64), 1000, "uint16"))
    write_jp2(folder / "A_2017-05-01_B08.jp2", np.full((64, 64), 5000, "uint16"))
    finished = ask_folder(QUESTION, folder, home)
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(NDVI)


def test_a_safe_folder_is_read_by_its_metadata(folder: Path, home: Path) -> None:
    product = write_safe(folder)
    finished = ask_folder(QUESTION, product, home)
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(NDVI)
    assert "2022-07-15" in str(Workspace(home / "w", [product]).rasters[0].date)


def test_each_band_of_a_safe_folder_is_there_once_at_its_finest(folder: Path, home: Path) -> None:
    rasters = Workspace(home, [write_safe(folder)]).rasters
    assert sorted((raster.bands[0].role, raster.transform[0]) for raster in rasters) == [
        ("blue", 10),
        ("nir", 10),
        ("nir08", 20),
        ("red", 10),
        ("scl", 20),
        ("swir1", 20),
    ]


@pytest.mark.parametrize(
    ("metadata", "name", "offset"),
    [
        (METADATA, "renamed.SAFE", -0.1),
        (METADATA.replace("04.00", "03.01").replace("-1000", "0"), "renamed.SAFE", 0.0),
        (None, SAFE, -0.1),
        ("<broken", SAFE, -0.1),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', SAFE, -0.1),
    ],
)
def test_the_offset_is_that_of_the_product(
    folder: Path, metadata: str | None, name: str, offset: float
) -> None:
    product = write_safe(folder, metadata, name)
    image = next(product.rglob("*_B08_10m.jp2"))
    band = describe(image).bands[0]
    assert (band.role, band.scale, band.scale_known) == ("nir", 0.0001, True)
    assert band.offset == pytest.approx(offset)
    assert describe(next(product.rglob("*_SCL_20m.jp2"))).bands[0].scale == 1


def test_a_jpeg_2000_file_that_ends_early_is_refused_or_read_as_it_is(folder: Path) -> None:
    noise = np.random.default_rng(3).integers(1, 9000, (400, 400)).astype("uint16")
    path = write_jp2(folder / "A_2017-05-01_B04.jp2", noise)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    workspace = Workspace(folder / "home", [path])
    assert not workspace.rasters
    assert "A_2017-05-01_B04.jp2" in workspace.problems


def test_of_a_band_at_two_pixel_sizes_the_finer_answers(folder: Path, home: Path) -> None:
    for pixel, stored in ((20, 3000), (60, 4000)):
        values = np.full((120 // pixel, 120 // pixel), stored, "uint16")
        write_raster(folder / f"T33TWM_20190715T100031_B8A_{pixel}m.tif", values, pixel=pixel)
    finished = ask_folder("What is the mean of B8A?", folder, home)
    assert finished.status == "answered" and finished.answer.value == pytest.approx(0.3)
    assert "the finest is used, without T33TWM_20190715T100031_B8A_60m.tif" in finished.answer.text


# CORINE: 23 to 25 are forests, 12 fields, 22 agro-forestry and 29 woodland in transition; exports of Earth
# Engine have the codes instead.
@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("U2018_CLC2018_V2020_20u1.tif", [[12, 22, 23, 24], [25, 25, 29, 12]]),
        ("CORINE_landcover_2018.tif", [[211, 244, 311, 312], [313, 313, 324, 211]]),
    ],
)
def test_forest_is_every_class_of_forest(
    folder: Path, home: Path, name: str, classes: list[list[int]]
) -> None:
    write_raster(folder / name, np.array(classes, "int16"))
    finished = ask_folder("What share of the area is forest?", folder, home)
    assert finished.status == "answered" and finished.answer.value == pytest.approx(50.0)


@pytest.mark.parametrize(
    ("question", "value", "words"),
    [
        ("How many pixels burned?", 3.0, "3"),
        ("What share of the area burned?", 60.0, "60 %"),
        ("What is the area of each class in m2?", None, "Unburned 200 m²; Burned 300 m²"),
        ("Which classes are there?", None, "Unburned and Burned"),
    ],
)
def test_ground_that_burned_on_any_day_is_one_class(
    folder: Path, home: Path, question: str, value: float | None, words: str
) -> None:
    days = np.array([[0, 0, 215, 230], [230, -1, -2, -2]], "int16")  # -1 and -2 are no data
    write_raster(folder / "MCD64A1.A2021213.h17v05.061.2021309112345.Burn_Date.tif", days)
    finished = ask_folder(question, folder, home)
    assert finished.status == "answered" and words in finished.answer.text
    assert value is None or finished.answer.value == pytest.approx(value)


@pytest.mark.parametrize(
    "question", ["What share of the forest was lost?", "How much forest was lost in 2005?"]
)
def test_forest_that_was_lost_in_any_year_is_one_class(folder: Path, home: Path, question: str) -> None:
    years = np.array([[0, 0, 5, 21]], "uint8")
    write_raster(
        folder / "Hansen_GFC-2022-v1.10_lossyear_50N_010E.tif",
        years,
        crs="EPSG:4326",
        origin=(10, 46),
        pixel=0.01,
    )
    assert (
        ask_folder(question, folder, home).status == "declined"
    )  # of which forest, and of one year, nothing tells
    finished = ask_folder("What share of the area is forest loss?", folder, home)
    assert finished.status == "answered" and finished.answer.value == pytest.approx(50.0)


def pack(archive: Path, folder: Path) -> Path:
    """Put a folder's files into a ZIP or TAR archive, below the folder's name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive, "w") as opened:
            for path in files:
                opened.write(path, path.relative_to(folder.parent))
    else:
        with tarfile.open(archive, "w") as opened:
            for path in files:
                opened.add(path, path.relative_to(folder.parent))
    return archive


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_an_archive_of_a_product_is_read_as_its_folder(
    tmp_path: Path, folder: Path, home: Path, suffix: str
) -> None:
    archive = pack(folder / f"{SAFE}{suffix}", write_safe(tmp_path / "made"))
    finished = ask_folder(QUESTION, archive, home)
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(NDVI)


def test_a_netcdf_file_is_a_series(folder: Path, home: Path) -> None:
    values = stored_values()
    hdf5(folder / "veg.nc", dataset(values, scale_factor=1e-4, units="1"))
    finished = ask_folder("On which date is the mean NDVI highest?", folder / "veg.nc", home)
    best = int(values.mean(axis=(1, 2)).argmax())
    assert finished.status == "answered"
    assert ("2021-01-01", "2021-02-01", "2021-03-01")[best] in finished.answer.text
    mean = ask_folder(QUESTION, folder / "veg.nc", home)
    assert mean.answer.value == pytest.approx(values.mean() * 1e-4)


def test_units_of_a_netcdf_file_are_kept(folder: Path, home: Path) -> None:
    rain = np.full((1, 10, 20), 2.5, "float32")
    hdf5(folder / "rain.nc", dataset(rain, name="precipitation", units="mm/h"))
    finished = ask_folder("What is the mean precipitation?", folder, home)
    assert (finished.answer.value, finished.answer.unit) == (2.5, "mm/h")
    assert "mm per h" in finished.answer.text
    celsius = np.full((1, 10, 20), 26.85, "float32")
    (folder / "warm").mkdir()
    hdf5(folder / "warm" / "s.nc", dataset(celsius, name="LST", units="degC", scale_factor=1.0))
    finished = ask_folder("What is the mean LST?", folder / "warm", home / "second")
    assert finished.answer.value == pytest.approx(300, abs=0.01)


def test_a_file_is_unpacked_once_and_anew_when_it_changes(folder: Path, home: Path) -> None:
    file = hdf5(folder / "veg.nc", dataset(stored_values()))
    first = Workspace(home, [file]).rasters
    before = [raster.path.stat().st_mtime_ns for raster in first]
    again = Workspace(home, [file]).rasters
    assert [raster.path.stat().st_mtime_ns for raster in again] == before
    hdf5(file, dataset(stored_values(1)))
    assert len(Workspace(home, [file]).rasters) == 1


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("MOD11A1.A2021001.h18v04.hdf", HDF4 + bytes(90), "is an HDF4 file"),
        ("era5.grib", b"GRIB", "GRIB"),
        ("mosaic.vrt", b"<VRTDataset/>", "virtual raster"),
        ("broken.nc", b"CDF\x01" + bytes(3), "cannot be read as NetCDF"),
        ("text.nc", b"nothing", "no NetCDF or HDF5 file"),
        ("empty.zip", b"PK\x05\x06" + bytes(18), "holds no raster"),
        ("broken.tar", b"nothing", "no usable archive"),
    ],
)
def test_what_cannot_be_opened_is_said_in_a_sentence(
    folder: Path, home: Path, name: str, content: bytes, sentence: str
) -> None:
    (folder / name).write_bytes(content)
    workspace = Workspace(home, [folder])
    assert not workspace.rasters
    assert sentence in workspace.problems[name]
    with pytest.raises(InputError, match=sentence):
        require_rasters(workspace)


def test_uploads_of_containers_are_checked(tmp_path: Path, home: Path) -> None:
    workspace = Workspace(home)
    file = hdf5(tmp_path / "veg.nc", dataset(stored_values()))
    save_upload(workspace, "veg.nc", [file.read_bytes()])
    workspace.refresh()
    assert len(workspace.rasters) == 3
    for name in ("a.nc", "a.zip", "a.tar", "a.hdf"):
        with pytest.raises((InputError, RasterUnreadable), match=name):
            save_upload(workspace, name, [b"nothing of the kind"])
    assert sorted(path.name for path in workspace.inputs_folder.iterdir()) == ["veg.nc"]


def write_envi(path: Path, interleave: str = "BSQ") -> Path:
    """Write red and near infrared as ENVI does: raw numbers, and a header beside them."""
    bands = np.stack([np.full((30, 40), 0.1, "float32"), np.full((30, 40), 0.5, "float32")])
    with rasterio.open(
        path,
        "w",
        driver="ENVI",
        width=40,
        height=30,
        count=2,
        dtype="float32",
        crs="EPSG:32633",
        transform=from_origin(5e5, 5.1e6, 10, 10),
        INTERLEAVE=interleave,
    ) as dataset:
        dataset.write(bands)
        dataset.descriptions = ("red", "nir")
    return path


@pytest.mark.parametrize("name", ["scene.dat", "scene.img", "scene.bil"])
def test_a_raw_file_is_read_by_its_header(folder: Path, home: Path, name: str) -> None:
    write_envi(folder / name, "BIL" if name.endswith("bil") else "BSQ")
    finished = ask_folder(QUESTION, folder, home)
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(NDVI)


def test_an_erdas_image_is_read_by_its_name(folder: Path, home: Path) -> None:
    values = np.linspace(0.1, 0.8, 40 * 30).reshape(30, 40).astype("float32")
    with rasterio.open(
        folder / "A_NDVI_2021-06-01.img",
        "w",
        driver="HFA",
        width=40,
        height=30,
        count=1,
        dtype="float32",
        crs="EPSG:32633",
        transform=from_origin(5e5, 5.1e6, 10, 10),
    ) as dataset:
        dataset.write(values, 1)
    finished = ask_folder("What is the mean NDVI?", folder, home)
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(float(values.mean()))


def test_a_raw_file_that_ends_early_or_has_no_header_is_no_raster(folder: Path, home: Path) -> None:
    path = write_envi(folder / "scene.dat")
    path.write_bytes(path.read_bytes()[:-8])
    assert "truncated" in Workspace(home, [folder]).problems["scene.dat"]
    (folder / "other.dat").write_bytes(b"nothing")
    (folder / "image.img").write_bytes(b"nothing")
    (folder / "broken.img").write_bytes(b"EHFA_HEADER_TAG")
    workspace = Workspace(home / "second", [folder])
    assert "other.dat" not in workspace.problems
    assert "without its header" in workspace.problems["image.img"]
    assert "damaged ERDAS IMAGINE" in workspace.problems["broken.img"]


SQUARES = (("forest", 110), ("crop", 270), ("forest", 310), ("water", 120))


def write_polygons(path: Path) -> None:
    """Write rectangles of 100 m by so many metres."""
    features = [
        {
            "type": "Feature",
            "properties": {"class": name},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[left, 0], [left + width, 0], [left + width, 100], [left, 100], [left, 0]]],
            },
        }
        for name, width, left in ((n, w, 5_000 * k) for k, (n, w) in enumerate(SQUARES))
    ]
    for feature in features:
        (ring,) = feature["geometry"]["coordinates"]  # type: ignore[index]
        ring[:] = [[500_000 + x, 5_100_000 + y] for x, y in ring]
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}
    path.write_text(json.dumps({"type": "FeatureCollection", "crs": crs, "features": features}))


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("How many polygons are there?", 4, "polygons"),
        ("How many polygons of class forest are there?", 2, "polygons"),
        ("How many polygons are larger than 1.5 ha?", 2, "polygons"),
        ("What is the total area of class forest?", 4.2, "ha"),
        ("What is the total area of the polygons?", 8.1, "ha"),
        ("What is the mean area of the polygons?", 2.025, "ha"),
        ("Which polygon has the largest area?", 3.1, "ha"),
        ("Which class covers the largest area?", 4.2, "ha"),
    ],
)
def test_polygons_alone_are_asked_about(
    folder: Path, home: Path, question: str, value: float, unit: str
) -> None:
    write_polygons(folder / "parcels.geojson")
    finished = ask_folder(question, folder, home)
    assert finished.status == "answered", finished
    # A square on the map of a UTM zone is 0.08 per cent smaller than on the ground at its middle.
    assert finished.answer.value == pytest.approx(value, rel=1e-3)
    assert finished.answer.unit == unit


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many polygons are there?", 4),
        ("What is the total area in hectares?", 8.1),
        ("What is the total area of the polygons in hectares?", 8.1),
        ("What is the mean area of the polygons?", 2.025),
        ("What is the area of North?", 3.1),
    ],
)
def test_polygons_with_names_and_kinds(folder: Path, home: Path, question: str, value: float) -> None:
    write_polygons(folder / "parcels.geojson")
    content = json.loads((folder / "parcels.geojson").read_text())
    sizes = sorted(width for _, width in SQUARES)
    for feature, (kind, width) in zip(content["features"], SQUARES, strict=True):
        name = ("East", "West", "South", "North")[sizes.index(width)]
        feature["properties"] = {"name": name, "kind": kind}
    (folder / "parcels.geojson").write_text(json.dumps(content))
    finished = ask_folder(question, folder, home)
    assert finished.status == "answered", finished
    assert finished.answer.value == pytest.approx(value, rel=1e-3)


def test_what_needs_pixels_is_declined_where_there_are_none(folder: Path, home: Path) -> None:
    write_polygons(folder / "parcels.geojson")
    for question in ("What is the mean NDVI?", "What share of the area is forest?"):
        finished = ask_folder(question, folder, home)
        assert finished.status == "declined" and "here" in finished.answer.text


def test_data_without_anything_are_refused(folder: Path, home: Path) -> None:
    with pytest.raises(InputError, match="no raster in the data"):
        require_rasters(Workspace(home, [folder]))


# FAO, WaPOR Database Methodology, version 3: thirds of a month are means of their days.
@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("What is the total evapotranspiration in July 2021?", 3.0 * 10 + 4.0 * 10 + 5.5 * 11, "mm"),
        ("What is the mean evapotranspiration?", (3.0 + 4.0 + 5.5) / 3, "mm/day"),
    ],
)
def test_a_total_of_daily_means_counts_the_days_of_each(
    folder: Path, home: Path, question: str, value: float, unit: str
) -> None:
    for third, tenths in enumerate((30, 40, 55), start=1):
        path = folder / f"WAPOR-3.L2-AETI-D.2021-07-D{third}.tif"
        write_raster(path, np.full((8, 8), tenths, "int16"), scale=0.1)
    finished = ask_folder(question, folder, home)
    assert (finished.status, finished.answer.unit) == ("answered", unit)
    assert finished.answer.value == pytest.approx(value)
