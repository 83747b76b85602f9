"""A raster by its address: only what is asked for is sent, nothing beside it is looked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.transform import from_origin

from tests.security.loopback import Loopback
from treeline.core.cli import main
from treeline.toolkit.errors import GridMismatch, PathOutside, RasterUnreadable
from treeline.toolkit.raster.fetching import fetch
from treeline.toolkit.recognition.describe import describe

NAME = "A_NDVI_2021-06-01.tif"
STORED = np.random.default_rng(3).integers(1000, 9000, (1500, 1500), dtype="int16")


class Ranges:
    """Serves some files by ranges of bytes and keeps what was asked for, as a context manager."""

    def __init__(self, files: dict[str, bytes], moved: str = "", whole: bool = False) -> None:
        self.asked: list[str] = []
        self.sent = 0
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                served.asked.append(self.path)
                content = files.get(self.path.lstrip("/"))
                if moved:
                    self.send_response(302)
                    self.send_header("Location", moved)
                    self.end_headers()
                    return
                if content is None:
                    self.send_error(404)
                    return
                first, _, last = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
                part = content if whole else content[int(first) : int(last) + 1]
                self.send_response(200 if whole else 206)
                end = int(first) + len(part) - 1
                self.send_header("Content-Range", f"bytes {first}-{end}/{len(content)}")
                self.send_header("Content-Length", str(len(part)))
                self.end_headers()
                self.wfile.write(part)
                served.sent += len(part)

            def log_message(self, format: str, *arguments: object) -> None:
                return None

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/{NAME}"

    def __enter__(self) -> Ranges:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def cog(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("cog") / NAME
    with rasterio.open(
        path,
        "w",
        driver="COG",
        width=1500,
        height=1500,
        count=1,
        dtype="int16",
        crs="EPSG:32633",
        transform=from_origin(5e5, 5.1e6, 10, 10),
        nodata=-3000,
        compress="deflate",
        blocksize=256,
    ) as dataset:
        dataset.write(STORED, 1)
        dataset.scales = (0.0001,)
    return path.read_bytes()


@pytest.fixture
def web(cog: bytes) -> Iterator[Ranges]:
    with Ranges({NAME: cog}) as server:
        yield server


def test_a_part_is_fetched_as_it_is_stored(tmp_path: Path, web: Ranges, cog: bytes) -> None:
    path = fetch(web.address, tmp_path, (15.01, 46.02, 15.02, 46.03))
    assert path.name == NAME
    with rasterio.open(path) as dataset:
        column = round((dataset.transform.c - 5e5) / 10)
        row = round((5.1e6 - dataset.transform.f) / 10)
        expected = STORED[row : row + dataset.height, column : column + dataset.width]
        np.testing.assert_array_equal(dataset.read(1), expected)
        assert (dataset.scales, dataset.nodata) == ((0.0001,), -3000)
        assert 75 < dataset.width < 82 and 110 < dataset.height < 116
    found = describe(path)
    assert (found.bands[0].role, f"{found.date:%Y-%m-%d}") == ("ndvi", "2021-06-01")
    assert web.sent < len(cog) / 2
    assert set(web.asked) == {f"/{NAME}"}


def test_what_was_fetched_is_fetched_again_only_where_it_changed(tmp_path: Path, cog: bytes) -> None:
    files = {NAME: cog}
    with Ranges(files) as server:
        first = fetch(server.address, tmp_path)
        with rasterio.open(first) as dataset:
            np.testing.assert_array_equal(dataset.read(1), STORED)
        sent = server.sent
        assert fetch(server.address, tmp_path) == first
        assert server.sent < sent + 2**19
        files[NAME] = cog + b"later"
        assert fetch(server.address, tmp_path) != first


def test_a_question_is_asked_of_an_address(
    tmp_path: Path, web: Ranges, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path))
    assert main(["ask", "What is the mean NDVI?", "--data", f"{web.address}#15.01,46.02,15.02,46.03"]) == 0
    with rasterio.open(next((tmp_path / "web").rglob("*.tif"))) as dataset:
        mean = dataset.read(1).mean() * 0.0001
    assert f"{mean:.4f}" in capsys.readouterr().out
    assert main(["describe", "--data", f"{web.address}#here"]) == 2
    assert "no bounds" in capsys.readouterr().err


def test_only_listed_addresses_are_read(tmp_path: Path, web: Ranges, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_CATALOGUES", "https://data.example")
    with pytest.raises(PathOutside, match="may not be used"):
        fetch(web.address, tmp_path)
    monkeypatch.setenv("TREELINE_CATALOGUES", "")
    monkeypatch.setenv("TREELINE_MODE", "team")
    with pytest.raises(PathOutside, match="none, until"):
        fetch(web.address, tmp_path)
    for address in ("file:///etc/passwd", "/vsicurl/http://a.b/c.tif", "ftp://a.b/c.tif"):
        with pytest.raises(PathOutside):
            fetch(address, tmp_path)
    assert not web.asked


def test_what_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    with Loopback() as stranger, Ranges({}, moved=f"{stranger.address}/{NAME}") as server:
        with pytest.raises(RasterUnreadable, match="leads elsewhere"):
            fetch(server.address, tmp_path)
        assert not stranger.paths


def test_what_cannot_be_read_is_said(tmp_path: Path, cog: bytes) -> None:
    for files, whole, said in (
        ({}, False, "answers 404"),
        ({NAME: cog}, True, "does not send parts"),
        ({NAME: b"<html>sorry</html>" * 99}, False, "cannot be read as a GeoTIFF"),
        ({NAME: b'<VRTDataset rasterXSize="1" rasterYSize="1"/>'}, False, "cannot be read as a GeoTIFF"),
    ):
        with Ranges(files, whole=whole) as server, pytest.raises(RasterUnreadable, match=said):
            fetch(server.address, tmp_path)
    with Ranges({NAME: cog}) as server, pytest.raises(GridMismatch, match="no pixel within"):
        fetch(server.address, tmp_path, (1, 1, 2, 2))
    assert not list(tmp_path.rglob("*.tif"))
