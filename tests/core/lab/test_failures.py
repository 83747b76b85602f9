"""Failures by cause, at the limit below which a plan is a failure."""

from __future__ import annotations

import pytest

from treeline.core.lab.failures import _of_ablation, failure_groups


def plan(similarity: float) -> dict:
    return {"id": "1", "path_similarity": similarity, "path": ["a", "b"], "ground_truth": ["b", "c"]}


@pytest.mark.parametrize(
    ("similarity", "causes"),
    [
        (0.75, []),
        (0.9, []),
        (0.74, ["leaves out c", "adds a"]),
    ],
)
def test_a_plan_is_a_failure_below_three_quarters(similarity: float, causes: list[str]):
    assert [group["cause"] for group in failure_groups("geoplan", [plan(similarity)])] == causes


def call(tool: str, **arguments) -> dict:
    return {"tool": tool, "arguments": arguments}


@pytest.mark.parametrize(
    ("calls", "expected", "cause"),
    [
        ([call("a")], [call("b")], "a instead of b"),
        ([call("a")], [call("a"), call("b")], "ends before b"),
        ([call("a"), call("b")], [call("a")], "goes on with b"),
        ([call("a", x=1, y=2)], [call("a", x=1, y=3)], "other y of a"),
        ([call("a", p=1, q=1, r=1)], [call("a", p=2, q=2, r=2)], "other p, q, r of a"),
        ([call("a", p=1, q=1, r=1, s=1)], [call("a", p=2, q=2, r=2, s=2)], "other p, q, r and others of a"),
        ([call("a")], [call("a")], "wrong answer"),
    ],
)
def test_where_calls_leave_the_experts(calls: list, expected: list, cause: str):
    row = {"id": "7", "status": "answered", "calls": calls, "expected": expected, "correct": False}
    assert failure_groups("earth-bench", [row]) == [{"cause": cause, "count": 1, "questions": ["7"]}]


def test_the_largest_group_comes_first():
    rows = [{**plan(0.1), "id": str(n)} for n in range(3)]
    rows[0] = {**rows[0], "path": ["b"]}
    assert [(g["cause"], g["count"]) for g in failure_groups("geoplan", rows)] == [
        ("leaves out c", 3),
        ("adds a", 2),
    ]


@pytest.mark.parametrize(
    ("right", "status", "causes"),
    [
        (0, "answered", ["off: wrong answer"]),
        (1, "answered", []),
        (None, "declined", ["off: declined"]),
        (None, "failed", ["off: failed: no reply"]),
    ],
)
def test_of_an_ablation_only_what_is_not_right_is_a_failure(right, status: str, causes: list[str]):
    row = {"setting": "off", "measures": {"right": right}, "status": status, "reason": "no reply"}
    assert list(_of_ablation(row)) == causes
