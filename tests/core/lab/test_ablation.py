from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_slovenia import mean, ndvi
from treeline.core.cli import main
from treeline.core.engine.actions import Answer
from treeline.core.engine.events import RunFinished
from treeline.core.lab.ablation import SETTINGS, AblationOptions, BenchQuestion, _right, run_ablation
from treeline.core.lab.results import Results
from treeline.toolkit.errors import InputError

QUESTIONS = [
    BenchQuestion(question="What is the mean NDVI of each date?"),
    BenchQuestion(question="What is the average NDVI of each date?"),
]


def steps(report, name: str) -> list[float]:
    return [row["measures"]["steps"] for row in rows_of(report, name)]


def rows_of(report, name: str) -> list[dict]:
    return [row for row in report["questions"] if row["setting"] == name]


def test_each_part_that_is_switched_off_shows_in_the_report(bands: Path, tmp_path: Path):
    options = AblationOptions([str(bands)], record=str(tmp_path / "stores"))
    told: list[tuple[int, int]] = []
    report = run_ablation(QUESTIONS, options, progress=lambda done, total, _: told.append((done, total)))
    whole = len(SETTINGS) * len(QUESTIONS)
    assert told == [(done, whole) for done in range(whole + 1)]
    assert list(report["by_setting"]) == list(SETTINGS)
    assert all(row["answered"] == 1 and row["right"] is None for row in report["by_setting"].values())
    assert sum(steps(report, "without exploration")) < sum(steps(report, "full"))
    for name in ("full", "without contrast", "without exploration"):
        first, second = steps(report, name)
        assert second < first / 1.5, "what the first question taught makes the second one shorter"
    first, second = steps(report, "without memory")
    assert first == second


def test_an_ablation_that_was_stopped_goes_on_with_what_is_left(bands: Path, tmp_path: Path):
    options = AblationOptions([str(bands)], variants=1, executors=1, record=str(tmp_path / "stores"))
    kept, stop = Results(tmp_path / "kept.jsonl", {}), threading.Event()
    first = run_ablation(QUESTIONS[:1], options, kept, lambda done, total, _: done and stop.set(), stop)
    assert list(first["by_setting"]) == ["full"]
    before = dict(kept.rows)
    report = run_ablation(QUESTIONS[:1], options, kept)
    assert list(report["by_setting"]) == list(SETTINGS) and len(report["questions"]) == len(SETTINGS)
    assert report["questions"][0] == before["full 1"]


@pytest.mark.parametrize("data", [(), ("/nowhere",)])
def test_an_ablation_needs_rasters(data: tuple[str, ...]):
    with pytest.raises(InputError, match="There is no|No rasters"):
        AblationOptions(data).check()


def test_the_command_measures_on_real_rasters(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    slovenia = shared / "rasters" / "slovenia_sentinel2"
    right = float(mean(ndvi(slovenia, "2016", "2016")))
    high = 100 * float(np.mean(ndvi(slovenia)["2017-07-15"] < 0.5))
    rows = [
        {"question": "What is the mean NDVI of 2016?", "value": right},
        {"question": "share of pixels below an NDVI of 0.5 on 2017-07-15", "value": high},
        {"question": "What is the mean NDVI of 2016?", "choices": ["0.9", f"{right:.2f}"], "choice": "B"},
        {"question": "What is the mean NDVI of 2017?", "value": 0.123},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    arguments = [
        "bench",
        "ablation",
        "--questions",
        str(file),
        "--data",
        str(slovenia / "ndvi"),
        "--variants",
        "1",
    ]
    assert main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    for name in SETTINGS:
        told = report["by_setting"][name]
        assert told["right"] == 0.75
        assert [row["measures"]["right"] for row in rows_of(report, name)] == [1, 1, 1, 0]
        assert told["tokens"] > 1000 and told["seconds"] > 0


@pytest.mark.parametrize("text", ["", '{"value": 1}', "nonsense"])
def test_questions_that_are_none_are_bad_input(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "questions.jsonl"
    file.write_text(text, "utf-8")
    assert main(["bench", "ablation", "--questions", str(file), "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("asked", "answer", "right"),
    [
        (BenchQuestion(question="q", choice="B"), Answer("It is B.", choice="B"), 1.0),
        (BenchQuestion(question="q", choice="B"), Answer("It is A.", choice="A"), 0.0),
        (BenchQuestion(question="q", choice="B"), None, 0.0),
        (BenchQuestion(question="q"), Answer("So."), None),
        (BenchQuestion(question="q", text="Forest"), Answer("It is Forest."), 1.0),
        (BenchQuestion(question="q", text="Forest"), Answer("It is Water."), 0.0),
        (BenchQuestion(question="q", value=100.0), Answer("So.", 101.0), 1.0),  # one in a hundred is let pass
        (BenchQuestion(question="q", value=100.0), Answer("So.", 101.1), 0.0),
        (BenchQuestion(question="q", value=100.0), Answer("So."), 0.0),
        (BenchQuestion(question="q", value=100.0, text="Forest"), Answer("Forest has it.", 100.0), 1.0),
        (BenchQuestion(question="q", value=100.0, text="Forest"), Answer("Water has it.", 100.0), 0.0),
    ],
)
def test_an_answer_is_right_by_its_choice_its_text_and_its_value(
    asked: BenchQuestion, answer: Answer | None, right: float | None
):
    assert _right(RunFinished("answered", answer), asked) == right
