"""The routes beside Streamlit's own; they share its port and process."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from xstatic.pkg import leaflet

from treeline.core.serving import health, tiles, uploads

LEAFLET = "/leaflet"


def routes() -> list[BaseRoute]:
    """Return the routes of health, tiles, uploads and Leaflet's files."""
    return [
        Route("/livez", health.livez),
        Route("/readyz", health.readyz),
        Route("/tiles/{token}/{z:int}/{x:int}/{y:int}.png", tiles.tile),
        Route("/tiles/{token}/preview.png", tiles.preview),
        Route("/tiles/{token}/value", tiles.value),
        Route("/tiles/{token}/legend.json", tiles.legend),
        Route("/upload/{token}/{name}", uploads.upload, methods=["PUT"]),
        Mount(LEAFLET, StaticFiles(directory=Path(leaflet.BASE_DIR)), name="leaflet"),
    ]
