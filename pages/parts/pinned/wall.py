"""Pinned answers where nobody touches the page: on a wall, in a lecture."""

from __future__ import annotations

from collections.abc import Sequence

from treeline.core.record.pins import Pin

WALL_SECONDS = 30.0
"""After which the page is looked at anew, and turned."""
ON_WALL = 2
"""Answers with their maps and charts that a screen has room for; nobody scrolls there."""
WALL_STYLE = """<style>
[data-testid='stSidebar'], [data-testid='stHeader'] {display: none}
.stMainBlockContainer {padding-top: 1rem}
h1 {padding: 0 !important}
[class*='st-key-pin-'] {gap: 0.5rem}
/* Nobody scrolls: what a card says and its chart have their room above and below its map. */
[data-testid='stImage'] img {max-height: max(24vh, calc(100vh - 30rem)); object-fit: contain}
/* Wide enough for a date and its value, which else break. */
[class*='st-key-listing'] ul {columns: 10rem}
/* It is read from afar. */
@media (min-width: 1200px) {html {font-size: 20px}}
</style>"""


def turn_to(pins: Sequence[Pin], moment: float) -> tuple[Sequence[Pin], str]:
    """Return the pins that are shown at a moment in seconds, and which page; empty for the only one."""
    pages = [pins[start : start + ON_WALL] for start in range(0, len(pins), ON_WALL)]
    number = int(moment // WALL_SECONDS) % len(pages)
    return pages[number], f"{number + 1} of {len(pages)}" if len(pages) > 1 else ""
