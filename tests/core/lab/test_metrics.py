from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.lab.experience import RunFacts, experience_metrics, wise_score
from treeline.core.lab.intervals import confidence_interval
from treeline.core.lab.metrics import answer_letter, average, efficiency, score_trajectory
from treeline.core.lab.records import Question, ToolCall, read_questions
from treeline.core.lab.reproduce.measures import value_of
from treeline.core.lab.scoring import score_runs
from treeline.toolkit.errors import InputError

calls = st.lists(
    st.builds(
        lambda tool, x: ToolCall(tool=tool, arguments={"x": x}), st.sampled_from("abc"), st.integers(0, 2)
    ),
    max_size=6,
)


def named_calls(text: str) -> list[ToolCall]:
    return [ToolCall(tool=letter) for letter in text]


def test_recorded_scores_come_out_to_the_last_digit(shared: Path) -> None:
    file = shared / "earth_bench" / "scored_runs.jsonl"
    recorded = [json.loads(line) for line in file.read_text().splitlines()]
    runs = score_runs(file)["runs"]
    assert [run["scores"] for run in runs] == [each["scores"] for each in recorded]


def test_in_order_stops_at_the_first_tool_that_is_missing() -> None:
    assert score_trajectory(named_calls("acd"), named_calls("abcd")).tool_in_order == 0.25
    assert score_trajectory(named_calls("xaxbc"), named_calls("abc")).tool_in_order == 1.0
    assert score_trajectory(named_calls("ba"), named_calls("ab")).tool_in_order == 0.5


@given(calls, calls)
def test_the_scores_are_ordered_by_how_strict_they_are(mine: list[ToolCall], theirs: list[ToolCall]) -> None:
    scores = score_trajectory(mine, theirs)
    assert 0 <= scores.parameters <= scores.tool_exact_match <= scores.tool_in_order <= 1
    assert score_trajectory(theirs, theirs).parameters == 1


def test_parameters_are_equal_strictly() -> None:
    mine, theirs = ToolCall(tool="a", arguments={"x": 1}), ToolCall(tool="a", arguments={"x": 1, "y": False})
    assert score_trajectory([mine], [theirs]).parameters == 0
    assert score_trajectory([mine], [theirs]).tool_exact_match == 1


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("so <Answer>C<Answer>", "C"),
        ("<Answer>b</Answer>", "B"),
        ("C", None),
        (None, None),
        ("<Answer>A<Answer> no, <Answer>D<Answer>", "D"),
    ],
)
def test_the_answer_is_read_from_its_tags(text: str | None, letter: str | None) -> None:
    assert answer_letter(text) == letter


def test_efficiency_counts_calls_and_averages_pass_over_what_is_missing() -> None:
    assert efficiency(named_calls("abcd"), named_calls("ab")) == 2
    assert efficiency(named_calls("a"), []) is None
    assert average([{"e": 2.0}, {"e": None}, {"e": 1.0}]) == {"e": 1.5}


def test_wise_score_weighs_the_arguments_along_the_right_prefix() -> None:
    expected = [ToolCall(tool="a", arguments={"x": 1, "y": 2}), ToolCall(tool="b"), ToolCall(tool="c")]
    predicted = [ToolCall(tool="a", arguments={"x": 1, "y": 3}), ToolCall(tool="b"), ToolCall(tool="d")]
    assert wise_score(predicted, expected) == pytest.approx((0.5 + 1) / 3)


def test_experience_metrics_follow_the_paper() -> None:
    runs = [
        RunFacts(named_calls("aab"), named_calls("ab"), correct=True, tokens=900, reflection_tokens=0),
        RunFacts(named_calls("ba"), named_calls("ab"), correct=False, tokens=100, reflection_tokens=100),
    ]
    found = experience_metrics(runs)
    assert (found["any_order"], found["in_order"], found["exact_match"]) == (1.0, 0.5, 0.0)
    assert found["trajectory_redundancy_index"] == 5 / 4
    assert found["token_efficiency"] == pytest.approx(0.5 / 3)
    assert found["experience_density"] == pytest.approx(0.5 * 0.9)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_the_interval_holds_the_mean(values: list[float]) -> None:
    low, high = confidence_interval(values, resamples=200) or (0, 0)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_a_line_that_is_no_question_is_named_and_costs_no_other(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"id": 1, "auto_planning": "?"}\n{"id": 2}\n')
    found = read_questions(file)
    assert [one.id for one in found] == [1] and len(found.unread) == 1 and "Line 2" in found.unread[0]
    file.write_text('{"id": 2}\n')
    with pytest.raises(InputError, match="Line 1"):
        read_questions(file)


def test_outputs_lie_in_the_benchmarks_own_folder() -> None:
    assert Question(id=3, auto_planning="?").output_folder == "benchmark/out/question3"


@pytest.mark.parametrize(("tokens", "efficiency"), [(1, None), (2, 1 / math.log10(2)), (10, 1.0)])
def test_the_efficiency_of_tokens_needs_two_of_them(tokens: int, efficiency: float | None) -> None:
    found = experience_metrics([RunFacts(named_calls("a"), named_calls("a"), correct=True, tokens=tokens)])
    row = {
        "question_id": "1",
        "correct": True,
        "tokens": {"input": tokens, "output": 0},
        "reflection_tokens": 0,
    }
    in_tables = value_of("token_efficiency", [row])["value"]
    expected = None if efficiency is None else pytest.approx(efficiency)
    assert found["token_efficiency"] == expected and in_tables == expected
