"""ThinkGeo's own file: the question is the user's first message, answers are lists of aliases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from treeline.core.cli import main
from treeline.core.engine.actions import Answer
from treeline.core.lab.answers import is_correct
from treeline.core.lab.records import Question, read_questions
from treeline.toolkit.errors import InputError

WHITELIST = {"whitelist": [["3", "three"], ["ships", "vessels"]], "blacklist": [["planes"]]}


def entry(gt_answer: Any, image: str = "image/harbour.png") -> dict[str, Any]:
    call = {"type": "function", "function": {"name": "CountGivenObject", "arguments": {"image": image}}}
    return {
        "tools": [{"name": "CountGivenObject"}],
        "files": [{"type": "image", "path": image}],
        "dialogs": [
            {"role": "user", "content": "How many ships are there?"},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "name": "CountGivenObject", "content": {"type": "text", "content": "3"}},
            {"role": "assistant", "content": "There are 3 ships."},
        ],
        "gt_answer": gt_answer,
        "evaluation": None,
    }


def read(folder: Path, *answers: Any) -> list[Question]:
    file = folder / "ThinkGeoBench.json"
    file.write_text(json.dumps({str(number): entry(answer) for number, answer in enumerate(answers)}))
    return read_questions(file)


def test_questions_images_and_calls(tmp_path: Path) -> None:
    (one,) = read(tmp_path, WHITELIST)
    assert one.id == 0 and one.text("ap") == "How many ships are there?"
    assert one.folder == "image" and one.files == ("harbour.png",) and one.only_files
    assert one.ground_truth[0].tool == "CountGivenObject"
    assert read_questions(tmp_path) == [one]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("There are 3 ships.", True),
        ("Three vessels lie there.", True),
        ("There are 13 ships.", False),
        ("There are 3.5 ships.", False),
        ("There are 3 planes and ships.", False),
        ("There are 3.", False),
    ],
)
def test_an_answer_names_one_alias_of_each_group_and_none_that_is_refused(
    tmp_path: Path, text: str, right: bool
):
    (one,) = read(tmp_path, WHITELIST)
    assert is_correct(one, Answer(text)) is right


@pytest.mark.parametrize("answer", [None, [], ["The image shows a harbour."]])
def test_where_only_a_judge_could_tell_nothing_is_scored(tmp_path: Path, answer: Any) -> None:
    (one,) = read(tmp_path, answer)
    assert is_correct(one, Answer("There are 3 ships.")) is None


def test_no_answer_is_not_right(tmp_path: Path) -> None:
    (one,) = read(tmp_path, WHITELIST)
    assert is_correct(one, None) is False


def test_a_question_without_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "ThinkGeoBench.json"
    file.write_text(json.dumps({"5": {**entry([]), "dialogs": []}}))
    with pytest.raises(InputError, match="Question 5 of ThinkGeo"):
        read_questions(file)


def test_a_lost_image_fails_its_own_question_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "image").mkdir()
    read(tmp_path, WHITELIST)
    arguments = ["--questions", str(tmp_path), "--data", str(tmp_path), "--json"]
    assert main(["bench", "thinkgeo", *arguments]) == 0
    (row,) = json.loads(capsys.readouterr().out)["questions"]
    assert row["status"] == "failed" and "harbour.png" in row["reason"]


def test_a_run_sees_its_own_image_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "image").mkdir()
    for name in ("harbour.png", "other.png"):
        Image.fromarray(np.full((8, 8, 3), 90, "uint8")).save(tmp_path / "image" / name)
    read(tmp_path, WHITELIST)
    arguments = ["--questions", str(tmp_path), "--data", str(tmp_path), "--json"]
    assert main(["bench", "thinkgeo", *arguments]) == 0
    report = json.loads(capsys.readouterr().out)
    (row,) = report["questions"]
    assert "other.png" not in json.dumps(row["calls"]) and report["metrics"]["accuracy"] == 0.0
    # The expert's tools are not among those here: calls cannot be compared.
    assert set(row["scores"].values()) == {None} and report["metrics"]["tool_any_order"] is None


@pytest.mark.parametrize(
    "files",
    [
        ["image/harbour.png"],
        [{"path": "image\\harbour.png"}],
        {"path": "image/harbour.png"},
        [{"type": "image"}],
        None,
    ],
)
def test_files_are_told_in_several_ways(tmp_path: Path, files: Any) -> None:
    file = tmp_path / "ThinkGeoBench.json"
    first = {key: value for key, value in entry(None).items() if key != "gt_answer"}
    file.write_text(json.dumps({"0": first, "1": {**entry(WHITELIST), "files": files}}))
    _, one = read_questions(file)
    assert one.folder == "image" and one.accepted
    assert one.files == (("harbour.png",) if "harbour" in str(files) else ())


def test_questions_of_one_benchmark_are_not_reported_as_those_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read(tmp_path, WHITELIST)
    arguments = ["--questions", str(tmp_path), "--files-only", "--regime", "ap"]
    assert main(["bench", "earth-bench", *arguments]) == 2
    assert "holds questions of thinkgeo, not of earth-bench" in capsys.readouterr().err
