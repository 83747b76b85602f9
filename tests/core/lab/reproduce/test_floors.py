"""The rows that need no understanding of a question."""

from __future__ import annotations

from treeline.core.lab.records import Question
from treeline.core.lab.reproduce.floors import floor_rows


def question(number: int, text: str, answer: str, *tools: str) -> Question:
    calls = [{"tool": tool, "arguments": {}} for tool in tools]
    return Question.model_validate(
        {
            "id": number,
            "auto_planning": text,
            "ground_truth": calls,
            "choices": ["one", "two", "three"],
            "answer": answer,
        }
    )


ASKED = question(1, "How large is the flooded area of the town?", "A", "calculate_area")
NEAR = question(2, "How large is the flooded area of the valley?", "B", "calc_batch_image_mean", "mean")
FAR = question(3, "On which date was the forest greenest?", "C", "image_statistics")


def calls_of(name: str) -> list[str]:
    rows = dict(floor_rows([ASKED], [ASKED, NEAR, FAR, FAR.model_copy(update={"id": 4})]))
    return [call["tool"] for call in rows[name]["calls"]]


def test_the_nearest_question_is_another_one_and_lends_its_calls() -> None:
    assert calls_of("nearest") == ["calc_batch_image_mean", "mean"]


def test_the_commonest_trajectory_is_that_of_most_other_questions() -> None:
    assert calls_of("constant") == ["image_statistics"]


def test_as_many_tools_are_drawn_as_the_expert_called() -> None:
    assert len(calls_of("random")) == 1 and calls_of("random") == calls_of("random")
