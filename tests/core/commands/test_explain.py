"""What a question is read as and what would be called, with nothing run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeline.core.cli import main
from treeline.core.runs.asking import ask, run_manager


@pytest.fixture
def explanation(slovenia: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))

    def go(question: str, *options: str) -> dict[str, Any]:
        assert main(["explain", question, "--data", str(slovenia / "ndvi"), *options, "--json"]) == 0
        value: dict[str, Any] = json.loads(capsys.readouterr().out)
        return value

    return go


def test_words_reading_and_plan_are_told_and_nothing_is_run(explanation: Any, tmp_path: Path) -> None:
    value = explanation("Mean NDVI on 2016-08-14")
    assert [word["text"] for word in value["words"]] == ["mean", "ndvi", "on", "2016-08-14"]
    assert set(value["words"][0]) == {"text", "entry", "kind"}
    (reading,) = value["readings"]
    assert reading["read_as"] == "mean over all pixels of NDVI on 2016-08-14"
    assert reading["expression"]["node"] == "Aggregate"
    assert (value["uncovered"], value["offers"]) == ([], [])
    assert "calc_batch_image_mean" in [step["tool"] for step in value["plan"]]
    assert run_manager().store.runs() == [] and not list(tmp_path.rglob("*.tif"))


def test_the_plan_is_what_a_run_begins_with(explanation: Any, slovenia: Path) -> None:
    question = "On which date was the mean NDVI highest?"
    planned = [step["tool"] for step in explanation(question)["plan"]]
    called = [step.name for step in ask(question, [slovenia / "ndvi"]).steps if step.action == "call"]
    assert planned and planned == called[: len(planned)]


def test_what_is_not_covered_is_named_with_offers(explanation: Any) -> None:
    value = explanation("Mean NDVI on 2016-08-14 weighted by cows")
    assert value["uncovered"] == ["weighted by", "cows"]
    assert (value["readings"], value["plan"]) == ([], [])
    assert value["offers"][0]["read_as"].startswith("mean over all pixels of NDVI on 2016-08-14")


def test_a_follow_up_is_explained_after_its_run(explanation: Any, slovenia: Path) -> None:
    run = ask("Mean NDVI in 2016", [slovenia / "ndvi"]).run
    assert "2017" in explanation("and in 2017?", "--after", run)["readings"][0]["read_as"]


def test_people_read_words_reading_and_plan(slovenia: Path, tmp_path: Path, capsys: Any) -> None:
    assert main(["explain", "Mean NDVI on 2016-08-14", "--data", str(slovenia / "ndvi")]) == 0
    said = capsys.readouterr().out
    assert all(part in said for part in ("Words:", "Read as:", "Plan:", "calc_batch_image_mean"))


def test_data_that_are_not_there_are_bad_input(capsys: Any) -> None:
    assert main(["explain", "Mean NDVI", "--data", "/nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
