"""HTAM's tables at a scripted endpoint: each architecture asks as often as was estimated, and is rated."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.core.lab.reproduce.test_reproduce import ROOT, alone, run
from tests.endpoint import Messages, Reply, Say, ScriptedEndpoint
from treeline.core.teams.geoplan.agents import agents

__all__ = ["alone"]

TASKS = [
    {
        "id": str(number), "question": f"Task number {number}: map the {what}.", "ground_truth": path,
        "domain": "Marine & Water Resources", "complexity": complexity,
    }
    for number, (what, path, complexity) in enumerate(
        [
            ("flood", ["download_satellite_imagery", "cloud_mask_removal", "classify_land_cover"], "Simple"),
            ("ships", ["download_satellite_imagery", "crop_image", "generate_analysis_reports"], "Medium"),
        ]
    )
]  # fmt: skip
SYSTEMS = ["CoT", "ReAct", "Plan&Execute", "Debate", "EarthAgent"]


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    file = tmp_path / "tasks.jsonl"
    file.write_text("\n".join(map(json.dumps, TASKS)) + "\n")
    return file


def as_planner(messages: Messages) -> Reply:
    """Reply in the form that is asked for, with the gold path's tools."""
    asked = str(messages[1]["content"])
    last = str(messages[-1]["content"])
    gold = next(task["ground_truth"] for task in TASKS if str(task["question"]) in asked + last)
    return Say(_reply(asked, last, list(gold), sum(m["role"] == "assistant" for m in messages)))


def _reply(asked: str, last: str, gold: list[str], number: int) -> str:
    if (own := re.search(r"You are the sub-agent (\w+)", asked)) is not None:
        return json.dumps([tool for tool in gold if tool in agents()[own[1]]["tools"]])
    if "sub-agents" in asked:
        offered = [name for name in agents() if f"- {name}:" in asked]
        return json.dumps([name for name in offered if set(gold) & set(agents()[name]["tools"])])
    if "Each reply has two lines" in asked:
        return f"Thought: on.\nAction: {[*gold, 'finish'][number]}"
    if "numbered list" in last:
        return "\n".join(f"{place}. Do it." for place in range(1, len(gold) + 1))
    return json.dumps(gold)


def test_the_architectures_are_rated_beside_the_published_values(
    tasks: Path, alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["htam", "--table", "1", "--questions", str(tasks), "--models", "openai/gpt-4o-mini"]
    with ScriptedEndpoint(as_planner) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        told = run(capsys, *common, "--estimate")
        report = run(capsys, *common)
        made = len(endpoint.requests)
    assert abs(told["calls"] - made) <= 0.1 * made and report["cost"]["calls"] == made
    rows = {(row["setting"]["system"], row["setting"]["slice"]): row for row in report["rows"]}
    for system in SYSTEMS:
        row = rows[system, "Overall"]
        assert row["kind"] == "ours" and row["ours"]["recall"]["value"] == 1.0, system
        assert set(row["published"]) == {"recall", "precision", "f1", "path_similarity", "elo"}
        assert not any(text.startswith("model:") for text in row["differences"])
    assert rows["EarthAgent", "Simple"]["published"]["elo"] == 1068.16
    assert rows["AFlow", "Overall"]["kind"] == "published"
    assert rows["random", "Overall"]["ours"]["elo"]["value"] < rows["CoT", "Overall"]["ours"]["elo"]["value"]
    assert "nearest" in {system for system, _ in rows} and "layered" in {system for system, _ in rows}


def test_plans_that_were_killed_go_on_to_the_same_rows(
    tasks: Path, alone: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    common = ["htam", "--table", "3", "--questions", str(tasks), "--models", "m", "--workers", "1"]
    kept = str(tmp_path / "killed.jsonl")

    def slow(messages: Messages) -> Reply:
        time.sleep(0.2)
        return as_planner(messages)

    with ScriptedEndpoint(slow) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        command = [
            sys.executable,
            "-m",
            "treeline.core.cli",
            "bench",
            "reproduce",
            *common,
            "--results",
            kept,
        ]
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        endpoint.wait_for_requests(7, 300)
        process.send_signal(signal.SIGKILL)
        process.wait()
        done = len(Path(kept).read_text().splitlines()) - 1
        resumed = run(capsys, *common, "--results", kept)
        whole = run(capsys, *common, "--results", str(tmp_path / "whole.jsonl"))
    assert 1 <= done < whole["done"] and resumed["done"] == whole["done"]
    assert [row["ours"] for row in resumed["rows"]] == [row["ours"] for row in whole["rows"]]


def test_a_malformed_reply_is_counted_and_no_plan(
    tasks: Path, alone: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    kept = tmp_path / "kept.jsonl"
    with ScriptedEndpoint(lambda messages: Say("I cannot say.")) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        common = ["htam", "--table", "3", "--questions", str(tasks), "--models", "m"]
        report = run(capsys, *common, "--results", str(kept))
    rows = [json.loads(line) for line in kept.read_text().splitlines()[1:]]
    assert {row["malformed"] for row in rows if row["model_calls"]} == {1, 3}
    ours = {row["setting"]["system"]: row["ours"] for row in report["rows"] if row["setting"]["model"] == "m"}
    assert ours["EarthAgent"]["recall"]["value"] == 0
    assert any("malformed" in text for row in report["rows"] for text in row["differences"])
