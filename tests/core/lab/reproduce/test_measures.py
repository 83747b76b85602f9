"""Each metric of the tables against a second implementation, on made-up rows."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from treeline.core.lab.experience import RunFacts, experience_metrics
from treeline.core.lab.records import ToolCall
from treeline.core.lab.reproduce.measures import MEASURES, SLICES, _rare, _tokens, value_of

TOOLS = "abcd"
SCORES = ("tool_any_order", "tool_in_order", "tool_exact_match", "parameters")
Row = dict[str, Any]


def make_up_rows(count: int = 30, seed: int = 3) -> list[Row]:
    lot = random.Random(seed)

    def calls(most: int) -> list[Row]:
        return [
            {"tool": lot.choice(TOOLS), "arguments": {"x": lot.randint(0, 1), "y": 1}}
            for _ in range(lot.randint(1, most))
        ]

    rows = []
    for number in range(count):
        expected = calls(3)
        turns = lot.randint(2, 9)
        rows.append(
            {
                "question_id": str(number),
                "calls": expected if lot.random() < 0.3 else calls(4),
                "expected": expected if number % 5 else None,
                "scores": {name: lot.random() for name in SCORES},
                "efficiency": lot.random(),
                "correct": None if number % 7 == 0 else lot.random() < 0.5,
                "tokens": {"input": lot.randint(900, 5000), "output": lot.randint(10, 90), "cached": 0},
                "context": {"tokens": lot.randint(900, 5000), "turns": turns},
                "reflection_tokens": lot.choice([0, 40]),
                "seconds": lot.random(),
                "tool_seconds": lot.random(),
                "key_tool_scores": {name: lot.random() for name in ("recall", "precision", "f1")},
                "path_similarity": lot.random(),
            }
        )
    return rows


def plain_mean(values: list[float]) -> float:
    return sum(values) / len(values)


def all_tokens(rows: list[Row]) -> float:
    return sum(r["tokens"]["input"] + r["tokens"]["output"] + r["reflection_tokens"] for r in rows)


def accuracy(rows: list[Row]) -> float:
    return plain_mean([float(r["correct"]) for r in rows if r["correct"] is not None])


def results(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["correct"] is not None]


def by_expert(compare: Callable[[list[Row], list[Row]], float]) -> Callable[[list[Row]], float]:
    return lambda rows: plain_mean(
        [compare(r["calls"], r["expected"]) for r in rows if r["expected"] is not None]
    )


def names(calls: list[Row]) -> str:
    return "".join(call["tool"] for call in calls)


def squeeze(calls: list[Row]) -> str:
    text = names(calls)
    for tool in TOOLS:
        while tool * 2 in text:
            text = text.replace(tool * 2, tool)
    return text


def wise(mine: list[Row], theirs: list[Row]) -> float:
    total = 0.0
    for one, other in zip(mine, theirs, strict=False):
        if one["tool"] != other["tool"]:
            break
        keys = {*one["arguments"], *other["arguments"]}
        total += sum(one["arguments"].get(k) == other["arguments"].get(k) for k in keys) / len(keys)
    return total / len(theirs)


SECOND: dict[str, Callable[[list[Row]], float]] = {
    **{name: lambda rows, name=name: plain_mean([r["scores"][name] for r in rows]) for name in SCORES},
    **{
        name: lambda rows, name=name: plain_mean([r[name] for r in rows])
        for name in ("efficiency", "seconds", "path_similarity")
    },
    "seconds_in_tools": lambda rows: plain_mean([r["tool_seconds"] for r in rows]),
    "accuracy": accuracy,
    "tokens_per_question": lambda rows: plain_mean([r["context"]["tokens"] for r in rows]),
    "tokens_per_turn": lambda rows: (
        sum(r["context"]["tokens"] for r in rows) / sum(r["context"]["turns"] for r in rows)
    ),
    "any_order": by_expert(lambda mine, theirs: float(set(names(mine)) == set(names(theirs)))),
    "in_order": by_expert(lambda mine, theirs: float(squeeze(mine) == squeeze(theirs))),
    "exact_match": by_expert(lambda mine, theirs: float(names(mine) == names(theirs))),
    "wise_score": by_expert(wise),
    "trajectory_redundancy_index": lambda rows: (
        sum(len(r["calls"]) for r in rows if r["expected"])
        / sum(len(r["expected"]) for r in rows if r["expected"])
    ),
    "token_efficiency": lambda rows: accuracy(rows) / math.log10(all_tokens(results(rows))),
    "experience_density": lambda rows: (
        accuracy(rows) * (1 - sum(r["reflection_tokens"] for r in results(rows)) / all_tokens(results(rows)))
    ),
    "reflection_share": lambda rows: sum(r["reflection_tokens"] for r in rows) / all_tokens(rows),
    **{
        name: lambda rows, name=name: plain_mean([r["key_tool_scores"][name] for r in rows])
        for name in ("recall", "precision", "f1")
    },
}


def test_every_metric_has_a_second_implementation() -> None:
    assert SECOND.keys() == MEASURES.keys()


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_a_metric_is_what_the_second_implementation_says(name: str) -> None:
    rows = make_up_rows()
    found = value_of(name, rows)
    assert found["value"] == pytest.approx(SECOND[name](rows))
    assert found["low"] is not None and found["high"] is not None
    assert found["low"] <= found["value"] <= found["high"]
    assert value_of(name, rows, percent=True)["value"] == pytest.approx(100 * SECOND[name](rows))


@pytest.mark.parametrize("name", ["accuracy", "tokens_per_turn", "experience_density"])
def test_an_interval_is_that_of_resampled_questions(name: str) -> None:
    rows, lot = make_up_rows(), random.Random(11)
    drawn = sorted(SECOND[name](lot.choices(rows, k=len(rows))) for _ in range(1500))
    found = value_of(name, rows)
    width = drawn[-1] - drawn[0]
    assert found["low"] == pytest.approx(drawn[int(0.025 * 1500)], abs=0.06 * width)
    assert found["high"] == pytest.approx(drawn[int(0.975 * 1500)], abs=0.06 * width)


def test_repeats_of_a_question_do_not_make_it_surer() -> None:
    rows = make_up_rows()
    once, thrice = value_of("accuracy", rows), value_of("accuracy", rows * 3)
    assert thrice == once


def test_what_nothing_is_known_of_is_null() -> None:
    nothing = {"value": None, "low": None, "high": None}
    assert value_of("accuracy", []) == nothing
    assert value_of("accuracy", [{**row, "correct": None} for row in make_up_rows()]) == nothing
    one = value_of("accuracy", make_up_rows()[1:2])
    assert one["value"] is not None and one["low"] is None


def test_without_reflections_all_tokens_are_those_of_the_runs():
    plain = {"question": 1, "correct": True, "tokens": {"input": 60, "output": 40}}
    none, some = ({**plain, "reflection_tokens": count} for count in (0, 25))
    assert _tokens(plain) == _tokens(none) == 100 and _tokens(some) == 125
    assert _tokens({}) == 0


def test_rsmems_metrics_are_those_of_its_own_module() -> None:
    rows = [row for row in make_up_rows() if row["expected"] is not None and row["correct"] is not None]

    def calls(given: list[Row]) -> tuple[ToolCall, ...]:
        return tuple(ToolCall.model_validate(call) for call in given)

    facts = [
        RunFacts(
            calls(r["calls"]),
            calls(r["expected"]),
            r["correct"],
            int(all_tokens([r])),
            r["reflection_tokens"],
        )
        for r in rows
    ]
    for name, value in experience_metrics(facts).items():
        assert value_of(name, rows)["value"] == pytest.approx(value), name


def make_row(tokens: int, reflected: int = 0, correct: int = 1, question: str = "q") -> Row:
    counted = {"input": tokens - reflected, "output": 0}
    return {"question_id": question, "correct": correct, "tokens": counted, "reflection_tokens": reflected}


def test_no_measure_is_made_of_so_few_tokens_that_it_is_without_bounds():
    assert value_of("token_efficiency", [make_row(1)])["value"] is None, "the logarithm of one is nothing"
    assert value_of("token_efficiency", [make_row(100)])["value"] == pytest.approx(1 / 2)
    assert value_of("experience_density", [make_row(0)])["value"] is None
    assert value_of("experience_density", [make_row(1)])["value"] == 1.0
    assert value_of("experience_density", [make_row(100, 25)])["value"] == pytest.approx(0.75)


def test_one_question_has_no_interval_and_two_have_one_in_per_cent():
    alone = value_of("accuracy", [make_row(9), make_row(9, correct=0)])
    assert alone == {"value": 0.5, "low": None, "high": None}
    both = value_of("accuracy", [make_row(9), make_row(9, correct=0, question="r")], percent=True)
    assert both == {"value": 50.0, "low": 0.0, "high": 100.0}
    assert value_of("accuracy", []) == {"value": None, "low": None, "high": None}


@pytest.mark.parametrize(("count", "told"), [(0, "0"), (1, "1"), (2, "2 or more"), (3, "2 or more")])
def test_rare_tools_are_counted_to_two(count: int, told: str):
    assert SLICES["rare tools"]({"ground_truth": [*sorted(_rare())[:count], "no_such_tool"]}) == told
