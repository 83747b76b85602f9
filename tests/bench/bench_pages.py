"""How soon a person can begin and sees what happened: a first visit, Ask to the first event, a layer, a tile.

``python -m tests.bench.bench_pages`` prints the figures; it needs a Chromium and nothing else.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import find
from tests.browser.first_visit import Visit, visit_first
from tests.browser.server import Server
from tests.browser.workbench import PATIENCE, Workbench
from tests.rasters import write_raster
from treeline.core.engine.events import StepFinished
from treeline.core.engine.journal import events_of
from treeline.core.record.store import Store

QUESTION = "What is the mean NDVI of each date?"
SIZE, DATES, ROUNDS, TILES, VISITS = 1000, 6, 3, 40, 5


def write_scenes(folder: Path) -> None:
    """Write red and near infrared of some dates."""
    folder.mkdir(parents=True)
    random = np.random.default_rng(1)
    for month in range(1, DATES + 1):
        bands = random.integers(300, 4000, (2, SIZE, SIZE)).astype("uint16")
        name = f"Bench_2021-{month:02d}-12.tif"
        write_raster(
            folder / name,
            bands,
            descriptions=["red", "nir"],
            scale=0.0001,
            nodata=0,
            tiled=True,
            compress="zstd",
        )


def measure(server: Server, workbench: Workbench) -> tuple[float, float, float]:
    """Return seconds: Ask to the first event seen, Ask to the first step seen, product to its layer seen."""
    page = workbench.page
    workbench.open("/?workspace=bench")
    workbench.wait_for_tiles()
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_label("Question").press("Tab")
    page.wait_for_timeout(1000)
    asked = time.time()
    page.get_by_role("button", name="Ask", exact=True).click(no_wait_after=True)
    expect(workbench.badge("running").or_(workbench.badge("answered"))).to_be_visible(timeout=PATIENCE)
    event = time.time() - asked
    expect(page.locator('.st-key-steps [data-testid="stExpander"]').first).to_be_visible(timeout=PATIENCE)
    step = time.time() - asked
    layer = workbench.map.locator('img.leaflet-tile-loaded[src*="colormap=rdylgn"]').first
    expect(layer).to_be_attached(timeout=PATIENCE)
    seen = time.time()
    return event, step, seen - moment_of_first_product(server, workbench.run)


def moment_of_first_product(server: Server, run: str) -> float:
    """Return the moment at which the run's first product was recorded."""
    store = Store(server.home / "treeline.sqlite")
    events = [
        e for e in events_of(store, run) if isinstance(e.event, StepFinished) and e.event.observation.products
    ]
    store.close()
    return events[0].time.timestamp()


def tile_seconds(workbench: Workbench) -> list[float]:
    """Return what each of some tiles takes, asked for one after the other."""
    taken = []
    addresses = workbench.tile_addresses()
    for i in range(TILES):
        began = time.perf_counter()
        urllib.request.urlopen(addresses[i % len(addresses)]).read()
        taken.append(time.perf_counter() - began)
    return taken


def measure_visits(browser: Browser, home: Path) -> tuple[Visit, list[Visit]]:
    """Return the visit of the first visitor of a server, and those of others, each with a fresh profile."""
    with Server(home):  # the demo is written once in the life of a home
        pass
    with Server(home) as server:
        first, *others = [visit_first(browser, server.url) for _ in range(1 + VISITS)]
    return first, others


def main() -> int:
    """Print the figures."""
    path = find()
    if path is None:
        print("pages: there is no Chromium; python -m tests.browser.chromium says how to get one")
        return 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        write_scenes(home / "workspaces" / "bench" / "inputs")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        first, others = measure_visits(browser, home)
        with Server(home) as server:
            workbench = Workbench(browser.new_page(viewport={"width": 1440, "height": 900}), server.url)
            rounds = [measure(server, workbench) for _ in range(ROUNDS)]
            tiles = tile_seconds(workbench)
        browser.close()
    events, steps, layers = (statistics.median(values) for values in zip(*rounds, strict=True))
    usable = statistics.median(visit.seconds for visit in others)
    print(f"pages: first visitor, usable after   {first.seconds:.2f} s, later ones {usable:.2f} s")
    print(f"pages: a first visit asks for        {first.requests} files, {first.bytes / 1e6:.2f} MB")
    print(f"pages: Ask to first event shown      {events:.2f} s (aim: under 1 s)")
    print(f"pages: Ask to first step shown       {steps:.2f} s")
    print(f"pages: product recorded to layer     {layers:.2f} s (aim: under 2 s)")
    median, slowest = statistics.median(tiles) * 1000, max(tiles) * 1000
    print(
        f"pages: a tile                        {median:.0f} ms, slowest {slowest:.0f} ms (aim: under 60 ms)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
