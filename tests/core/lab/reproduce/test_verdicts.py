"""Which pairs of plans are judged, and what their verdicts say."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

from treeline.core.lab.reproduce import verdicts
from treeline.core.lab.reproduce.verdicts import (
    ask_judge,
    by_verdict,
    choices_of,
    matches_of,
    put_chosen_scores,
    verdict_key,
)

A, B, C = ("a",), ("b",), ("a", "b")


def plan(task: str, path: tuple[str, ...]) -> dict[str, Any]:
    return {"question_id": task, "question": f"{task}?", "path": list(path)}


def test_each_pair_of_different_plans_for_a_task_is_a_match():
    found = matches_of(
        "j", [plan("t", A), plan("t", B), plan("t", C), plan("t", A), plan("u", A), plan("u", A)]
    )
    assert [(match.task, match.question, match.first, match.second) for match in found] == [
        ("t", "t?", A, C),
        ("t", "t?", A, B),
        ("t", "t?", C, B),
    ]
    assert len({match.key for match in found}) == 3
    assert verdict_key("j", "t", A, B) == verdict_key("j", "t", B, A) != verdict_key("k", "t", A, B)
    assert verdict_key("j", "t", A, B).startswith("verdict | j | t | ")


def test_a_verdict_is_read_from_either_side_and_plans_alike_draw():
    rows = {verdict_key("j", "t", A, B): {"score": 0.75, "plans": [list(B), list(A)]}}
    paths = {("t", "one"): A, ("t", "two"): B, ("t", "three"): C, ("t", "again"): A}
    decide = by_verdict("j", rows, paths)
    assert (decide("t", "two", "one"), decide("t", "one", "two")) == (0.75, 0.25)
    assert decide("t", "one", "again") == 0.5 and decide("t", "one", "three") is None


def test_only_what_has_no_verdict_is_judged_until_the_purse_is_empty(monkeypatch):
    matches = matches_of("j", [plan("t", A), plan("t", B), plan("t", C)])
    kept = SimpleNamespace(rows={matches[0].key: {}})
    kept.keep = lambda row: kept.rows.update({row["id"]: row})
    purse = SimpleNamespace(empty="", spent=SimpleNamespace(add=lambda row: None))
    read: list[tuple[int, ...]] = []
    monkeypatch.setattr(verdicts, "check_read", lambda *counts: read.append(counts))
    monkeypatch.setattr(
        verdicts,
        "_reply",
        lambda match, advisor: {"id": match.key, "cell": "verdict", "question_id": "t", "unread": 1},
    )
    told: list[tuple[int, int, str]] = []
    ended = ask_judge(matches, kept, purse, lambda halt: None, 1, lambda *now: told.append(now))
    assert ended == "" and told == [(2, 3, "verdict on t"), (3, 3, "verdict on t")]
    assert read == [(2, 1), (4, 2), (4, 2, 1)]
    assert ask_judge(matches, kept, purse, lambda halt: None, 1) == "" and len(read) == 3
    del kept.rows[matches[1].key]
    purse.empty = "Nothing is left."
    assert ask_judge(matches, kept, purse, lambda halt: None, 1) == "Nothing is left."
    purse.empty, stop = "", threading.Event()
    stop.set()
    assert ask_judge(matches, kept, purse, lambda halt: None, 1, stop=stop) == "It was stopped."


def test_the_key_tools_of_each_path_are_chosen_once_and_those_of_one_tool_are_it():
    gold = {"ground_truth": ["a", "b", "c"]}
    rows = [plan("t", path) | gold for path in (C, C, ("b",), ("a", "b", "c"), ())]
    asked = choices_of("j", rows)
    assert sorted(choice.path for choice in asked) == [C, ("a", "b", "c")]
    said = {one.key: {"chosen": ["a", "b"] if len(one.path) == 3 else ["b"]} for one in asked}
    scores = [put_chosen_scores("j", said, row)["key_tool_scores"] for row in rows]
    assert [(one["recall"], one["precision"]) for one in scores] == [
        (1, 1),
        (1, 1),
        (0.5, 1),
        (1, 1),
        (0, 0),
    ]


def test_without_a_choice_there_are_no_scores_and_never_those_of_the_proxy():
    row = plan("t", C) | {"ground_truth": ["a", "b", "c"], "key_tool_scores": {"recall": 1.0}}
    gold, own = choices_of("j", [row])
    assert put_chosen_scores("j", {}, row)["key_tool_scores"] == {}
    assert put_chosen_scores("j", {own.key: {"chosen": ["a"]}}, row)["key_tool_scores"] == {}
    said = {gold.key: {"chosen": ["c"]}, own.key: {"chosen": None}}
    assert put_chosen_scores("j", said, row)["key_tool_scores"] == {"recall": 0.0}
