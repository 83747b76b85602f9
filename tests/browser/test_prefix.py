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
