"""What is taken for an area of interest, and what is refused in a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from pyproj import Transformer

from tests.rasters import ORIGIN, UTM, write_raster
from treeline.core.workspace import Workspace
from treeline.core.workspace.area import area_of, describe_area, inside
from treeline.toolkit.errors import InputError
from treeline.toolkit.interest import AreaOfInterest, size_text

TO_DEGREES = Transformer.from_crs(UTM, "EPSG:4326", always_xy=True)
# Columns 2 to 11 and rows 3 to 8 of a raster of 20 x 20 pixels of 10 m.
LEFT, TOP = ORIGIN[0] + 20, ORIGIN[1] - 30
POLYGON = shapely.box(LEFT, TOP - 60, LEFT + 100, TOP)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    data = tmp_path / "data"
    data.mkdir()
    write_raster(data / "Lake_NDVI_2021-06-03.tif", np.full((20, 20), 0.5, "float32"))
    members = [
        {
            "type": "Feature",
            "properties": {"name": name, "number": n},
            "geometry": shapely.geometry.mapping(g),
        }
        for n, (name, g) in enumerate({"field": POLYGON, "far": shapely.box(0, 0, 5, 5)}.items())
    ]
    crs = {"type": "name", "properties": {"name": UTM}}
    content = {"type": "FeatureCollection", "crs": crs, "features": members}
    (data / "fields.geojson").write_text(json.dumps(content))
    return Workspace(tmp_path / "own", [data])


def degrees(polygon: shapely.Polygon = POLYGON) -> shapely.Polygon:
    return shapely.transform(polygon, TO_DEGREES.transform, interleaved=False)


def test_a_box_is_in_longitude_and_latitude(workspace: Workspace) -> None:
    bounds = degrees().bounds
    area = area_of(",".join(map(str, bounds)), workspace)
    assert (area.crs, area.name) == ("EPSG:4326", "a box")
    assert area.geometry.bounds == pytest.approx(bounds)
    assert area.square_kilometres == pytest.approx(0.006, rel=0.05)


@pytest.mark.parametrize(
    "text",
    [
        f"SRID=32633;{POLYGON.wkt}",
        degrees().wkt,
        shapely.to_geojson(degrees()),
        "fields.geojson#name=field",
        "fields#number=0",
        "fields.geojson#zone=1",
    ],
)
def test_wkt_geojson_and_a_feature_are_one_area(workspace: Workspace, text: str) -> None:
    area = area_of(text, workspace)
    assert area.in_crs(UTM).symmetric_difference(POLYGON).area < 0.1
    again = AreaOfInterest.from_json(json.loads(json.dumps(area.to_json())))
    assert again == area
    assert area_of(area.address, workspace).in_crs(UTM).symmetric_difference(POLYGON).area < 0.1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("15.1,46.0,15.0,46.1", "from longitude 15.1 to 15"),
        ("179,46,-179,47", "antimeridian"),
        ("10,10,11,11", "outside of the rasters"),
        ("500000,5000000,500100,5000100", "not in longitude and latitude"),
        ("15,46,15,46", "empty"),
        ("", "empty"),
        ("POLYGON EMPTY", "empty"),
        ("POINT(15 46)", "no Polygon"),
        ("POLYGON((15 46,15.1 46.1,15.1 46,15 46.1,15 46))", "not valid"),
        ("POLYGON((170 10,190 10,190 20,170 10))", "antimeridian"),
        ("POLYGON((-179 10,179 10,179 20,-179 10))", "antimeridian"),
        ("nothing.geojson", "no area of interest 'nothing.geojson'"),
        ("fields.geojson#name=lake", "lake"),
        ("fields.geojson#colour=red", "no attribute 'colour'"),
        ("fields.geojson#name=far", "outside of the rasters"),
        (f"SRID=32633;{shapely.box(LEFT, TOP, LEFT + 1, TOP + 1).wkt}", "the centre of no pixel"),
        ("{}", "no valid GeoJSON"),
        ("1,2,3", "no area of interest"),
    ],
)
def test_what_is_no_area_is_refused(workspace: Workspace, text: str, said: str) -> None:
    with pytest.raises(InputError, match="(?s)" + said.replace("(", r"\(")):
        area_of(text, workspace)


def test_rasters_without_a_crs_have_no_area(tmp_path: Path) -> None:
    write_raster(tmp_path / "plain.tif", np.zeros((4, 4), "float32"), crs=None)
    with pytest.raises(InputError, match="No raster has a CRS"):
        area_of("1,2,3,4", Workspace(tmp_path / "own", [tmp_path / "plain.tif"]))


def test_what_was_read_names_the_area_once(workspace: Workspace) -> None:
    area = area_of("fields.geojson#name=field", workspace)
    assert inside("mean of NDVI", area) == "mean of NDVI, inside the area of interest (0.006005 km²)"
    assert inside("NDVI in the area of interest", area) == "NDVI in the area of interest (0.006005 km²)"
    assert inside("mean of NDVI", None) == "mean of NDVI"
    assert "0.006005 km²" in describe_area(area, workspace)["area"]
    assert describe_area(None, workspace) == {}


@pytest.mark.parametrize(
    ("size", "text"),
    [(0.00603, "0.00603 km²"), (0.1942, "0.1942 km²"), (12.3456, "12.35 km²"), (1234.5, "1,234 km²")],
)
def test_sizes_have_few_digits(size: float, text: str) -> None:
    assert size_text(size) == text
