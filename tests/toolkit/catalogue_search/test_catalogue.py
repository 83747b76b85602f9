from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.toolkit.catalogue_search.conftest import scene, searchable, serving
from tests.workplace import Workplace
from treeline.toolkit.errors import InputError, PathOutside, RasterMissing, TreelineError


@pytest.fixture(params=["folder", "address"])
def catalogue(request: pytest.FixtureRequest, place: Workplace) -> str:
    return "stac" if request.param == "folder" else request.getfixturevalue("address")


def test_collections(place: Workplace, catalogue: str) -> None:
    assert place.run("list_catalogue_collections", catalogue=catalogue) == [
        {"id": "level-2a", "title": "Level 2A", "bounds": [14, 45, 16, 47], "period": "2021-06-01/2021-08-01"}
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [0, 1, 2]),
        ({"period": "2021-07"}, [1]),
        ({"period": "2021-06-02/2021-08-01"}, [1, 2]),
        ({"period": "../2021-06"}, [0]),
        ({"period": "2020"}, []),
        ({"max_cloud_cover": 30}, [0, 2]),
        ({"bounds": [15.0, 46.0, 15.1, 46.1]}, [0, 1, 2]),
        ({"bounds": [10, 40, 11, 41]}, []),
        ({"collections": ["other"]}, []),
        ({"limit": 2}, [0, 1]),
    ],
)
def test_search(place: Workplace, arguments: dict, expected: list[int]) -> None:
    rows = place.run("search_catalogue", catalogue="stac", **arguments)
    assert [row["id"] for row in rows] == [f"scene-{n}" for n in expected]
    if rows:
        assert rows[0]["bands"] == ["red", "nir"]


def test_a_searchable_service_is_asked(place: Workplace) -> None:
    asked: list[dict] = []
    with serving(searchable(place.folder / "stac", asked)) as url:
        rows = place.run(
            "search_catalogue",
            catalogue=url,
            period="2021-06/2021-07",
            bounds=[15, 46, 15.1, 46.1],
            max_cloud_cover=30,
        )
    assert [row["id"] for row in rows] == ["scene-0"]
    assert asked[0]["bbox"] == [15, 46, 15.1, 46.1]
    assert asked[0]["datetime"] == "2021-06-01T00:00:00Z/2021-07-31T23:59:59Z"


def test_load(place: Workplace, catalogue: str) -> None:
    lines = place.run(
        "load_catalogue_scenes", catalogue=catalogue, bands=["red", "nir"], period="2021-06/2021-07"
    )
    names = [f"scene_2021-{month}-01_{band}.tif" for month in ("06", "07") for band in ("red", "nir")]
    assert lines == [f"Result saved at {name}" for name in names]
    for index, name in enumerate(names):
        number, band = divmod(index, 2)
        expected = scene(number, ("red", "nir")[band]) * 0.0001 - 0.1
        expected[0, 0] = np.nan
        np.testing.assert_allclose(place.read(name), expected, atol=1e-6)
    with rasterio.open(place.folder / names[0]) as dataset:
        assert dataset.descriptions == ("red",) and dataset.crs.to_epsg() == 32633
        assert dataset.tags()["TIFFTAG_DATETIME"].startswith("2021:06:01")
    assert not place.context.warnings


def test_load_a_part_on_another_grid(place: Workplace) -> None:
    west, south = 15.0005, 46.0535
    arguments = {"bounds": [west, south, west + 0.001, south + 0.001], "ids": ["scene-2"]}
    place.run("load_catalogue_scenes", catalogue="stac", bands=["red"], output_prefix="cut/a", **arguments)
    with rasterio.open(place.folder / "cut" / "a_2021-08-01_red.tif") as dataset:
        assert 7 <= dataset.width <= 10 and 10 <= dataset.height <= 13
    options = {"crs": "EPSG:4326", "resolution": 0.0005, "resampling": "average"}
    place.run(
        "load_catalogue_scenes",
        catalogue="stac",
        bands=["red"],
        output_prefix="deg",
        ids=["scene-2"],
        **options,
    )
    with rasterio.open(place.folder / "deg_2021-08-01_red.tif") as dataset:
        assert dataset.crs.to_epsg() == 4326
        assert np.nanmean(dataset.read(1)) == pytest.approx(scene(2, "red").mean() * 0.0001 - 0.1, abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"bands": ["blue"]}, "the band 'blue'"),
        ({"bands": []}, "'bands' is empty"),
        ({"period": "soon"}, "'soon', which is no date"),
        ({"period": "2021-13"}, "no date"),
        ({"bounds": [5, 1, 4, 2]}, "'bounds'"),
        ({"limit": 0}, "'limit' is 0"),
        ({"period": "2019"}, "No scene"),
        ({"crs": "EPSG:4326"}, "'resolution' is needed"),
    ],
)
def test_refused(place: Workplace, arguments: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        place.run("load_catalogue_scenes", **({"catalogue": "stac", "bands": ["red"]} | arguments))
    assert sorted(path.name for path in place.folder.iterdir()) == ["stac"]


def test_assets_stay_in_the_folder(place: Workplace) -> None:
    item = place.folder / "stac" / "level-2a" / "scene-0" / "scene-0.json"
    honest = item.read_text()
    for href in (
        "../../../secret.tif",
        "/etc/passwd",
        "http://127.0.0.1:9/red.tif",
        "/vsicurl/http://x/red.tif",
    ):
        content = json.loads(honest)
        content["assets"]["red"]["href"] = href
        item.write_text(json.dumps(content))
        with pytest.raises(TreelineError) as caught:
            place.run("load_catalogue_scenes", catalogue="stac", bands=["red"], ids=["scene-0"])
        assert isinstance(caught.value, PathOutside), href


def test_links_stay_in_the_folder_and_formats_are_checked(place: Workplace) -> None:
    (place.folder / "secret.json").write_text(
        (place.folder / "stac" / "level-2a" / "collection.json").read_text()
    )
    entry = place.folder / "stac" / "catalog.json"
    content = json.loads(entry.read_text())
    content["links"].append({"rel": "child", "href": "../secret.json", "type": "application/json"})
    entry.write_text(json.dumps(content))
    with pytest.raises(PathOutside):
        place.run("search_catalogue", catalogue="stac")
    del content["links"][-1]
    entry.write_text(json.dumps(content))
    band = place.folder / "stac" / "level-2a" / "scene-0" / "red.tif"
    band.write_text("<VRTDataset rasterXSize='1' rasterYSize='1'/>")
    with pytest.raises(TreelineError, match="not a raster of an allowed format"):
        place.run("load_catalogue_scenes", catalogue="stac", bands=["red"], ids=["scene-0"])


def test_no_catalogue(place: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "catalog.json").write_text("{}")
    for name, words in (("empty", "neither catalog.json"), ("broken", "no usable STAC catalogue")):
        with pytest.raises(InputError, match=words):
            place.run("search_catalogue", catalogue=name)
    with pytest.raises(RasterMissing):
        place.run("search_catalogue", catalogue="nowhere")
    with pytest.raises(InputError, match="no usable STAC catalogue"):
        place.run("search_catalogue", catalogue="http://127.0.0.1:9/")
    with pytest.raises(PathOutside):
        place.run("search_catalogue", catalogue="ftp://example.org/catalog.json")
    monkeypatch.setenv("TREELINE_CATALOGUES", "https://stac.example.org/")
    with pytest.raises(PathOutside, match="may not be used here"):
        place.run("search_catalogue", catalogue="http://127.0.0.1:9/")
