"""Dates chosen by another variable, ratios, averages of the shares that exceed, directions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import bands, lst, ndvi


def dates(demo: Path) -> list[str]:
    return sorted(path.stem.removeprefix("Demo_LST_") for path in demo.glob("Demo_LST_*.tif"))


def mean(values: Array) -> float:
    return float(np.nanmean(values))


def hottest(demo: Path, year: str = "") -> str:
    return max((d for d in dates(demo) if d.startswith(year)), key=lambda d: mean(lst(demo, d)))


def greenest(demo: Path) -> str:
    return max(dates(demo), key=lambda d: mean(ndvi(demo, d)))


def test_a_superlative_names_the_variable(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("On the greenest date, what was the mean LST?", demo))
    assert answer.value == pytest.approx(mean(lst(demo, greenest(demo))), abs=1e-3)


def test_a_plain_question_for_a_date_is_not_split(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("Which date has the highest LST?", demo))
    assert answer.value == pytest.approx(mean(lst(demo, hottest(demo))), abs=1e-3)


DATE = "2022-07-18"


def quotient(demo: Path) -> float:
    found = bands(demo, DATE)
    return mean(found["nir"]) / mean(found["red"])


@pytest.mark.parametrize(
    ("question", "upper"),
    [
        ("By what factor did the mean NDVI change from 2021-04-12 to 2021-06-19?", "2021-06-19"),
    ],
)
def test_a_factor_is_the_later_by_the_earlier(ask: Ask, demo: Path, question: str, upper: str) -> None:
    pair = {"2021-04-12", "2021-06-19"}
    (lower,) = pair - {upper}
    expected = mean(ndvi(demo, upper)) / mean(ndvi(demo, lower))
    assert answer_of(ask(question, demo)).value == pytest.approx(expected, rel=1e-4)


def sides(hot: Array) -> dict[str, int]:
    rows, columns = np.nonzero(hot)
    down, right = rows - (hot.shape[0] - 1) / 2, columns - (hot.shape[1] - 1) / 2
    upright = np.abs(down) > np.abs(right)
    return {
        "north": int(np.sum(upright & (down < 0))),
        "south": int(np.sum(upright & (down > 0))),
        "east": int(np.sum(~upright & (right > 0))),
        "west": int(np.sum(~upright & (right < 0))),
    }
