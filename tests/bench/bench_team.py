"""Twenty people at a team's server who ask at once, while one more clicks through pages and moves the map.

``python -m tests.bench team`` prints how the runs ended, what was shown of waiting, and how soon pages and
tiles came; the people come without browsers, by the messages that these send.
"""

from __future__ import annotations

import re
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil

from tests.browser.server import Server
from tests.rasters import write_raster
from tests.security.team import SETTINGS, visitor, write_workspace
from tests.security.visitor import Session
from treeline.core.record.store import Store

PEOPLE = 20
QUESTION = "What is the mean NDVI of each date?"
PAGES = ("", "data", "runs", "pinned", "knowledge")
LONGEST, LOOK_SECONDS = 600.0, 2.0
CLICK, TILE, BURST = 1.0, 0.5, 5.0
CALM_PERCENT, CALM_LOOKS = 5.0, 3
SIDE = 3_000
# The tiles under the one who moves the map: of the raster that lies at the origin of tests' rasters.
TILES = [(12, 2218 + x, 1456 + y) for x in range(3) for y in range(3)]


@dataclass
class PersonTimes:
    """What one person saw: how the run ended, after how many seconds, and whether waiting was shown."""

    status: str = ""
    seconds: float = 0.0
    waited: bool = False
    told: bool = False


@dataclass
class ClickTimes:
    """Seconds that clicks and tiles took; ``burst`` while all press Ask at once."""

    burst: list[float] = field(default_factory=list)
    clicks: list[float] = field(default_factory=list)
    tiles: list[float] = field(default_factory=list)


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        _write_home(home)
        with Server(home, SETTINGS) as server:
            _wait_until_ready(server)
            store = Store(home / "treeline.sqlite")
            seen, looked, whole = _ask_at_once(server, store)
            store.close()
    ends = sorted({each.status for each in seen})
    print(f"{PEOPLE} people at a server: all ended after {whole:.1f} s as {ends}")
    waited = [each for each in seen if each.waited]
    print(f"  {len(waited)} waited, {sum(each.told for each in waited)} of them were shown their place")
    answered = [each.seconds for each in seen]
    print(f"  answered: median {statistics.median(answered):.1f} s, at most {max(answered):.1f} s")
    _print(f"pages in the {BURST:.0f} s in which all press Ask", looked.burst, CLICK)
    _print("pages after that", looked.clicks, CLICK)
    _print("tiles", looked.tiles, TILE)
    print(f"  (load of the machine {psutil.getloadavg()[0]:.1f})")


def _print(what: str, seconds: list[float], aim: float) -> None:
    if not seconds:
        return
    p95 = float(np.percentile(seconds, 95))
    within = sum(each <= aim for each in seconds) / len(seconds)
    print(
        f"  {len(seconds)} {what}: median {statistics.median(seconds):.3f} s, 95th percentile "
        f"{p95:.3f} s, {within:.0%} within {aim} s"
    )


def _email(number: int) -> str:
    return f"person{number}@example.org"


def _write_home(home: Path) -> None:
    write_workspace(home, "demo", "Demo", "")
    for number in range(PEOPLE + 1):
        write_workspace(home, f"place{number}", f"Place {number}", _email(number))
    values = np.random.default_rng(1).integers(300, 4000, (1, SIDE, SIDE)).astype("uint16")
    inputs = home / "workspaces" / f"place{PEOPLE}" / "inputs"
    write_raster(inputs / "wide_ndvi_2021-08-01.tif", values, scale=0.0001, compress="deflate", tiled=True)


def _wait_until_ready(server: Server) -> None:
    """Open a page, and wait until the server is at rest: what it makes ready once is no part of this."""
    with visitor(server, _email(PEOPLE)).session() as session:
        session.open()
        process = psutil.Process(server.process.pid)
        calm = 0
        while calm < CALM_LOOKS:
            calm = calm + 1 if process.cpu_percent(LOOK_SECONDS) < CALM_PERCENT else 0


def _ask_at_once(server: Server, store: Store) -> tuple[list[PersonTimes], ClickTimes, float]:
    seen, looked, ended = [PersonTimes() for _ in range(PEOPLE)], ClickTimes(), threading.Event()
    start = threading.Barrier(PEOPLE + 1)
    watching = threading.Thread(target=_look, args=(server, looked, start, ended))
    asking = [
        threading.Thread(target=_ask, args=(server, store, number, each, start))
        for number, each in enumerate(seen)
    ]
    began = time.monotonic()
    for thread in (watching, *asking):
        thread.start()
    for thread in asking:
        thread.join()
    whole = time.monotonic() - began
    ended.set()
    watching.join()
    return seen, looked, whole


def _ask(server: Server, store: Store, number: int, seen: PersonTimes, start: threading.Barrier) -> None:
    """Type a question, press Ask, and look at the page until it has an answer."""
    with visitor(server, _email(number)).session() as session:
        page = session.open()
        typed, pressed = page.element("text_input", "Question").id, page.element("button", "Ask").id
        start.wait()
        began = time.monotonic()
        session.use({typed: ("string_value", QUESTION), pressed: ("trigger_value", True)})
        while time.monotonic() - began < LONGEST:
            records = store.runs(f"place{number}")
            if records and records[0].is_finished:
                seen.status = records[0].status
                break
            if records and records[0].status == "waiting":
                seen.waited = True
                text = session.open("", f"run={records[0].id}").text
                seen.told = seen.told or bool(re.search(r"[Pp]lace \d+|\d+ (?:run|question)s? before", text))
            time.sleep(LOOK_SECONDS)
        seen.seconds = time.monotonic() - began


def _look(server: Server, looked: ClickTimes, start: threading.Barrier, ended: threading.Event) -> None:
    """Click through pages and move the map while the others ask."""
    person = visitor(server, _email(PEOPLE))
    with person.session() as session:
        token = _token(session)
        start.wait()
        began = time.monotonic()
        while not ended.is_set():
            for page in PAGES:
                clicks = looked.burst if time.monotonic() - began < BURST else looked.clicks
                _time(clicks, lambda page=page: session.open(page))  # type: ignore[misc]
            for z, x, y in TILES:
                path = f"/tiles/{token}/{z}/{x}/{y}.png"
                _time(looked.tiles, lambda path=path: person.ask(path))  # type: ignore[misc]


def _token(session: Session) -> str:
    """Return the token of a layer on the map."""
    found: Iterable[str] = re.findall(r"/tiles/([\w-]{20,})/", session.open().text)
    return next(iter(found))


def _time(seconds: list[float], act: Callable[[], object]) -> None:
    began = time.monotonic()
    act()
    seconds.append(time.monotonic() - began)


if __name__ == "__main__":
    main()
