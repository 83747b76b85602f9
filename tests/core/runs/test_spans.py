"""Spans of a run, as a collector gets them: names and durations, nothing of what was asked."""

from __future__ import annotations

import gzip
import http.server
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace

pytest.importorskip("opentelemetry.exporter.otlp.proto.http")

QUESTION = "What is the mean NDVI?"


class Collector(http.server.BaseHTTPRequestHandler):
    """Keeps what is sent to it."""

    bodies: list[bytes]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        zipped = self.headers.get("content-encoding") == "gzip"
        self.bodies.append(gzip.decompress(body) if zipped else body)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    bodies: list[bytes] = []
    handler = type("Own", (Collector,), {"bodies": bodies})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("TREELINE_TRACES", f"http://127.0.0.1:{server.server_port}/v1/traces")
    yield bodies
    server.shutdown()
    server.server_close()


def test_a_collector_is_told_each_skill_document_and_call(spans, tmp_path):
    bands = np.stack([np.full((20, 20), 0.1), np.full((20, 20), 0.3)]).astype("float32")
    (tmp_path / "lake" / "inputs").mkdir(parents=True)
    write_raster(tmp_path / "lake" / "inputs" / "secret_2021-06-03.tif", bands, descriptions=["red", "nir"])
    manager = RunManager(Store(tmp_path / "store.sqlite"), lambda name: Workspace(tmp_path / name))
    run = manager.start("lake", QUESTION, RunOptions())
    manager.wait(run, 60)
    until = time.monotonic() + 240
    while not any(b"answered" in body for body in spans) and time.monotonic() < until:
        time.sleep(0.05)
    told = b"".join(spans)
    for name in (b"skill ", b"doc ", b"call ", b"treeline.succeeded", b"answered", run.encode()):
        assert name in told
    for private in (b"secret_2021", QUESTION.encode()):
        assert private not in told
