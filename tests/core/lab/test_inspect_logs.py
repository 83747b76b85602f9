"""Tasks, runs and scores in the form of Inspect's logs."""

from __future__ import annotations

import json
import os
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.core.lab.published_bench import write_benchmark
from tests.rasters import write_raster
from treeline.core.cli import main
from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.inspect_logs import _epoch, _sample, _target
from treeline.core.runs.asking import ask
from treeline.core.runs.exports.inspect_log import Sample, inspect_log

SETTING = "TREELINE_INSPECT_PYTHON"
READ = "import sys; from inspect_ai.log import read_eval_log; [read_eval_log(file) for file in sys.argv[1:]]"


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "TREELINE_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    write_benchmark(tmp_path)
    return tmp_path


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    file = tmp_path / "tasks.jsonl"
    task = {"id": "1", "question": "Map the flood.", "ground_truth": ["crop_image", "format_data"]}
    file.write_text(json.dumps(task) + "\n")
    return file


def bench(*arguments: str) -> None:
    assert main(["bench", *arguments, "--json"]) == 0


def read(file: Path) -> dict[str, Any]:
    """Read a log, and hold it against what every log has."""
    log: dict[str, Any] = json.loads(file.read_text("utf-8"))
    assert log["version"] == 2 and log["status"] == "success"
    assert {"created", "task", "dataset", "model", "config"} <= log["eval"].keys()
    for sample in log["samples"]:
        assert sample["epoch"] == 1
        assert {"id", "epoch", "input", "target", "messages", "output", "scores"} <= sample.keys()
        assert [m["role"] for m in sample["messages"]][:1] == ["user"]
        asked = {c["id"] for m in sample["messages"] for c in m.get("tool_calls", ())}
        assert {m["tool_call_id"] for m in sample["messages"] if m["role"] == "tool"} <= asked
    return log


def test_a_repeat_of_a_question_is_an_epoch() -> None:
    assert [_epoch({"id": identifier}) for identifier in (7, "7", "7 #3")] == [1, 1, 3]


def test_a_bench_becomes_a_log_with_targets_and_means(benchmark: Path, capsys: Any) -> None:
    target = benchmark / "log.json"
    some = ["--regime", "ap", "--data", str(benchmark), "--only", "1", "2"]
    bench("earth-bench", "--questions", str(benchmark), *some, "--inspect", str(target))
    report, log = json.loads(capsys.readouterr().out), read(target)
    assert log["eval"]["model"] == "treeline/planner" and "training" in log["eval"]["task_args"]["tuned_on"]
    samples = {sample["id"]: sample for sample in log["samples"]}
    for row in report["questions"]:
        sample = samples[str(row["question_id"])]
        calls = [call for m in sample["messages"] for call in m.get("tool_calls", ())]
        assert [call["function"] for call in calls] == [call["tool"] for call in row["calls"]]
        assert sample["scores"]["accuracy"]["value"] == float(row["correct"])
        assert sample["target"] in "ABCD" and len(sample["choices"]) >= 3
    means = {score["name"]: score["metrics"]["mean"]["value"] for score in log["results"]["scores"]}
    assert means["accuracy"] == pytest.approx(report["metrics"]["accuracy"])


def test_plans_of_several_planners_become_a_log_each(tasks: Path, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    planners = ["--planner", "layered", "--planner", "template"]
    bench("geoplan", "--tasks", str(tasks), *planners, "--inspect", str(folder))
    logs = [read(file) for file in folder.iterdir()]
    assert {log["eval"]["model"] for log in logs} == {"treeline/layered", "treeline/template"}
    assert json.loads(logs[0]["samples"][0]["target"]) == ["crop_image", "format_data"]


def test_a_papers_table_becomes_a_log_for_each_cell(tasks: Path, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    bench("reproduce", "htam", "--table", "2", "--questions", str(tasks), "--inspect", str(folder))
    (file,) = folder.iterdir()
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*htam-layered", file.name)
    assert read(file)["eval"]["task_args"]["paper"] == "htam"


def test_a_run_becomes_a_log_with_its_steps(tmp_path: Path) -> None:
    folder = tmp_path / "rasters"
    folder.mkdir()
    write_raster(folder / "Lake_NDVI_2021-06-03.tif", np.full((8, 8), 0.25, "float32"))
    asked = ask("What is the mean NDVI?", [folder])
    assert main(["export", asked.run, "--as", "inspect", "--out", str(tmp_path / "run.json")]) == 0
    (sample,) = read(tmp_path / "run.json")["samples"]
    assert sample["scores"]["status"]["value"] == "answered" and "0.25" in sample["messages"][-1]["content"]
    assert [m["role"] for m in sample["messages"]].count("tool") == len(asked.steps) - 1


def test_tokens_and_errors_are_told() -> None:
    tokens = {"input": 100, "output": 10, "cached": 60}
    samples = [Sample("1", "?", tokens=tokens), Sample("2", "?", error="No endpoint.")]
    log = inspect_log("task", "m", samples, datetime(2026, 1, 1, tzinfo=UTC), "9", status="error")
    usage = log["stats"]["model_usage"]["m"]
    assert usage["total_tokens"] == 110 and usage["input_tokens_cache_read"] == 60
    assert log["error"]["message"] == "No endpoint." and log["results"]["completed_samples"] == 1
    assert log["eval"]["created"].startswith("2026-01-01T") or log["eval"]["created"].startswith(
        "2025-12-31T"
    )


@pytest.mark.skipif(not os.environ.get(SETTING), reason=f"{SETTING} names no Python with inspect_ai")
def test_inspect_reads_the_logs(benchmark: Path, tasks: Path) -> None:
    target = benchmark / "log.json"
    twice = ["--regime", "if", "--data", str(benchmark), "--repeats", "2"]
    bench("earth-bench", "--questions", str(benchmark), *twice, "--inspect", str(target))
    bench("reproduce", "htam", "--table", "1", "--questions", str(tasks), "--inspect", str(benchmark / "l"))
    files = [str(target), *map(str, (benchmark / "l").iterdir())]
    told = subprocess.run(
        [os.environ[SETTING], "-c", READ, *files], capture_output=True, text=True, check=False, env={}
    )
    assert told.returncode == 0, told.stderr


def test_what_is_right_is_told_as_it_is_scored():
    def question(answers: tuple[str, ...], *groups: tuple[str, ...]) -> Any:
        return SimpleNamespace(answers=answers, accepted=groups)

    assert _target(question(("B",))) == "B" and _target(question(("B", "C"))) == ["B", "C"]
    assert _target(question((), ("lake", "water"), ("sea",))) == ["lake", "water", "sea"]
    assert _target(question(())) == ""


def test_a_plan_becomes_a_sample_with_its_scores():
    task = PlanningTask.model_construct(
        id=7, question="Where?", ground_truth=("a",), domain="d", complexity="c"
    )
    row = {"id": "7", "path": ["a"], "path_similarity": 0.5, "key_tool_scores": {"f1": 1.0}}
    sample = _sample(row, task, 2)
    assert (sample.id, sample.epoch, sample.seconds, sample.error) == ("7", 2, 0.0, "")
    assert sample.scores == {"path_similarity": 0.5, "f1": 1.0}
    assert _sample(row | {"seconds": 3, "status": "failed", "reason": "no"}, task, 1).error == "no"
