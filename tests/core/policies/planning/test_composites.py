"""Numbers on composites of many dates, ranges, and what is better made by calling a tool."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planning.arrays import Array, series
from tests.core.policies.planning.conftest import Ask, answer_of

QUESTIONS: list[tuple[str, Callable[[Array], float]]] = []


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[q[0] for q in QUESTIONS])
def test_a_number_on_a_composite(
    ask: Ask, slovenia: Path, question: str, expected: Callable[[Array], float]
) -> None:
    dates = np.stack(list(series(slovenia / "ndvi", "Slovenia_NDVI_", "2016", "2016").values()))
    answer = answer_of(ask(question, slovenia / "ndvi"))
    assert answer.value == pytest.approx(expected(dates), abs=1e-5)
    assert "on the map of the dates'" in answer.text


@pytest.mark.parametrize(
    ("question", "tool"),
    [],
)
def test_what_a_tool_makes_is_not_answered_with_something_else(
    ask: Ask, slovenia: Path, question: str, tool: str
) -> None:
    finished = ask(question, slovenia / "ndvi")
    assert finished.status == "declined" and finished.answer is not None
    assert tool in finished.answer.text
