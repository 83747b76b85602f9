from __future__ import annotations

import json

import pytest

from treeline.core.lab.expert import expert_tools_of, expert_trajectories
from treeline.toolkit.errors import InputError

LINE = {
    "id": 1,
    "auto_planning": "What is the mean NDVI of each date?",
    "instruction_following": "List the files. Then average.",
    "ground_truth": [
        {"tool": "get_filelist", "arguments": {"dir_path": "d"}},
        {"tool": "calculate_ndwi", "arguments": {}},
    ],
}


def test_the_tools_of_a_question_are_found_however_it_is_spaced() -> None:
    known = expert_trajectories(json.dumps(LINE).encode(), "mine.jsonl")
    expected = ("get_filelist", "calculate_batch_ndwi")  # the older name of the same tool
    assert expert_tools_of("what is the  mean NDVI of each date?", known) == expected
    assert expert_tools_of("List the files. Then average.", known) == expected
    assert expert_tools_of("Another question?", known) == ()


def test_a_file_without_questions_is_refused() -> None:
    with pytest.raises(InputError):
        expert_trajectories(b"no json at all", "mine.jsonl")
