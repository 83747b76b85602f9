"""What the answer says of how the question was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.policies.planning.arrays import read
from tests.core.policies.planning.conftest import Ask, answer_of


@pytest.mark.parametrize(
    ("question", "words"),
    [],
)
def test_ground_that_nothing_tells_is_declined(ask: Ask, demo: Path, question: str, words: str) -> None:
    finished = ask(question, demo)
    assert finished.status == "declined" and finished.answer is not None
    assert f"which pixels belong to \u201c{words}\u201d" in finished.answer.text
    assert "where NDVI > 0.5" in finished.answer.text


@pytest.mark.parametrize(("question", "statistic"), [])
def test_a_raster_of_unknown_role(ask: Ask, shared: Path, question: str, statistic: object) -> None:
    path = shared / "rasters/odd/float_raster_with_nodata.tif"
    answer = answer_of(ask(question, path))
    assert answer.value == pytest.approx(float(statistic(read(path))))  # type: ignore[operator]
    assert "role and its unit are unknown" in answer.text


def test_elevation_has_no_clouds(ask: Ask, demo: Path) -> None:
    assert "loudy" not in answer_of(ask("What is the highest elevation?", demo)).text


@pytest.mark.parametrize(
    ("question", "words"),
    [],
)
def test_what_no_procedure_works_out_is_declined(ask: Ask, demo: Path, question: str, words: str) -> None:
    finished = ask(question, demo)
    assert finished.status == "declined" and finished.answer is not None
    assert words in finished.answer.text and finished.answer.value is None
