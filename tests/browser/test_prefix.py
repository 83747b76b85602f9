"""Behind a proxy that serves a prefix and nothing else the map has its tiles, and nothing asks beside it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import SIZE
from tests.browser.prefix import PrefixProxy
from tests.browser.server import Server
from tests.browser.workbench import Workbench

pytestmark = pytest.mark.browser
PREFIX = "/user/ana/proxy"


def test_the_map_works_below_a_prefix(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport=SIZE)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    with PrefixProxy(server.port, PREFIX) as proxy:
        workbench = Workbench(context.new_page(), f"{proxy.url}{PREFIX}")
        workbench.open("/?workspace=demo")
        workbench.wait_for_tiles()
        assert any("/tiles/" in address for address in workbench.tile_addresses())
        assert proxy.refused == []
        context.close()
    outside = [a for a in asked if not a.startswith((f"{proxy.url}{PREFIX}/", "data:", "blob:"))]
    assert outside == []


def test_a_page_opened_by_its_address_asks_for_nothing_that_is_not_there(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(viewport=SIZE)
    missed: list[str] = []
    context.on("response", lambda answer: answer.status >= 400 and missed.append(answer.url))
    with PrefixProxy(server.port, PREFIX) as proxy:
        for address in (server.url, f"{proxy.url}{PREFIX}"):
            page = context.new_page()
            refused: list[str] = []
            page.on("console", lambda said, told=refused: "Security" in said.text and told.append(said.text))
            for path in ("/", "/tools", "/runs?workspace=demo"):
                Workbench(page, address).open(path)
                assert page.evaluate("window.__streamlit.BACKEND_BASE_URL") == f"{address}/", path
                assert refused == [], path
        context.close()
        assert proxy.refused == []
    assert missed == []
