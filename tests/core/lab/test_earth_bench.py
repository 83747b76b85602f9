"""Earth-Bench end to end: the published layout with pixels, teams, stop, and a process that is killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from tests.core.lab.published_bench import write_benchmark
from treeline.core.cli import main
from treeline.core.lab import earth_bench
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.earth_bench import run_questions
from treeline.core.lab.earth_bench_run import run_options, work_on
from treeline.core.lab.pooling import work_through
from treeline.core.lab.records import Question, read_questions
from treeline.core.lab.results import Results
from treeline.toolkit.errors import InputError, RasterMissing

ROOT = Path(__file__).resolve().parents[3]
FILES = tuple(f"Lake_2021-0{month}-01_{band}.tif" for month in (5, 6) for band in ("NDVI", "LST"))


def question(number: int) -> Question:
    return Question(
        id=number,
        auto_planning="On which share of the area is TVDI above 0.7 on 2021-05-01?",
        files=FILES,
        ground_truth=(
            {"tool": "compute_tvdi", "output": "0.25"},
            {"tool": "calculate_threshold_ratio", "output": 28.07},
        ),
        choices=("12 %", "28.07 %"),
        answer="B",
    )


@pytest.mark.parametrize("regime", ["ap", "if"])
def test_the_published_layout_is_answered_from_its_pixels(tmp_path: Path, capsys, regime: str) -> None:
    right = write_benchmark(tmp_path)
    file = tmp_path / "benchmark" / "question.json"
    arguments = ["--questions", str(file), "--regime", regime, "--data", str(tmp_path), "--workers", "2"]
    assert main(["bench", "earth-bench", *arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    found = {row["id"]: row for row in report["questions"]}
    assert set(found) == set(right)
    assert {n: row["correct"] for n, row in found.items()} == dict.fromkeys(right, True), found
    assert report["metrics"]["accuracy"] == 1 and report["metrics"]["tool_any_order"] is None
    first = found[1]["calls"][1]["arguments"]
    assert first["file_list"][0] == "benchmark/data/question1/Lake_2021-06-03_LST.tif"


def test_a_question_without_its_folder_fails_alone(tmp_path: Path) -> None:
    write_benchmark(tmp_path)
    here = read_questions(tmp_path)[0]
    lost = here.model_copy(update={"id": "9", "data_dir": "benchmark/data/question9"})
    report = run_questions([here, lost], BenchOptions(data=str(tmp_path), workers=1))
    assert [row["status"] for row in report["questions"]] == ["unverified", "failed"], report
    assert [(row["rounds"], row["refused"]) for row in report["questions"]] == [(1, 0)] * 2
    assert "question9" in report["questions"][1]["reason"] and report["metrics"]["accuracy"] == 0.5
    with pytest.raises(RasterMissing, match="question 9"):
        run_questions([lost], BenchOptions(data=str(tmp_path)))


@pytest.mark.parametrize("team", ["evolver", "layered"])
def test_a_teams_calls_are_those_of_the_variant_that_was_taken(team: str) -> None:
    row = work_on(question(3), BenchOptions(team=team))
    tools = [call["tool"] for call in row["calls"]]
    assert row["status"] == "answered" and tools.count("compute_tvdi") == 1, row["reason"]
    assert row["scores"]["tool_any_order"] == 1.0
    share = next(call for call in row["calls"] if call["tool"] == "calculate_threshold_ratio")
    assert "benchmark/out/question3/tvdi_2021-05-01.tif" in str(share["arguments"]["image_paths"])


def test_memory_is_kept_from_the_answers() -> None:
    options = run_options(question(3), BenchOptions(memory="bench"))
    assert set(options.withheld) == {"0.25", "28.07", "28.07 %"} and options.without == ()
    assert run_options(question(3), BenchOptions()).without == ("memory",)
    assert [run_options(question(3), BenchOptions(rounds=n)).memory for n in (1, 2)] == ["off", "own"]


def test_a_bench_with_memory_uses_what_a_success_taught(tmp_path: Path) -> None:
    options = BenchOptions(team="evolver", memory="bench", record=str(tmp_path / "record.sqlite"))
    report = run_questions([question(3), question(4)], options)
    assert [row["status"] for row in report["questions"]] == ["answered", "answered"]
    from treeline.core.memory.bank import MemoryBank
    from treeline.core.record.store import Store

    items = MemoryBank(Store(tmp_path / "record.sqlite")).items()
    assert any(item.kind == "pattern" and item.uses for item in items)


@pytest.mark.parametrize(("memory", "kept"), [("off", False), ("bench", True)])
def test_a_bench_with_memory_alone_keeps_a_record_of_its_own(monkeypatch, memory: str, kept: bool) -> None:
    given: list[str] = []

    def work_through(questions, job, workers, stop, **how):
        given.append(job.keywords["options"].record)
        return iter(())

    monkeypatch.setattr(earth_bench, "work_through", work_through)
    assert list(earth_bench._work_through([], BenchOptions(memory=memory), None, threading.Event())) == []
    assert [bool(record) for record in given] == [kept]


def test_a_stop_ends_the_bench_and_what_is_done_stays(tmp_path: Path) -> None:
    stop = threading.Event()
    results = Results(tmp_path / "results.jsonl", {})
    questions = [question(number) for number in range(6)]
    report = run_questions(
        questions, BenchOptions(workers=1), results, lambda done, *_: stop.set() if done == 2 else None, stop
    )
    assert len(report["questions"]) == 2 == len(results.rows)
    whole = run_questions(questions, BenchOptions(workers=2), results)
    assert [row["id"] for row in whole["questions"]] == list(range(6))
    # Of the planner: no model was asked, nothing was reflected on, and one round was enough.
    spent = {"rounds": 1, "model_calls": 0, "reflection_tokens": 0}
    for row in whole["questions"]:
        assert spent.items() <= row.items() and row["tokens"] == {"input": 0, "output": 0, "cached": 0}


def test_jobs_in_processes_hear_that_they_are_to_stop() -> None:
    stop = threading.Event()
    found = []
    for result in work_through(range(40), wait_unless_first, 2, stop, threads=False):
        found.append(result)
        stop.set()
    assert "done" in found and "stopped" in found and len(found) < 40


def wait_unless_first(item: int, stop: threading.Event) -> str:
    if item == 0:
        return "done"
    return "stopped" if stop.wait(60) else "not told"


def test_a_bench_goes_on_after_its_process_was_killed(tmp_path: Path) -> None:
    file, results = tmp_path / "questions.jsonl", tmp_path / "results.jsonl"
    file.write_text("".join(question(number).model_dump_json() + "\n" for number in range(5)))
    command = [sys.executable, "-m", "treeline.core.cli", "bench", "earth-bench", "--questions", str(file)]
    command += ["--regime", "ap", "--files-only", "--results", str(results), "--json"]
    started = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert started.stderr is not None
    for line in started.stderr:
        if " of 5 done" in line and not line.startswith("0 "):
            break
    workers = psutil.Process(started.pid).children(recursive=True)
    started.send_signal(signal.SIGKILL)
    started.wait()
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive, "workers outlived the bench"
    kept = len(results.read_text().splitlines()) - 1
    assert 1 <= kept < 5
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    report = json.loads(again.stdout)
    assert [row["id"] for row in report["questions"]] == list(range(5))
    assert all(row["status"] == "answered" for row in report["questions"])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"team": "crowd"}, "team"),
        ({"rounds": 0}, "rounds"),
        ({"memory": "all"}, "memory"),
        ({"workers": 0}, "workers"),
        ({"policy": "oracle"}, "policy"),
        ({"data": "/nowhere"}, "folder"),
    ],
)
def test_options_that_name_nothing_are_refused(changed: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        run_questions([question(1)], BenchOptions(**changed))


def test_the_steps_that_a_bench_allows_are_those_of_a_language_model() -> None:
    allowed = {
        policy: run_options(question(3), BenchOptions(policy=policy, steps=7)).budget.steps
        for policy in ("language", "planner")
    }
    assert allowed["language"] == 7 and allowed["planner"] != 7
