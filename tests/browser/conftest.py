"""A browser that may talk to this machine only, and the application it looks at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from tests.browser.chromium import find
from tests.browser.server import ROOT, Server
from tests.browser.workbench import Workbench
from treeline.core.demo import write_demo
from treeline.core.record.store import Store
from treeline.core.workspace.library import WorkspaceLibrary, WorkspaceSettings
from treeline.pages.parts.shared.services import DEMO

SCREENSHOTS = ROOT / "build" / "screenshots"
SIZE = {"width": 1440, "height": 900}
# No name is looked up but that of this machine. What else there is spares the processor: there is no
# graphics card to ask, and one site needs no process a frame.
ARGUMENTS = [
    "--no-sandbox",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-features=site-per-process,IsolateOrigins,Translate,BackForwardCache",
    "--disable-extensions",
    "--disable-background-networking",
    "--renderer-process-limit=1",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find()
    if path is None:
        pytest.skip("there is no Chromium; python -m tests.browser.chromium says how to get one")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    # Else every test that is the first to open a page waits for it; that a server writes it is tested apart.
    library = WorkspaceLibrary(home / "workspaces")
    write_demo(library.folder / DEMO / "inputs")
    library.keep(DEMO, WorkspaceSettings("Demo (simulated)"))
    with Server(home) as running:
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

    # Looked at and not held up: whoever holds requests up takes the browser's cache away too.
    def watch(request: Request) -> None:
        if not request.url.startswith((server.url, "data:", "blob:")):
            outside.append(request.url)

    refused: list[str] = []
    opened.on("console", lambda said: "Content Security Policy" in said.text and refused.append(said.text))
    context.on("request", watch)
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
