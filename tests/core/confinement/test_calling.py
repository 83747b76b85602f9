"""Calls in confined processes: real ones, that reach no network, end in time and take nothing with them."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.rasters import write_raster
from tests.security.loopback import Loopback
from treeline.core.confinement import call, calling, can_cut_network, confine, is_confining
from treeline.core.engine.actions import ProductRecord
from treeline.core.serving import default_style
from treeline.core.serving.drawing import draw_preview
from treeline.core.serving.layers import MapLayer
from treeline.core.workspace import Workspace
from treeline.core.workspace.area import area_of
from treeline.pages.parts.data.catalogue import statistics_text
from treeline.pages.parts.map.layers import product_entries
from treeline.toolkit.errors import InputError, RasterUnreadable
from treeline.toolkit.raster import Source
from treeline.toolkit.raster.pictures import map_picture

pytestmark = pytest.mark.skipif(not can_cut_network(), reason="no filter of system calls for this machine")


@pytest.fixture(autouse=True)
def confine_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(calling, "_confining", False)
    confine()
    yield


def refuse() -> None:
    raise InputError("Not this.", "Another one.")


def ask_web(address: str) -> bytes:
    return urllib.request.urlopen(address, timeout=5).read()


def connect(family: int) -> None:
    socket.socket(family).close()


def fill_memory() -> int:
    return int(np.ones(2**31, "uint8").sum())


def crash() -> None:
    os.abort()


def secret() -> str | None:
    return os.environ.get("OPENAI_API_KEY")


def test_a_call_gives_its_result_and_its_error():
    assert call(sum, [1, 2, 3]) == 6
    assert call(os.getpid) != os.getpid()
    with pytest.raises(InputError, match="Not this. Another one."):
        call(refuse)


def test_no_address_is_reached():
    with Loopback() as web:
        with pytest.raises(urllib.error.HTTPError, match="404"):
            ask_web(web.address)
        with pytest.raises(urllib.error.URLError, match="not permitted"):
            call(ask_web, web.address)
        assert web.paths == ["/"]
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
        with pytest.raises(PermissionError):
            call(connect, family)
    call(connect, socket.AF_UNIX)


def test_what_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setenv("TREELINE_LIMITS", "seconds=1")
    began = time.monotonic()
    with pytest.raises(RasterUnreadable, match="longer than 1 seconds"):
        call(time.sleep, 60)
    assert time.monotonic() - began < 30
    assert call(sum, [1]) == 1


def test_what_needs_too_much_memory_is_ended(monkeypatch):
    monkeypatch.setenv("TREELINE_LIMITS", "memory=5e8")
    with pytest.raises(RasterUnreadable, match="memory"):
        call(fill_memory)
    assert call(sum, [1]) == 1


def test_a_crash_takes_nothing_with_it():
    with pytest.raises(RasterUnreadable, match="ended the process"):
        call(crash)
    assert call(sum, [1]) == 1


def test_a_call_that_cannot_be_read_there_is_not_waited_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "here_alone", module := ModuleType("here_alone"))
    exec("def work(): return 1", module.__dict__)
    began = time.monotonic()
    with pytest.raises(RasterUnreadable, match="ended the process"):
        call(module.work)
    assert time.monotonic() - began < 30
    assert call(os.path.basename, "a/b") == "b"


def test_the_servers_key_is_not_known(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-server")
    assert call(secret) is None


def test_many_threads_share_a_few_processes():
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(call(os.getpid))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20 and len(set(found)) <= max(os.cpu_count() or 1, 2)


def test_a_workspace_is_described_and_drawn_as_without(tmp_path: Path):
    folder = Workspace(tmp_path / "w").inputs_folder
    values = np.linspace(-0.2, 0.9, 64 * 64, dtype="float32").reshape(64, 64)
    write_raster(folder / "Lake_NDVI_2021-06-01.tif", values)
    (folder / "broken.tif").write_bytes(b"II*\0" + b"\xff" * 400)
    workspace = Workspace(tmp_path / "w")
    (raster,) = workspace.rasters
    assert list(workspace.problems) == ["broken.tif"]
    assert raster.bands[0].role == "ndvi"
    layer = MapLayer.of((Source(raster, raster.bands[0]),), "ndvi")
    style = default_style(layer)
    assert style.colormap == "rdylgn"
    assert call(draw_preview, layer, style, 64) == draw_preview(layer, style, 64)


def test_a_machine_that_cannot_cut_the_network_is_refused(monkeypatch):
    monkeypatch.setattr(calling, "_confining", False)
    monkeypatch.setattr(calling, "can_cut_network", lambda: False)
    with pytest.raises(InputError, match="cannot be cut off"):
        confine()
    monkeypatch.setenv("TREELINE_CONFINEMENT", "off")
    confine()
    assert not is_confining()


def test_what_pages_read_of_a_workspace_is_read_apart(tmp_path, monkeypatch):
    workspace = Workspace(tmp_path / "w")
    path = write_raster(workspace.inputs_folder / "a.tif", np.ones((8, 8), "uint8"))
    zone = {"type": "Polygon", "coordinates": [[[14, 46], [16, 46], [16, 47], [14, 47], [14, 46]]]}
    (workspace.inputs_folder / "zone.geojson").write_text(json.dumps(zone))
    rasters = workspace.rasters
    for module in ("raster.datasets", "raster.classes", "recognition.describe", "recognition.scene"):
        monkeypatch.setattr(sys.modules[f"treeline.toolkit.{module}"], "open_raster_file", refuse)
    assert area_of("zone.geojson", workspace).name
    assert call(map_picture, path).startswith(b"\x89PNG")
    assert statistics_text(Source(rasters[0], rasters[0].bands[0])).startswith("1 to 1")
    assert product_entries([(1, ProductRecord("a", str(path), "ndvi", "1"))])
