"""A STAC catalogue in a folder, and the same folder behind a server of this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rasterio.warp import transform_bounds

from tests.rasters import UTM, write_raster
from tests.workplace import Workplace

pystac = pytest.importorskip("pystac", reason="needs the extra 'stac'")
pytest.importorskip("odc.stac", reason="needs the extra 'stac'")
pytest.importorskip("pystac_client", reason="needs the extra 'stac'")

ROOT = Path(__file__).resolve().parents[3]
DATES = ((2021, 6, 1, 5.0), (2021, 7, 1, 60.0), (2021, 8, 1, 20.0))
BANDS = {"red": 1000, "nir": 4000}


def scene(number: int, band: str) -> np.ndarray:
    return (BANDS[band] + 100 * number + np.arange(1600).reshape(40, 40) % 50).astype("uint16")


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    """Workplace with a catalogue in its folder ``stac``."""
    folder = tmp_path / "stac"
    catalog = pystac.Catalog("demo", "Scenes of the tests")
    collection = pystac.Collection("level-2a", "Surface reflectance", _extent(), title="Level 2A")
    catalog.add_child(collection)
    for number, (year, month, day, clouds) in enumerate(DATES):
        collection.add_item(_item(folder, number, datetime(year, month, day, 10, tzinfo=UTC), clouds))
    catalog.normalize_and_save(str(folder), pystac.CatalogType.SELF_CONTAINED)
    return Workplace(tmp_path)


@pytest.fixture
def address(place: Workplace) -> Iterator[str]:
    """Address of the static catalogue."""
    command = [sys.executable, "-m", "tests.toolkit.catalogue_search.server", str(place.folder / "stac")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}/catalog.json"
        server.terminate()


class serving:
    """A server of this machine for the duration of a ``with`` block."""

    def __init__(self, handler: Any) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def __enter__(self) -> str:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        return None


def searchable(folder: Path, asked: list[dict[str, Any]]) -> type[SimpleHTTPRequestHandler]:
    """Return a handler that answers searches with all items of a folder, and keeps what was asked."""

    class Handler(_Quiet):
        def do_GET(self) -> None:
            root = f"http://{self.headers['Host']}"
            links = [{"rel": rel, "href": root, "type": "application/json"} for rel in ("self", "root")]
            links.append({"rel": "search", "href": f"{root}/search", "method": "POST"})
            core = "https://api.stacspec.org/v1.0.0"
            about = {"type": "Catalog", "id": "api", "stac_version": "1.0.0", "description": "Search"}
            self._answer({**about, "links": links, "conformsTo": [f"{core}/core", f"{core}/item-search"]})

        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            items = [json.loads(path.read_text()) for path in sorted(folder.rglob("scene-*.json"))]
            for item in items:
                item["links"] = []
            self._answer({"type": "FeatureCollection", "features": items, "links": []})

        def _answer(self, content: Any) -> None:
            body = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def _extent() -> Any:
    first, last = datetime(2021, 6, 1, tzinfo=UTC), datetime(2021, 8, 1, tzinfo=UTC)
    return pystac.Extent(pystac.SpatialExtent([[14, 45, 16, 47]]), pystac.TemporalExtent([[first, last]]))


def _item(folder: Path, number: int, moment: datetime, clouds: float) -> Any:
    west, south, east, north = transform_bounds(UTM, "EPSG:4326", 500_000, 5_099_600, 500_400, 5_100_000)
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    name = f"scene-{number}"
    item = pystac.Item(
        name,
        {"type": "Polygon", "coordinates": [ring]},
        [west, south, east, north],
        moment,
        {"eo:cloud_cover": clouds, "proj:epsg": 32633},
    )
    place = folder / "level-2a" / name
    place.mkdir(parents=True)
    for band in BANDS:
        values = scene(number, band)
        values[0, 0] = 0
        write_raster(place / f"{band}.tif", values, nodata=0)
        fields = {
            "eo:bands": [{"name": band, "common_name": band}],
            "raster:bands": [{"scale": 0.0001, "offset": -0.1, "nodata": 0, "data_type": "uint16"}],
        }
        item.add_asset(
            band, pystac.Asset(f"./{band}.tif", media_type=pystac.MediaType.COG, extra_fields=fields)
        )
    item.add_asset("thumbnail", pystac.Asset("./t.png", media_type=pystac.MediaType.PNG))
    return item
