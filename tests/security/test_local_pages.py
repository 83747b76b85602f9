"""A server of one person asks nobody who comes: no page of another site may reach it through the browser."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("local"), {"STREAMLIT_SERVER_ENABLE_CORS": "true"}) as running:
        yield running


def opening_status(server: Server, host: str, origin: str | None) -> int:
    """Return the status of opening a session as a browser does that knows the server by a host's name."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest("GET", "/_stcore/stream", skip_host=True)
    headers = {"Host": host, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    headers |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "streamlit, none"}
    for name, value in {**headers, **({"Origin": origin} if origin else {})}.items():
        connection.putheader(name, value)
    connection.endheaders()
    try:
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "workbench.localhost"])
def test_its_own_pages_open_a_session(server: Server, name: str) -> None:
    host = f"{name}:{server.port}"
    assert opening_status(server, host, f"http://{host}") == http.HTTPStatus.SWITCHING_PROTOCOLS


def test_a_program_that_is_no_browser_does(server: Server) -> None:
    assert opening_status(server, f"127.0.0.1:{server.port}", None) == http.HTTPStatus.SWITCHING_PROTOCOLS


def test_a_name_that_was_bound_to_this_machine_does_not(server: Server) -> None:
    for host in (f"evil.example.org:{server.port}", "evil.example.org", f"localhost.evil.org:{server.port}"):
        assert opening_status(server, host, f"http://{host}") == http.HTTPStatus.FORBIDDEN


@pytest.mark.parametrize(
    "origin",
    ["http://localhost.evil.org", "http://10.0.0.1", "https://elsewhere.example.org", "null", "http://[::1"],
)
def test_pages_of_others_do_not(server: Server, origin: str) -> None:
    assert opening_status(server, f"127.0.0.1:{server.port}", origin) == http.HTTPStatus.FORBIDDEN


def test_a_proxy_on_this_machine_may_have_another_port(server: Server) -> None:
    """Such as that of a notebook server or a tunnel, which names the host that it asks and not its own."""
    host = f"127.0.0.1:{server.port}"
    assert opening_status(server, host, "http://localhost:9") == http.HTTPStatus.SWITCHING_PROTOCOLS
    evil = f"evil.example.org:{server.port}"
    assert opening_status(server, evil, "http://localhost:9") == http.HTTPStatus.FORBIDDEN


def test_a_name_that_is_set_is_one_of_the_servers(tmp_path: Path) -> None:
    named = {"STREAMLIT_BROWSER_SERVER_ADDRESS": "treeline.example.org"}
    with Server(tmp_path, named) as running:
        host = "treeline.example.org"
        assert opening_status(running, host, f"https://{host}") == http.HTTPStatus.SWITCHING_PROTOCOLS
        assert opening_status(running, "other.example.org", "https://other.example.org") == 403
