"""Readings that are asked back, offers, follow-ups and parts of questions, on real rasters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treeline.core.runs.asking import ask
from treeline.core.runs.result import RunResult

Ask = Callable[..., RunResult]
CLOUDY = "Mean NDVI on 2016-06-05"
CLOUDY_VALUES = (0.66376, 0.68348)


@pytest.fixture
def run_text(slovenia: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))

    def go(question: str, *, clouds: bool = True, **options: object) -> RunResult:
        data = [slovenia / "ndvi", *([slovenia / "cloud_mask"] if clouds else [])]
        return ask(question, data, **options)

    return go


def test_clouds_that_matter_are_asked_about(run_text: Ask) -> None:
    result = run_text(CLOUDY)
    assert (result.status, result.value) == ("asks", None)
    assert [each.number for each in result.readings] == [1, 2]
    assert [each.value for each in result.readings] == ["0.6638", "0.6835"]
    assert "clouds left in" in result.readings[0].read_as
    assert "clouds left in" not in result.readings[1].read_as


@pytest.mark.parametrize("number", [1, 2])
def test_the_reading_that_is_meant_is_answered(run_text: Ask, number: int) -> None:
    result = run_text(CLOUDY, reading=number)
    assert result.status == "answered"
    assert result.value == pytest.approx(CLOUDY_VALUES[number - 1], abs=1e-4)
    assert ("masked out" in (result.read_as or "")) == (number == 2)


def test_nothing_is_asked_where_there_is_no_cloud(run_text: Ask) -> None:
    result = run_text("Mean NDVI on 2016-08-14")
    assert result.status == "answered"
    assert result.read_as == "mean over all pixels of NDVI on 2016-08-14"


def test_a_reading_without_a_pixel_is_no_answer(run_text: Ask) -> None:
    assert run_text("Mean NDVI in July 2016").status == "asks"
    assert run_text("Mean NDVI in July 2016", reading=2).status == "declined"


def test_a_reading_that_nobody_offered_is_refused(run_text: Ask) -> None:
    for question in (CLOUDY, f"{CLOUDY} weighted by cows"):
        result = run_text(question, reading=9)
        assert result.status == "declined" and "no such reading" in (result.answer or "")


def test_an_offer_is_answered_by_its_number(run_text: Ask) -> None:
    question = "Mean NDVI on 2016-08-14 weighted by cows"
    declined = run_text(question)
    assert declined.status == "declined" and "cows" in (declined.answer or "")
    assert declined.readings[0].read_as.startswith("mean over all pixels of NDVI on 2016-08-14")
    accepted = run_text(question, reading=1)
    assert accepted.status == "answered" and accepted.value == pytest.approx(0.73411, abs=1e-4)


def test_an_offer_may_be_asked_back_in_turn(run_text: Ask) -> None:
    question = f"{CLOUDY} weighted by cows"
    result = run_text(question, reading=1)
    assert result.status == "asks"
    numbers = [each.number for each in result.readings]
    assert numbers == [2, 3]
    for number, value in zip(numbers, CLOUDY_VALUES, strict=True):
        assert run_text(question, reading=number).value == pytest.approx(value, abs=1e-4)


def test_a_follow_up_changes_the_question_before(run_text: Ask) -> None:
    first = run_text("Mean NDVI in 2016", clouds=False)
    second = run_text("and in 2017?", clouds=False, after=first.run)
    assert second.status == "answered" and "2017" in (second.read_as or "")
    assert second.value == pytest.approx(0.39329, abs=1e-4)
    assert first.card and second.card and second.card["id"] == first.card["id"]
    assert run_text("and in 2017?", clouds=False).status == "declined"


def test_a_follow_up_of_a_question_about_clouds_asks_as_well(run_text: Ask) -> None:
    result = run_text("and on 2016-06-15?", after=run_text(CLOUDY).run)
    assert result.status == "asks" and all("2016-06-15" in each.read_as for each in result.readings)


def test_a_part_is_carried_out_and_the_rest_named(run_text: Ask) -> None:
    result = run_text("Mean NDVI on 2016-08-14 weighted by cows", partial=True)
    assert result.status == "unverified" and result.value == pytest.approx(0.73411, abs=1e-4)
    for said in (result.answer, result.reason):
        assert "weighted" in (said or "") and "cows" in (said or "")
