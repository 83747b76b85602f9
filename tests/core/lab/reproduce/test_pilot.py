"""Which questions are worked on before the rest is estimated."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.reproduce.pilot import FIRST, is_narrow, pilot_turns

COUNT = 40


def jobs_of(cell: str, remembers: bool = False, asks: bool = True, task: bool = False) -> list[Any]:
    place = SimpleNamespace(key=cell, asks_model=asks)
    items = [PlanningTask.model_construct(id=str(n)) if task else n for n in range(COUNT)]
    return [SimpleNamespace(cell=place, item=item, remembers=remembers) for item in items]


def take_turn(turn: list[Any], cell: str) -> list[Any]:
    return [getattr(job.item, "id", job.item) for job in turn if job.cell.key == cell]


def test_turns_grow_to_half_of_each_cell_and_take_others_in_each():
    turns = list(pilot_turns([*jobs_of("a"), *jobs_of("b"), *jobs_of("free", asks=False)]))
    assert len(take_turn(turns[0], "a")) == FIRST and len(take_turn(turns[-1], "a")) == COUNT // 2
    for before, after in zip(turns, turns[1:], strict=False):
        assert set(take_turn(before, "a")) < set(take_turn(after, "a"))
    assert take_turn(turns[0], "a") != take_turn(turns[0], "b") and not take_turn(turns[-1], "free")


def test_a_cell_that_remembers_keeps_its_order_and_plans_are_for_the_same_tasks():
    tasks = [*jobs_of("p", task=True), *jobs_of("q", task=True)]
    first = next(pilot_turns([*jobs_of("m", remembers=True), *tasks]))
    assert take_turn(first, "m") == list(range(FIRST)) and take_turn(first, "p") == take_turn(first, "q")


def test_without_a_model_there_is_nothing_to_find_out():
    assert list(pilot_turns(jobs_of("a", asks=False))) == []


@pytest.mark.parametrize(
    ("calls", "between", "narrow"),
    [(100, [90, 110], True), (100, [89, 105], False), (100, [95, 111], False), (0, [0, 0], True)],
)
def test_a_range_is_narrow_within_a_tenth(calls: int, between: list[int], narrow: bool):
    assert is_narrow({"calls": calls, "range": between}) is narrow
