"""An area drawn on the map is what numpy takes for it, and a pixel's series is that of the files."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
import rasterio
from playwright.sync_api import expect
from pyproj import Transformer
from rasterio.features import geometry_mask
from rasterio.warp import transform_geom
from shapely.geometry import box, mapping

from tests.browser.server import Server
from tests.browser.workbench import PATIENCE, Workbench
from tests.rasters import ORIGIN, UTM, write_raster
from treeline.core.record.store import Store
from treeline.core.runs.reporting import run_result

pytestmark = pytest.mark.browser

DATES = ("2021-06-03", "2021-07-12", "2021-08-20")
SIDE = 60


@pytest.fixture(scope="module")
def rasters(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of NDVI of three dates, greener to the east."""
    folder = tmp_path_factory.mktemp("place")
    rng = np.random.default_rng(11)
    for number, date in enumerate(DATES):
        rising = np.linspace(0.1, 0.7, SIDE)[np.newaxis] + 0.05 * number
        layer = (rising + rng.uniform(0, 0.05, (SIDE, SIDE))).astype("float32")
        write_raster(folder / f"Place_NDVI_{date}.tif", layer)
    own = server.home / "workspaces" / "drawn"
    own.mkdir(parents=True)
    (own / "workspace.json").write_text(json.dumps({"title": "Drawn", "sources": [str(folder)]}))
    return folder


def centre_of_map(workbench: Workbench) -> tuple[float, float]:
    frame = workbench.page.locator("iframe").first.bounding_box()
    assert frame is not None
    return frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2


def area_in_address(workbench: Workbench) -> list[float]:
    expect(workbench.page).to_have_url(re.compile("aoi="), timeout=PATIENCE)
    return [float(n) for n in parse_qs(urlparse(workbench.page.url).query)["aoi"][0].split(",")]


def test_a_drawn_box_changes_the_answer_to_what_numpy_gives(
    workbench: Workbench, rasters: Path, store: Store, screenshots: Path
) -> None:
    page = workbench.page
    workbench.open("/?workspace=drawn")
    workbench.wait_for_tiles()
    x, y = centre_of_map(workbench)
    workbench.map.get_by_role("button", name="Draw a box as area of interest").click()
    page.mouse.move(x - 90, y - 70)
    page.mouse.down()
    page.mouse.move(x, y, steps=4)
    page.mouse.move(x + 40, y + 60, steps=4)
    page.mouse.up()
    bounds = area_in_address(workbench)
    expect(workbench.map.locator("path.treeline-area")).to_be_attached(timeout=PATIENCE)
    page.screenshot(path=screenshots / "area_drawn.png")
    workbench.ask(f"What is the mean NDVI on {DATES[0]}?")
    workbench.wait_for("answered")
    result = run_result(store, workbench.run)
    with rasterio.open(rasters / f"Place_NDVI_{DATES[0]}.tif") as dataset:
        polygon = transform_geom("EPSG:4326", dataset.crs, mapping(box(*bounds)))
        inside = geometry_mask([polygon], dataset.shape, dataset.transform, invert=True)
        values = dataset.read(1)
    assert 0 < inside.sum() < inside.size
    assert result.value == pytest.approx(values[inside].astype("float64").mean(), rel=1e-6)
    assert result.area_of_interest is not None
    expect(page.get_by_text("inside the area of interest").first).to_be_visible(timeout=PATIENCE)
    workbench.map.get_by_role("button", name="Clear the area of interest").click()
    expect(page).not_to_have_url(re.compile("aoi="), timeout=PATIENCE)


def test_who_has_no_pointer_takes_places_at_the_cross(workbench: Workbench, rasters: Path) -> None:
    page, ground = workbench.page, workbench.map.locator(".leaflet-container")
    workbench.open("/?workspace=drawn")
    workbench.wait_for_tiles()

    def centre() -> list[float]:
        workbench.wait_until_settled()  # the map slides
        found = ground.evaluate("() => [map.getCenter().lat, map.getCenter().lng]")
        return [float(number) for number in found]

    # Tab shows the cross: a map that was clicked has none.
    page.get_by_role("button", name="Area", exact=True).focus()
    page.keyboard.press("Tab")
    expect(ground).to_be_focused()
    expect(workbench.map.locator(".treeline-cross")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Series and spectrum")).to_be_visible(timeout=PATIENCE)
    picked = [float(n) for n in parse_qs(urlparse(page.url).query)["pixel"][0].split(",")]
    assert picked == pytest.approx(centre(), abs=1e-5)
    workbench.map.get_by_role("button", name="Draw a box as area of interest").press("Enter")
    first = centre()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    centre()
    page.keyboard.press("ArrowDown")
    across = centre()
    page.keyboard.press("Enter")
    west, south, east, north = area_in_address(workbench)
    assert [north, west, south, east] == pytest.approx(
        [*first, *across], abs=2e-5
    )  # within a pixel of the screen
    workbench.map.get_by_role("button", name="Draw a polygon as area of interest").press("Enter")
    page.keyboard.press("Enter")
    for key in ("ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        centre()
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("aoi=POLYGON"), timeout=PATIENCE)
    # Nor has one that is clicked after keys were pressed, as those of a question.
    page.get_by_label("Question").press("Tab")
    page.mouse.click(*centre_of_map(workbench))
    expect(ground).to_be_focused()
    expect(workbench.map.locator(".treeline-cross")).to_be_hidden()
    page.keyboard.press("ArrowUp")
    expect(workbench.map.locator(".treeline-cross")).to_be_visible()


def test_the_map_shows_the_date_that_answers(workbench: Workbench, rasters: Path) -> None:
    workbench.open("/?workspace=drawn")
    workbench.ask("On which date is the mean NDVI lowest?")
    workbench.wait_for("answered")
    chosen = workbench.page.get_by_role("combobox", name="Layer")
    expect(chosen).to_have_value(re.compile(DATES[0]), timeout=PATIENCE)


def test_a_pixels_series_is_that_of_the_files(
    workbench: Workbench, rasters: Path, tmp_path: Path, screenshots: Path
) -> None:
    page = workbench.page
    workbench.open("/?workspace=drawn")
    workbench.wait_for_tiles()
    page.mouse.click(*centre_of_map(workbench))
    page.get_by_role("button", name="Series and spectrum").click()
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_role("button", name=re.compile("CSV of")).click()
    target = tmp_path / "pixel.csv"
    download.value.save_as(target)
    page.screenshot(path=screenshots / "pixel.png")
    rows = list(csv.DictReader(target.open()))
    assert [row["date"] for row in rows] == list(DATES)
    way = Transformer.from_crs("EPSG:4326", UTM, always_xy=True)
    x, y = way.transform(float(rows[0]["longitude"]), float(rows[0]["latitude"]))
    column, line = int((x - ORIGIN[0]) // 10), int((ORIGIN[1] - y) // 10)
    for row in rows:
        with rasterio.open(rasters / row["file"]) as dataset:
            assert float(row["value"]) == dataset.read(1)[line, column]


def test_the_profile_along_a_line_is_that_of_the_file(
    workbench: Workbench, rasters: Path, tmp_path: Path, screenshots: Path
) -> None:
    page = workbench.page
    workbench.open("/?workspace=drawn")
    workbench.wait_for_tiles()
    x, y = centre_of_map(workbench)
    workbench.map.get_by_role("button", name="Profile along a line").click()
    page.mouse.click(x - 60, y - 20)
    page.mouse.click(x + 60, y + 20)
    page.keyboard.press("Enter")
    take = page.get_by_role("button", name=re.compile("CSV of"))
    with page.expect_download(timeout=PATIENCE) as download:
        take.click()
    target = tmp_path / "profile.csv"
    download.value.save_as(target)
    page.screenshot(path=screenshots / "profile.png")
    rows = list(csv.DictReader(target.open()))
    way = Transformer.from_crs("EPSG:4326", UTM, always_xy=True)
    with rasterio.open(rasters / f"Place_NDVI_{DATES[0]}.tif") as dataset:
        values = dataset.read(1)
    for row in rows:
        easting, northing = way.transform(float(row["longitude"]), float(row["latitude"]))
        column, line = int((easting - ORIGIN[0]) // 10), int((ORIGIN[1] - northing) // 10)
        assert float(row["value"]) == values[line, column]
    assert len({row["value"] for row in rows}) > 10
    page.keyboard.press("Escape")
    drawn = workbench.map.locator("path.treeline-line")
    expect(drawn).to_be_attached(timeout=PATIENCE)
    workbench.map.get_by_role("button", name="Clear the area of interest").click()
    expect(drawn).to_have_count(0, timeout=PATIENCE)


def same_view(workbench: Workbench) -> bool:
    """Return whether the two maps show the same place at the same scale."""
    views = "() => [map, map.beside].map(m => [m.getZoom(), m.getCenter().lat, m.getCenter().lng])"
    first, second = workbench.map.locator("body").evaluate(views)
    return bool(first == pytest.approx(second))


def test_a_slider_goes_through_the_dates(workbench: Workbench, rasters: Path) -> None:
    workbench.open("/?workspace=drawn")
    workbench.wait_for_tiles()
    slider = workbench.map.get_by_role("slider", name="Date on the map")
    expect(slider).to_have_attribute("aria-valuetext", DATES[0], timeout=PATIENCE)
    before = set(workbench.tile_addresses())
    slider.focus()
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", DATES[1], timeout=PATIENCE)
    expect(workbench.map.locator(".treeline-title")).to_contain_text(DATES[1], timeout=PATIENCE)
    workbench.wait_until(lambda: bool(set(workbench.tile_addresses()) - before), "a tile of the next date")
    workbench.wait_until_settled()  # the layer of the page follows the slider
    workbench.map.get_by_role("button", name="Play the dates").click()
    expect(slider).to_have_attribute("aria-valuetext", DATES[2], timeout=PATIENCE)
    workbench.map.get_by_role("button", name="Pause").click()


def test_the_upper_layer_ends_at_a_line_or_stands_beside(workbench: Workbench, rasters: Path) -> None:
    page = workbench.page
    workbench.open("/?workspace=drawn")
    workbench.wait_for_tiles()
    expect(workbench.map.get_by_role("button", name="Swipe")).to_be_hidden(timeout=PATIENCE)
    page.get_by_role("button", name="Layers").click()
    page.get_by_role("combobox", name="Stay visible below").click()
    page.keyboard.type(DATES[2])
    page.keyboard.press("Enter")
    swipe = workbench.map.get_by_role("button", name="Swipe")
    expect(swipe).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    swipe.click()
    # What is on is seen to be so, also while the pointer is still there.
    ground = "button => getComputedStyle(button).backgroundColor"
    assert swipe.evaluate(ground) not in ("rgb(255, 255, 255)", "rgb(244, 244, 244)")
    clipped = "() => [...document.querySelectorAll('.leaflet-layer')].filter(l => l.style.clip).length"
    assert workbench.map.locator("body").evaluate(clipped) == 1
    # Either side is called by what it shows.
    left, right = workbench.map.locator(".treeline-side").all()
    expect(left).to_contain_text(DATES[2], timeout=PATIENCE)
    expect(right).to_contain_text(DATES[0], timeout=PATIENCE)
    # A long name goes on in the next line: of two dates of one variable the end alone tells them apart.
    expect(left).to_have_css("white-space", "normal")
    line = workbench.map.get_by_role("slider", name="Line between the layers")
    line.press("ArrowLeft")
    expect(line).to_have_attribute("aria-valuenow", "48", timeout=PATIENCE)
    beside = workbench.map.get_by_role("button", name="side by side")
    beside.click()
    expect(line).to_be_hidden()
    expect(workbench.map.locator(".treeline-second img.leaflet-tile-loaded").first).to_be_attached(
        timeout=PATIENCE
    )
    x, y = centre_of_map(workbench)
    # Each of the two takes the other with it.
    for side, turned in ((-90, -240), (90, -120)):
        page.mouse.move(x + side, y)
        page.mouse.wheel(0, turned)
        workbench.wait_until_settled()
        workbench.wait_until(lambda: same_view(workbench), "the same view on both maps")
    beside.click()
    expect(workbench.map.locator(".treeline-second")).to_have_count(0)
