"""The routes beside Streamlit's own; they share its port and process."""

from __future__ import annotations

from pathlib import Path

from starlette.convertors import Convertor, register_url_convertor
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from xstatic.pkg import leaflet

import treeline.core.serving.health as health
import treeline.core.serving.measuring as measuring
import treeline.core.serving.metrics as metrics
import treeline.core.serving.tiles as tiles
import treeline.core.serving.uploads as uploads
from treeline.core.serving.rates import limit_rate

LEAFLET = "/leaflet"


class _TileNumber(Convertor[int]):
    """A column, a row or a zoom: no more digits than these have, as numbers of thousands are no numbers."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("tile", _TileNumber())


def routes(base: str = "") -> list[BaseRoute]:
    """Return the routes of health, metrics, tiles, measuring, uploads and Leaflet's files.

    Parameters
    ----------
    base : str
        The path below which the pages are served. Health and metrics are asked for by the machine itself,
        which knows no such path, and stay where they are.
    """
    tile = limit_rate("tiles", lambda quotas: quotas.tiles)
    below = f"/{base.strip('/')}" if base.strip("/") else ""
    return [
        Route("/livez", health.livez),
        Route("/readyz", health.readyz),
        Route("/metrics", metrics.metrics),
        Route(f"{below}/tiles/{{token}}/{{z:tile}}/{{x:tile}}/{{y:tile}}.png", tile(tiles.tile)),
        Route(f"{below}/tiles/{{token}}/preview.png", tile(tiles.preview)),
        Route(f"{below}/tiles/{{token}}/value", tile(tiles.value)),
        Route(f"{below}/tiles/{{token}}/legend.json", tile(tiles.legend)),
        Route(f"{below}/measure", measuring.measure),
        Route(f"{below}/upload/{{token}}/{{name}}", uploads.upload, methods=["PUT"]),
        Mount(f"{below}{LEAFLET}", StaticFiles(directory=Path(leaflet.BASE_DIR)), name="leaflet"),
    ]
