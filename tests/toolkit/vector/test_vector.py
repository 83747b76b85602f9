from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod
from shapely.geometry import LineString, Point, box, mapping

from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import GridMismatch, InputError, PathOutside, RasterMissing
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.vector import Feature, Features, checked_crs, read_features, write_features


@pytest.fixture
def context(tmp_path: Path):
    (tmp_path / "in").mkdir()
    resolver = FileResolver(tmp_path / "in", tmp_path / "out")
    with use_context(ToolContext(tmp_path / "out", resolver)) as context:
        yield context


def _geojson(folder: Path, name: str, content: object) -> None:
    (folder / "in" / name).write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.mark.parametrize("name", ["fields.geojson", "fields.gpkg"])
def test_written_is_read_again(context: ToolContext, name: str) -> None:
    items = (
        Feature(box(500_000, 5_000_000, 500_100, 5_000_050), {"crop": "maize", "count": 3, "share": 0.5}),
        Feature(box(500_200, 5_000_000, 500_300, 5_000_050), {"crop": "wheat", "count": 4, "share": 0.25}),
    )
    product = write_features(Features("fields", "EPSG:32633", items), name)
    found = read_features(name).in_crs("EPSG:32633")
    assert product.kind == "vector" and context.products == [product]
    assert [dict(item.attributes) for item in found.items] == [dict(item.attributes) for item in items]
    for item, original in zip(found.items, items, strict=True):
        assert shapely.hausdorff_distance(item.geometry, original.geometry) < 1e-4
    assert [path.name for path in context.output_folder.iterdir()] == [name]


def test_geojson_stands_in_longitude_and_latitude(context: ToolContext) -> None:
    write_features(Features("p", "EPSG:32633", (Feature(Point(500_000, 0)),)), "p.geojson")
    content = json.loads((context.output_folder / "p.geojson").read_text())
    assert content["features"][0]["geometry"]["coordinates"] == pytest.approx([15.0, 0.0], abs=1e-9)


@given(
    west=st.floats(-170, 160), south=st.floats(-80, 75), width=st.floats(0.01, 5), height=st.floats(0.01, 5)
)
def test_areas_on_the_ellipsoid_whatever_the_direction(
    west: float, south: float, width: float, height: float
) -> None:
    corners = [(west, south), (west + width, south), (west + width, south + height), (west, south + height)]
    expected = Geod(ellps="WGS84").polygon_area_perimeter(*zip(*corners, strict=True))[0]
    for ring in (corners, corners[::-1]):
        found = Features("f", "EPSG:4326", (Feature(shapely.Polygon(ring)),)).areas()
        assert found[0] == pytest.approx(expected, rel=1e-9)


def test_hole_is_no_area() -> None:
    ring = box(10, 50, 11, 51).difference(box(10.2, 50.2, 10.8, 50.8))
    parts = [
        Features("f", "EPSG:4326", (Feature(g),)).areas()[0] for g in (ring, box(10.2, 50.2, 10.8, 50.8))
    ]
    whole = Features("f", "EPSG:4326", (Feature(box(10, 50, 11, 51)),)).areas()[0]
    assert sum(parts) == pytest.approx(whole, rel=1e-6)


def test_shapefile_and_named_layer(context: ToolContext, tmp_path: Path, shared: Path) -> None:
    from pyogrio import raw

    source = shared / "rasters" / "slovenia_sentinel2" / "Slovenia_LULC.gpkg"
    shutil.copy(source, tmp_path / "in" / "lulc.gpkg")
    found = read_features("lulc.gpkg")
    assert found.crs == "EPSG:32633" and len(found.items) == 88
    assert found.values_of("LULC_NAME")[0] == "grassland"
    with pytest.raises(InputError, match="cannot be read"):
        read_features("lulc.gpkg#elsewhere")
    geometries = np.array(shapely.to_wkb(found.geometries[:3]), dtype=object)
    raw.write(
        tmp_path / "in" / "s.shp",
        geometries,
        [],
        np.array([], dtype=object),
        geometry_type="Polygon",
        crs="EPSG:32633",
        driver="ESRI Shapefile",
    )
    np.testing.assert_allclose(read_features("s.shp").areas(), found.areas()[:3], rtol=1e-9)


CORNERS = [(14.55, 45.86), (14.56, 45.86), (14.56, 45.87)]


@pytest.mark.parametrize(
    ("text", "crs"),
    [
        ("POLYGON ((14.55 45.86, 14.56 45.86, 14.56 45.87, 14.55 45.86))", LONGITUDE_LATITUDE),
        ("SRID=3857; polygon((14.55 45.86, 14.56 45.86, 14.56 45.87, 14.55 45.86))", "EPSG:3857"),
        (json.dumps({"type": "Polygon", "coordinates": [[*CORNERS, CORNERS[0]]]}), LONGITUDE_LATITUDE),
    ],
)
def test_a_geometry_may_be_written_out(context: ToolContext, text: str, crs: str) -> None:
    found = read_features(text)
    assert found.crs == crs
    assert shapely.Polygon(CORNERS).equals(found.geometries[0])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("POLYGON((1 2, 3 4", "no valid WKT"),
        ('{"type": "Polygon"}', "no valid GeoJSON"),
        ("SRID=999999;POINT(1 2)", "no CRS"),
    ],
)
def test_a_geometry_that_cannot_be_read_is_named(context: ToolContext, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_features(text)


def test_a_zipped_shapefile_is_read_where_it_lies(context: ToolContext, tmp_path: Path) -> None:
    from pyogrio import raw

    square = np.array([shapely.to_wkb(box(0, 0, 100, 100))], dtype=object)
    raw.write(
        tmp_path / "s.shp",
        square,
        [np.array(["field"])],
        np.array(["name"], dtype=object),
        geometry_type="Polygon",
        crs="EPSG:32633",
        driver="ESRI Shapefile",
    )
    with zipfile.ZipFile(tmp_path / "in" / "fields.zip", "w") as archive:
        for suffix in (".shp", ".shx", ".dbf", ".prj"):
            archive.write(tmp_path / f"s{suffix}", f"inner/s{suffix}")
    found = read_features("fields.zip")
    assert (found.name, found.crs, found.values_of("name")) == ("fields.zip", "EPSG:32633", ["field"])
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["fields.zip"]
    (tmp_path / "in" / "other.zip").write_bytes(b"PK\3\4 nothing")
    with pytest.raises(InputError, match="no usable archive"):
        read_features("other.zip")


def test_features_by_their_place_in_the_file(context: ToolContext, tmp_path: Path) -> None:
    square = box(0, 0, 1, 1)
    features = Features("f", "EPSG:4326", (Feature(square, {"a": 1}), Feature(square, {"a": 2})))
    assert features.with_values({"zone": 2}).values_of("a") == [2]
    assert features.with_values({"zone": 2, "a": 2}).values_of("a") == [2]
    named = Features("f", "EPSG:4326", (Feature(square, {"zone": 7}), Feature(square, {"zone": 8})))
    assert named.with_values({"zone": 8}).values_of("zone") == [8]
    with pytest.raises(InputError, match="No feature"):
        features.with_values({"zone": 3})


def test_bare_name_in_a_folder_below(context: ToolContext, tmp_path: Path) -> None:
    (tmp_path / "in" / "areas").mkdir()
    _geojson(tmp_path, "areas/a.geojson", mapping(box(0, 0, 1, 1)))
    assert len(read_features("a.geojson").items) == 1
    with pytest.raises(RasterMissing, match=r"Nearest: a\.geojson"):
        read_features("aa.geojson")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.geojson", "{not json", "no valid GeoJSON"),
        ("a.geojson", {"features": []}, "no valid GeoJSON"),
        ("a.geojson", {"type": "FeatureCollection", "features": []}, "no features"),
        ("a.geojson", {"type": "FeatureCollection", "features": [{"type": "Feature"}]}, "no features"),
        ("a.geojson", {"type": "Polygon", "coordinates": [[0, 0], 3]}, "no valid GeoJSON"),
        (
            "a.geojson",
            {"type": "Point", "coordinates": [0, 0], "crs": {"properties": {"name": "EPSG:0"}}},
            "no CRS",
        ),
        (
            "a.vrt",
            "<OGRVRTDataSource><OGRVRTLayer/></OGRVRTDataSource>",
            "no vector file of an allowed format",
        ),
        ("a.gpkg", "SQLite format 3\x00" + "x" * 100, "no vector file of an allowed format"),
        ("a.csv", "x,y\n1,2", "no vector file of an allowed format"),
    ],
)
def test_bad_files(context: ToolContext, tmp_path: Path, name: str, content: object, words: str) -> None:
    _geojson(tmp_path, name, content)
    with pytest.raises(InputError, match=words):
        read_features(name)


@pytest.mark.parametrize(
    "address", ["../../etc/passwd", "/etc/passwd", "/vsicurl/http://x/a.geojson", "http://x/a.geojson"]
)
def test_paths_are_confined(context: ToolContext, address: str) -> None:
    with pytest.raises((PathOutside, RasterMissing)):
        read_features(address)


def test_a_link_does_not_lead_out(context: ToolContext, tmp_path: Path) -> None:
    (tmp_path / "secret.geojson").write_text(json.dumps(mapping(box(0, 0, 1, 1))))
    (tmp_path / "in" / "link.geojson").symlink_to(tmp_path / "secret.geojson")
    with pytest.raises((PathOutside, RasterMissing)):
        read_features("link.geojson")


def test_outputs_are_confined(context: ToolContext) -> None:
    features = Features("p", "EPSG:4326", (Feature(Point(0, 0)),))
    with pytest.raises(PathOutside):
        write_features(features, "../p.geojson")
    with pytest.raises(InputError, match="no vector file"):
        write_features(features, "p.shp")
    with pytest.raises(InputError, match="overwrite its own input"):
        write_features(features, "p.geojson", inputs=[context.output_folder / "p.geojson"])


def test_crs_and_kinds() -> None:
    features = Features("f", None, (Feature(LineString([(0, 0), (1, 1)])),))
    with pytest.raises(GridMismatch, match="no CRS"):
        features.in_crs("EPSG:4326")
    with pytest.raises(GridMismatch, match="such as 500000, 5.1e\\+06, which lie nowhere in EPSG:4326"):
        read_features("POINT(500000 5100000)").in_crs("EPSG:32633")
    with pytest.raises(InputError, match="no Polygon but LineString"):
        features.of_kind("Polygon")
    with pytest.raises(InputError, match="no attribute 'x'"):
        features.values_of("x")
    assert checked_crs("urn:ogc:def:crs:EPSG::32633") == "EPSG:32633"
    with pytest.raises(InputError, match="'crs' is no CRS"):
        checked_crs("somewhere")


@pytest.mark.parametrize(
    ("member", "crs"),
    [
        (None, LONGITUDE_LATITUDE),
        ({"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}, LONGITUDE_LATITUDE),
        ({"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}, "EPSG:32633"),
        ({"type": "EPSG", "properties": {"code": 32633}}, "EPSG:32633"),
        ({"type": "link", "properties": {"href": "http://example.org/26912"}}, "example.org/26912"),
        ({"type": "name"}, "does not name its CRS"),
        ("EPSG:32633", "does not name its CRS"),
    ],
)
def test_the_crs_of_a_geojson_is_named_or_refused(member: Any, crs: str, context: ToolContext):
    text = json.dumps({"type": "Point", "coordinates": [1, 2]} | ({"crs": member} if member else {}))
    if crs == LONGITUDE_LATITUDE or crs.startswith("EPSG"):
        assert read_features(text).crs == crs
    else:
        with pytest.raises(InputError, match=crs):
            read_features(text)
