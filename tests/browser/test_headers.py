"""The pages work under the policy that they are sent with, and it refuses what is not theirs."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import SIZE
from tests.browser.server import Server
from tests.browser.workbench import PATIENCE, Workbench
from tests.security.loopback import Loopback
from treeline.pages.parts.headers import headers_of

pytestmark = pytest.mark.browser
PAGES = ("Data", "Tools", "Knowledge", "Memory", "Runs", "Compare", "Lab")


@pytest.mark.parametrize(
    "path", ["/", "/livez", "/readyz", "/leaflet/leaflet.js", "/_stcore/health", "/tiles/x/1/1/1.png"]
)
def test_every_answer_has_the_headers(server: Server, path: str) -> None:
    try:
        answer = urllib.request.urlopen(server.url + path)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        for name, value in headers_of(path).items():
            assert answer.headers.get_all(name) == [value], name


def test_the_scripts_of_the_page_have_them_too(server: Server) -> None:
    with urllib.request.urlopen(server.url) as answer:
        script = next(part for part in answer.read().decode().split('"') if part.endswith(".js"))
    with urllib.request.urlopen(f"{server.url}/{script.removeprefix('./')}") as answer:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_run_with_its_map_and_every_page_works_under_the_policy(workbench: Workbench) -> None:
    tiles: list[str] = []
    workbench.page.on("response", lambda r: "/tiles/" in r.url and r.status == 200 and tiles.append(r.url))
    workbench.open()
    workbench.ask("What is the mean NDVI of each date, clouds masked?")
    expect(workbench.page.get_by_text("mean over all pixels of NDVI").first).to_be_visible(timeout=PATIENCE)
    for part in (".png", "legend.json"):
        workbench.wait_until(lambda part=part: any(part in url for url in tiles), part)
    for title in PAGES:
        workbench.go_to(title)
        workbench.page.wait_for_url(f"**/{title.lower()}**")
        workbench.wait_until_idle()
        assert workbench.page.get_by_test_id("stException").count() == 0


def test_what_is_not_ours_is_refused(browser: Browser, server: Server, tmp_path: Path) -> None:
    context = browser.new_context(viewport=SIZE)
    page = context.new_page()
    with Loopback() as stranger:
        page.goto(server.url)
        for tag, address in (("script", "src"), ("img", "src"), ("iframe", "src"), ("object", "data")):
            page.evaluate(
                "([tag, name, url]) => { const made = document.createElement(tag); made[name] = url;"
                " document.body.appendChild(made); }",
                [tag, address, f"{stranger.address}/{tag}"],
            )
        told = page.evaluate(
            "url => fetch(url, {mode: 'no-cors'}).then(() => 'sent').catch(() => 'refused')",
            f"{stranger.address}/fetch",
        )
        frame = tmp_path / "frame.html"
        frame.write_text(f'<iframe src="{server.url}"></iframe>')
        page.wait_for_timeout(1_000)
        assert told == "refused"
        assert stranger.paths == []
        refused: list[str] = []
        page.on("console", lambda said: refused.append(said.text))
        page.goto(frame.as_uri())
        workbench = Workbench(page, server.url)
        workbench.wait_until(lambda: any("frame" in text.casefold() for text in refused), "a refusal")
    context.close()
