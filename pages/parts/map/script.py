"""The script of the map's instruments, which a browser loads once; a map only calls it.

Folium reads what stands in a map's own script as a template, twice for each drawing of a page.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treeline.pages.parts.map.addresses import ROOT

_FOLDER = Path(__file__).parent
_PARTS = ("view", "tiles", "readout", "series", "draw", "compare", "labels")
FUNCTION = "treelineInstruments"
"""Takes the map, the bounds that it shows first, where tiles and other routes are, and whether areas can be
drawn."""
_SCRIPT = "\n".join(
    [
        f"window.{FUNCTION} = function (MAP, HOME, TILES, ROOT, DRAWABLE) {{",
        *((_FOLDER / f"{part}.js").read_text("utf-8") for part in _PARTS),
        "};",
    ]
).encode()
# Its name is of what it says: a browser that has it never asks again, and never keeps an old one.
_NAME = f"map-{hashlib.sha256(_SCRIPT).hexdigest()[:16]}.js"
ADDRESS = f"{ROOT}/{_NAME}"


def script_route(base: str = "") -> Route:
    """Return the route of the script.

    Parameters
    ----------
    base : str
        The path below which the pages are served.
    """
    below = f"/{base.strip('/')}" if base.strip("/") else ""
    return Route(f"{below}/{_NAME}", _script)


async def _script(_: Request) -> Response:
    kept = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(_SCRIPT, media_type="text/javascript", headers=kept)
