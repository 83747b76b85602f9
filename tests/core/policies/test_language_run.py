"""A question answered through the whole engine: workspace, tools, store, scripted model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.endpoint import Refuse, Say, ScriptedEndpoint, use, use_raw
from tests.rasters import write_raster
from treeline.core.engine.actions import Answer
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import Note, RunFinished, StepFinished, StepStarted, to_json
from treeline.core.engine.journal import events_of
from treeline.core.engine.state import state_of
from treeline.core.model_settings import ModelSettings
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace

KEY = "sk-secret-0123456789"


@pytest.fixture
def means(tmp_path: Path) -> list[float]:
    """Two NDVI rasters in ``tmp_path / data``; their means."""
    (tmp_path / "data").mkdir()
    rng = np.random.default_rng(11)
    arrays = [rng.uniform(low, low + 0.2, (12, 17)).astype("float32") for low in (0.2, 0.5)]
    for date, array in zip(("2021-05-03", "2021-07-12"), arrays, strict=True):
        write_raster(tmp_path / "data" / f"Lake_{date}_NDVI.tif", array)
    return [float(array.mean(dtype="float64")) for array in arrays]


@pytest.fixture
def manager(means: list[float], tmp_path: Path) -> RunManager:
    workspace = Workspace(tmp_path / "workspace", [tmp_path / "data"])
    return RunManager(Store(str(tmp_path / "store.sqlite")), lambda name: workspace)


def ask(manager: RunManager, script, choices=(), budget=None, settings=ModelSettings()):  # noqa: B008
    options = RunOptions(
        policy="language", disclosure="progressive", choices=choices, budget=budget or Budget()
    )
    with ScriptedEndpoint(script) as server:
        run = manager.start(
            "w",
            "By how much did mean NDVI rise?",
            options,
            Endpoint(server.url, "scripted", KEY, settings=settings),
        )
        manager.wait(run, 60)
    return run, [stored.event for stored in events_of(manager.store, run)], server.requests


def subtract_what_was_read(messages):
    """Call the tool on the two means that stand in the last result, as a model would."""
    result = next(
        m["content"] for m in reversed(messages) if m["role"] == "tool" and "] result:" in m["content"]
    )
    first, last = map(float, re.findall(r"\d{4}-\d\d-\d\d (-?[\d.e-]+)", result))
    return use("call", tool="difference", arguments={"a": last, "b": first})


def answer_what_was_read(messages):
    value = float(re.search(r"result: ([-\d.e]+)", messages[-1]["content"])[1])
    return use("answer", text=f"It rose by {value:.3f}.", value=value, choice="B", evidence=[5, 7])


SCRIPT = [
    use("skill", kit="Statistics", thought="Means are statistics."),
    use("call", tool="calc_batch_image_mean", arguments={"file_list": "@ndvi"}),
    use("doc", tool="calc_batch_image_mean"),
    Refuse(429, headers={"Retry-After": "0.05"}),
    use_raw(("call", '{"tool": "calc_batch_image_mean", "arguments": {"file_list": ')),
    use("call", tool="calc_batch_image_mean", arguments={"file_list": "@nvdi"}),
    use("call", tool="calc_batch_image_mean", arguments={"file_list": "@ndvi"}),
    use("doc", tool="difference"),
    subtract_what_was_read,
    answer_what_was_read,
]


def test_a_question_is_answered_from_two_rasters(manager, means):
    run, events, requests = ask(manager, SCRIPT, choices=("0.1", f"{means[1] - means[0]:.3f}"))
    steps = state_of(events).steps
    kinds = [(step.action.kind, step.observation.kind) for step in steps]
    assert kinds == [
        ("skill", "information"),
        ("call", "refusal"),  # its document was not read
        ("doc", "information"),
        ("call", "refusal"),  # a handle that does not exist
        ("call", "result"),
        ("doc", "information"),
        ("call", "result"),
        ("answer", "information"),
    ]
    assert "@ndvi" in steps[3].observation.hint
    finished = events[-1]
    assert isinstance(finished, RunFinished) and finished.status == "answered"
    assert finished.answer.value == pytest.approx(means[1] - means[0], abs=1e-6)
    assert (finished.answer.choice, finished.answer.evidence) == ("B", (5, 7))
    notes = [event.text.split(":")[0] for event in events if isinstance(event, Note)]
    assert [note for note in notes if note != "Card"] == [
        "rate limit",
        "The model was corrected",
    ]
    assert steps[0].thought == "Means are statistics."
    assert sum(step.tokens.input for step in steps) == 900
    assert (
        "@ndvi" in requests[0].messages[1]["content"] and "Statistics" in requests[0].messages[1]["content"]
    )
    assert manager.record(run).status == "answered"


def test_the_key_is_not_in_the_record(manager, tmp_path):
    run, events, _ = ask(manager, [Refuse(401, f"bad key {KEY}")])
    assert (
        isinstance(events[-1], RunFinished) and events[-1].status == "failed" and "key" in events[-1].reason
    )
    assert KEY not in "".join(to_json(event) for event in events)
    assert KEY not in json.dumps(manager.record(run).options)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


def test_an_endless_loop_is_ended_by_the_budget(manager):
    _, events, requests = ask(
        manager, lambda messages: use("skill", kit="Statistics"), budget=Budget(steps=6)
    )
    assert (
        isinstance(events[-1], RunFinished)
        and events[-1].status == "failed"
        and "6 steps" in events[-1].reason
    )
    assert sum(isinstance(event, StepFinished) for event in events) == 6
    assert "5 times in a row" in requests[-1].last
    assert sum("same action" in event.text for event in events if isinstance(event, Note)) == 3


def test_a_run_that_the_endpoint_broke_is_resumed_to_the_same_answer(manager, means):
    run, events, _ = ask(manager, [*SCRIPT[:3], Refuse(403)])
    assert events[-1].status == "failed"
    with ScriptedEndpoint([*SCRIPT[6:9], answer_what_was_read]) as server:
        manager.resume(run, Endpoint(server.url, "scripted", KEY))
        manager.wait(run, 60)
    finished = events_of(manager.store, run)[-1].event
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(means[1] - means[0], abs=1e-6)
    assert len(server.requests[0].messages) == 2 + 2 * 3


def test_a_model_that_only_talks_still_answers(manager):
    _, events, _ = ask(manager, [Say("<Answer>B<Answer>")] * 2, choices=("0.1", "0.3"))
    (chosen,) = [event.action for event in events if isinstance(event, StepStarted)]
    assert isinstance(chosen, Answer) and chosen.choice == "B"


def test_a_model_works_on_with_what_was_folded_and_reads_it_again(manager, means):
    shown = []

    def look_and_read_again(messages):
        shown.append(messages)
        return use("doc", tool="calc_batch_image_mean")

    script = [
        use("skill", kit="Statistics"),
        use("doc", tool="calc_batch_image_mean"),
        *[use("call", tool="calc_batch_image_mean", arguments={"file_list": "@ndvi"})] * 2,
        use("skill", kit="Radar"),
        use("doc", tool="difference"),
        look_and_read_again,
        use("call", tool="calc_batch_image_mean", arguments={"file_list": "@ndvi"}),
        subtract_what_was_read,
        use("answer", text="It rose.", choice="B"),
    ]
    _, events, _ = ask(manager, script, choices=("0", "0.3"), settings=ModelSettings(window=2_200))
    task = shown[0][1]["content"]
    assert "# Documents read, in short" in task and "calc_batch_image_mean: Mean of" in task
    assert "Formula: sum(v) / n" not in json.dumps(shown[0])
    assert "Statistics: " in task and "difference" in task, "a name of the kit was lost"
    steps = state_of(events).steps
    assert "Formula: sum(v) / n" in steps[6].observation.text
    assert [step.observation.kind for step in steps[7:]] == ["result", "result", "information"]
    assert steps[8].observation.value == pytest.approx(means[1] - means[0], abs=1e-5)
