"""A paper's table at a scripted endpoint: estimated, killed in the middle, gone on with, held to a budget."""

from __future__ import annotations

import csv
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.lab.published_bench import write_benchmark
from tests.endpoint import Messages, Refuse, Reply, ScriptedEndpoint, use, use_raw
from treeline.core.cli import main
from treeline.core.lab.records import Question, read_questions
from treeline.toolkit import registry

ROOT = Path(__file__).resolve().parents[4]
LAKE = [f"Lake_{date}_LST.tif" for date in ("2021-06-03", "2021-07-12", "2021-08-20")]
EXPERTS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "1": (("calc_batch_image_mean", {"file_list": LAKE}),),
    "2": (
        ("get_filelist", {"dir_path": "."}),
        ("calculate_threshold_ratio", {"image_paths": "Forest_2021-07-12_NDVI.tif", "threshold": 0.6}),
    ),
}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Two questions with an expert's calls, in a file with one a line."""
    write_benchmark(tmp_path)
    file = tmp_path / "questions.jsonl"
    lines = []
    for question in read_questions(tmp_path)[: len(EXPERTS)]:
        calls = [{"tool": tool, "arguments": given} for tool, given in EXPERTS[str(question.id)]]
        kept = question.model_dump(exclude={"ground_truth"}, mode="json") | {"ground_truth": calls}
        lines.append(json.dumps(kept))
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No endpoint but the one of the test, a home of its own."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "TREELINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))


def as_expert(questions: Path) -> Any:
    """Return a script in which the model opens and calls what the expert called, then answers."""
    known = {q.auto_planning: q for q in read_questions(questions)}
    known |= {q.instruction_following: q for q in read_questions(questions)}

    def script(messages: Messages) -> Reply:
        asked = "\n".join(str(m["content"]) for m in messages if m["role"] == "user")
        question = next(q for text, q in known.items() if text and text in asked)
        system = "\n".join(str(m["content"]) for m in messages if m["role"] == "system")
        return _next(question, sum(m["role"] == "assistant" for m in messages), system + asked)

    return script


def _next(question: Question, number: int, told: str) -> Reply:
    way: list[tuple[str, dict[str, Any]]] = []
    for call in question.ground_truth:
        if f"{call.tool}(" not in told:
            opened = [("skill", {"kit": registry().get(call.tool).kit}), ("doc", {"tool": call.tool})]
            way += [action for action in opened if action not in way]
        way.append(("call", {"tool": call.tool, "arguments": call.arguments}))
    if number < len(way):
        name, arguments = way[number]
        return use(name, **arguments)
    return use("answer", text="It follows.", choice=next(iter(question.answers), "A"), evidence=[len(way)])


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    assert main(["bench", "reproduce", *arguments, "--json"]) == code
    out: dict[str, Any] = json.loads(capsys.readouterr().out)
    return out


def test_without_a_model_the_planner_and_the_floors_are_there(
    questions: Path, alone: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {form: str(tmp_path / f"table.{form}") for form in ("csv", "latex", "report")}
    options = [text for form, file in files.items() for text in (f"--{form}", file)]
    asked = ["--table", "2", "--questions", str(questions), "--data", str(tmp_path), "--limit", "2"]
    report = run(capsys, "rs-claw", *asked, *options)
    assert report["paper"] == "rs-claw" and report["table"] == "2" and report["cost"]["calls"] == 0
    ours = [row for row in report["rows"] if row["kind"] == "ours"]
    assert [tuple(row["setting"].values()) for row in ours] == [
        ("planner", system, regime) for system in ("flat", "rag", "rs-claw") for regime in ("ap", "if")
    ]
    first = ours[0]["ours"]["accuracy"]
    assert first["low"] <= first["value"] <= first["high"] <= 100
    assert {row["setting"]["system"] for row in report["rows"] if row["kind"] == "floor"} == {
        "random",
        "constant",
        "nearest",
    }
    assert "training scores" in report["tuned_on"]
    with open(files["csv"], newline="") as file:
        assert len(list(csv.DictReader(file))) == len(report["rows"])
    assert r"\begin{tabular}" in Path(files["latex"]).read_text()
    page = Path(files["report"]).read_text()
    assert page.count("<svg") == 3 and "http" not in page.replace("http://www.w3.org", "")


def test_an_estimate_is_within_a_tenth_of_what_is_then_asked(
    questions: Path, alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(questions.parent)
    common = ["rs_claw", "--table", "II", "--questions", str(questions), "--models", "m", "--data", data]
    with ScriptedEndpoint(as_expert(questions)) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        prices = ["--price-input", "1", "--price-output", "2"]
        told = run(capsys, *common, "--estimate", *prices)
        assert endpoint.requests == [] and told["price"] > 0 and told["hours"] > 0
        report = run(capsys, *common, *prices)
        made = len(endpoint.requests)
        assert abs(told["calls"] - made) <= 0.1 * made, (told, made)
        assert report["cost"]["calls"] == made
        again = run(capsys, *common, *prices)
        assert len(endpoint.requests) == made and again["rows"] == report["rows"]
        assert run(capsys, *common, "--estimate")["calls"] == 0


def fail_after_calls(questions: Path) -> Any:
    """Return a script that goes the expert's way and then gives a number that no call gave."""
    play = as_expert(questions)

    def script(messages: Messages) -> Reply:
        reply = play(messages)
        if reply.calls and reply.calls[0][0] == "answer":
            return use("answer", text="It is 31415.9 K.", choice="A", evidence=[])
        return reply

    return script


@pytest.mark.sample(2)
@pytest.mark.parametrize("failing", [0, 1])
def test_an_estimate_of_rounds_is_within_a_tenth_for_the_share_that_fails(
    failing: int,
    questions: Path,
    alone: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = str(questions.parent)
    common = ["rsmem", "--table", "2", "--questions", str(questions), "--models", "m", "--data", data]
    with ScriptedEndpoint((fail_after_calls if failing else as_expert)(questions)) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        told = run(capsys, *common, "--estimate", "--failing", str(failing))
        unknown = run(capsys, *common, "--estimate")
        assert (told["failing"], unknown["failing"]) == (failing, 0.5)
        run(capsys, *common)
        made = len(endpoint.requests)
        assert abs(told["calls"] - made) <= 0.1 * made, (told, made)
        assert unknown["range"][0] <= made <= unknown["range"][1]
    assert "cannot fail" in run(capsys, *common, "--estimate", "--failing", "2", code=2)["error"]["message"]


# How a killed bench goes on is tried in test_earth_bench, and of plans in test_plans.
@pytest.mark.soak
def test_a_killed_reproduction_goes_on_to_the_same_rows(
    questions: Path,
    alone: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    common = ["rs-claw", "--table", "II", "--questions", str(questions), "--models", "m"]
    common += ["--workers", "1", "--limit", "1"]
    slowed = threading.Event()
    play = as_expert(questions)

    def script(messages: Messages) -> Reply:
        if slowed.is_set():
            time.sleep(0.05)
        return play(messages)

    with ScriptedEndpoint(script) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        whole = run(capsys, *common, "--results", str(tmp_path / "whole.jsonl"))
        made = len(endpoint.requests)
        slowed.set()
        kept = tmp_path / "killed.jsonl"
        command = [sys.executable, "-m", "treeline.core.cli", "bench", "reproduce", *common]
        process = subprocess.Popen(
            [*command, "--results", str(kept)],
            cwd=ROOT,
            env=os.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        endpoint.wait_for_requests(made + made // 2, 300)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = len(kept.read_text().splitlines())
        assert 1 < before < len((tmp_path / "whole.jsonl").read_text().splitlines())
        slowed.clear()
        resumed = run(capsys, *common, "--results", str(kept))
        assert _scores(resumed) == _scores(whole)
        assert len(endpoint.requests) < 2.7 * made


def _scores(report: dict[str, Any]) -> list[Any]:
    return [
        (row["setting"], row["kind"], row["ours"], row["published"], row["parts"]) for row in report["rows"]
    ]


def test_a_limit_ends_it_and_more_goes_on(
    questions: Path, alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["rs-claw", "--table", "II", "--questions", str(questions), "--models", "m", "--workers", "1"]
    with ScriptedEndpoint(as_expert(questions)) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        some = run(capsys, *common, "--most-calls", "8")
        assert "limit of 8 calls" in some["stopped"] and 8 <= len(endpoint.requests) < 16
        assert some["done"] < some["wanted"]
        rest = run(capsys, *common)
        assert not rest["stopped"] and rest["done"] == rest["wanted"]


def test_questions_are_worked_on_at_once_within_what_the_endpoint_allows(
    questions: Path,
    alone: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    common = ["earth-agent", "--table", "1", "--questions", str(questions), "--models", "m"]
    play, together, numbers = as_expert(questions), threading.Barrier(2), itertools.count()

    def limit_rate(messages: Messages) -> Reply:
        number = next(numbers)
        if number >= 2 and number % 3 == 0:
            return Refuse(429, "slow down", "rate_limit_exceeded", {"Retry-After": "0"})
        # The first of two questions is answered no sooner than the second is asked.
        return replace(play(messages), pause=lambda: together.wait(60)) if number < 2 else play(messages)

    with ScriptedEndpoint(play) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        alone_at_it = run(capsys, *common, "--workers", "1", "--results", str(tmp_path / "one.jsonl"))
    with ScriptedEndpoint(limit_rate) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        report = run(capsys, *common, "--workers", "2", "--results", str(tmp_path / "two.jsonl"))
        refused = len(endpoint.requests) - report["cost"]["calls"]
    assert refused > 0 and report["done"] == report["wanted"] and not together.broken
    assert _scores(report) == _scores(alone_at_it)


@pytest.mark.sample(2)
@pytest.mark.parametrize("status", [401, 404])
def test_an_endpoint_that_refuses_ends_it_and_leaves_no_result(
    questions: Path,
    alone: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    status: int,
) -> None:
    common = ["rs-claw", "--table", "II", "--questions", str(questions), "--models", "m", "--limit", "1"]
    with ScriptedEndpoint(lambda messages: Refuse(status)) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        told = run(capsys, *common, code=2)
    assert told["error"]["type"] == "EndpointUnreachable" and "goes on" in told["error"]["hint"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-paper",), "earth-agent"),
        (("rs-claw", "--table", "99"), "There are II"),
        (("rs-claw", "--models", "m"), "OPENAI_BASE_URL"),
        (("rs-claw", "--table", "2", "--most-price", "1"), "--price-input"),
        (("rs-claw", "--table", "2", "--questions", "nowhere.jsonl"), "nowhere.jsonl"),
        (("rs-claw", "--table", "2", "--data", "nowhere"), "nowhere"),
    ],
)
def test_what_names_nothing_is_said(
    arguments: tuple[str, ...], said: str, alone: None, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run(capsys, *arguments, code=2)["error"]
    assert said in f"{told['message']} {told['hint']}"


@pytest.fixture
def published_archive(tmp_path: Path) -> Path:
    """An archive as it is published, with a question of each part and the data in another folder."""
    entries = {}
    for number in (4, 112, 199):
        data = f"benchmark\\data\\question{number}"
        form = {
            "question": "What is the mean NDVI of the lake?",
            "data": data,
            "gt_answer": {"whitelist": [["A"]]},
        }
        types = ("autonomous planning", "Instruction Following")
        entries[str(number)] = {
            "evaluation": [{"type": type_, **form} for type_ in types],
            "choices": ["0.1", "0.2"],
        }
        folder = tmp_path / "unpacked" / "data" / f"question{number}"
        folder.mkdir(parents=True)
        (folder / "Lake_2021-06-03_NDVI.tif").touch()
    file = tmp_path / "Earth-Agent-main" / "benchmark" / "question.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(entries), encoding="utf-8-sig")
    return tmp_path


def test_each_part_of_the_published_file_has_its_table(
    published_archive: Path, alone: None, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run(capsys, "earth-agent", "--questions", str(published_archive), "--limit", "1", "--estimate")
    assert told["without_model"] == 6, "tables 1 and 8 share a question; 9 and 10 have one of their own"
    for number, question in (("8", "4"), ("9", "112"), ("10", "199")):
        report = run(
            capsys,
            "earth-agent",
            "--table",
            number,
            "--questions",
            str(published_archive),
            "--limit",
            "1",
            "--results",
            str(published_archive / f"{number}.jsonl"),
        )
        kept = (published_archive / f"{number}.jsonl").read_text().splitlines()
        assert {json.loads(line).get("question_id") for line in kept[1:]} == {question}
        assert [row["questions"] for row in report["rows"] if row["kind"] == "ours"] == [1, 1]


def test_a_model_that_talks_nonsense_is_counted_and_told_histories_whole(
    published_archive: Path, alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["--table", "1", "--questions", str(published_archive), "--only", "4", "--models", "m"]
    with ScriptedEndpoint(lambda messages: use_raw(("fly", "{"))) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        report = run(capsys, "earth-agent", *common)
    said = next(row for row in report["rows"] if row["setting"]["model"] == "m")["differences"]
    assert any("2 results are of models that gave no usable action" in text for text in said)
    assert any("shortened above 65,536 tokens" in text for text in said)


def test_tables_of_another_benchmark_are_left_out_and_named(
    published_archive: Path, alone: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """ThinkGeo's table is never made of Earth-Bench's questions."""
    common = [
        "--questions",
        str(published_archive),
        "--limit",
        "1",
        "--results",
        str(published_archive / "kept.jsonl"),
    ]
    report = run(capsys, "rsmem", *common, "--only", "4")
    assert list(report["left_out"]) == ["8"] and "not of thinkgeo" in report["left_out"]["8"]
    assert report["tables"] and "8" not in {row["table"] for row in report["rows"]}
    said = run(capsys, "rsmem", "--table", "8", *common, code=2)["error"]["message"]
    assert "questions of earth-bench" in said
    assert run(capsys, "rsmem", *common, "--only", "999", code=2)["error"]["type"] == "InputError"


def test_a_cell_that_remembers_is_taught_by_its_own_earlier_questions(
    questions: Path, alone: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.jsonl"
    common = ["geoevolver", "--table", "methods", "--questions", str(questions), "--data", str(tmp_path)]
    report = run(capsys, *common, "--results", str(kept))
    ours = {row["setting"]["system"]: row for row in report["rows"] if row["kind"] == "ours"}
    assert ours["GeoEvolver"]["published"]["accuracy"] == 76.56 and ours["single agent"]["published"] == {}
    assert any("does not name" in text for text in ours["GeoEvolver"]["differences"])
    records = list((tmp_path / "kept.jsonl.memory").iterdir())
    assert len([file for file in records if file.suffix == ".sqlite"]) == 1
    assert run(capsys, *common, "--results", str(kept))["rows"] == report["rows"]
