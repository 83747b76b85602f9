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
