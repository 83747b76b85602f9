"""Other ways to write dates, decimals, clouds and limits, as analysts in a hurry do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import series
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_slovenia import mean, ndvi


def cloudless(root: Path) -> dict[str, float]:
    """Return the mean NDVI of the clear pixels by date, without dates that have none."""
    masks = series(root / "cloud_mask", "Slovenia_CLM_")
    kept = {date: values[masks[date] == 0] for date, values in ndvi(root).items()}
    return {date: float(np.nanmean(values)) for date, values in kept.items() if values.size}


NDVI: list[tuple[str, Callable[[Path], float]]] = [
    ("What is the mean NDVI on 14.8.16?", lambda r: mean(ndvi(r, "2016-08-14", "2016-08-14"))),
    ("mean NDVI Q3 2016", lambda r: mean(ndvi(r, "2016-07", "2016-09"))),
]


def _variation(values: list[float]) -> float:
    return float(np.std(values, ddof=1) / np.mean(values))


@pytest.mark.parametrize(("question", "expected"), NDVI, ids=[q[0] for q in NDVI])
def test_dates_and_decimals_as_they_are_written(
    ask: Ask, slovenia: Path, question: str, expected: Callable[[Path], float]
) -> None:
    answer = answer_of(ask(question, slovenia / "ndvi"))
    assert answer.value == pytest.approx(expected(slovenia), rel=1e-3)


def test_a_limit_on_the_change_of_a_pixel(ask: Ask, slovenia: Path) -> None:
    question = "Which percent of the area lost more than 0.1 NDVI from 2016-08-14 to 2016-10-23?"
    before, after = (ndvi(slovenia, day, day)[day] for day in ("2016-08-14", "2016-10-23"))
    expected = 100 * np.mean(after - before < -0.1)
    assert answer_of(ask(question, slovenia / "ndvi")).value == pytest.approx(expected, abs=0.02)
