from __future__ import annotations

import io
import os
from dataclasses import replace
from pathlib import Path

import morecantile
import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.warp import transform, transform_bounds
from rio_tiler.colormap import cmap
from shapely.geometry import box
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.core.serving.conftest import layer_of
from tests.rasters import write_raster
from treeline.core.serving import LAYERS, LayerRegistry, MapLayer, default_style, routes, style_in_series
from treeline.core.serving.picture import Outline, View, draw_map
from treeline.core.serving.styles import Style, class_colours, histogram, ranges_of
from treeline.core.serving.tiles import style_query
from treeline.toolkit.raster import Source
from treeline.toolkit.raster.classes import rgba
from treeline.toolkit.raster.pictures import DARK_PAPER
from treeline.toolkit.recognition.describe import describe

GRID = morecantile.tms.get("WebMercatorQuad")
Z = 14


def geographic(layer: MapLayer, column: float, row: float) -> tuple[float, float]:
    """Return longitude and latitude of a pixel's position."""
    a, _, c, _, e, f = layer.description.transform
    (x,), (y,) = transform(layer.description.crs, "EPSG:4326", [c + a * column], [f + e * row])
    return x, y


def pixel(
    client: TestClient, token: str, longitude: float, latitude: float, query: str = ""
) -> tuple[int, ...]:
    """Return the colour that the map shows at a place."""
    tile = GRID.tile(longitude, latitude, Z)
    answer = client.get(f"/tiles/{token}/{Z}/{tile.x}/{tile.y}.png{query}")
    assert answer.status_code == 200, answer.text
    west, south, east, north = GRID.xy_bounds(tile)
    (x,), (y,) = transform("EPSG:4326", "EPSG:3857", [longitude], [latitude])
    column = int((x - west) / (east - west) * 256)
    row = int((north - y) / (north - south) * 256)
    return Image.open(io.BytesIO(answer.content)).convert("RGBA").getpixel((column, row))


def test_below_the_path_of_the_pages_are_their_files_and_health_is_where_it_was():
    client = TestClient(Starlette(routes=routes("/team/treeline/")))
    paths = ("/team/treeline/leaflet/leaflet.js", "/leaflet/leaflet.js", "/livez", "/team/treeline/livez")
    assert [client.get(path).status_code for path in paths] == [200, 404, 200, 404]


def test_tile_has_the_colour_of_the_value_at_the_place(client, halves):
    token, layer = halves
    style = default_style(layer)
    assert (style.colormap, style.low, style.high) == ("rdylgn", -0.2, 0.9)
    for column, value in ((30, 0.8), (170, -0.1)):
        shown = pixel(client, token, *geographic(layer, column, 120))
        index = round((value - style.low) / (style.high - style.low) * 255)
        assert shown == tuple(cmap.get("rdylgn")[index])


def test_the_dates_of_a_series_are_drawn_in_one_range(tmp_path):
    colder, warmer = (np.linspace(low, low + 20, 400).reshape(1, 20, 20) for low in (270, 300))
    names = "Demo_LST_2021-01-12.tif", "Demo_LST_2021-07-12.tif"
    written = [
        write_raster(tmp_path / name, v.astype("float32"))
        for name, v in zip(names, (colder, warmer), strict=True)
    ]
    layers = [layer_of(path) for path in written]
    alone, together = default_style(layers[0]), style_in_series(layers[0], layers)
    assert (
        style_in_series(layers[1], layers) == together == replace(alone, low=together.low, high=together.high)
    )
    expected = np.percentile(np.concatenate([colder, warmer]), (2, 98))
    assert (together.low, together.high) == pytest.approx(tuple(expected))
    assert alone.high < together.high and style_in_series(layers[0], layers[:1]) == alone


def test_what_has_no_sign_is_drawn_from_nothing_up(tmp_path):
    layers = []
    for date, top in (("2021-01-12", 0.6), ("2021-07-12", 0.8)):
        values = np.linspace(0.2, top, 400, dtype="float32").reshape(1, 20, 20)
        description = describe(write_raster(tmp_path / f"change_{date}.tif", values))
        band = replace(description.bands[0], role="absolute_difference", unit="1")
        layers.append(MapLayer.of((Source(description, band),), date))
    alone, together = default_style(layers[0]), style_in_series(layers[0], layers)
    assert (alone.colormap, alone.low, together.low) == ("ylorrd", 0.0, 0.0)
    assert alone.high == pytest.approx(0.592, abs=1e-3) and alone.high < together.high < 0.8


def test_no_data_is_transparent(client, halves):
    token, layer = halves
    assert pixel(client, token, *geographic(layer, 30, 20))[3] == 0


def test_style_of_the_query_is_used(client, halves):
    token, layer = halves
    shown = pixel(client, token, *geographic(layer, 30, 120), "?colormap=gray&low=0&high=0.8")
    assert shown == (255, 255, 255, 255)


def test_scale_and_offset_are_applied(client, tmp_path):
    stored = np.full((64, 64), 6000, dtype="uint16")
    path = write_raster(tmp_path / "a.tif", stored, scale=0.0001, offset=-0.1, descriptions=["nir"])
    layer = layer_of(path)
    answer = client.get(
        f"/tiles/{LAYERS.token(layer)}/value",
        params=dict(zip(("longitude", "latitude"), geographic(layer, 10, 10), strict=True)),
    )
    assert answer.json()["values"] == [pytest.approx(0.5, abs=1e-6)]


def test_value_outside_and_in_no_data_is_none(client, halves):
    token, layer = halves
    for column, row in ((30, 20), (5000, 5000)):
        longitude, latitude = geographic(layer, column, row)
        answer = client.get(f"/tiles/{token}/value?longitude={longitude}&latitude={latitude}")
        assert answer.json() == {"values": [None], "unit": "1"}


@pytest.mark.parametrize("query", ["longitude=1e308&latitude=9", "longitude=14&latitude=91", "longitude=nan"])
def test_what_is_no_place_is_said_to_be_none(client, halves, query):
    token, _ = halves
    assert client.get(f"/tiles/{token}/value?{query}").status_code == 400


def test_place_without_the_layer_is_empty(client, halves):
    token, _ = halves
    assert client.get(f"/tiles/{token}/{Z}/0/0.png").status_code == 204


@pytest.mark.parametrize(
    "address",
    [
        "/tiles/unknown/14/1/1.png",
        "/tiles/unknown/value?longitude=1&latitude=1",
        "/tiles/unknown/legend.json",
        "/tiles/unknown/preview.png",
        "/tiles/..%2F..%2Fetc%2Fpasswd/14/1/1.png",
    ],
)
def test_unknown_token_is_not_found(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "colormap=__import__",
        "low=1&high=0",
        "low=nan",
        "low=inf",
        "high=x",
        "colormap=classes",
        "colours=1-red",
        "colours=1-00ff00;2",
        "colours=" + ",".join(["1-00ff00"] * 65),
        "only=x",
    ],
)
def test_bad_style_is_refused(client, halves, query):
    token, layer = halves
    tile = GRID.tile(*geographic(layer, 30, 120), Z)
    assert client.get(f"/tiles/{token}/{Z}/{tile.x}/{tile.y}.png?{query}").status_code == 400


def test_value_needs_a_point(client, halves):
    token, _ = halves
    assert client.get(f"/tiles/{token}/value").status_code == 400


@pytest.mark.parametrize(
    "place", ["3/8/1", "3/1/8", f"3/{'9' * 400}/1", f"5/{'9' * 5000}/1", f"{'9' * 4299}/1/1"]
)
def test_a_tile_that_no_map_has_is_not_found(client, halves, place):
    assert client.get(f"/tiles/{halves[0]}/{place}.png").status_code == 404


def test_file_that_is_gone_is_not_found(client, halves):
    token, layer = halves
    place = GRID.tile(*geographic(layer, 30, 120), Z)
    layer.description.path.unlink()
    assert client.get(f"/tiles/{token}/{Z}/{place.x}/{place.y}.png").status_code == 404


def test_raster_without_crs_has_a_preview_and_no_tile(client, tmp_path):
    path = write_raster(tmp_path / "flat.tif", np.arange(400, dtype="float32").reshape(20, 20), crs=None)
    layer = layer_of(path)
    token = LAYERS.token(layer)
    assert not layer.on_map
    assert client.get(f"/tiles/{token}/{Z}/1/1.png").status_code == 404
    image = Image.open(io.BytesIO(client.get(f"/tiles/{token}/preview.png?size=20").content))
    assert image.size == (20, 20)


def test_mask_is_drawn_where_it_is_one_only(client, tmp_path):
    mask = np.zeros((100, 100), dtype="uint8")
    mask[:, 50:] = 1
    path = write_raster(tmp_path / "Place_cloud_mask_2021-07-12.tif", mask, tags={"TREELINE_ROLE": "mask"})
    layer = layer_of(path)
    token = LAYERS.token(layer)
    assert set(class_colours(layer)) == {0.0, 1.0}
    assert pixel(client, token, *geographic(layer, 20, 50))[3] == 0
    assert pixel(client, token, *geographic(layer, 80, 50))[3] == 255
    legend = client.get(f"/tiles/{token}/legend.json").json()
    assert [(value, name) for value, _, name in legend["classes"]] == [(1.0, "condition met")]


def test_classes_are_drawn_in_the_colours_of_their_file_and_named(client, tmp_path):
    cover = np.repeat(np.array([[1, 2]], dtype="uint8"), 50, axis=1).repeat(100, axis=0)
    tags = {"TREELINE_ROLE": "landcover", "TREELINE_CLASSES": '{"1": "Water", "2": "Forest"}'}
    path = write_raster(tmp_path / "cover.tif", cover, tags=tags)
    with rasterio.open(path, "r+") as dataset:
        dataset.write_colormap(1, {1: (10, 20, 200, 255), 2: (0, 90, 10, 255)})
    layer = layer_of(path)
    token = LAYERS.token(layer)
    legend = client.get(f"/tiles/{token}/legend.json").json()
    assert legend["classes"] == [[1.0, "#0a14c8", "Water"], [2.0, "#005a0a", "Forest"]]
    assert pixel(client, token, *geographic(layer, 20, 50))[:3] == (10, 20, 200)
    assert pixel(client, token, *geographic(layer, 80, 50))[:3] == (0, 90, 10)


def test_classes_without_colours_have_usual_ones_and_those_of_the_address(client, tmp_path):
    cover = np.repeat(np.array([[1, 2]], dtype="uint8"), 50, axis=1).repeat(100, axis=0)
    names = {"TREELINE_CLASSES": '{"1": "Lake", "2": "Conifer forest"}', "TREELINE_ROLE": "landcover"}
    layer = layer_of(write_raster(tmp_path / "cover.tif", cover, tags=names))
    token = LAYERS.token(layer)
    west, east = geographic(layer, 20, 50), geographic(layer, 80, 50)
    lake, forest = pixel(client, token, *west), pixel(client, token, *east)
    assert lake[2] > max(lake[:2]) and forest[1] > max(forest[0], forest[2])
    style = Style("classes", 0.0, 1.0, ((2.0, "#ff00aa"),), 2.0)
    query = f"?{style_query(style)}"
    assert pixel(client, token, *east, query) == (255, 0, 170, 255)
    assert pixel(client, token, *west, query)[3] == 0
    legend = client.get(f"/tiles/{token}/legend.json{query}").json()
    assert legend["classes"] == [[2.0, "#ff00aa", "Conifer forest"]]


def test_a_colour_image_may_be_of_three_files(client, tmp_path):
    files = [tmp_path / f"Place_2021-07-12_{name}.tif" for name in ("B08", "B04", "B03")]
    for place, path in enumerate(files):
        values = np.zeros((60, 60), dtype="float32")
        values[(slice(30), slice(30, None), slice(30, None))[place]] = 1
        write_raster(path, values)
    layer = MapLayer.of(tuple(layer_of(path).sources[0] for path in files), "nir, red, green")
    assert not layer.is_of_one_file
    token = LAYERS.token(layer)
    assert pixel(client, token, *geographic(layer, 30, 10)) == (255, 0, 0, 255)
    assert pixel(client, token, *geographic(layer, 30, 50)) == (0, 255, 255, 255)


def test_a_histogram_counts_all_values(halves):
    _, layer = halves
    counts, low, high = histogram(layer.sources[0], 10)
    assert (low, high) == pytest.approx((-0.1, 0.8))
    assert sum(counts) == 150 * 200 and counts[0] == counts[-1] == 150 * 100


def test_the_map_is_drawn_with_its_layers_in_their_places(halves):
    _, layer = halves
    (west, north), (east, south) = geographic(layer, 0, 0), geographic(layer, 200, 200)
    view = View.over((west, south, east, north))
    assert view.ground == pytest.approx(2000 * 1.04 * 4 / 3, rel=0.02)
    outline = Outline(box(west, south, east, north), "Place")
    drawn = draw_map([(layer, default_style(layer), 1.0)], view, [outline])
    image = np.asarray(Image.open(io.BytesIO(drawn)).convert("RGB")).astype(int)
    # 1200 x 900 of map, the legend to the right of it.
    assert image.shape[0] == 900 and image.shape[1] > 1500
    style = default_style(layer)
    for column, value in ((400, 0.8), (800, -0.1)):
        index = round((value - style.low) / (style.high - style.low) * 255)
        assert np.abs(image[700, column] - cmap.get("rdylgn")[index][:3]).max() <= 3
    assert (image[150, 400] == 255).all()
    drawn = draw_map([(layer, default_style(layer), 1.0)], view, [outline], dark=True)
    dark = np.asarray(Image.open(io.BytesIO(drawn)).convert("RGB")).astype(int)
    # The map has its colours; what has none is dark, beside it too.
    assert (dark[700, 400] == image[700, 400]).all()
    assert {tuple(dark[150, 400]), tuple(dark[899, -1])} == {rgba(DARK_PAPER)[:3]}
    assert dark[:, 1210:].max() > 200


def test_colour_image_shows_three_bands(client, tmp_path):
    bands = np.zeros((3, 60, 60), dtype="uint8")
    bands[0, 30:] = 250
    bands[1:, :30] = 20
    path = write_raster(tmp_path / "rgb.tif", bands, descriptions=["red", "green", "blue"], nodata=None)
    layer = layer_of(path, 0, 1, 2)
    assert layer.role == "rgb"
    token = LAYERS.token(layer)
    assert pixel(client, token, *geographic(layer, 30, 50)) == (255, 0, 0, 255)
    assert pixel(client, token, *geographic(layer, 30, 10)) == (0, 255, 255, 255)


def test_clouds_do_not_darken_the_ground_of_a_colour_image(tmp_path):
    bands = np.random.default_rng(2).uniform(0.02, 0.12, (3, 100, 100)).astype("float32")
    clear = layer_of(
        write_raster(tmp_path / "clear.tif", bands, descriptions=["red", "green", "blue"]), 0, 1, 2
    )
    bands[:, :40] += 0.6
    cloudy = layer_of(
        write_raster(tmp_path / "cloudy.tif", bands, descriptions=["red", "green", "blue"]), 0, 1, 2
    )
    assert np.allclose(ranges_of(cloudy), ranges_of(clear), atol=0.01)
    bands[:, 40:99] += 0.6
    snow = layer_of(
        write_raster(tmp_path / "snow.tif", bands, descriptions=["red", "green", "blue"]), 0, 1, 2
    )
    assert all(high > 0.6 for _, high in ranges_of(snow))


def test_same_layer_keeps_its_token_and_a_rewritten_file_gets_another(tmp_path):
    registry = LayerRegistry()
    path = write_raster(tmp_path / "a.tif", np.ones((8, 8), dtype="float32"))
    token = registry.token(layer_of(path))
    assert registry.token(layer_of(path)) == token
    os.utime(path, (1, 1))
    assert registry.token(layer_of(path)) != token
    assert registry.get("no such token") is None


def test_leaflet_is_served_from_this_machine(client):
    assert b"Leaflet" in client.get("/leaflet/leaflet.js").content[:400]
    assert client.get("/leaflet/../core/settings.py").status_code == 404


def test_tiles_cover_the_raster_in_mercator(client, halves, tmp_path: Path):
    token, layer = halves
    west, south, east, north = transform_bounds(layer.description.crs, "EPSG:4326", *layer.description.bounds)
    tiles = list(GRID.tiles(west, south, east, north, zooms=12))
    opaque = 0
    for tile in tiles:
        answer = client.get(f"/tiles/{token}/12/{tile.x}/{tile.y}.png")
        if answer.status_code == 200:
            opaque += int(
                (np.asarray(Image.open(io.BytesIO(answer.content)).convert("RGBA"))[..., 3] > 0).sum()
            )
    # 200 x 150 valid pixels of 10 m; a pixel of the tile is 38.2 m at the equator, less by the latitude.
    expected = 200 * 150 * 100 / (38.2185 * np.cos(np.radians((south + north) / 2))) ** 2
    assert opaque == pytest.approx(expected, rel=0.03)


def test_large_raster_of_another_is_shown_and_its_folder_left_alone(client, tmp_path):
    path = write_raster(tmp_path / "Given_NDVI_2021-07-12.tif", np.full((1500, 1500), 0.8, dtype="float32"))
    layer = layer_of(path)
    assert pixel(client, LAYERS.token(layer), *geographic(layer, 700, 700))[3] == 255
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
