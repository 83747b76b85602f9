"""The one form in which a run leaves the engine, made from its row and its events."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.rasters import write_lake
from treeline.core.commands.answering import outcome_of
from treeline.core.engine.actions import (
    Answer,
    AnswerPart,
    Call,
    Observation,
    ProductRecord,
    Reading,
    Skill,
    TokenUse,
)
from treeline.core.engine.events import (
    DecisionAwaited,
    DecisionGiven,
    Event,
    Note,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    ending,
    from_json,
    to_json,
)
from treeline.core.engine.journal import record_event
from treeline.core.record.store import Store
from treeline.core.runs.asking import ask
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.runs.result import SCHEMA, RunResult, schema, schema_text
from treeline.toolkit.errors import InputError

# As the command line's contract has them.
ALWAYS = {
    "version",
    "run",
    "workspace",
    "state",
    "question",
    "read_as",
    "expression",
    "answer",
    "value",
    "unit",
    "choice",
    "status",
    "evidence",
    "problems",
    "steps",
    "tokens",
    "products",
    "map",
    "parts",
    "readings",
    "faults",
    "area_of_interest",
}
OF_A_KIND = {"rounds", "members", "sub_goals", "verdicts", "happened"}

WROTE = Observation(
    "result", "wrote 1", value=["ndvi.tif"], products=(ProductRecord("ndvi.tif", "/p/ndvi.tif", "ndvi", "1"),)
)
ANSWER = Answer(
    "It is 0.4.", 0.4, "1", "B", (2,), read_as="the mean NDVI", expression={"a": 1}, map="ndvi.tif"
)
TWO = (Reading(1, "the mean of all dates", "0.4"), Reading(2, "the latest date", "0.5"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def record_run(store: Store, *events: Event, status: str = "running", policy: str = "planner") -> RunResult:
    store.create_run("r", "lake", "Q?", RunOptions(choices=("0.1", "0.4"), policy=policy).to_json())
    for event in events:
        record_event(store, "r", event)
    store.set_status("r", status)
    return run_result(store, "r")


def steps_to(answer: Answer) -> tuple[Event, ...]:
    return (
        RunStarted("Q?", ("0.1", "0.4"), problems={"bad.tif": "It is cut off."}),
        StepStarted(1, Skill("Index"), "look", TokenUse(100, 10)),
        StepFinished(1, Observation("information", "tools"), 0.1),
        StepStarted(2, Call("ndvi", {"x": 1})),
        StepFinished(2, replace(WROTE, arguments={"x": [1]}), 0.2),
        StepStarted(3, answer),
        StepFinished(3, Observation("information", "answered"), 0.0),
        ending(answer),
    )


def test_an_answered_run_has_every_field(store):
    result = record_run(store, *steps_to(ANSWER), status="answered")
    told = result.to_json()
    assert told.keys() >= ALWAYS and not told.keys() & OF_A_KIND
    expected = {
        "version": 1,
        "run": "r",
        "workspace": "lake",
        "state": "ended",
        "question": "Q?",
        "choices": ["0.1", "0.4"],
        "read_as": "the mean NDVI",
        "expression": {"a": 1},
        "answer": "It is 0.4.",
        "value": 0.4,
        "unit": "1",
        "choice": "B",
        "status": "answered",
        "reason": "",
        "evidence": [2],
        "problems": {"bad.tif": "It is cut off."},
        "tokens": {"input": 100, "output": 10},
        "card": None,
        "products": ["/p/ndvi.tif"],
        "map": "/p/ndvi.tif",
        "parts": [],
        "readings": [],
    }
    assert told | expected == told
    assert [(step["action"], step["name"]) for step in told["steps"]] == [
        ("skill", "Index"),
        ("call", "ndvi"),
        ("answer", "answer"),
    ]
    assert told["steps"][1]["arguments"] == {"x": 1}
    assert told["steps"][1]["observation"]["arguments"] == {"x": [1]}
    assert RunResult.model_validate(told) == result


def test_before_the_end_what_comes_later_is_null(store):
    told = record_run(store, *steps_to(ANSWER)[:4]).to_json()
    for name in ("status", "answer", "value", "choice", "read_as", "expression", "map"):
        assert told[name] is None, name
    assert told["state"] == "running" and told["evidence"] == told["parts"] == told["readings"] == []
    assert [step["number"] for step in told["steps"]] == [1]


@pytest.mark.parametrize(
    ("status", "policy", "events", "state"),
    [
        ("waiting", "planner", (), "queued"),
        ("running", "planner", (), "running"),
        ("running", "planner", steps_to(ANSWER)[:3], "running"),
        ("running", "person", (*steps_to(ANSWER)[:3], DecisionAwaited(2)), "waiting"),
        (
            "running",
            "person",
            (*steps_to(ANSWER)[:3], DecisionAwaited(2), DecisionGiven(2, Skill("Index"))),
            "running",
        ),
        ("running", "person", (*steps_to(ANSWER)[:3], DecisionAwaited(2), *steps_to(ANSWER)[3:4]), "running"),
        ("running", "planner", (*steps_to(ANSWER)[:3], DecisionAwaited(2, Call("mean"))), "waiting"),
        ("stopped", "person", (*steps_to(ANSWER)[:3], DecisionAwaited(2)), "ended"),
    ],
)
def test_the_state_follows_from_the_record(store, status, policy, events, state):
    assert record_run(store, *events, status=status, policy=policy).state == state


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Answer("A"), "answered"),
        (Answer("A", unverified="No step gave 3."), "unverified"),
        (Answer("Which?", readings=TWO), "asks"),
        (Answer("No.", declined=True), "declined"),
        (Answer("No, but", declined=True, readings=TWO), "declined"),
        (Answer("A", parts=(AnswerPart("a", "1"), AnswerPart("b", "2"))), "answered"),
        (Answer("A", parts=(AnswerPart("a", "1"), AnswerPart("b", "no", status="declined"))), "unverified"),
        (Answer("A", parts=(AnswerPart("a", "no", status="declined"),) * 2), "declined"),
    ],
)
def test_how_a_run_ends_follows_from_its_answer(store, answer, status):
    finished = ending(answer)
    assert finished.status == answer.status == status
    assert answer.answers == (status in ("answered", "unverified"))
    assert bool(finished.reason) == (status == "unverified")
    result = record_run(store, *steps_to(answer), status=finished.status)
    assert (result.status, result.state) == (status, "ended")
    assert tuple(result.readings) == answer.readings and tuple(result.parts) == answer.parts
    assert from_json(to_json(finished)) == finished


def test_what_is_asked_back_is_printed_with_how_to_choose(store):
    outcome = outcome_of(record_run(store, *steps_to(Answer("Which?", readings=TWO)), status="asks"))
    assert outcome.code == 0 and "--reading 2: the latest date" in outcome.text
    assert outcome.value["readings"][0] == {"number": 1, "read_as": "the mean of all dates", "value": "0.4"}


def test_an_interrupted_run_has_stopped_and_says_how_it_goes_on(store):
    result = record_run(store, *steps_to(ANSWER)[:4], status="interrupted")
    assert (result.state, result.status, result.answer) == ("ended", "stopped", None)
    assert "resumed" in result.reason


def test_a_failed_run_tells_why_and_is_exit_code_1(store):
    result = record_run(store, RunStarted("Q?"), RunFinished("failed", reason="No time."), status="failed")
    outcome = outcome_of(result)
    assert (outcome.code, outcome.value["status"]) == (1, "failed")
    assert outcome.text.startswith(
        "No time.\nRun: r (treeline resume r goes on; --steps, --tokens or --money"
    )


def test_a_run_resumed_after_its_end_has_no_status(store):
    result = record_run(store, RunStarted("Q?"), RunFinished("failed", reason="No time."), status="running")
    assert (result.state, result.status, result.reason) == ("running", None, "")


def test_a_number_that_is_none_leaves_as_null(store):
    odd = Observation("result", "so", value=[math.nan, math.inf, 1.0])
    events = (RunStarted("Q?"), StepStarted(1, Call("mean")), StepFinished(1, odd, 0.0))
    told = record_run(store, *events, Note("so")).to_json()
    assert json.loads(json.dumps(told, allow_nan=False))["steps"][0]["observation"]["value"] == [
        None,
        None,
        1.0,
    ]


def test_events_of_earlier_versions_still_load():
    start = '{"question": "Q?", "choices": [], "context": {}, "kind": "run_started"}'
    end = (
        '{"status": "answered", "reason": "", "kind": "run_finished", "answer": {"text": "A", "value": 1.0, '
        '"unit": "", "choice": null, "evidence": [1], "declined": false, "kind": "answer"}}'
    )
    assert from_json(start) == RunStarted("Q?")
    assert from_json(end) == RunFinished("answered", Answer("A", 1.0, evidence=(1,)))


def test_there_is_no_result_without_a_run(store):
    with pytest.raises(InputError, match="no-such"):
        run_result(store, "no-such")


def test_the_schema_file_is_that_of_the_form():
    assert SCHEMA.read_text("utf-8") == schema_text(), "run `python -m treeline.core.runs.result`"
    assert ALWAYS - {"version"} <= set(schema()["required"]) and not OF_A_KIND & set(schema()["required"])
    assert set(schema()["properties"]) == set(RunResult.model_fields)


def test_a_field_that_is_no_part_of_the_form_is_refused(store):
    told = record_run(store, *steps_to(ANSWER), status="answered").to_json()
    with pytest.raises(ValidationError):
        RunResult.model_validate(told | {"more": 1})


def test_python_asks_and_gets_the_same_form(tmp_path, monkeypatch):
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    bands = write_lake(tmp_path / "bands")
    heard: list[Event] = []
    result = ask("What is the mean NDVI of each date?", [bands], out=tmp_path / "out", on_event=heard.append)
    assert result.status == "answered" and result.steps and heard
    assert [Path(product).parent for product in result.products] == [tmp_path / "out"] * len(result.products)
    with pytest.raises(InputError, match="colour"):
        ask("What is the mean NDVI?", [bands], colour="red")
    with pytest.raises(InputError, match="nowhere"):
        ask("What is the mean NDVI?", ["/nowhere"])


def test_each_round_is_told_and_a_round_has_the_result_of_its_run(bands, manager_over):
    manager = manager_over(bands)
    run = manager.create("lake", "What is the mean rainfall?", RunOptions(rounds=2, memory="own"))
    manager.work(run)
    told = run_result(manager.store, run).to_json()
    first = told["rounds"][0]
    assert told["status"] == first["status"] == "declined" and first["issue"] and first["reflection"]
    assert [step["action"] for step in first["steps"]] == [step["action"] for step in told["steps"]]
    assert run_result(manager.store, first["run"]).to_json() == told


def test_what_a_person_wants_read_reaches_the_policy(bands, manager_over, monkeypatch):
    from treeline.core.policies.registry import POLICIES
    from treeline.core.policies.replay import Replay

    asked = []

    def policy(data, endpoint, disclosure, how):
        asked.append(how)
        return Replay([ANSWER])

    monkeypatch.setitem(POLICIES, "planner", policy)
    manager = manager_over(bands)
    first = manager.create("lake", "Q?", RunOptions(reading=2, partial=True))
    manager.work(first)
    second = manager.create("lake", "And then?", RunOptions(after=first))
    manager.work(second)
    assert [(how.reading, how.partial, how.former) for how in asked] == [
        (2, True, None),
        (0, False, {"a": 1}),
    ]
    stored = RunOptions.from_json(manager.record(first).options)
    assert (stored.reading, stored.partial) == (2, True)
    for options in (RunOptions(after="no-such"), RunOptions(reading=-1)):
        with pytest.raises(InputError):
            manager.create("lake", "Q?", options)
