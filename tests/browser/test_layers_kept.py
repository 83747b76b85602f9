"""What was set on the map is there after a reload, in the order in which it was set."""

from __future__ import annotations

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import PATIENCE, Workbench

pytestmark = pytest.mark.browser

COVER, WARMTH = "input Demo_land_cover.tif", "input Demo_LST_2021-04-12.tif"
COLOUR = "composite nir+red+green Demo_2021-04-12.tif"
LINE = "15.190000,46.910000;15.260000,46.870000"


def test_layers_their_order_a_line_and_a_polygon_survive_a_reload(workbench: Workbench) -> None:
    page = workbench.page
    below = "".join(f"&shown={quote_plus(key)}" for key in (WARMTH, COVER))
    style = quote_plus(f"classes,0,1,1,1-ff00ff {COVER}")
    workbench.open(
        f"/?workspace=demo&layer={quote_plus(COLOUR)}{below}&style={style}&line={quote_plus(LINE)}"
    )
    workbench.wait_for_tiles()
    legends = workbench.map.locator(".treeline-legend .treeline-title")

    def expect_all() -> None:
        expect(legends).to_have_text(
            [
                "False colour (nir, red, green) \u00b7 2021-04-12",
                "Land surface temperature \u00b7 2021-04-12 [K]",
                re.compile("Land cover"),
            ],
            timeout=PATIENCE,
        )
        water = workbench.map.locator(".treeline-classes i").first
        expect(water).to_have_css("background-color", "rgb(255, 0, 255)")
        expect(workbench.map.locator("path.treeline-line")).to_be_attached(timeout=PATIENCE)
        expect(page.get_by_role("button", name="Profile along the line")).to_be_visible(timeout=PATIENCE)

    expect_all()
    # The last corner lies below the legend, which lets it through while something is drawn.
    frame = page.locator("iframe").first.bounding_box()
    legend = workbench.map.locator(".treeline-readout").bounding_box()
    assert frame is not None and legend is not None
    x, y = legend["x"] + legend["width"] / 2, legend["y"] + 20
    workbench.map.locator(".treeline-draw-polygon").click()
    corners = [(x, frame["y"] + 60), (x + 120, frame["y"] + 60), (x, y), (x, frame["y"] + 60)]
    for corner in corners:
        page.mouse.click(*corner)
    expect(page).to_have_url(re.compile("aoi=POLYGON"), timeout=PATIENCE)
    workbench.wait_until_settled()
    page.reload()
    workbench.wait_for_tiles()
    expect_all()
    expect(workbench.map.locator("path.treeline-area")).to_be_attached(timeout=PATIENCE)
    assert "pixel=" not in page.url
