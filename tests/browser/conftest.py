"""A browser that may talk to this machine only, and the application it looks at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import find
from tests.browser.server import ROOT, Server
from tests.browser.workbench import Workbench
from treeline.core.record.store import Store

SCREENSHOTS = ROOT / "build" / "screenshots"
SIZE = {"width": 1440, "height": 900}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find()
    if path is None:
        pytest.skip("there is no Chromium; python -m tests.browser.chromium says how to get one")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def store(server: Server) -> Iterator[Store]:
    opened = Store(server.home / "treeline.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page that fails the test when anything is asked of another machine, or against the policy of ours."""
    context = browser.new_context(viewport=SIZE)
    opened = context.new_page()
    outside: list[str] = []

    def watch(route):
        address = route.request.url
        if address.startswith((server.url, "data:", "blob:")):
            route.continue_()
        else:
            outside.append(address)
            route.abort()

    refused: list[str] = []
    opened.on("console", lambda said: "Content Security Policy" in said.text and refused.append(said.text))
    context.route("**/*", watch)
    yield opened
    context.close()
    assert outside == [], "something left this machine"
    assert refused == [], "the page needs what its own policy refuses"


@pytest.fixture
def workbench(page: Page, server: Server) -> Workbench:
    return Workbench(page, server.url, server.home)


@pytest.fixture
def screenshots() -> Path:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS
