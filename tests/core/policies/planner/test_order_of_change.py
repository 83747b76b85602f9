"""A change is the later less the earlier, unless the question says what is taken from what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import lst

EARLIER, LATER = "2021-07-22", "2022-07-18"


def rise(demo: Path) -> float:
    return float(np.nanmean(lst(demo, LATER)) - np.nanmean(lst(demo, EARLIER)))


@pytest.mark.parametrize(
    ("question", "sign"),
    [
        ("mean LST on 2021-07-22 minus mean LST on 2022-07-18", -1),
        ("By how much was 2021-07-22 warmer than 2022-07-18?", -1),
    ],
)
def test_order_of_a_change(ask: Ask, demo: Path, question: str, sign: int) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(sign * rise(demo), abs=2e-3)
    assert f"is {abs(rise(demo)):.2f} K lower than" in answer.text


def first_to_last(demo: Path) -> float:
    return float(np.nanmean(lst(demo, "2022-10-04")) - np.nanmean(lst(demo, "2021-04-12")))
