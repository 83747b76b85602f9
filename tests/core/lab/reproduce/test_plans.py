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
from tests.endpoint import Messages, Refuse, Reply, Say, ScriptedEndpoint
from treeline.core.teams.geoplan.agents import agents

__all__ = ["alone"]

TASKS = [
    {
        "id": str(number),
        "question": f"Task number {number}: map the {what}.",
        "ground_truth": path,
        "domain": "Marine & Water Resources",
        "complexity": complexity,
    }
    for number, (what, path, complexity) in enumerate(
        [
            ("flood", ["download_satellite_imagery", "cloud_mask_removal", "classify_land_cover"], "Simple"),
            ("ships", ["download_satellite_imagery", "crop_image", "generate_analysis_reports"], "Medium"),
        ]
    )
]
SYSTEMS = ["CoT", "ReAct", "Plan&Execute", "Debate", "AFlow", "EarthAgent"]


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
    if "agrees best" in asked:
        return "They are alike.\nA"
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
    assert rows["random", "Overall"]["ours"]["elo"]["value"] < rows["CoT", "Overall"]["ours"]["elo"]["value"]
    assert "nearest" in {system for system, _ in rows} and "layered" in {system for system, _ in rows}


def as_judge(messages: Messages) -> Reply:
    """Plan differently in each architecture, and judge the longer plan to be the better one."""
    asked = str(messages[1]["content"])
    if "Reply with A." in asked:
        return Say("A")
    if "indispensable" in asked:
        return Say(json.dumps(json.loads(asked.split("order:\n")[1].split("\n")[0])[-1:]))
    if (shown := re.search(r"Plan A:\n(.*)\n\nPlan B:\n(.*)\n", asked)) is not None:
        first, second = (len(json.loads(text)) for text in shown.groups())
        return Say("tie" if first == second else "A" if first > second else "B")
    if "array" in asked and "Think step by step about what" in asked and "debater" not in asked:
        return Say('["crop_image"]')
    return as_planner(messages)


def test_a_few_tasks_worked_on_first_tell_what_the_rest_takes(
    tasks: Path, alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where every reply lacks its form, as many as the gold plan's are expected, until that is seen."""
    common = ["htam", "--table", "1", "--questions", str(tasks), "--models", "m"]
    with ScriptedEndpoint(lambda messages: Say("I cannot say.")) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        run(capsys, *common, "--limit", "1")
        first = len(endpoint.requests)
        told = run(capsys, *common, "--estimate")
        run(capsys, *common)
        made = len(endpoint.requests) - first
    assert told["calls"] == made and told["range"][0] <= made <= told["range"][1] and told["assumes"] == []


def test_a_model_judges_and_goes_on_where_it_was_lost(
    tasks: Path, alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["htam", "--table", "1", "--questions", str(tasks), "--models", "m", "--limit", "1"]
    common += ["--judge", "language", "--judge-model", "judge"]
    lost = [False]

    def script(messages: Messages) -> Reply:
        return Refuse(401) if lost[0] and "Plan A" in str(messages[1]["content"]) else as_judge(messages)

    with ScriptedEndpoint(script) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        lost[0] = True
        told = run(capsys, *common, code=2)["error"]
        assert told["type"] == "EndpointUnreachable" and "gives no verdict" in told["message"]
        lost[0] = False
        planned = len(endpoint.requests)
        report = run(capsys, *common)
        judged = [r.body for r in endpoint.requests[planned:]]
        # A request whose reply was lost on the way is sent again, and is the same call.
        calls = {json.dumps(body, sort_keys=True) for body in judged}
        assert {body["model"] for body in judged} == {"judge"}
        assert len(calls) == report["spent"]["calls"] + 1
        asked = len(endpoint.requests)
        again = run(capsys, *common)
        assert len(endpoint.requests) == asked
    assert again["rows"] == report["rows"] and again["spent"]["calls"] == 0
    rows = {r["setting"]["system"]: r for r in report["rows"] if r["setting"].get("slice") == "Overall"}
    elo = {name: row["ours"]["elo"]["value"] for name, row in rows.items() if row["kind"] == "ours"}
    assert elo["CoT"] == min(elo.values()) < 1000 < elo["Plan&Execute"], "the longer plan is judged better"
    assert "elo" not in rows["random"]["ours"]
    assert any(text.startswith("Elo: judge judges") for text in rows["CoT"]["differences"])
    assert any(text.startswith("key tools: judge chose") for text in rows["CoT"]["differences"])
    # The last tool of a path is its only key tool: the gold path's alone has it.
    assert rows["CoT"]["ours"]["recall"]["value"] == 0.0 and rows["ReAct"]["ours"]["f1"]["value"] == 1.0
    assert rows["constant"]["ours"]["precision"]["value"] is None, "no model chose of a floor's plan"


def test_a_judge_is_estimated_and_what_it_cannot_judge_is_refused(
    tasks: Path, alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plans = ["htam", "--table", "1", "--questions", str(tasks), "--models", "m"]
    with ScriptedEndpoint(as_judge) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        without = run(capsys, *plans, "--estimate")
        judged = run(capsys, *plans, "--judge", "language", "--estimate")
        # Seven plans of two tasks, each pair in two orders, the key tools of each and of the gold path, and
        # one call that tests the judge.
        assert judged["calls"] == without["calls"] + 2 * 21 * 2 + 2 * 8 + 1
        assert judged["basis"]["verdicts on pairs of plans"] == 42
        assert judged["basis"]["choices of key tools"] == 16
        told = run(capsys, "rs-claw", "--judge", "language", "--models", "m", code=2)["error"]
        assert "Nothing is judged" in told["message"] and endpoint.requests == []


@pytest.mark.soak
def test_plans_that_were_killed_go_on_to_the_same_rows(
    tasks: Path,
    alone: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
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
    tasks: Path,
    alone: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept = tmp_path / "kept.jsonl"
    with ScriptedEndpoint(lambda messages: Say("I cannot say.")) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        common = ["htam", "--table", "3", "--questions", str(tasks), "--models", "m"]
        formed = run(capsys, *common, "--estimate")
        told = run(capsys, *common, "--estimate", "--failing", "1")
        report = run(capsys, *common, "--results", str(kept))
        made = len(endpoint.requests)
    assert told["calls"] == made == formed["range"][0] < formed["calls"] <= formed["range"][1]
    assert any("lack the form" in text for text in formed["assumes"])
    rows = [json.loads(line) for line in kept.read_text().splitlines()[1:]]
    assert {row["malformed"] for row in rows if row["model_calls"]} == {1, 3}
    ours = {row["setting"]["system"]: row["ours"] for row in report["rows"] if row["setting"]["model"] == "m"}
    assert ours["EarthAgent"]["recall"]["value"] == 0
    assert any("malformed" in text for row in report["rows"] for text in row["differences"])
