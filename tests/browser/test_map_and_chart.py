"""Chart, map and address follow each other, and the map measures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, quote, urlparse

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, expect
from pyproj import Transformer
from shapely.geometry import box

from tests.browser.server import Server
from tests.browser.workbench import PATIENCE, Workbench
from tests.rasters import ORIGIN, UTM, write_raster
from tests.vectors import VectorWorkplace

pytestmark = pytest.mark.browser

DATES = ("2021-06-03", "2021-07-12", "2021-08-20", "2021-09-14")
# The dates' means, highest on the third; east is greener.
LEVELS = (0.3, 0.4, 0.6, 0.2)
SIDE = 40
# All that stands in the field is selected, so that what is typed takes its place.
SELECTED = (
    "() => { const field = document.activeElement;"
    " return field.value && field.selectionEnd - field.selectionStart === field.value.length }"
)
CHAIN = (
    ("mean NDVI in 2021", "in 2021 is 0.4250"),
    ("and in July 2021?", "in July 2021 is 0.4500"),
    ("the maximum instead", "in July 2021 is 0.5000"),
    ("in August 2021", "in August 2021 is 0.7000"),
    ("as a map", "map of maximum over the dates of NDVI in August 2021"),
)


@pytest.fixture(scope="module")
def place(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of NDVI of four dates, with a western and an eastern field."""
    folder = tmp_path_factory.mktemp("fields")
    for date, level in zip(DATES, LEVELS, strict=True):
        values = np.full((SIDE, SIDE), level, "float32")
        values[:, SIDE // 2 :] += 0.1
        write_raster(folder / f"Field_NDVI_{date}.tif", values)
    x, y = ORIGIN
    middle, end = x + SIDE * 5, x + SIDE * 10
    halves = box(x, y - SIDE * 10, middle, y), box(middle, y - SIDE * 10, end, y)
    VectorWorkplace(folder).features("fields.geojson", *halves, name=["western", "eastern"])
    own = server.home / "workspaces" / "fields"
    own.mkdir(parents=True)
    (own / "workspace.json").write_text(json.dumps({"title": "Fields", "sources": [str(folder)]}))
    return folder


def layer_of_address(workbench: Workbench) -> str:
    return parse_qs(urlparse(workbench.page.url).query).get("layer", [""])[0]


def chart(workbench: Workbench) -> Locator:
    return workbench.page.locator(".st-key-answer [data-testid=stEChartsChart]")


def centre_of_map(workbench: Workbench) -> tuple[float, float]:
    frame = workbench.page.locator("iframe").first.bounding_box()
    assert frame is not None
    return frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2


def test_chart_slider_and_address_follow_each_other(
    workbench: Workbench, place: Path, screenshots: Path
) -> None:
    page = workbench.page
    workbench.open("/?workspace=fields")
    workbench.ask("On which date is the mean NDVI highest?")
    workbench.wait_for("answered")
    layer = page.get_by_role("combobox", name="Layer")
    expect(layer).to_have_value(re.compile(DATES[2]), timeout=PATIENCE)
    # The date of the extreme is marked.
    expect(chart(workbench).locator("text", has_text=DATES[2])).to_be_attached(timeout=PATIENCE)
    workbench.wait_until_idle()
    first = chart(workbench).locator('svg path[fill="#5470c6"], svg path[fill="#0068c9"]').first
    page.screenshot(path=screenshots / "chart_and_map.png")
    first.click(force=True)
    expect(layer).to_have_value(re.compile(DATES[0]), timeout=PATIENCE)
    expect(page).to_have_url(re.compile("layer="), timeout=PATIENCE)
    assert DATES[0] in layer_of_address(workbench)
    # What is on the map stays until the next date is there.
    seen = "() => { window.seen = []; setInterval(() => window.seen.push(document.querySelectorAll("
    workbench.map.locator("body").evaluate(seen + "'img.leaflet-tile-loaded').length), 15); }")
    slider = workbench.map.get_by_role("slider", name="Date on the map")
    slider.focus()
    slider.press("ArrowRight")
    expect(layer).to_have_value(re.compile(DATES[1]), timeout=PATIENCE)
    workbench.wait_until_idle()
    workbench.wait_until_settled()
    assert min(workbench.map.locator("body").evaluate("() => window.seen")) > 0
    page.reload()
    expect(layer).to_have_value(re.compile(DATES[1]), timeout=PATIENCE)
    question = page.get_by_label("Question")
    expect(question).to_have_value("On which date is the mean NDVI highest?")
    # A question of its own and four that follow it, typed one after the other: what was asked is selected.
    answer = page.locator(".st-key-answer")
    for text, told in CHAIN:
        workbench.wait_until_settled()
        question.click()
        workbench.wait_until_idle()
        page.wait_for_function(SELECTED)
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(answer.get_by_text(told).first).to_be_visible(timeout=PATIENCE)
        expect(question).to_have_value(text)
        workbench.wait_until_idle()
    expect(page.get_by_role("button", name=f"Thread ({len(CHAIN)})")).to_be_visible(timeout=PATIENCE)
    expect(layer).to_have_value(re.compile("step"), timeout=PATIENCE)


def lies_on_a_zone(workbench: Workbench, label: Locator) -> bool:
    """Return whether the middle of a label lies in the box of one zone alone."""
    place = label.bounding_box()
    zones = [zone.bounding_box() for zone in workbench.map.locator("path.treeline-zone").all()]
    if place is None:
        return False
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    return [
        box is not None and 0 < x - box["x"] < box["width"] and 0 < y - box["y"] < box["height"]
        for box in zones
    ].count(True) == 1


def test_a_bar_marks_its_zone_and_a_zone_its_bar(
    workbench: Workbench, place: Path, screenshots: Path
) -> None:
    page = workbench.page
    workbench.open("/?workspace=fields")
    workbench.wait_for_tiles()
    workbench.ask(f"mean NDVI of each polygon on {DATES[0]}")
    workbench.wait_for("answered")
    expect(workbench.map.locator("path.treeline-zone")).to_have_count(2, timeout=PATIENCE)
    label = workbench.map.get_by_text("eastern: 0.4")
    expect(label).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_idle()
    workbench.wait_until(lambda: lies_on_a_zone(workbench, label), "a label on its zone")
    chosen = workbench.map.locator("path.treeline-zone-chosen")
    bars = chart(workbench).bounding_box()
    assert bars is not None
    page.mouse.click(bars["x"] + bars["width"] / 2, bars["y"] + 16)
    expect(chosen).to_have_count(1, timeout=PATIENCE)
    page.screenshot(path=screenshots / "zones.png")
    east = chosen.bounding_box()
    x, y = centre_of_map(workbench)
    assert east is not None and east["x"] > x - 5
    page.mouse.click(x - 60, y + 30)
    expect(chart(workbench).locator('path[fill="#c2410c"]')).to_have_count(1, timeout=PATIENCE)


def test_the_ruler_measures_on_the_ground(workbench: Workbench, place: Path) -> None:
    page = workbench.page
    workbench.open("/?workspace=fields")
    workbench.wait_for_tiles()
    workbench.map.get_by_role("button", name="Measure distance and area").click()
    corners = [ORIGIN, (ORIGIN[0] + 400, ORIGIN[1]), (ORIGIN[0] + 400, ORIGIN[1] - 400)]
    frame = page.locator("iframe").first.bounding_box()
    assert frame is not None
    way = Transformer.from_crs(UTM, "EPSG:4326", always_xy=True)
    for corner in corners:
        longitude, latitude = way.transform(*corner)
        x, y = workbench.point_of(latitude, longitude)
        page.mouse.click(frame["x"] + x, frame["y"] + y)
    hint = workbench.map.locator(".treeline-hint")
    expect(hint).to_contain_text("closed", timeout=PATIENCE)
    told = re.fullmatch(r"([\d.]+) m, closed ([\d.]+) ha", hint.inner_text())
    assert told is not None, hint.inner_text()
    assert float(told[1]) == pytest.approx(800, rel=0.02)
    assert float(told[2]) == pytest.approx(8, rel=0.04)


def test_a_pinned_answer_is_kept_with_a_map_that_has_a_name(workbench: Workbench, place: Path) -> None:
    page = workbench.page
    workbench.open("/?workspace=fields")
    workbench.ask(f"What is the mean NDVI on {DATES[1]}?")
    workbench.wait_for("answered")
    expect(workbench.map.locator(".treeline-date").first).to_have_css("white-space", "nowrap")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_role("button", name="Unpin", exact=True)).to_be_visible()
    workbench.wait_until_settled()
    workbench.open("/pinned?workspace=fields")
    expect(page.get_by_role("img", name=f"Map of NDVI · {DATES[1]}")).to_be_visible()
    workbench.expect_no_barriers()


def test_nothing_of_a_wall_lies_below_its_screen(workbench: Workbench) -> None:
    page = workbench.page
    listed, dated = (
        "What is the mean NDVI of each date, clouds masked?",
        "On which date is the mean NDVI highest?",
    )
    for question in (listed, dated):
        workbench.open("/?workspace=demo")
        workbench.ask(question)
        workbench.wait_for("answered")
        page.get_by_role("button", name="Pin", exact=True).click()
        expect(page.get_by_role("button", name="Unpin", exact=True)).to_be_visible()
        workbench.wait_until_settled()
    for size in ({"width": 1440, "height": 900}, {"width": 1920, "height": 1080}):
        page.set_viewport_size(size)
        page.goto(f"{workbench.url}/pinned?wall=1&workspace=demo")
        expect(page.locator("[class*='st-key-pin-'] img")).to_have_count(2)
        workbench.wait_until_settled()
        boxes = [card.bounding_box() for card in page.locator("[class*='st-key-pin-']").all()]
        assert boxes and all(box and box["y"] + box["height"] <= size["height"] for box in boxes), size
        # A date and its value stand on one line.
        items = page.locator("[class*='st-key-listing'] li")
        lines = items.evaluate_all("all => all.map(each => each.clientHeight)")
        assert lines and max(lines) < 1.5 * min(lines) and max(lines) < 40, lines


def test_a_copied_address_gives_the_same_view(workbench: Workbench, place: Path, server: Server) -> None:
    page = workbench.page
    workbench.open("/?workspace=fields")
    workbench.wait_for_tiles()
    zoom_in = workbench.map.get_by_role("button", name="Zoom in")
    page.wait_for_timeout(2000)  # what a map does while it opens is no choice of a person
    zoom_in.click()
    expect(page).to_have_url(re.compile("view="))
    page.get_by_role("button", name="Style").click()
    page.get_by_role("combobox", name="Colours").click()
    page.get_by_role("option", name="magma", exact=True).click()
    expect(page).to_have_url(re.compile("style=magma"))
    page.get_by_role("spinbutton", name="From").fill("0.1")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("style=magma%2C0.1%2C"))
    page.get_by_role("slider", name="Opacity").press("ArrowLeft")
    expect(page).to_have_url(re.compile("%2C0.95"))
    page.keyboard.press("Escape")
    # What the server puts there takes nothing away that only the browser knows.
    expect(page).to_have_url(re.compile("view="))
    workbench.wait_until_settled()
    address, tiles = page.url, set(map(path_of_tile, workbench.tile_addresses()))
    assert tiles and all("colormap=magma&low=0.1&" in tile for tile in tiles)
    assert page.context.browser is not None
    other = page.context.browser.new_context(viewport=page.viewport_size).new_page()
    try:
        copied = Workbench(other, server.url)
        other.goto(address)
        copied.wait_for_tiles()
        copied.wait_until(lambda: set(map(path_of_tile, copied.tile_addresses())) == tiles, "the same tiles")
        opacities = "all => all.map(each => each.style.opacity)"
        assert copied.map.locator(".leaflet-layer").evaluate_all(opacities).count("0.95") == 1
        assert other.url == address
    finally:
        other.context.close()


def path_of_tile(address: str) -> str:
    return re.sub(".*/tiles/[^/]+/", "", address)


def empty_share(path: Path) -> float:
    """Return the share of a picture of the map, without its legend, that nothing is drawn on."""
    seen = np.asarray(Image.open(path).convert("RGB"))[:, :1000]
    return float((seen == 255).all(axis=2).mean())


def picture_of(workbench: Workbench, folder: Path) -> Path:
    """Take the map away as a picture."""
    page = workbench.page
    page.get_by_role("button", name="Export").click()
    button = page.get_by_role("button", name="Map, PNG")
    expect(button).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_settled()
    with page.expect_download() as download:
        button.click()
    page.keyboard.press("Escape")
    path = folder / "map.png"
    download.value.save_as(path)
    return path


def test_style_pixel_and_view_stay_and_are_taken_away(
    workbench: Workbench, place: Path, tmp_path: Path
) -> None:
    page = workbench.page
    layer = f"input Field_NDVI_{DATES[0]}.tif"
    workbench.open(f"/?workspace=fields&layer={quote(layer)}&style={quote(f'viridis,0,0.8,1 {layer}')}")
    workbench.wait_for_tiles()
    slider = workbench.map.get_by_role("slider", name="Date on the map")
    slider.focus()
    slider.press("ArrowRight")
    shown = page.get_by_role("combobox", name="Layer")
    expect(shown).to_have_value(re.compile(DATES[1]), timeout=PATIENCE)
    workbench.wait_until_settled()
    assert all("colormap=viridis&low=0&high=0.8" in address for address in workbench.tile_addresses())
    x, y = centre_of_map(workbench)
    page.mouse.click(x, y)
    expect(page).to_have_url(re.compile("pixel="), timeout=PATIENCE)
    whole = empty_share(picture_of(workbench, tmp_path))
    for _ in range(3):
        workbench.map.get_by_role("button", name="Zoom in").click()
        workbench.wait_until_settled()
    page.mouse.move(10, 10)
    expect(page).to_have_url(re.compile("view="), timeout=PATIENCE)
    workbench.wait_until_settled()
    assert empty_share(picture_of(workbench, tmp_path)) < 0.02 < whole
    page.reload()
    expect(page.get_by_text(re.compile(r"^At \d+\.\d+, \d+\.\d+: NDVI")).first).to_be_visible(
        timeout=PATIENCE
    )
    expect(shown).to_have_value(re.compile(DATES[1]))
    workbench.wait_for_tiles()
    assert all("colormap=viridis&low=0&high=0.8" in address for address in workbench.tile_addresses())


def test_a_date_that_is_not_there_is_asked_again_as_the_nearest_one(
    workbench: Workbench, place: Path
) -> None:
    page = workbench.page
    workbench.open("/?workspace=fields")
    workbench.ask("What is the mean NDVI on 2021-07-20?")
    workbench.wait_for("cannot be answered")
    page.locator(".st-key-readings").get_by_role("button").first.click()
    # The nearest of four dates, whose western half is 0.4 and its eastern half 0.5.
    expect(page.locator(".st-key-answer").get_by_text("on 2021-07-12 is 0.4500")).to_be_visible(
        timeout=PATIENCE
    )
