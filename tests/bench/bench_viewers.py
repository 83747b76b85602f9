"""Ten people at the map of one large scene, each with a view of twelve tiles every two seconds.

``python -m tests.bench viewers`` prints how soon tiles came: before the scene's copy with overviews was made,
and after that; zoomed out and in, one band and a colour image of three.
"""

from __future__ import annotations

import random
import re
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import psutil

from tests.browser.server import Server
from tests.rasters import write_raster
from tests.security.team import ANA, SETTINGS, visitor, write_emptied
from tests.security.visitor import Visitor
from treeline.core.serving.drawing import HALF_WORLD, WEB_MERCATOR
from treeline.toolkit.geodesy import way_between

VIEWERS, VIEWS, TILES_OF_VIEW = 10, 15, 12
PAUSE, AT_ONCE = 2.0, 6
SIDE, BANDS = 5_000, 13
# How far in people look, and where: over the scene, of which the tests' rasters begin at 15 east, 46 north.
ZOOMS = (9, 10, 11, 12, 13, 14)
LONGITUDES, LATITUDES = (15.1, 15.5), (45.7, 46.0)
AIM_MADE, AIM_BEFORE = 0.2, 2.0


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        _write_home(home)
        with Server(home, SETTINGS) as server:
            person = visitor(server, ANA)
            with person.session() as session:
                shown = session.open().text
                tokens = sorted(set(re.findall(r"/tiles/([\w-]{20,})/", shown)))
                _print("before its copy is made", server, partial(_seconds, person, tokens, 1, 2), AIM_BEFORE)
                _wait_for_copy(home)
                session.open()
                viewers = partial(_seconds, person, tokens, VIEWERS, VIEWS)
                _print("once its copy is made", server, viewers, AIM_MADE)


def _write_home(home: Path) -> None:
    inputs = write_emptied(home)
    values = np.random.default_rng(1).integers(300, 4000, (BANDS, SIDE, SIDE), dtype="uint16")
    names = [f"B{number:02d}" for number in range(1, BANDS + 1)]
    write_raster(
        inputs / "scene_2021-08-01.tif", values, descriptions=names, scale=0.0001, compress="deflate"
    )


def _wait_for_copy(home: Path) -> None:
    """Wait until the copy of the scene is there and grows no more."""
    sizes, seen = [-1], 0
    until = time.monotonic() + 900
    while time.monotonic() < until and seen < 5:
        copies = home.joinpath("cache", "displays").glob("**/*.tif")
        sizes.append(sum(path.stat().st_size for path in copies))
        seen = seen + 1 if sizes[-1] == sizes[-2] > 0 else 0
        time.sleep(1)


def _seconds(person: Visitor, tokens: Sequence[str], viewers: int, views: int) -> list[float]:
    """Return how long each tile took that people asked for."""
    found: list[float] = []
    lock = threading.Lock()

    def ask(path: str) -> None:
        began = time.monotonic()
        status = person.ask(path).status
        assert status in (200, 204), status
        with lock:
            found.append(time.monotonic() - began)

    def look(viewer: int) -> None:
        chance = random.Random(viewer)
        with ThreadPoolExecutor(AT_ONCE) as browser:
            for _ in range(views):
                # Before the first too: people do not come in the same moment.
                time.sleep(PAUSE * chance.uniform(0.5, 1.5))
                token, zoom = chance.choice(tokens), chance.choice(ZOOMS)
                x, y = _place(chance.uniform(*LONGITUDES), chance.uniform(*LATITUDES), zoom)
                side = [(i % 4 - 2, i // 4 - 1) for i in range(TILES_OF_VIEW)]
                paths = [f"/tiles/{token}/{zoom}/{x + i}/{y + j}.png" for i, j in side]
                list(browser.map(ask, paths))

    people = [threading.Thread(target=look, args=(number,)) for number in range(viewers)]
    for each in people:
        each.start()
    for each in people:
        each.join()
    return found


def _place(longitude: float, latitude: float, zoom: int) -> tuple[int, int]:
    """Return the tile over a place."""
    x, y = way_between("EPSG:4326", WEB_MERCATOR).transform(longitude, latitude)
    tile = 2 * HALF_WORLD / 2**zoom
    return int((x + HALF_WORLD) // tile), int((HALF_WORLD - y) // tile)


def _work_seconds(server: Server) -> float:
    """Return the seconds for which the server's processes have worked."""
    own = psutil.Process(server.process.pid)
    times = [each.cpu_times() for each in (own, *own.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def _print(when: str, server: Server, look: Callable[[], Sequence[float]], aim: float) -> None:
    before = _work_seconds(server)
    seconds = look()
    worked = 1000 * (_work_seconds(server) - before) / len(seconds)
    p95 = float(np.percentile(seconds, 95))
    within = sum(each <= aim for each in seconds) / len(seconds)
    print(
        f"{len(seconds)} tiles of {BANDS} bands, {SIDE} x {SIDE}, {when}: median {np.median(seconds):.3f} s, "
        f"95th percentile {p95:.3f} s, {within:.0%} within {aim} s (load {psutil.getloadavg()[0]:.1f}); "
        f"{worked:.1f} ms of a processor a tile"
    )


if __name__ == "__main__":
    main()
