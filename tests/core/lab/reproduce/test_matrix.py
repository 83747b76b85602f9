"""What may still be used of a model."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treeline.core.lab.reproduce import matrix
from treeline.core.lab.reproduce.matrix import Limits, Purse, Spending, run_jobs
from treeline.core.lab.results import Results


@pytest.mark.parametrize(
    ("seconds", "told"), [(3599, ""), (3600, "The limit of 1 hours is reached (1 used).")]
)
def test_an_hour_is_over_after_sixty_minutes(monkeypatch: pytest.MonkeyPatch, seconds: int, told: str):
    purse = Purse(Limits(hours=1), Spending(), began=100.0)
    monkeypatch.setattr(matrix.time, "monotonic", lambda: 100.0 + seconds)
    assert purse.empty == told


def test_tokens_that_were_read_and_written_count_together():
    row = {"model_calls": 2, "tokens": {"input": 60, "output": 40}, "seconds": 1800.0}
    spent = Spending()
    spent.add(row)
    spent.add(row | {"model_calls": 0})
    assert spent.to_json() == {
        "calls": 2,
        "tokens": {"input": 60, "cached": 0, "output": 40},
        "price": None,
        "hours": 0.5,
    }
    assert Purse(Limits(tokens=100), spent).empty.startswith("The limit of 100 tokens is reached")
    assert not Purse(Limits(tokens=101, calls=3), spent).empty


def test_a_limit_that_the_last_question_reached_stops_nothing(tmp_path: Path):
    spent = Spending()
    spent.add({"model_calls": 2, "tokens": {"input": 1, "output": 1}, "seconds": 1.0})
    purse, kept = Purse(Limits(calls=2), spent), Results(tmp_path / "kept.jsonl", {})
    assert purse.empty
    kept.keep({"id": "a"})
    job: Any = SimpleNamespace(key="a")
    assert run_jobs([job], kept, purse).stopped == ""
