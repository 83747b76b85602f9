"""Which part a question is of: read while Treeline was made, set aside then, or unseen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeline.core.lab.parts import LOOKED_AT, SET_ASIDE, UNSEEN, by_part, part_of


@pytest.mark.parametrize(
    ("identifier", "benchmark", "part"),
    [
        (2, "earth-bench", LOOKED_AT),
        ("8", "earth-bench", SET_ASIDE),
        (3, "earth-bench", UNSEEN),  # the rule is one for questions at hand
        ("x", "earth-bench", UNSEEN),
        (8, "thinkgeo", ""),
        ("8", "geoplan", ""),
    ],
)
def test_a_question_is_of_one_part(identifier: int | str, benchmark: str, part: str) -> None:
    assert part_of(identifier, benchmark) == part


def test_rows_are_parted_and_parts_without_a_row_left_out() -> None:
    rows = [{"question_id": "2"}, {"question_id": "3"}, {"question_id": "4"}]
    assert by_part(rows, "earth-bench") == {LOOKED_AT: [rows[0], rows[2]], UNSEEN: [rows[1]]}
    assert by_part(rows, "geoplan") == {}
    assert by_part([{"id": 8}], "earth-bench", "id") == {SET_ASIDE: [{"id": 8}]}


def test_the_questions_at_hand_are_those_beside_the_project(shared: Path) -> None:
    lines = (shared / "earth_bench" / "questions.jsonl").read_text("utf-8").splitlines()
    at_hand = {json.loads(line)["id"] for line in lines}
    assert {number for number in range(1, 249) if part_of(number) != UNSEEN} == at_hand
