"""A coordinate reference system names a file of shifts, which PROJ opens: a pipe would hold it for ever."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pytest
import rasterio
import shapely
from pyogrio import raw
from pyproj import CRS, get_codes

from tests.rasters import write_raster
from tests.security.keyed_tiff import keyed_tiff
from tests.security.test_bounds import quickly
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError, RasterUnreadable
from treeline.toolkit.geodesy import names_file
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.raster import all_bands
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.vector import checked_crs, read_features

GRIDS = (
    'GEOGCS["x",DATUM["y",SPHEROID["z",6378137,298.25],EXTENSION["PROJ4_GRIDS","{}"]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'
)
STRING = (
    'PROJCS["x",GEOGCS["x",DATUM["y",SPHEROID["z",6378137,298.25]],PRIMEM["Greenwich",0],'
    'UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],'
    'PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],'
    'PARAMETER["false_northing",0],UNIT["metre",1],'
    'EXTENSION["PROJ4","+proj=utm +zone=33 +ellps=GRS80 +nadgrids={} +wktext"]]'
)
BOUND = (
    'BOUNDCRS[SOURCECRS[GEOGCRS["x",DATUM["y",ELLIPSOID["z",6378137,298.25]],CS[ellipsoidal,2],AXIS["lat",north],'
    'AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433]]],TARGETCRS[GEOGCRS["w",DATUM["w",'
    'ELLIPSOID["w",6378137,298.257223563]],CS[ellipsoidal,2],AXIS["lat",north],AXIS["lon",east],'
    'ANGLEUNIT["degree",0.0174532925199433]]],ABRIDGEDTRANSFORMATION["t",METHOD["NTv2",ID["EPSG",9615]],'
    'PARAMETERFILE["Latitude and longitude difference file","{}"]]]'
)


# How the name of a file can be written so that PROJ opens it and who looks for a plain path does not see it.
DISGUISES = {
    "in parentheses": BOUND.replace('["Latitude and', '("Latitude], "",').replace('"]]]', '")]]'),
    "quoted in quotes": STRING.replace("={}", '=""a b,{}""'),
    "after a quote": GRIDS.replace('"{}', '"@null"",{}'),
    "after XML": GRIDS.replace('"{}', '"@null&quot;],{}'),
    "string": "+proj=longlat +ellps=GRS80 +nadgrids=@a|<,{} +type=crs",
    "quoted string": '+proj=longlat +ellps=GRS80 +nadgrids="a b,{}" +type=crs',
    "list": "+init={}:x +type=crs",
    "JSON": CRS.from_wkt(BOUND.format("/pipe")).to_json().replace("/pipe", "{}"),
    "numbers in JSON": CRS.from_wkt(BOUND.format("/pipe")).to_json().replace("/pipe", "\\u002f../{}"),
}


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A pipe that nobody writes to: whoever opens it waits."""
    (tmp_path / "server").mkdir()
    os.mkfifo(tmp_path / "server" / "pipe")
    return tmp_path / "server" / "pipe"


@pytest.mark.parametrize("system", [GRIDS, STRING])
def test_a_raster_whose_system_names_a_file_is_refused(tmp_path: Path, pipe: Path, system: str) -> None:
    workspace = Workspace(tmp_path / "workspace")
    write_raster(workspace.inputs_folder / "good.tif", np.ones((8, 8), dtype="uint8"))
    path = write_raster(workspace.inputs_folder / "b.tif", np.ones((8, 8), dtype="uint8"), crs=None)
    stated = f"<SRS>{escape(system.format(pipe))}</SRS>"
    kept = f"<PAMDataset>{stated}<GeoTransform>15, 0.01, 0, 46, 0, -0.01</GeoTransform></PAMDataset>"
    path.with_name("b.tif.aux.xml").write_text(kept)
    with quickly():
        assert "names another file" in workspace.problems["b.tif"]
        with pytest.raises(RasterUnreadable, match="names another file"):
            describe(path)
    assert [raster.path.name for raster in workspace.rasters] == ["good.tif"]


@pytest.mark.parametrize("disguise", DISGUISES)
def test_no_way_of_writing_hides_the_file_that_a_system_names(
    tmp_path: Path, pipe: Path, disguise: str
) -> None:
    text = DISGUISES[disguise].replace("{}", str(pipe))
    path = write_raster(tmp_path / "b.tif", np.ones((8, 8), dtype="uint8"), crs=None)
    kept = path.with_name("b.tif.aux.xml")
    kept.write_text(f"<PAMDataset><SRS>{escape(text)}</SRS></PAMDataset>")
    with quickly(), pytest.raises(RasterUnreadable, match="names another file"):
        open_raster_file(path)


@pytest.mark.parametrize("authority", ["EPSG", "ESRI"])
def test_no_known_system_is_taken_for_one_that_names_a_file(authority: str) -> None:
    for code in get_codes(authority, "CRS")[::25]:
        system = CRS.from_authority(authority, code)
        assert not names_file(system.to_wkt()), code
        assert not names_file(system.to_json()), code


@pytest.mark.parametrize("two_bytes", [False, True])
@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("system", [GRIDS, STRING])
def test_the_keys_of_a_tiff_are_read_before_they_are_followed(
    tmp_path: Path, pipe: Path, system: str, big: bool, two_bytes: bool
) -> None:
    path = tmp_path / "a.tif"
    path.write_bytes(keyed_tiff(system.format("@null"), big=big))
    with open_raster_file(path) as dataset:
        assert dataset.crs is not None, "these keys are followed"
    path.write_bytes(keyed_tiff(system.format(pipe), big=big, two_bytes=two_bytes))
    with quickly(), pytest.raises(RasterUnreadable, match="names another file"):
        open_raster_file(path)


@pytest.mark.parametrize(("driver", "ending"), [("JP2OpenJPEG", "jp2"), ("HFA", "img")])
def test_what_other_formats_say_of_their_system_is_read_before_it_is_followed(
    tmp_path: Path, pipe: Path, driver: str, ending: str
) -> None:
    name = "n" * 200
    system = STRING.replace('PROJCS["x"', f'PROJCS["{name}"').replace(" +nadgrids={} +wktext", "")
    path = tmp_path / f"a.{ending}"
    size = {"width": 64, "height": 64, "count": 1, "dtype": "uint8"}
    placed = {"crs": system, "transform": rasterio.Affine(0.01, 0, 15, 0, -0.01, 46)}
    with rasterio.open(path, "w", driver=driver, **size, **placed) as dataset:
        dataset.write(np.ones((1, 64, 64), dtype="uint8"))
    content = path.read_bytes()
    assert name.encode() in content
    open_raster_file(path).close()
    named = f"+nadgrids={pipe}".ljust(len(name)).encode()
    path.write_bytes(content.replace(name.encode(), named))
    with quickly(), pytest.raises(RasterUnreadable, match="names another file"):
        open_raster_file(path)


def test_a_header_by_other_letters_is_not_looked_over(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(bytes(64))
    said = "ENVI\nsamples = 8\nlines = 8\nbands = 1\ndata type = 1\n"
    (tmp_path / "a.dat.hdr").write_text(said)
    open_raster_file(path).close()
    (tmp_path / "a.Hdr").write_text(said)
    with pytest.raises(RasterUnreadable, match="second header"):
        open_raster_file(path)


def test_a_system_with_a_grid_of_its_library_is_read(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "b.tif", np.ones((8, 8), dtype="uint8"), crs=None)
    stated = escape(GRIDS.format("@ntv2_0.gsb"))
    path.with_name("b.tif.aux.xml").write_text(f"<PAMDataset><SRS>{stated}</SRS></PAMDataset>")
    assert describe(path).crs is not None


@pytest.mark.parametrize("ending", ["gpkg", "json", "tif", "shp"])
def test_areas_whose_system_names_a_file_are_refused(tmp_path: Path, pipe: Path, ending: str) -> None:
    path = tmp_path / "a.gpkg"
    square = shapely.to_wkb([shapely.box(0, 0, 1, 1)])
    raw.write(path, square, [], [], geometry_type="Polygon", crs="EPSG:4326", driver="GPKG")
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE gpkg_spatial_ref_sys SET definition=?, organization='x' WHERE srs_id=4326",
            (GRIDS.format(pipe),),
        )
    path = path.rename(tmp_path / f"a.{ending}")
    with quickly(), pytest.raises(InputError, match="names another file"):
        read_features(str(path))


def test_a_system_behind_a_long_header_or_by_capital_letters_is_looked_at(tmp_path: Path, pipe: Path) -> None:
    square = shapely.to_wkb([shapely.box(0, 0, 1, 1)])
    shape = tmp_path / "a.shp"
    raw.write(shape, square, [], [], geometry_type="Polygon", crs="EPSG:4326", driver="ESRI Shapefile")
    shape.with_suffix(".prj").unlink()
    (tmp_path / "a.PRJ").write_text(GRIDS.format(pipe))
    flat, header = tmp_path / "a.fgb", bytes(5 * 2**20) + GRIDS.format(pipe).encode()
    flat.write_bytes(b"fgb\x03fgb\x01" + len(header).to_bytes(4, "little") + header)
    for path in (shape, flat):
        with quickly(), pytest.raises(InputError, match="names another file"):
            read_features(str(path))


@pytest.mark.parametrize("text", ["+proj=longlat +nadgrids={} +type=crs", "+init={}:x", GRIDS])
def test_no_argument_and_no_geojson_has_a_system_that_names_a_file(
    tmp_path: Path, pipe: Path, text: str
) -> None:
    with quickly(), pytest.raises(InputError, match="names a file"):
        checked_crs(text.format(pipe))
    assert names_file(text.format("https://elsewhere.example.org/grid.tif"))
    assert not names_file(text.format("ntv2_0.gsb"))


def test_what_a_refusal_says_holds_no_folder_of_the_server(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "workspace")
    (workspace.inputs_folder / "a.dat").write_bytes(bytes(256))
    header = "ENVI\nsamples = 8\nlines = 8\nbands = 1\ndata type = 1\nfile compression = 1\n"
    (workspace.inputs_folder / "a.hdr").write_text(header)
    assert "cannot be opened" in workspace.problems["a.dat"]
    assert str(tmp_path) not in workspace.problems["a.dat"]


def test_a_header_that_is_written_anew_is_read_anew(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "workspace")
    values = np.arange(64, dtype="<f4").reshape(8, 8)
    path, header = workspace.inputs_folder / "a.dat", workspace.inputs_folder / "a.hdr"
    path.write_bytes(values.tobytes())
    said = "ENVI\nsamples = 8\nlines = 8\nbands = 1\nbyte order = 0\ndata type = {}\n"
    header.write_text(said.format(1))
    assert workspace.raster("a.dat").dtype == "uint8"
    header.write_text(said.format(4))
    os.utime(header, ns=(2 * 10**18, 2 * 10**18))
    again = Workspace(tmp_path / "workspace")
    assert again.raster("a.dat").dtype == "float32"
    with rasterio.open(path, driver="ENVI") as dataset:
        assert dataset.read(1).max() == 63
    assert all_bands(str(path))


@pytest.mark.parametrize("number", ["NaN", "1e999", "-Infinity"])
def test_coordinates_are_finite_numbers(tmp_path: Path, number: str) -> None:
    path = tmp_path / "a.geojson"
    path.write_text(f'{{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, {number}], [0, 0]]]}}')
    with pytest.raises(InputError, match="no finite numbers"):
        read_features(str(path))
