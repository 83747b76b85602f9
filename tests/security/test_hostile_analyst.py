"""An analyst with an account who wants the server to fail others: by files, names, addresses and exports."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.server import Server
from tests.rasters import write_raster
from tests.security.team import ANA, BEN, SECRET, SETTINGS, visitor, write_home
from tests.security.test_two_people import QUESTION, ask, the
from tests.security.visitor import Visitor
from treeline.core.record.store import Store
from treeline.toolkit.raster.classes import CLASSES_TAG

NESTED = "[" * 20_000
RASTER_OF_BEN = "workspaces/harbour/inputs/harbour_2021-06-03.tif"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("team")
    write_home(home)
    with Server(home, {**SETTINGS, "TREELINE_QUOTAS": "asks=0 uploads=0"}) as running:
        yield running


@pytest.fixture(scope="module")
def ben(server: Server) -> Visitor:
    return visitor(server, BEN)


@pytest.fixture(scope="module")
def upload(ben: Visitor) -> Iterator[str]:
    """The address below which Ben adds files to his workspace."""
    with ben.session() as session:
        token = the(r"token[^\w-]+([\w-]{20,})", session.open("data").text)
        yield f"/upload/{token}"


@pytest.fixture(autouse=True)
def no_fault(server: Server) -> Iterator[None]:
    """Whatever a test tries, the server meets no fault of its own."""
    before = server.log.read_text("utf-8", "replace").count("Traceback")
    yield
    assert server.log.read_text("utf-8", "replace").count("Traceback") == before


def send(server: Server, request: str, seconds: float = 5.0) -> str:
    """Send bytes as they are, which no client would, and return the beginning of the answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as connection:
        connection.sendall(request.encode("latin-1"))
        return connection.recv(4096).decode("latin-1")


def headers_of(email: str) -> str:
    return f"Host: x\r\nX-Email: {email}\r\nX-Treeline-Proxy-Secret: {SECRET}\r\n"


@pytest.mark.parametrize("tag", ['{"1": ' + NESTED, f"{'9' * 5_000} water"])
def test_a_tag_that_cannot_be_read_takes_no_question_with_it(
    server: Server, ben: Visitor, upload: str, tag: str, tmp_path: Path
) -> None:
    path = write_raster(tmp_path / "classes.tif", np.ones((9, 9), "uint8"), tags={CLASSES_TAG: tag})
    name = f"landcover_{len(tag)}.tif"
    assert ben.ask(f"{upload}/{name}", "PUT", path.read_bytes()).status == 201
    store = Store(server.home / "treeline.sqlite")
    with ben.session() as session:
        record = store.run(ask(session, store, QUESTION))
        assert record is not None and record.status == "answered"
        assert session.open("data").elements("exception") == []
    store.close()


def test_an_upload_that_is_given_up_leaves_nothing(server: Server, upload: str) -> None:
    inputs = (server.home / RASTER_OF_BEN).parent
    before = set(inputs.iterdir())
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        begin = f"PUT {upload}/half.tif HTTP/1.1\r\n{headers_of(BEN)}Content-Length: 100000\r\n\r\nII*"
        connection.sendall(begin.encode())
        until = time.monotonic() + 10
        while set(inputs.iterdir()) == before and time.monotonic() < until:
            time.sleep(0.02)
        assert set(inputs.iterdir()) != before
    until = time.monotonic() + 10
    while set(inputs.iterdir()) != before and time.monotonic() < until:
        time.sleep(0.02)
    assert set(inputs.iterdir()) == before


def test_a_name_is_refused_that_a_disk_cannot_keep(server: Server, ben: Visitor, upload: str) -> None:
    content = (server.home / RASTER_OF_BEN).read_bytes()
    answer = ben.ask(f"{upload}/{quote('漢' * 100 + '.tif')}", "PUT", content)
    assert answer.status == 422 and "304 bytes" in answer.text
    longest = "漢" * 78 + "ab.tif"
    assert ben.ask(f"{upload}/{quote(longest)}", "PUT", content).status == 201
    (server.home / RASTER_OF_BEN).with_name(longest).unlink()


@pytest.mark.parametrize("length", ["-5", "+10", "9" * 5_000, "10\r\nContent-Length: 20"])
def test_a_length_that_is_none_is_refused(server: Server, upload: str, length: str) -> None:
    request = f"PUT {upload}/z.tif HTTP/1.1\r\n{headers_of(BEN)}Content-Length: {length}\r\n\r\n0123456789"
    assert send(server, request).startswith("HTTP/1.1 400")


def test_no_second_request_hides_in_the_body_of_another(server: Server) -> None:
    hidden = f"0\r\n\r\nGET /data HTTP/1.1\r\nHost: x\r\nX-Email: {ANA}\r\n\r\n"
    both = f"Content-Length: {len(hidden)}\r\nTransfer-Encoding: chunked"
    with socket.create_connection(("127.0.0.1", server.port), timeout=2) as connection:
        connection.sendall(f"GET /livez HTTP/1.1\r\nHost: x\r\n{both}\r\n\r\n{hidden}".encode())
        answers = b""
        try:
            while part := connection.recv(4096):
                answers += part
        except TimeoutError:
            pass
    assert answers.count(b"HTTP/1.1 200") <= 1 and b"<title>" not in answers


@pytest.mark.parametrize(
    "target",
    ["/livez/../data", "/LIVEZ", "/livez;x", "/livez%2f..%2fdata", "/metrics/../data", "http://x/data", "*"],
)
def test_what_is_near_an_open_address_is_closed(server: Server, target: str) -> None:
    assert send(server, f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n").startswith("HTTP/1.1 401")


@pytest.mark.parametrize(
    "headers",
    [
        f"X_Email: {ANA}\r\nX_Treeline_Proxy_Secret: {SECRET}\r\n",
        f"X-Email: {ANA}\r\nX-Treeline-Proxy-Secret: wrong\r\nX-Treeline-Proxy-Secret: {SECRET}\r\n",
        f"X-Email: {ANA}\r\nX-Treeline-Proxy-Secret: {SECRET}x\r\n",
        f"X-Email: {ANA}\r\nX-Treeline-Proxy-Secret: \xe9\xe9\r\n",
        f"X-Email: {'a' * 50_000}@example.org\r\nX-Treeline-Proxy-Secret: {SECRET}\r\n",
    ],
)
def test_headers_that_only_look_like_the_proxys_are_nobodys(server: Server, headers: str) -> None:
    assert send(server, f"GET /data HTTP/1.1\r\nHost: x\r\n{headers}\r\n").startswith("HTTP/1.1 401")


@pytest.mark.parametrize("message", ["debug_shutdown_runtime", "debug_disconnect_websocket"])
def test_no_message_ends_the_server_or_the_sessions_of_others(
    server: Server, ben: Visitor, message: str
) -> None:
    with visitor(server, ANA).session() as hers:
        hers.open("data")
        with ben.session() as session:
            session.open("data")
            told = BackMsg()
            setattr(told, message, True)
            session.send(told)
            assert "Harbour of Ben" in session.open("data").text
        assert "Quarry of Ana" in hers.open("data").text


@pytest.mark.parametrize(
    "question",
    [
        "a" * 5_000_000,
        "(" * 20_000 + "NDVI" + ")" * 20_000,
        "mean " * 3_000 + "NDVI",
        f"mean NDVI above {'9' * 6_000}",
        "mean NDVI above 1e999999",
        "mean NDVI on 99999-99-99",
        "mean\x00NDVI",
    ],
    ids=lambda question: question[:16],
)
def test_a_question_is_read_or_refused_in_seconds(ben: Visitor, question: str) -> None:
    with ben.session() as session:
        page = session.open()
        typed, pressed = page.element("text_input", "Question").id, page.element("button", "Ask").id
        began = time.monotonic()
        answered = session.use({typed: ("string_value", question), pressed: ("trigger_value", True)})
        assert answered.elements("exception") == []
        assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    "query", ["run=%ed%a0%80", "run=' OR 1=1 --", "entry=" + "9" * 5_000, "card=../../x"]
)
def test_an_address_that_names_nothing_is_no_fault(ben: Visitor, query: str) -> None:
    with ben.session() as session:
        for page in ("", "knowledge", "memory", "runs", "pinned"):
            assert session.open(page, query).elements("exception") == []


def test_half_a_million_wrong_entries_keep_nobody_waiting(server: Server, ben: Visitor) -> None:
    with ben.session() as session, ThreadPoolExecutor(1) as pool:
        wrong = b"[" + b"{}," * 500_000 + b"{}]"
        pressed = pool.submit(
            session.import_file, ben, "memory", "An exported file", wrong, "Add its entries"
        )
        longest = 0.0
        while not pressed.done():
            began = time.monotonic()
            assert Visitor(server.url).ask("/livez").status == 200
            longest = max(longest, time.monotonic() - began)
        assert "no export of memory entries" in pressed.result().text
        assert longest < 10
