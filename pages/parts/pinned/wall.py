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
[data-testid='stImage'] img {max-height: 48vh; object-fit: contain}
/* It is read from afar. */
@media (min-width: 1200px) {html {font-size: 20px}}
</style>"""


def turn_to(pins: Sequence[Pin], moment: float) -> tuple[Sequence[Pin], str]:
    """Return the pins that are shown at a moment in seconds, and which page; empty for the only one."""
    pages = [pins[start : start + ON_WALL] for start in range(0, len(pins), ON_WALL)]
    number = int(moment // WALL_SECONDS) % len(pages)
    return pages[number], f"{number + 1} of {len(pages)}" if len(pages) > 1 else ""
