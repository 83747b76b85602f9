"""What a reproduction is expected to take, worked out by hand for small cases."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from treeline.core.lab.geoplan.model_planners import MOST_ACTIONS, MOST_STEPS
from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.reproduce import estimate as module
from treeline.core.lab.reproduce.estimate import (
    _KEY_TOOLS,
    _PAIRS,
    _PLANNING,
    FAILING,
    MALFORMED,
    MEASURED,
    SECONDS_A_CALL,
    WRITTEN_A_CALL,
    WRITTEN_A_VERDICT,
    Expectation,
    _assumptions,
    _attempts,
    _expect,
    _measured_spans,
    _of_judge,
    _Shares,
    _shares,
    _team,
    estimate,
)
from treeline.core.lab.reproduce.verdicts import REPLIES
from treeline.core.memory.model_reflection import OWN, REFLECTIONS
from treeline.core.model_settings import ModelSettings
from treeline.core.teams.geoplan.agents import agents

TOOLS = [next(iter(agent["tools"])) for agent in agents().values()]
TASK = PlanningTask.model_construct(id="t", question="Where?", ground_truth=(TOOLS[0], TOOLS[0], TOOLS[1]))
ASKS = next(name for name, style in REFLECTIONS.items() if style.instruction)
ASKS_NOT = next(name for name, style in REFLECTIONS.items() if not style.instruction)


def options(**changes: Any) -> Any:
    common = {
        "rounds": 1,
        "reflection": OWN,
        "team": "solo",
        "variants": 3,
        "without": (),
        "memory": "",
        "data": ("a",),
        "disclosure": "flat",
        "tools": "",
        "needed": (),
    }
    return SimpleNamespace(**common | changes)


def job(key: str, item: Any, cell: str = "c", asks: bool = True, **chosen: Any) -> Any:
    place = SimpleNamespace(key=cell, asks_model=asks)
    return SimpleNamespace(key=key, item=item, cell=place, file="", options=chosen, chosen=options(**chosen))


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "bench_options", lambda job: job.chosen)
    monkeypatch.setattr(module, "_tools_text", lambda file: 1_000)
    monkeypatch.setattr(module, "count_tokens", lambda text: 100)


def test_calls_are_written_and_take_time():
    assert Expectation.of_calls(3, 7) == Expectation(3, 7, 3 * WRITTEN_A_CALL, 3 * SECONDS_A_CALL)


@pytest.mark.parametrize(
    ("planner", "calls", "fewest", "most"),
    [
        ("chain-of-thought", 1, 1, 1),
        ("react", 4, 1, MOST_ACTIONS),  # a call for each tool, and the end
        ("plan-and-execute", 4, 1, 1 + MOST_STEPS),
        ("debate", 10, 10, 10),
        (
            "earthagent",
            5,
            3,
            3 + len(agents()),
        ),  # three layers, and the sub-agents that have tools of the path
        ("earthagent-flat", 3, 1, 1 + len(agents())),
    ],
)
def test_a_planner_asks_as_often_as_its_procedure_says(planner: str, calls: int, fewest: int, most: int):
    procedure = _PLANNING[planner]
    one = job("k", TASK, planner=planner)
    for plans, expected in ((0.0, calls), (1.0, fewest), (0.25, 0.25 * fewest + 0.75 * calls)):
        span = _expect(one, None, _Shares(None, plans))  # type: ignore[arg-type]
        assert span.expected.calls == expected and (span.fewest, span.most) == (fewest, most)
        assert span.expected.read == expected * (1_000 + 100 + procedure.asked)


@pytest.mark.parametrize(
    ("chosen", "failing", "calls", "read"),
    [
        ({}, 0.0, 4, 70),
        ({}, 1.0, 5, 70),  # an answer is sent back once
        ({"rounds": 3, "reflection": ASKS_NOT}, 0.5, 4.5 * 1.75, 70 * 1.75),
        ({"rounds": 3, "reflection": ASKS}, 0.5, 4.5 * 1.75 + 0.5 * 1.75, 70 * 1.75),
        ({"reflection": ASKS}, 1.0, 5, 70),  # one attempt alone is not reflected upon
        ({"team": "evolver"}, 0.0, 3 * 4 + 4, 3 * 70),
        ({"team": "evolver", "memory": "bench"}, 0.0, 3 * 4 + 5, 3 * 70),
    ],
)
def test_attempts_take_the_calls_of_the_way_those_sent_back_and_reflections(chosen, failing, calls, read):
    found = _attempts((4, 70), options(**chosen), failing)
    assert (found.calls, found.read) == (pytest.approx(calls), pytest.approx(read))


def test_a_team_asks_for_its_variants_its_leader_its_judge_and_its_memory():
    assert _team(options()) == (1, 0)
    assert _team(options(team="evolver")) == (3, 4)
    assert _team(options(team="evolver", without=("exploration",))) == (1, 2)
    assert _team(options(team="evolver", memory="bench")) == (3, 5)
    assert _team(options(team="evolver", memory="bench", without=("memory",))) == (3, 4)


def question(*choices: str) -> Any:
    return SimpleNamespace(id="q", choices=choices)


@pytest.mark.parametrize(
    ("chosen", "choices", "attempts", "share"),
    [
        ({}, ("0.5",), None, 0.0),
        ({"rounds": 2}, ("0.5",), None, FAILING),
        ({"rounds": 2}, ("0.5",), 0.2, 0.2),
        ({"rounds": 2, "data": ()}, ("0.5",), None, 1.0),  # without rasters no number follows
        ({"rounds": 2, "data": ()}, ("north",), None, FAILING),
        ({"rounds": 2, "data": ()}, ("0.5",), 0.2, 0.2),
    ],
)
def test_a_question_ranges_from_an_answer_at_once_to_three_times_the_way(chosen, choices, attempts, share):
    one = job("k", question(*choices), **chosen)
    span = _expect(one, lambda item, options: (4, 70), _Shares(attempts, 0.0))  # type: ignore[arg-type]
    assert span.expected == _attempts((4, 70), one.chosen, share)
    assert span.fewest == _attempts((1, 0), one.chosen, 0.0).calls
    assert span.most == 3 * _attempts((4, 70), one.chosen, 1.0).calls


def row(calls: int, **more: Any) -> dict[str, Any]:
    return {"cell": "c", "model_calls": calls, "tokens": {"input": 10 * calls, "output": calls}} | more


# Student's t of two and of three results: 19 of 20 lie within.
T1, T2 = 12.706204736, 4.302652730


def make_known(*calls: int, **more: Any) -> list[tuple[Any, dict[str, Any]]]:
    return [(job(f"k{n}", question()), row(c) | more) for n, c in enumerate(calls)]


def test_what_is_measured_ranges_over_nineteen_of_twenty_sums():
    left, ways = [job(key, question()) for key in "ab"], lambda *_: (4, 70)
    spans, error = _measured_spans(make_known(2, 6, seconds=30.0), left, ways, _Shares(None, 0.0))  # type: ignore[arg-type]
    assert [span.expected for span in spans] == [Expectation(4, 40, 4, 30)] * 2
    assert error == pytest.approx(T1 * math.sqrt(8) * math.sqrt(2**2 / 2 + 2))
    narrow, error = _measured_spans(make_known(4, 4), left, ways, _Shares(None, 0.0))  # type: ignore[arg-type]
    assert (narrow[0].fewest, narrow[0].most, error) == (4, 4, 0)
    (one, _), error = _measured_spans(make_known(50), left, ways, _Shares(None, 0.0))  # type: ignore[arg-type]
    assert (one.expected.calls, one.fewest, one.most) == (50, 1, 50), "one result has no spread"


def test_calls_that_follow_the_experts_way_are_a_multiple_of_it():
    lengths = {"k0": 2, "k1": 4, "k2": 6, "long": 20}

    def ways(item: Any, options: Any) -> tuple[int, int]:
        return lengths[item.id], 70

    def named(name: str) -> Any:
        return job(name, SimpleNamespace(**vars(question()) | {"id": name}))

    done = [(named(name), row(3 * lengths[name])) for name in ("k0", "k1", "k2")]
    spans, error = _measured_spans(done, [named("long")], ways, _Shares(None, 0.0))  # type: ignore[arg-type]
    assert spans[0].expected.calls == spans[0].fewest == spans[0].most == pytest.approx(60)
    assert error == pytest.approx(0)


def test_shares_are_those_given_those_counted_or_those_assumed():
    jobs = [
        job("p1", TASK),
        job("p2", TASK),
        job("q1", question(), rounds=3),
        job("q2", question(), rounds=3),
        job("q3", question()),
        job("q4", question(), rounds=2),
        job("new", question(), rounds=3),
    ]
    assert _shares(jobs, {}, 0.3) == _Shares(0.3, 0.3)
    assert _shares(jobs, {}, None) == _Shares(None, MALFORMED)
    assert _shares(jobs, {"p1": row(0, malformed=1)}, None) == _Shares(None, MALFORMED), "it asked no model"
    rows = {
        "p1": row(1, malformed=1),
        "p2": row(1),
        "q1": row(9, rounds=2, status="answered"),  # one of two failed
        "q2": row(9, rounds=3, status="failed"),  # three of three
        "q3": row(9, status="failed"),  # one attempt alone is not looked at
        "q4": row(9, status="answered"),  # none of one
    }
    assert _shares(jobs, rows, None) == _Shares(4 / 6, 1 / 2)
    assert _shares(jobs, {"q1": row(9, status="answered")}, None).attempts == 0.0
    assert [_Shares(None, 0.0).of(rounds) for rounds in (1, 2)] == [0.0, FAILING]


@pytest.mark.parametrize(("rounds", "said"), [(1, False), (2, True)])
def test_how_many_attempts_fail_is_assumed_where_they_are_made_again(rounds: int, said: bool):
    told = _assumptions([job("q", question(), rounds=rounds)], _Shares(0.25, 0.0), False)
    assert any("25% show a sign of failure" in sentence for sentence in told) is said


def test_an_estimate_adds_up_what_is_left():
    jobs = [
        job("done1", TASK, planner="react"),
        job("done2", TASK, planner="react"),
        job("like", TASK, planner="react"),
        job("new", TASK, "other", planner="debate"),
        job("own", TASK, "own", asks=False),
    ]
    rows = {"done1": row(4, seconds=8.0), "done2": row(6, seconds=16.0)}
    settings = ModelSettings(price_input=2.0, price_output=10.0)
    told = estimate(jobs, rows, settings, 2)
    read = 50 + 10 * (1_000 + 100 + 600)
    assert told["calls"] == 5 + 10
    error = T1 * math.sqrt(2) * math.sqrt(1 / 2 + 1)
    assert told["range"] == [max(round(15 - error), 0), round(15 + error)]
    assert told["tokens"] == {"input": read, "output": 5 + 10 * WRITTEN_A_CALL}
    assert told["price"] == pytest.approx((2 * read + 10 * (5 + 10 * WRITTEN_A_CALL)) / 1e6)
    assert told["hours"] == pytest.approx((12 + 10 * SECONDS_A_CALL) / 3600 / 2)
    assert (told["questions"], told["without_model"], told["done"]) == (2, 1, 2)
    assert told["basis"] == {MEASURED: 1, "the expert's way": 1} and told["failing"] == 0.0
    assert estimate(jobs, rows, ModelSettings(), 0)["hours"] == pytest.approx(2 * told["hours"])


def test_what_cells_may_differ_by_adds_up_as_independent():
    """The range of three cells that are alike is wider than that of one by the root of three."""

    def told(count: int) -> dict[str, Any]:
        jobs = [
            job(f"{cell}{n}", TASK, f"cell{cell}", planner="react") for cell in range(count) for n in range(4)
        ]
        done = {f"{cell}{n}": row(calls) for cell in range(count) for n, calls in enumerate((400, 800, 600))}
        return estimate(jobs, done, ModelSettings(), 1)

    (_, high), (lowest, highest) = told(1)["range"], told(3)["range"]
    assert highest - 3 * 600 == pytest.approx(math.sqrt(3) * (high - 600), rel=0.01)
    assert lowest + highest == 2 * 3 * 600


def test_each_pair_of_plans_needs_a_verdict():
    other = TASK.model_copy(update={"id": "u"})
    jobs = [*(job(f"t{n}", TASK) for n in range(3)), *(job(f"u{n}", other) for n in range(2))]
    spans, _ = _of_judge(_PAIRS, jobs, {}, "j", 0.5)
    assert [span.expected.calls for span in spans] == [REPLIES * 0.75] * (3 + 1), "two without form are alike"
    assert {(span.fewest, span.most) for span in spans} == {(0, REPLIES)}
    length = 1_000 + 100 + 2 * 100
    assert spans[0].expected.read == REPLIES * 0.75 * length
    assert spans[0].expected.written == REPLIES * 0.75 * WRITTEN_A_VERDICT
    assert spans[0].expected.seconds == REPLIES * 0.75 * SECONDS_A_CALL
    assert _of_judge(_PAIRS, [], {}, "j", 0.0) == ([], 0.0)


def test_each_plan_and_the_gold_path_need_a_choice_of_key_tools():
    jobs = [job(f"t{n}", TASK) for n in range(3)]
    spans, _ = _of_judge(_KEY_TOOLS, jobs, {}, "j", 0.0)
    assert [span.expected.calls for span in spans] == [1] * 4
    assert spans[0].expected.read == 1_000 + 100 + 100
    assert sum(span.expected.calls for span in _of_judge(_KEY_TOOLS, jobs, {}, "j", 1.0)[0]) == 1


def test_what_two_tasks_needed_says_how_far_the_others_may_differ(monkeypatch):
    tasks = [TASK.model_copy(update={"id": name}) for name in "abcd"]
    jobs = [job(f"{task.id}{n}", task) for task in tasks for n in range(3)]
    rows = {f"{name}{n}": {"task": name} for name in "ab" for n in range(3)}
    # Of three pairs all differ for the one task, and one for the other; two tasks of three pairs are left.
    needed = {"a": 3, "b": 1}
    monkeypatch.setattr(
        module,
        "matches_of",
        lambda judge, rows: [SimpleNamespace(key=f"m{n}") for n in range(needed[rows[0]["task"]])],
    )
    spans, error = _of_judge(_PAIRS, jobs, rows, "j", 0.5)
    assert sum(span.expected.calls for span in spans) == pytest.approx(REPLIES * (3 + 1 + 2 * 3 * 2 / 3))
    spread = math.sqrt(2) / 3 * REPLIES * 3
    assert error == pytest.approx(module._error_of_sum(spread, 2, 2))


def test_of_a_single_task_that_is_left_it_is_said_too_how_far_it_may_differ(monkeypatch):
    tasks = [TASK.model_copy(update={"id": name}) for name in "abc"]
    jobs = [job(f"{task.id}{n}", task) for task in tasks for n in range(3)]
    rows = {f"{name}{n}": {"task": name} for name in "ab" for n in range(3)}
    monkeypatch.setattr(
        module,
        "matches_of",
        lambda judge, rows: [SimpleNamespace(key=f"m{n}") for n in range({"a": 3, "b": 1}[rows[0]["task"]])],
    )
    _, error = _of_judge(_PAIRS, jobs, rows, "j", 0.5)
    assert error == pytest.approx(module._error_of_sum(math.sqrt(2) / 3 * REPLIES * 3, 2, 1))
    monkeypatch.setattr(module, "matches_of", lambda judge, rows: [])
    assert _of_judge(_PAIRS, jobs[:6], rows, "j", 0.5)[1] == 0, "nothing is left"


def test_of_plans_that_are_there_only_those_that_differ_and_have_no_verdict_are_asked(monkeypatch):
    jobs, plans = [job(f"t{n}", TASK) for n in range(3)], {f"t{n}": {} for n in range(3)}
    monkeypatch.setattr(
        module, "matches_of", lambda judge, rows: [SimpleNamespace(key="m1"), SimpleNamespace(key="m2")]
    )
    spans, _ = _of_judge(_PAIRS, jobs, {**plans, "m1": {}}, "j", 0.5)
    assert [(span.expected.calls, span.fewest, span.most) for span in spans] == [(REPLIES,) * 3]
    told = estimate(jobs, plans, ModelSettings(), 1, jobs, "j")
    assert told["basis"] == {module.VERDICTS: 2} and told["calls"] == 1 + 2 * REPLIES, "it is tried before"
    assert estimate(jobs, {**plans, "m1": {}, "m2": {}}, ModelSettings(), 1, jobs, "j")["calls"] == 0


def test_a_question_that_needs_twice_as_much_takes_twice_of_all():
    assert Expectation(2.0, 300.0, 40.0, 5.0).of(2) == Expectation(4.0, 600.0, 80.0, 10.0)
