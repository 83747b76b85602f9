"""Streamlit's assets as this server gives them."""

from __future__ import annotations

import gzip
import http.client
from collections.abc import Iterator

import pytest

from tests.browser.server import Server
from treeline.pages.parts.assets import FOLDER, prepare_assets

SCRIPT = next((FOLDER / "static" / "js").glob("index.*.js"))
FONT = next((FOLDER / "static" / "media").glob("*.woff2"))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("home")) as server:
        yield server


def fetch(
    server: Server, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        told = {name.lower(): value for name, value in response.getheaders()}
        return response.status, told, response.read()
    finally:
        connection.close()


def test_a_script_comes_compressed_and_is_kept(running: Server):
    status, headers, body = fetch(running, f"/static/js/{SCRIPT.name}", **{"Accept-Encoding": "gzip, br"})
    assert (status, headers["content-encoding"], headers["vary"]) == (200, "gzip", "Accept-Encoding")
    assert headers["content-type"].startswith("text/javascript")
    assert "immutable" in headers["cache-control"]
    assert gzip.decompress(body) == SCRIPT.read_bytes()
    assert len(body) < 0.5 * SCRIPT.stat().st_size


def test_who_cannot_read_gzip_gets_the_file(running: Server):
    status, headers, body = fetch(running, f"/static/js/{SCRIPT.name}")
    assert (status, "content-encoding" in headers) == (200, False)
    assert body == SCRIPT.read_bytes()


def test_a_font_is_not_compressed_again(running: Server):
    status, headers, body = fetch(running, f"/static/media/{FONT.name}", **{"Accept-Encoding": "gzip"})
    assert (status, "content-encoding" in headers, headers["content-type"]) == (200, False, "font/woff2")
    assert body == FONT.read_bytes()


@pytest.mark.parametrize(
    "path",
    [
        "/static/js/../../../../etc/passwd",
        "/static/%2e%2e/%2e%2e/app.py",
        "/static/../index.html",
        "/static/",
    ],
)
def test_nothing_but_the_assets_is_given(running: Server, path: str):
    _, headers, body = fetch(running, path, **{"Accept-Encoding": "gzip"})
    assert "immutable" not in headers.get("cache-control", "")
    assert b"root:" not in body
    assert b"st.App" not in body


def test_other_methods_are_left_to_streamlit(running: Server):
    assert fetch(running, f"/static/js/{SCRIPT.name}", "POST")[0] == 405
    assert fetch(running, f"/static/js/{SCRIPT.name}", "HEAD")[::2] == (200, b"")


def test_what_the_document_names_can_be_prepared():
    prepare_assets()
