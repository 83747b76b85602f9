from __future__ import annotations

from types import SimpleNamespace

from treeline.core.lab.context import means_of, replay, replay_questions, row_of
from treeline.core.lab.records import Question
from treeline.core.lab.reports import html_of

NAMES = [f"benchmark/data/question5/Lake_2021-0{month}-01_NDVI.tif" for month in range(1, 7)]
MASKS = [f"benchmark/out/question5/mask_{month}.tif" for month in range(1, 7)]
QUESTION = Question(
    id=5,
    auto_planning="How many dates have a mean NDVI above 0.4?",
    choices=("1", "2"),
    answer="A",
    ground_truth=(
        {"tool": "get_filelist", "arguments": {"dir_path": "benchmark/data/question5"}},
        {
            "tool": "calc_batch_image_mean",
            "arguments": {"file_list": NAMES},
            "output": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        },
        {"tool": "mean", "arguments": {"x": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, "output": 0.35},
        {
            "tool": "calc_batch_image_hotspot_tif",
            "arguments": {"file_list": NAMES, "threshold": 0.4, "output_path_list": MASKS},
        },
        {"tool": "calc_batch_image_mean", "arguments": {"file_list": MASKS}},
    ),
)


def test_every_call_of_the_expert_can_be_made_under_progressive_disclosure() -> None:
    replayed = replay(QUESTION, "progressive")
    assert (replayed.calls, replayed.misses, replayed.refused) == (5, [], 0)
    totals = [turn.total for turn in replayed.ledger.turns]
    assert len(totals) > 6 and min(totals) > 500


def test_flat_takes_fewer_turns_and_many_more_tokens() -> None:
    flat, progressive = (replay_questions([QUESTION], name) for name in ("flat", "progressive"))
    assert flat["turns_per_question"] == 6 < progressive["turns_per_question"]
    assert flat["tokens_per_question"] > 3 * progressive["tokens_per_question"]
    assert flat["hit_rate"] == progressive["hit_rate"] == 1


def test_the_report_tells_how_much_a_strategy_can_save() -> None:
    report = replay_questions([QUESTION], "progressive", way="found")
    tools = report["parts"]["tree"] + report["parts"]["documents"]
    rest = report["tokens_per_question"] - tools
    assert f" {tools:,.0f} (" in report["note"] and f"the other {rest:,.0f} are" in report["note"]
    assert "what a strategy is there to save" in html_of(report | {"bench": "context"})


def test_openings_are_told_as_a_mean_over_the_questions() -> None:
    one, two = (replay_questions([QUESTION] * count, "progressive") for count in (1, 2))
    assert one["openings_per_question"] == two["openings_per_question"] == one["questions"][0]["openings"] > 1


def test_handles_cost_less_than_paths() -> None:
    with_handles, with_paths = (replay(QUESTION, "progressive", handles=h) for h in (True, False))
    assert with_handles.ledger.input < with_paths.ledger.input


def test_retrieval_misses_are_named() -> None:
    question = Question.model_validate(
        {**QUESTION.model_dump(), "ground_truth": ({"tool": "no_such_tool", "arguments": {}},)}
    )
    assert replay(question, "flat").misses == ["no_such_tool"]


def test_adaptive_does_without_the_cards() -> None:
    with_cards, without = (replay_questions([QUESTION], "adaptive", cards=cards) for cards in (True, False))
    assert without["hit_rate"] == with_cards["hit_rate"] == 1
    assert without["turns_per_question"] >= with_cards["turns_per_question"]


def test_the_parts_are_the_tokens_of_a_question() -> None:
    report = replay_questions([QUESTION], "progressive")
    assert sum(report["parts"].values()) == report["tokens_per_question"]
    assert 0 < report["cached_per_question"] < report["tokens_per_question"]


def test_means_are_over_questions_and_over_turns() -> None:
    few = {
        "tokens": 300,
        "cached": 100,
        "turns": 2,
        "calls": 3,
        "hits": 3,
        "refused": 1,
        "parts": {"tree": 300},
    }
    more = {
        "tokens": 900,
        "cached": 300,
        "turns": 4,
        "calls": 5,
        "hits": 1,
        "refused": 2,
        "parts": {"tree": 500},
    }
    assert means_of([few, more]) == {
        "tokens_per_question": 600,
        "cached_per_question": 200,
        "tokens_per_turn": 200,
        "turns_per_question": 3,
        "hit_rate": 0.5,
        "refused": 3,
        "parts": {"tree": 400},
    }
    assert means_of([])["tokens_per_turn"] == 0 and means_of([])["hit_rate"] == 1


def test_a_call_that_fails_for_the_expert_too_is_counted_once() -> None:
    question = Question.model_validate(
        {
            **QUESTION.model_dump(),
            "ground_truth": (
                {"tool": "mean", "arguments": {"x": "no numbers"}},
                {"tool": "mean", "arguments": {"x": [1.0, 2.0]}},
            ),
        }
    )
    replayed = replay(question, "flat")
    assert (replayed.calls, replayed.misses, replayed.refused) == (2, [], 1)


def test_the_means_are_by_question_and_by_turn() -> None:
    row = {"tokens": 60, "cached": 30, "turns": 3, "calls": 4, "hits": 3, "refused": 1, "parts": {}}
    other = {**row, "tokens": 20, "turns": 1, "calls": 1}
    one, both = means_of([row]), means_of([row, other])
    assert (one["tokens_per_question"], one["tokens_per_turn"], one["hit_rate"]) == (60, 20, 0.75)
    assert (both["tokens_per_question"], both["tokens_per_turn"], both["turns_per_question"]) == (40, 20, 2)
    assert means_of([{**row, "turns": 1}])["tokens_per_turn"] == 60
    assert means_of([])["tokens_per_question"] == 0 and means_of([])["hit_rate"] == 1.0


def test_what_was_not_missed_was_a_hit():
    ledger = SimpleNamespace(turns=(), parts=dict)
    replayed = SimpleNamespace(ledger=ledger, calls=5, misses=["mean", "slope"], openings=0, refused=0)
    assert row_of(SimpleNamespace(id=1, modality="rgb"), replayed)["hits"] == 3  # type: ignore[arg-type]
