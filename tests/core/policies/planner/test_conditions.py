"""Any statistic under one or more conditions on other variables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array, read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import lst, ndvi, pixel_km2

DATE = "2022-07-18"


def dem(demo: Path) -> Array:
    return read(demo / "Demo_DEM.tif")


QUESTIONS: list[tuple[str, Callable[[Path], float]]] = [
    (f"median LST where NDVI > 0.6 on {DATE}", lambda d: np.nanmedian(lst(d, DATE)[ndvi(d, DATE) > 0.6])),
    (
        f"standard deviation of LST where NDVI is between 0.4 and 0.6 on {DATE}",
        lambda d: np.nanstd(lst(d, DATE)[(ndvi(d, DATE) >= 0.4) & (ndvi(d, DATE) <= 0.6)]),
    ),
    (
        f"mean LST where NDVI > 0.6 and elevation above 300 m on {DATE}",
        lambda d: np.nanmean(lst(d, DATE)[(ndvi(d, DATE) > 0.6) & (dem(d) > 300)]),
    ),
    (
        f"maximum NDVI where elevation is below 250 m on {DATE}",
        lambda d: np.nanmax(ndvi(d, DATE)[dem(d) < 250]),
    ),
    (
        f"What area in ha has NDVI above 0.6 and elevation above 300 m on {DATE}?",
        lambda d: np.sum((ndvi(d, DATE) > 0.6) & (dem(d) > 300)) * pixel_km2(d) * 100,
    ),
    (
        f"What share of the area has NDVI above 0.6 and elevation above 300 m and LST above 300 K on {DATE}?",
        lambda d: 100 * np.mean((ndvi(d, DATE) > 0.6) & (dem(d) > 300) & (lst(d, DATE) > 300)),
    ),
    (
        f"share of the area with NDVI between 0.4013 and 0.6017 and LST above 305.03 K on {DATE}",
        lambda d: (
            100 * np.mean((ndvi(d, DATE) >= 0.4013) & (ndvi(d, DATE) <= 0.6017) & (lst(d, DATE) > 305.03))
        ),
    ),
    (
        f"90th percentile of LST where NDVI < 0.3 on {DATE}",
        lambda d: np.nanpercentile(lst(d, DATE)[ndvi(d, DATE) < 0.3], 90),
    ),
]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[q for q, _ in QUESTIONS])
def test_conditions(ask: Ask, demo: Path, question: str, expected: Callable[[Path], float]) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(float(expected(demo)), rel=1e-4, abs=1e-3)
    assert "pixels are valid" not in answer.text, "few pixels are what was asked for"


def test_the_conditions_are_named_alike(ask: Ask, demo: Path) -> None:
    text = answer_of(ask(QUESTIONS[5][0], demo)).text
    for part in ("elevation above 300 m", f"LST on {DATE} above 300 K", f"NDVI on {DATE} above 0.6"):
        assert part in text


def test_a_mask_of_a_change_is_called_by_both_of_its_days(ask: Ask, demo: Path) -> None:
    asked = f"Map where NDVI fell by more than 0.1 between 2021-07-22 and {DATE}"
    assert answer_of(ask(asked, demo)).map == f"mask_ndvi_change_2021-07-22T{DATE}.tif"
