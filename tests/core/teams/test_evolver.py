from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from treeline.core.engine.events import Note, RunFinished
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.memory.bank import MemoryBank
from treeline.core.runs.exports.exported_run import take
from treeline.core.runs.exports.script import as_script
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.teams.report import team_report
from treeline.toolkit.errors import InputError

QUESTION = "What is the mean NDVI of each date?"
TWO_INDICES = "What is the difference between the mean NDVI and the mean NDWI on 2021-06-01?"


def ask(manager: RunManager, question: str, **options) -> tuple[str, RunFinished]:
    run = manager.create("lake", question, RunOptions(**options))
    return run, manager.work(run)


def test_sub_goals_have_contracts_and_the_products_go_from_one_to_the_next(bands, manager_over):
    manager = manager_over(bands)
    _, alone = ask(manager, QUESTION)
    run, finished = ask(manager, QUESTION, team="evolver", variants=1)
    assert finished.answer is not None and alone.answer is not None
    assert finished.answer.text == alone.answer.text
    first, last = team_report(manager.store, run)["sub_goals"]
    assert set(first["contract"]["inputs"]) == {"nir", "red"}
    assert list(first["contract"]["outputs"]) == ["ndvi"] and list(last["depends"]) == ["ndvi"]
    members = {record.question: record for record in manager.store.runs(parent=run)}
    made = recorded_state(manager.store, members[first["brief"]].id).calls
    measured = recorded_state(manager.store, members[QUESTION].id).calls
    assert [step.action.tool for step in made] == ["get_filelist", "calculate_batch_ndvi"]
    assert not {"get_filelist", "calculate_batch_ndvi"} & {step.action.tool for step in measured}
    read = measured[-1].observation.arguments
    assert all(Path(product.path).name in str(read) for product in made[-1].observation.products)


@pytest.mark.parametrize("team", ["evolver", "layered"])
def test_the_record_of_a_team_can_be_carried_out_again(bands, manager_over, tmp_path, team):
    """What a member named by its own numbers and paths is named as the team's record has it."""
    manager = manager_over(bands)
    run, finished = ask(manager, "On which date is the mean NDVI highest?", team=team, variants=1)
    record = recorded_state(manager.store, run)
    assert str(tmp_path / "home") not in str([step.action.arguments for step in record.calls])
    (use,) = [step.action.arguments["x"] for step in record.calls if "x" in step.action.arguments]
    series = next(step for step in record.calls if f"@result{step.number}" == use)
    assert series.action.tool == "calc_batch_image_mean"
    script = tmp_path / "again.py"
    script.write_text(as_script(take(manager.store, run), "0"), "utf-8")
    again = subprocess.run(
        [sys.executable, str(script), str(bands)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert str(finished.answer.value) in again.stdout.splitlines()[-1]


def test_independent_sub_goals_are_apart_and_at_most_as_many_as_executors(bands, manager_over):
    manager = manager_over(bands)
    run, finished = ask(manager, TWO_INDICES, team="evolver", variants=1)
    goals = {goal["id"]: goal for goal in team_report(manager.store, run)["sub_goals"]}
    assert set(goals) == {"ndvi", "ndwi", "answer"} and not goals["ndwi"]["depends"]
    assert finished.answer is not None
    assert finished.answer.value == pytest.approx(ask(manager, TWO_INDICES)[1].answer.value)
    own = recorded_state(manager.store, run).calls
    assert [step.action.tool for step in own].count("get_filelist") == 1
    assert own[0].action.tool == "get_filelist", "the files are listed first"


def test_an_executor_sees_the_tools_of_its_sub_goal_and_the_last_one_all(bands, manager_over):
    manager = manager_over(bands)
    run, _ = ask(manager, TWO_INDICES, team="evolver", variants=1)
    members = {r.options["member"]["goal"]["id"]: r.options["member"] for r in manager.store.runs(parent=run)}
    assert "calculate_batch_ndvi" in members["ndvi"]["tools"]
    assert "calculate_batch_ndwi" not in members["ndvi"]["tools"]
    assert "calculate_batch_ndwi" in members["ndwi"]["tools"] and not members["answer"]["tools"]


def test_executors_and_grouping_follow_the_number_of_executors(bands, manager_over):
    manager = manager_over(bands)
    run, _ = ask(manager, TWO_INDICES, team="evolver", variants=1, executors=2, without=("memory",))
    assert [goal["id"] for goal in team_report(manager.store, run)["sub_goals"]] == ["ndvi-ndwi", "answer"]


def test_a_killed_executor_is_taken_up_again_and_the_loss_is_told(bands, manager_over):
    manager = manager_over(bands)
    killed: list[int] = []

    def kill_first(event) -> None:
        if isinstance(event, Note) and event.data.get("team") == "process" and not killed:
            killed.append(event.data["pid"])
            os.kill(event.data["pid"], signal.SIGKILL)

    manager.on_event = kill_first
    run, finished = ask(manager, QUESTION, team="evolver")
    assert killed and finished.status == "answered"
    assert finished.answer.text == ask(manager, QUESTION)[1].answer.text
    lost = [e for e in team_report(manager.store, run)["happened"] if e["kind"] == "lost"]
    assert len(lost) == 1 and "-9" in lost[0]["text"]


def test_an_executor_that_is_killed_again_and_again_loses_its_variant_only(bands, manager_over):
    manager = manager_over(bands)

    def kill_second_variant(event) -> None:
        if isinstance(event, Note) and event.data.get("team") == "process" and event.text.startswith("2-"):
            os.kill(event.data["pid"], signal.SIGKILL)

    manager.on_event = kill_second_variant
    run, finished = ask(manager, QUESTION, team="evolver")
    assert finished.status == "answered"
    verdicts = {v["variant"]: v for v in team_report(manager.store, run)["verdicts"]}
    assert verdicts[1]["chosen"] and not verdicts[2]["success"]


def test_what_was_learned_makes_the_next_question_of_the_kind_shorter(bands, manager_over):
    manager = manager_over(bands)
    first, one = ask(manager, QUESTION, team="evolver")
    second, two = ask(manager, "What is the average NDVI of each date?", team="evolver")
    assert one.answer.evidence and two.answer.text == one.answer.text

    def steps(run: str) -> int:
        return sum(member["steps"] for member in team_report(manager.store, run)["members"])

    assert steps(second) < steps(first) / 2
    pattern = next(item for item in MemoryBank(manager.store).items() if item.kind == "pattern")
    assert (pattern.uses, pattern.helps, pattern.harms) == (1, 1, 0) and pattern.provenance == (first, second)
    assert len([item for item in MemoryBank(manager.store).items() if item.kind == "pattern"]) == 1
    third, _ = ask(manager, QUESTION, team="evolver", without=("memory",))
    assert steps(third) == steps(first)


def test_the_record_of_the_team_holds_the_steps_and_the_products(bands, manager_over):
    manager = manager_over(bands)
    run, finished = ask(manager, QUESTION, team="evolver", variants=1)
    state = recorded_state(manager.store, run)
    assert [step.number for step in state.steps] == list(range(1, len(state.steps) + 1))
    assert {state.steps[n - 1].action.kind for n in finished.answer.evidence} == {"call"}
    products = manager.data(run).products
    assert len(products) == 3 and all(Path(product.path).is_file() for product in products)


def test_a_stopped_team_goes_on_where_it_was(bands, manager_over):
    manager = manager_over(bands)
    stop = threading.Event()

    def stop_at_first_end(event) -> None:
        if isinstance(event, Note) and event.data.get("team") == "member_finished":
            stop.set()

    manager.on_event = stop_at_first_end
    run = manager.create("lake", QUESTION, RunOptions(team="evolver", variants=1))
    assert manager.work(run, stop=stop).status == "stopped"
    before = {
        record.id: len(events_of(manager.store, record.id)) for record in manager.store.runs(parent=run)
    }
    manager.on_event = None
    assert manager.work(run).status == "answered"
    after = {record.id: len(events_of(manager.store, record.id)) for record in manager.store.runs(parent=run)}
    done = {child for child, count in before.items() if count}
    assert len(done) == 1 and set(before) == set(after)
    assert all(after[child] == before[child] for child in done)


@pytest.mark.parametrize(
    "options", [{"team": "choir"}, {"variants": 0}, {"executors": 99}, {"without": ("luck",)}]
)
def test_a_team_that_cannot_be_set_up_is_refused(bands, manager_over: Callable[..., RunManager], options):
    with pytest.raises(InputError):
        manager_over(bands).create("lake", QUESTION, RunOptions(**options))
