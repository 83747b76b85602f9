"""The routes beside Streamlit's own; they share its port and process."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from xstatic.pkg import leaflet

from treeline.core.serving import health, measuring, metrics, tiles, uploads
from treeline.core.serving.rates import limit_rate

LEAFLET = "/leaflet"


def routes() -> list[BaseRoute]:
    """Return the routes of health, metrics, tiles, measuring, uploads and Leaflet's files."""
    tile = limit_rate("tiles", lambda quotas: quotas.tiles)
    return [
        Route("/livez", health.livez),
        Route("/readyz", health.readyz),
        Route("/metrics", metrics.metrics),
        Route("/tiles/{token}/{z:int}/{x:int}/{y:int}.png", tile(tiles.tile)),
        Route("/tiles/{token}/preview.png", tile(tiles.preview)),
        Route("/tiles/{token}/value", tile(tiles.value)),
        Route("/tiles/{token}/legend.json", tile(tiles.legend)),
        Route("/measure", measuring.measure),
        Route("/upload/{token}/{name}", uploads.upload, methods=["PUT"]),
        Mount(LEAFLET, StaticFiles(directory=Path(leaflet.BASE_DIR)), name="leaflet"),
    ]
