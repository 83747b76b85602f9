"""Lists of paths become handles: of a whole collection, of a part by date, of what a tool made."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeline.core.engine.actions import Observation
from treeline.core.engine.rundata import RunData
from treeline.core.lab.handles import HandleWriter
from treeline.core.lab.records import ToolCall
from treeline.core.workspace import Workspace
from treeline.toolkit import registry

NAMES = [f"Lake_2021-0{month}-01_NDVI.tif" for month in range(6, 9)]


@pytest.fixture
def writer(bands: Path, tmp_path: Path) -> HandleWriter:
    workspace = Workspace(tmp_path / "w", [bands])
    return HandleWriter(RunData(workspace, "r", tmp_path / "out"), registry())


def rewritten(writer: HandleWriter, *names: str):
    call = ToolCall(tool="calc_batch_image_mean", arguments={"file_list": [f"data/{n}" for n in names]})
    return writer.rewrite(call).arguments["file_list"]


def test_a_whole_collection_and_its_parts(writer: HandleWriter):
    (collection,) = [c for c in writer.data.collections.values() if len(c.addresses) > 2][:1]
    names = list(collection.addresses)
    dates = [f"{member.date:%Y-%m-%d}" for member in collection.members]
    assert rewritten(writer, *names) == collection.handle
    assert rewritten(writer, *names[:2]) == f"{collection.handle}[{dates[0]}:{dates[1]}]"
    assert rewritten(writer, *names[1:]) == f"{collection.handle}[{dates[1]}:{dates[-1]}]"
    assert rewritten(writer, names[0], names[-1]) == [names[0], names[-1]], "what lies between is left out"
    assert rewritten(writer, names[0]) == [names[0]]


def test_outputs_of_one_tool_are_its_handle_and_of_two_are_listed(writer: HandleWriter):
    writer.loose.update({"a.tif": "@mask", "b.tif": "@mask", "c.tif": "@water"})
    assert rewritten(writer, "a.tif", "b.tif") == "@mask"
    assert rewritten(writer, "a.tif", "c.tif") == ["a.tif", "c.tif"]


@pytest.mark.parametrize(
    ("numbers", "written"), [([0.4, 0.5], "@result3"), ([0.4, 0.5, 0.6], "@result3"), ([0.4], [0.4])]
)
def test_a_series_that_a_call_gave_is_its_result_and_one_number_is_itself(
    writer: HandleWriter, numbers, written
):
    measured = ToolCall(tool="calc_batch_image_mean", arguments={"file_list": NAMES}, output=numbers)
    writer.learn(3, measured, Observation("result", "", value=numbers))
    assert writer.rewrite(ToolCall(tool="mean", arguments={"x": numbers})).arguments["x"] == written
    assert writer.rewrite(ToolCall(tool="mean", arguments={"x": [9.0, 8.0]})).arguments["x"] == [9.0, 8.0]
