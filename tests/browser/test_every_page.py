"""Every page in both themes, and the workbench in windows of every size."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import Workbench

pytestmark = pytest.mark.browser
PAGES = ("/", "/data", "/tools", "/knowledge", "/lessons", "/memory", "/compare", "/lab", "/runs")
SIZES = ((1024, 768), (1280, 800), (1440, 900), (1920, 1080))


# One tab for all pages: whoever opens a page in a new one loads all that the pages share again.
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_opens_without_a_fault_or_a_barrier(
    workbench: Workbench, screenshots: Path, theme: str
) -> None:
    faults: list[str] = []
    workbench.page.on("pageerror", lambda error: faults.append(str(error)))
    workbench.page.emulate_media(color_scheme=theme)
    for path in PAGES:
        workbench.open(path)
        workbench.wait_until_settled()
        assert workbench.page.get_by_test_id("stException").count() == 0, path
        assert faults == [], path
        workbench.expect_no_barriers()
        expect(workbench.page.get_by_role("heading", level=1)).to_have_count(1)
        workbench.page.screenshot(path=screenshots / f"{path.strip('/') or 'demo'}-{theme}.png")


def test_the_workbench_fills_the_window_and_no_more(workbench: Workbench) -> None:
    page = workbench.page
    workbench.open()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        workbench.wait_for_tiles()
        for seen in ("[data-kit]", "iframe", ".st-key-steps", ".st-key-answer", ".st-key-ask-row"):
            box = page.locator(seen).first.bounding_box()
            assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height, (seen, width)
        assert box["y"] + box["height"] >= height - 60, width
        inside = workbench.map.locator("#map_div").bounding_box()
        frame = page.locator("iframe").first.bounding_box()
        assert inside is not None and frame is not None and abs(inside["height"] - frame["height"]) < 1, width
