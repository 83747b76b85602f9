"""What a team is worth: the questions of the bench, its report, and what a person is told of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import rasterio
import yaml
from affine import Affine

from treeline.core.demo import write_demo
from treeline.core.lab.ablation import AblationOptions, BenchQuestion
from treeline.core.lab.worth.bench import (
    EMPTY,
    EXPERIENCED,
    SOLO,
    WAYS,
    run_worth,
    summarise_worth,
    worth_text,
)
from treeline.core.lab.worth.questions import HOT, _Demo, demo_questions
from treeline.core.teams.worth import QUESTIONS, hint_without_model


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worth") / "demo"
    write_demo(folder, size=120)
    return folder


def test_the_questions_have_repeats_opposites_and_neighbours(demo: Path):
    asked = demo_questions(demo)
    assert len(asked) == QUESTIONS >= 60 and len({each.question for each in asked}) == QUESTIONS
    by_question = {each.question: each for each in asked}
    above, below = (
        by_question[f"What share of the area has NDVI {side} 0.6 on {HOT}?"] for side in ("above", "below")
    )
    assert above.value is not None and below.value is not None
    assert above.value + below.value == pytest.approx(100, abs=0.1)
    assert above.value == by_question[f"percentage of the area with NDVI above 0.6 on {HOT}"].value
    assert asked[0].question != asked[len(asked) // 2].question and all(
        each.value is not None for each in asked
    )


def row(way: str, number: int, right: float, known: bool = False) -> dict[str, Any]:
    return {
        "way": way,
        "number": number,
        "question": f"Q{number}",
        "answer": "A",
        "known": known,
        "measures": {"right": right, "answered": 1.0, "steps": 5.0, "elapsed": 1.0, "tokens": 10.0},
    }


def test_a_right_answer_that_a_team_turned_into_a_wrong_one_is_named():
    rows = [
        row(SOLO, 1, 1),
        row(SOLO, 2, 0),
        row(EMPTY, 1, 1),
        row(EXPERIENCED, 1, 0),
        row(EXPERIENCED, 2, 1, True),
    ]
    report = summarise_worth(rows)
    assert [(each["way"], each["question"]) for each in report["spoilt"]] == [(EXPERIENCED, "Q1")]
    by_turn = {name: (found["questions"], found["right"]) for name, found in report["by_turn"].items()}
    assert by_turn == {"known": (1, 1), "new": (1, 0)}
    told = worth_text(report)
    assert "1 right answers were turned into wrong ones." in told and f"spoilt by {EXPERIENCED}: Q1" in told


def test_every_way_works_on_every_question_and_the_repeat_is_known(demo: Path):
    asked = [BenchQuestion(question=text) for text in ("What is the mean elevation?", "average elevation")]
    done: list[tuple[int, int]] = []
    report = run_worth(
        asked, AblationOptions((str(demo),), variants=1), lambda now, of, way: done.append((now, of))
    )
    assert done == [(number, 2 * len(WAYS)) for number in range(1, 2 * len(WAYS) + 1)]
    assert {(each["way"], each["number"]) for each in report["questions"]} == {
        (w, n) for w in WAYS for n in (1, 2)
    }
    assert [each["known"] for each in report["questions"] if each["way"] == EXPERIENCED] == [False, True]
    steps = {way: found["steps"] for way, found in report["by_way"].items()}
    assert steps[EXPERIENCED] < steps[EMPTY] and report["spoilt"] == []


def test_who_chooses_a_team_without_a_model_is_told_what_it_is_worth():
    assert hint_without_model(SOLO) == ""
    for team in ("evolver", "layered"):
        told = hint_without_model(team)
        assert f"{QUESTIONS} questions" in told and "steps instead of" in told


def test_the_answers_are_those_of_the_list(demo: Path):
    listed = yaml.safe_load(Path(__file__).with_name("worth_answers.yaml").read_text("utf-8"))
    asked = demo_questions(demo)
    assert [each.question for each in asked] == list(listed)
    for each, expected in zip(asked, listed.values(), strict=True):
        value, text = expected if isinstance(expected, list) else (expected, "")
        assert each.value == pytest.approx(value, rel=1e-5) and each.text == text
        assert each.tolerance == 5e-4, "neighbours must not pass for one another"


def test_each_band_has_its_own_scale_and_offset(tmp_path: Path):
    shape = {"driver": "GTiff", "height": 1, "width": 2, "count": 2, "dtype": "int16"}
    with rasterio.open(tmp_path / "two.tif", "w", **shape, transform=Affine(10, 0, 0, 0, -10, 0)) as raster:
        raster.write(np.array([[[10, 20]], [[30, 40]]], "int16"))
        raster.scales, raster.offsets = (0.1, 0.5), (1.0, 2.0)
    first, second = (_Demo.read(SimpleNamespace(folder=tmp_path), "two.tif", band) for band in (1, 2))  # type: ignore[arg-type]
    assert first.tolist() == [[2.0, 3.0]] and second.tolist() == [[17.0, 22.0]]
