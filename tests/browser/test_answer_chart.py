"""The chart beside an answer: its numbers and its unit are the answer's, and it can be taken away."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.workbench import PATIENCE, Workbench

pytestmark = pytest.mark.browser


def test_a_chart_of_areas_is_in_hectares_and_can_be_taken_away(workbench: Workbench, tmp_path: Path) -> None:
    page = workbench.page
    workbench.open("/?workspace=demo")
    workbench.ask("List the area of every class in hectares")
    workbench.wait_for("answered")
    answer = page.locator(".st-key-answer")
    chart = answer.locator("[data-testid=stEChartsChart] svg")
    expect(chart.get_by_text("Area in ha", exact=True)).to_be_attached(timeout=PATIENCE)
    told = [item.replace("\u00a0", " ") for item in answer.locator("li").all_inner_texts()]
    assert len(told) > 5
    drawn = chart.locator("text").all_text_contents()
    for item in told:
        name, value, unit = item.rsplit(" ", 2)
        assert unit == "ha" and name in drawn and value in drawn
    # The layer is called what it is, and not as the file on the way to the answer.
    legend = workbench.map.locator(".treeline-legend .treeline-title")
    expect(legend).to_have_text("Land cover, part of the ground", timeout=PATIENCE)
    page.get_by_role("button", name="Export", exact=True).click()
    for label, ending in (("Chart, PNG", ".png"), ("Layer on the map, GeoTIFF", ".tif")):
        with page.expect_download() as begun:
            page.get_by_role("button", name=label).click()
        assert begun.value.suggested_filename.endswith(ending)
        begun.value.save_as(tmp_path / f"taken{ending}")
    with Image.open(tmp_path / "taken.png") as picture:
        assert picture.width > 1000
