"""What a reproduction refuses, when its judge is asked, and how ours are said to differ."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from treeline.core.errors import EndpointConfused
from treeline.core.lab.records import Items
from treeline.core.lab.reproduce import reproduction as module
from treeline.core.lab.reproduce.reproduction import (
    Reproduction,
    _differences,
    _judge_of,
    _progress_after,
    estimate_reproduction,
)
from treeline.toolkit.errors import InputError


@pytest.mark.parametrize(("repeats", "right"), [(0, False), (1, True), (2, True)])
def test_a_cell_is_worked_on_once_at_least(repeats: int, right: bool):
    asked = Reproduction("rs-claw", repeats=repeats)
    if right:
        asked.check()
    else:
        with pytest.raises(InputError, match="once or more often, not 0 times"):
            asked.check()


def test_a_judges_model_goes_with_judging_by_language():
    with pytest.raises(InputError, match="plans are judged by rule"):
        Reproduction("htam", judge_model="m").check()
    by_language = Reproduction("htam", models=("one", "two"), judge="language")
    assert by_language.judging_model == "one"
    assert Reproduction("htam", models=("one",), judge="language", judge_model="m").judging_model == "m"
    assert Reproduction("htam", models=("one",)).judging_model == ""


@pytest.mark.parametrize(
    ("failing", "right"), [(-0.1, False), (0, True), (0.5, True), (1, True), (1.1, False)]
)
def test_a_part_of_the_attempts_lies_between_none_and_all(
    failing: float, right: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "_plan", lambda *_: SimpleNamespace(jobs=[]))
    monkeypatch.setattr(module, "_results_of", lambda *_: SimpleNamespace(rows={}))
    wanted = Reproduction("rs-claw")
    if right:
        assert estimate_reproduction(wanted, None, failing)["questions"] == 0
    else:
        with pytest.raises(InputError, match="cannot fail"):
            estimate_reproduction(wanted, None, failing)


def test_progress_goes_on_after_what_is_done_besides():
    told: list[tuple[Any, ...]] = []
    tell = _progress_after(lambda *said: told.append(said), 7)
    assert tell is not None and _progress_after(None, 7) is None
    tell(2, 5, "a pair")
    assert told == [(9, 12, "a pair")]


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        (("a", "b", "m"), False),  # all plans and verdicts are there
        (("a", "b"), True),  # a verdict is missing
        (("a", "m"), True),  # a plan is missing
    ],
)
def test_the_judge_is_reached_while_anything_is_left_to_be_judged(
    known: tuple[str, ...], asked: bool, monkeypatch: pytest.MonkeyPatch
):
    reached: list[object] = []
    monkeypatch.setattr(module, "_endpoint", lambda *_: None)
    monkeypatch.setattr(module, "judge_endpoint", lambda *_: SimpleNamespace(model="j"))
    monkeypatch.setattr(
        module, "_jobs_with", lambda plan, of: [SimpleNamespace(key=key, file="f") for key in "ab"]
    )
    monkeypatch.setattr(module, "matches_of", lambda judge, rows: [SimpleNamespace(key="m")])
    monkeypatch.setattr(module, "choices_of", lambda judge, rows: [])
    monkeypatch.setattr(module, "reachable_judge", lambda *told: reached.append(told))
    monkeypatch.setattr(module, "_tools_of", lambda plan: {})
    rows: Any = {key: {} for key in known}
    assert _judge_of(Reproduction("htam"), SimpleNamespace(), None, rows) is None  # type: ignore[arg-type]
    assert not reached, "the rule asks nobody"
    _judge_of(Reproduction("htam", judge="language"), SimpleNamespace(), None, rows)  # type: ignore[arg-type]
    assert bool(reached) is asked


def job(number: int, bench: str) -> Any:
    return SimpleNamespace(item=SimpleNamespace(id=number), cell=SimpleNamespace(bench=bench), file="f")


@pytest.mark.parametrize(
    ("bench", "data", "rows", "said"),
    [
        ("geoplan", "", [{}, {}], []),
        ("geoplan", "", [{}], ["unfinished: 1 of 2 results"]),
        ("geoplan", "", [{"malformed": 2}, {"malformed": 1}], ["malformed: 3 replies"]),
        ("earth-bench", "d", [{}, {}], ["context: older steps are shortened above 4,000 tokens"]),
        ("earth-bench", "", [{}, {}], ["answers: not scored", "context: older steps"]),
        (
            "earth-bench",
            "d",
            [{"error": EndpointConfused.__name__}, {"error": "Other"}],
            ["context: older steps", "malformed: 1 results are of models"],
        ),
    ],
)
def test_ours_are_said_to_differ_in_questions_answers_context_and_form(
    bench: str, data: str, rows: list[dict[str, Any]], said: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "questions_of", lambda bench, file: Items(range(5)))
    monkeypatch.setattr(module, "bench_options", lambda job: SimpleNamespace(window=8000 + job.item.id))
    found = _differences(Reproduction("htam", data=data), [job(n, bench) for n in range(2)], rows)
    assert found[0] == "questions: 2 of the 5 that are at hand" and len(found) == 1 + len(said)
    assert all(line.startswith(begin) for line, begin in zip(found[1:], said, strict=True))
