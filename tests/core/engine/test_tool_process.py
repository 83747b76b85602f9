"""Tools of a team in processes without network: nothing is opened here, stops and models work as ever."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from PIL import Image

from tests.endpoint import Say, ScriptedEndpoint
from tests.rasters import write_raster
from treeline.core.confinement import Line, call_and_attend, calling, can_cut_network, confine
from treeline.core.engine import tool_process
from treeline.core.engine.tool_process import run_tool
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace
from treeline.toolkit import ToolContext, registry
from treeline.toolkit.errors import InputError, Stopped, TreelineError
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.vector import reading
from treeline.toolkit.vision_endpoint import VisionEndpoint, use_vision

pytestmark = pytest.mark.skipif(not can_cut_network(), reason="no filter of system calls for this machine")


@pytest.fixture(autouse=True)
def confine_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(calling, "_confining", False)
    confine()
    yield


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    for number in range(2):
        write_raster(tmp_path / f"a{number}.tif", np.full((4, 20, 20), number + 1, "float32"))
    return ToolContext(output_folder=tmp_path / "out", resolver=FileResolver(tmp_path))


def refuse(*_: Any, **__: Any) -> None:
    raise AssertionError("opened in this process")


def test_a_tool_gives_what_it_gives_here_and_opens_nothing_here(context, monkeypatch):
    context.output_folder.mkdir()
    arguments = {"input_nir_paths": ["a0.tif#1"], "input_red_paths": ["a1.tif#1"], "output_paths": ["n.tif"]}
    heard: list[tuple[int, int]] = []
    context.progress = lambda done, total, label: heard.append((done, total))
    monkeypatch.setattr(rasterio, "open", refuse)
    said = run_tool(registry().get("calculate_batch_ndvi"), arguments, context)
    monkeypatch.undo()
    assert "n.tif" in str(said) and [p.path.name for p in context.products] == ["n.tif"]
    assert heard and context.products[0].mean == pytest.approx(-1 / 3)
    with pytest.raises(TreelineError, match=r"nope\.tif"):
        run_tool(registry().get("calc_batch_image_mean"), {"file_list": ["nope.tif"]}, context)


def test_a_whole_run_opens_no_file_in_its_own_process(tmp_path, monkeypatch):
    inputs = tmp_path / "lake" / "inputs"
    inputs.mkdir(parents=True)
    bands = np.random.default_rng(3).integers(500, 4000, (2, 30, 30)).astype("uint16")
    write_raster(inputs / "Lake_2021-05-01.tif", bands, descriptions=("red", "nir"), scale=0.0001)
    classes = (bands[0] % 2).astype("uint8")
    write_raster(
        inputs / "Lake_landcover.tif",
        classes,
        descriptions=("landcover",),
        tags={"TREELINE_CLASSES": "0 water, 1 forest"},
    )
    zone = {"type": "Polygon", "coordinates": [[[14, 45], [16, 45], [16, 47], [14, 47], [14, 45]]]}
    (inputs / "zone.geojson").write_text(json.dumps(zone))
    manager = RunManager(Store(tmp_path / "store.sqlite"), lambda name: Workspace(tmp_path / name))
    monkeypatch.setattr(rasterio, "open", refuse)
    monkeypatch.setattr(reading, "ogr", refuse)
    for question in ("What is the mean NDVI of each date?", "Make a map of NDVI on 2021-05-01."):
        run = manager.create("lake", question, RunOptions())
        assert manager.work(run).status == "answered"
        assert "opened in this process" not in str(manager.store.event_rows(run))


def test_a_vision_model_is_asked_from_here(context):
    Image.fromarray(np.zeros((40, 40, 3), "uint8")).save(context.resolver.roots[0] / "p.png")
    answers = [Say(json.dumps({"objects": []}))]
    with ScriptedEndpoint(answers) as endpoint, use_vision(VisionEndpoint("sees", endpoint.url, "sk-mine")):
        tool = registry().get("InstructSAM")
        found = run_tool(tool, {"input_image_path": "p.png", "text_prompt": "ship"}, context)
    assert found == 0
    assert endpoint.requests[0].headers["authorization"] == "Bearer sk-mine"


@dataclass
class Watch:
    """Attends to a call, and keeps what it asked."""

    stop: threading.Event = field(default_factory=threading.Event)
    asked: list[Any] = field(default_factory=list)

    def answer(self, subject: str, content: Any) -> Any:
        self.asked.append((subject, content))
        if subject == "stop":
            self.stop.set()
        if subject == "wrong":
            raise InputError("Not that.", "")
        return "well"


def ask_thrice(line: Line) -> list[str]:
    return [line.ask("number", n) for n in range(3)]


def ask_wrongly(line: Line) -> None:
    line.ask("wrong", None)


def wait_for_stop(line: Line) -> bool:
    line.ask("stop", None)
    return line.stop.wait(30)


def never_stop(line: Line) -> None:
    line.ask("stop", None)
    time.sleep(60)


def test_a_call_is_answered_and_stopped(monkeypatch):
    watch = Watch()
    assert call_and_attend(ask_thrice, watch) == ["well"] * 3
    assert watch.asked == [("number", n) for n in range(3)]
    with pytest.raises(InputError, match="Not that"):
        call_and_attend(ask_wrongly, Watch())
    assert call_and_attend(wait_for_stop, Watch()) is True
    assert call_and_attend(ask_thrice, Watch()) == ["well"] * 3
    monkeypatch.setattr("treeline.core.confinement.worker._GRACE_SECONDS", 0.2)
    with pytest.raises(Stopped):
        call_and_attend(never_stop, Watch())


def test_scenes_on_the_web_are_read_where_the_network_is(context, monkeypatch):
    monkeypatch.setattr(tool_process, "call_and_attend", refuse)
    with pytest.raises(TreelineError):
        run_tool(registry().get("search_catalogue"), {"catalogue": "http://127.0.0.1:9/x"}, context)
    with pytest.raises(AssertionError, match="opened in this process"):
        run_tool(registry().get("search_catalogue"), {"catalogue": "folder"}, context)
