"""The expert trajectories of the benchmark's open questions, replayed on small rasters."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.benchmark_rasters import write_files
from treeline.core.commands.replay import RecordedCall, Trajectory
from treeline.core.engine.actions import Observation
from treeline.core.runs.calling import Calls
from treeline.toolkit import registry
from treeline.toolkit.errors import UnknownTool

_DATA_FILE = re.compile(r'benchmark/data/question[^"/]*/([^"]+?\.(?:tif|png|jpe?g))"')
_MODEL_BACKED = frozenset(
    {"MSCN", "RemoteCLIP", "Strip_R_CNN", "SM3Det", "RemoteSAM", "InstructSAM", "SAM2", "ChangeOS"}
)


_FEW_FILES, _FEW_CALLS = 36, 20


@dataclass(frozen=True)
class PlayedCall:
    """A recorded call and what came of it."""

    question: int
    call: RecordedCall
    observation: Observation
    known_files: frozenset[str]


@pytest.fixture(scope="module", params=["of most tools", pytest.param("all", marks=pytest.mark.soak)])
def played_calls(request: Any, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> list[PlayedCall]:
    """The recorded calls: of short questions that call most tools, in the long run of all questions."""
    everything = []
    lines = (shared / "earth_bench" / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    for question in questions if request.param == "all" else questions_of_most_tools(questions):
        folder = tmp_path_factory.mktemp(f"question{question['id']}")
        mentioned = set(_DATA_FILE.findall(json.dumps(question["ground_truth"])))
        files = sorted({*question["files"], *mentioned})
        write_files(files, folder / "data" / f"question{question['id']}")
        make = Calls([folder / "data"], folder / "out", "earth_bench")
        calls = [{"tool": c["tool"], "arguments": c["arguments"]} for c in question["ground_truth"]]
        trajectory = Trajectory(id=question["id"], calls=calls)
        known = set(files)
        for call in trajectory.calls:
            observation = make.act(call.tool, call.arguments)
            everything.append(PlayedCall(question["id"], call, observation, frozenset(known)))
            known.update(Path(product.name).name for product in observation.products)
    return everything


def questions_of_most_tools(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return few questions that together call every tool that questions with few files and calls do."""
    questions = [
        q for q in questions if len(q["files"]) <= _FEW_FILES and len(q["ground_truth"]) <= _FEW_CALLS
    ]
    tools = {question["id"]: {call["tool"] for call in question["ground_truth"]} for question in questions}
    left, chosen = set().union(*tools.values()), []

    def worth(question: dict[str, Any]) -> float:
        cost = len(question["ground_truth"]) + len(question["files"]) / 3
        return len(tools[question["id"]] & left) / cost

    while left:
        chosen.append(max(questions, key=worth))
        left -= tools[chosen[-1]["id"]]
    return chosen


def is_misrecorded(item: PlayedCall) -> bool:
    """Return whether the record itself is at fault: foreign arguments, or a file that nothing wrote."""
    try:
        tool = registry().get(item.call.tool)
    except UnknownTool:
        return False
    parameters = {p.name for p in tool.parameters} | set(tool.parameter_aliases)
    if not set(item.call.arguments) <= parameters | {"output_filename", "output_path"}:
        return True
    missing = {p.name for p in tool.parameters if p.required} - {
        tool.parameter_aliases.get(name, name) for name in item.call.arguments
    }
    if missing - {p.name for p in tool.outputs}:
        return True
    inputs = [value for name, value in item.call.arguments.items() if "output" not in name]
    named = re.findall(r'"([^"]*?\.(?:tif|png|jpe?g)|[^"]*masked [^"]*)"', json.dumps(inputs))
    folders = [value for name, value in item.call.arguments.items() if name == "dir_path"]
    wrong_folder = any(str(item.question) != re.sub(r"\D", "", str(folder)) for folder in folders)
    return wrong_folder or any(Path(name).name not in item.known_files for name in named)


def test_every_call_that_is_rightly_recorded_runs(played_calls):
    wrong = [
        (item.question, item.call.tool, item.observation.text, item.observation.hint)
        for item in played_calls
        if not item.observation.is_success
        and item.observation.error != "BackendMissing"
        and not is_misrecorded(item)
    ]
    # A threshold written as a sentence and a fourth band of three are slips of the record, too.
    slips = [w for w in wrong if "threshold" in w[2] or "band index" in w[2]]
    assert [w for w in wrong if w not in slips] == []
    assert len(slips) <= 3, slips


def test_few_calls_are_refused_and_each_says_what_would_do(played_calls, request):
    # Of short questions more are recorded wrongly.
    limit = 0.09 if request.node.callspec.params["played_calls"] == "all" else 0.1
    own = [item for item in played_calls if item.call.tool not in _MODEL_BACKED]
    refused = [item for item in own if not item.observation.is_success]
    assert len(refused) / len(own) < limit, [(i.question, i.call.tool, i.observation.text) for i in refused]
    assert all(item.observation.kind == "refusal" for item in refused)
    assert [
        i.observation.text
        for i in refused
        if not i.observation.hint and "band index" not in i.observation.text
    ] == []


def test_a_model_backed_tool_runs_or_says_what_it_lacks(played_calls):
    for item in played_calls:
        if item.call.tool in _MODEL_BACKED and not item.observation.is_success and not is_misrecorded(item):
            assert item.observation.error in ("BackendMissing", "InputError", "RasterMissing"), item
            assert item.observation.hint, item
