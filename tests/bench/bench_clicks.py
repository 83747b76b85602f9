"""How soon a click is answered and done, in a workspace of 300 files, as a ratio to a bare page's click.

``python -m tests.bench.bench_clicks`` prints the figures; it needs a Chromium and nothing else.

A click is answered when anything changes on the page but what follows the pointer, such as the words that
tell what a button is for; it is done when the page is drawn to its end. Of each also the first click is told,
which finds nothing made ready.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import find
from tests.browser.conftest import ARGUMENTS, SIZE
from tests.browser.server import Server
from tests.browser.workbench import Workbench
from tests.rasters import write_raster
from tests.security.visitor import Visitor
from treeline.core.workspace import Workspace

ROUNDS = 3
_LINKED, _RUNS = 1000, 10
_QUESTION = "What is the mean NDVI of each date?"
ANSWERED, DONE = 0.3, 1.0
_YEARS, _MONTHS, _ROLES = range(2015, 2025), range(1, 11), ("red", "nir", "swir1")
_BARE = "import streamlit as st\nst.write(st.button('Click'), st.session_state)\n"
_QUIET = 600
# Times are taken in the page: asking for them from outside takes longer than a click.
_WATCH = """
window.click = {at: 0, answered: 0, done: 0};
document.addEventListener(
  "pointerdown", () => { window.click = {at: performance.now(), answered: 0, done: 0}; }, true);
const hovered = '[data-testid="stSidebarCollapseButton"], [data-testid="stTooltipHoverTarget"]';
const tip = '[data-testid="stTooltipContent"], [role="tooltip"]';
const isTip = each => each.nodeType === 1 && (each.closest(tip) || each.querySelector(tip));
const follows = each => each.type === "attributes" && each.target.matches(hovered) || isTip(each.target)
  && each.target !== document.body || [...each.addedNodes].some(isTip);
new MutationObserver(changes => {
  if (changes.every(follows)) return;
  const now = performance.now();
  window.click.answered ||= now;
  window.click.done = now;
}).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
"""


class BarePage(Server):
    """A page of Streamlit with one button."""

    def command(self) -> list[str]:
        """Return what is started."""
        script = self.home / "bare.py"
        script.write_text(_BARE, "utf-8")
        command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.address", "127.0.0.1"]
        return [*command, "--server.headless", "true", "--server.port", str(self.port)]


def write_files(folder: Path) -> None:
    """Write 300 rasters: three bands of a hundred dates."""
    folder.mkdir(parents=True)
    random = np.random.default_rng(1)
    for year in _YEARS:
        for month in _MONTHS:
            for role in _ROLES:
                values = random.integers(300, 4000, (1, 64, 64)).astype("uint16")
                name = f"Place_{role}_{year}-{month:02d}-12.tif"
                write_raster(folder / name, values, descriptions=[role], scale=0.0001, nodata=0)


def link_seconds(folder: Path) -> tuple[float, float]:
    """Return the seconds of the clock and of the processor in which a thousand files are linked."""
    source = folder / "thousand"
    for part in ("a", "b", "c", "d"):
        write_files(source / part)
    workspace = Workspace(folder / "linking", [source])
    files = workspace.files()[:_LINKED]
    began, used = time.perf_counter(), time.process_time()
    for path in files:
        workspace.raster(str(path))
    return time.perf_counter() - began, time.process_time() - used


def settle(page: Page) -> None:
    """Wait until nothing has changed for a while and no script runs."""
    while True:
        page.wait_for_timeout(150)
        quiet, state = page.evaluate(
            "[performance.now() - Math.max(window.click.at, window.click.done), "
            "document.querySelector('[data-testid=stApp]').dataset.testScriptState]"
        )
        if quiet > _QUIET and state == "notRunning":
            return


def measure(page: Page, act: Callable[[], None]) -> tuple[float, float]:
    """Return the seconds in which a click is answered and done."""
    settle(page)
    act()
    settle(page)
    click = page.evaluate("window.click")
    return (click["answered"] - click["at"]) / 1000, (click["done"] - click["at"]) / 1000


def clicks(workbench: Workbench) -> dict[str, Sequence[Callable[[], None]]]:
    """Return what is clicked; of several the last is measured."""
    page = workbench.page

    def button(name: str) -> Callable[[], None]:
        return lambda: page.get_by_role("button", name=name, exact=False).first.click()

    def text(name: str) -> Callable[[], None]:
        return lambda: page.get_by_text(name, exact=True).first.click()

    def link(name: str) -> Callable[[], None]:
        return lambda: workbench.go_to(name)

    def row(number: int) -> Callable[[], None]:
        def click() -> None:
            box = page.get_by_test_id("stDataFrame").first.bounding_box()
            assert box is not None
            page.mouse.click(box["x"] + 16, box["y"] + 45 + 28 * number)

        return click

    evidence = page.locator(".st-key-evidence button")
    step = page.locator(".st-key-steps summary")
    return {
        "a step of the evidence": [link("Workbench"), lambda: evidence.first.click()],
        "another step": [link("Workbench"), lambda: step.nth(2).click()],
        "the policy": [link("Workbench"), text("Language model"), text("Planner (no model)")],
        "the style of a layer": [link("Workbench"), button("Style")],
        "the list of layers": [link("Workbench"), button("Layers")],
        "to Data": [link("Tools"), link("Data")],
        "bands of the catalogue": [link("Data"), text("Collections"), text("Bands")],
        "a collection": [link("Data"), text("Collections"), row(0)],
        "to Tools": [link("Data"), link("Tools")],
        "a tool": [link("Tools"), row(1), row(2)],
        "to Runs": [link("Data"), link("Runs")],
        "a run": [link("Runs"), row(0)],
        "to the Workbench": [link("Data"), link("Workbench")],
    }


def bare_click(browser: Browser, home: Path) -> float:
    """Return the seconds in which a click on a bare page is done."""
    with BarePage(home) as server:
        page = browser.new_page(viewport=SIZE)
        page.add_init_script(_WATCH)
        page.goto(server.url)
        button = page.get_by_role("button", name="Click")
        button.wait_for()
        found = [measure(page, button.click)[1] for _ in range(ROUNDS + 2)]
        page.close()
    return statistics.median(found)


def main() -> int:
    """Print the figures."""
    path = find()
    if path is None:
        print("clicks: there is no Chromium; python -m tests.browser.chromium says how to get one")
        return 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        write_files(home / "workspaces" / "many" / "inputs")
        wall, processor = link_seconds(home)
        print(f"clicks: {_LINKED:,} files linked in {wall:.1f} s (aim 5), {processor:.1f} s of the processor")
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        bare = bare_click(browser, home)
        print(f"clicks: a bare page's button is done in {bare:.2f} s")
        with Server(home) as server:
            workbench = Workbench(browser.new_page(viewport=SIZE), server.url)
            workbench.page.add_init_script(_WATCH)
            workbench.open("/?workspace=many")
            workbench.ask(_QUESTION)
            workbench.page.locator(".st-key-evidence").wait_for()
            for name, acts in clicks(workbench).items():
                tell(name, [take(workbench.page, acts) for _ in range(ROUNDS)], bare)
            ask_at_once(server.url)
            for title in ("Data", "Tools", "Runs", "Workbench"):
                found = [
                    take(workbench.page, [partial(workbench.go_to, each) for each in ("Pinned", title)])
                    for _ in range(ROUNDS)
                ]
                tell(f"to {title} beside runs", found, bare)
        browser.close()
    return 0


def ask_at_once(url: str) -> None:
    """Have ten runs work, or wait for their turn, each asked in a tab that is closed again."""
    for _ in range(_RUNS):
        with Visitor(url).session() as session:
            page = session.open("", "workspace=many")
            field, button = page.element("text_input", "Question").id, page.element("button", "Ask").id
            pressed = {field: ("string_value", _QUESTION), button: ("trigger_value", True)}
            session.use(pressed, query="workspace=many")


def take(page: Page, acts: Sequence[Callable[[], None]]) -> tuple[float, float]:
    """Do some clicks and return the times of the last."""
    *before, last = acts
    for act in before:
        settle(page)
        act()
    found = measure(page, last)
    page.keyboard.press("Escape")
    return found


def tell(name: str, found: Sequence[tuple[float, float]], bare: float) -> None:
    """Print a click's figures; the quickest counts: what another process takes of the machine only adds."""
    answered, done = (min(times) for times in zip(*found, strict=True))
    first = found[0]
    late = "" if answered <= ANSWERED and done <= DONE else "  LATE"
    print(
        f"clicks: {name:<24} answered {answered:.2f} s (aim {ANSWERED}), done {done:.2f} s (aim {DONE:.0f}), "
        f"{done / bare:.1f} x a bare page's; the first {first[0]:.2f} s, {first[1]:.2f} s{late}"
    )


if __name__ == "__main__":
    sys.exit(main())
