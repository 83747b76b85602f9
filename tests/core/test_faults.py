"""A fault of ours leaves a traceback in the log and in the record, and one sentence for the person."""

from __future__ import annotations

import json
import logging
import pickle
import threading
from pathlib import Path

import pytest

from tests.rasters import write_lake
from treeline.core.cli import main
from treeline.core.engine.actions import Answer, Call, Doc
from treeline.core.engine.environment import Environment
from treeline.core.engine.journal import ending_of, recorded_state
from treeline.core.faults import fault_of
from treeline.core.lab import benches as lab
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.benches import Benches
from treeline.core.lab.pooling import work_through
from treeline.core.logs import keep_traceback
from treeline.core.policies.registry import POLICIES
from treeline.core.policies.replay import Replay
from treeline.core.record.faults import StoredFault, faults_of, record_fault
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.teams import evolver

QUESTION = "What is the mean NDVI of each date?"
BENCH = {
    "id": 1,
    "modality": "products",
    "auto_planning": QUESTION,
    "files": ["Lake_2021-06-01_NDVI.tif"],
    "ground_truth": [{"tool": "calc_batch_image_mean"}],
}


class FaultyPolicy:
    """A policy with a fault."""

    name = "broken"

    def decide(self, state, notify, stop):
        return 1 / 0


def divide(*_, **__):
    """What stands for a part of Treeline that has a fault."""
    return 1 / 0


def find_fault(caplog, store: Store, run: str) -> StoredFault:
    """Return the fault of a run, which the log has as well."""
    (stored,) = faults_of(store, run)
    fault = stored.fault
    assert fault.error == "ZeroDivisionError" and "division by zero" in fault.traceback
    assert fault.traceback.startswith("Traceback")
    (logged,) = [record for record in caplog.records if fault.code in record.getMessage()]
    assert logged.levelno == logging.ERROR and logged.exc_info[0] is ZeroDivisionError
    assert logged.name.startswith("treeline.core.")
    return stored


def work(manager: RunManager, **options) -> str:
    run = manager.create("lake", QUESTION, RunOptions(**options))
    manager.work(run)
    return run


def test_a_fault_of_a_tool(bands, manager_over, monkeypatch, caplog):
    actions = [Doc("mean"), Call("mean", {"x": [1, 2]}), Answer("None.")]
    monkeypatch.setitem(POLICIES, "planner", lambda *_: Replay(actions))
    monkeypatch.setattr(Environment, "run_tool", divide)
    manager = manager_over(bands)
    run = work(manager, disclosure="flat")
    stored = find_fault(caplog, manager.store, run)
    assert stored.run == run and stored.fault.subject == "The tool mean"
    assert [fault.code for fault in run_result(manager.store, run).faults] == [stored.fault.code]
    told = recorded_state(manager.store, run).calls[0].observation
    assert told.kind == "failure" and f"code {stored.fault.code}" in told.text and "\n" not in told.text
    # The run goes on to its answer, which nothing carries then.
    assert manager.record(run).status == "unverified", "a tool's fault does not end the run"


def test_a_fault_of_a_policy(bands, manager_over, monkeypatch, caplog):
    monkeypatch.setitem(POLICIES, "planner", lambda *_: FaultyPolicy())
    manager = manager_over(bands)
    run = work(manager)
    fault = find_fault(caplog, manager.store, run).fault
    finished = ending_of(manager.store, run)
    assert finished.status == manager.record(run).status == "failed"
    assert finished.reason == fault.sentence
    assert fault.sentence.startswith("The policy planner failed with ZeroDivisionError")
    assert fault.code in fault.sentence and "Traceback" not in fault.sentence


def test_a_fault_of_a_team_and_of_its_member(bands, manager_over, monkeypatch, caplog):
    monkeypatch.setattr(evolver, "strategies_of", divide)
    manager = manager_over(bands)
    run = work(manager, team="evolver")
    assert find_fault(caplog, manager.store, run).fault.subject == "The team evolver"
    monkeypatch.undo()
    caplog.clear()
    monkeypatch.setattr("treeline.core.teams.executors.look_around", divide)
    monkeypatch.setitem(POLICIES, "planner", lambda *_: FaultyPolicy())
    run = work(manager, team="evolver", variants=1)
    members = {stored.run for stored in faults_of(manager.store, run)}
    codes = [fault.code for fault in run_result(manager.store, run).faults]
    assert codes and len(codes) == len(set(codes)), "each fault once, those of members too"
    assert members and run not in members, "a member's faults are with its run, and found by the team's"


def test_a_fault_while_learning_leaves_the_answer(bands, manager_over, monkeypatch, caplog):
    monkeypatch.setattr("treeline.core.memory.learning.judge", divide)
    manager = manager_over(bands)
    run = work(manager, memory="own")
    assert find_fault(caplog, manager.store, run).fault.subject == "Learning from the run"
    assert manager.record(run).status == "answered"


@pytest.fixture
def benches(bands, manager_over) -> Benches:
    return Benches(manager_over(bands))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(BENCH))
    return path


def test_a_fault_of_a_bench(benches, file, monkeypatch, caplog):
    monkeypatch.setattr(lab, "run_questions", divide)
    run = benches.start("earth-bench", file, BenchOptions(workers=1))
    benches.manager.wait(run, 60)
    fault = find_fault(caplog, benches.manager.store, run).fault
    assert benches.manager.record(run).status == "failed"
    assert benches.read_standing(run).reason == fault.sentence


def test_a_fault_of_one_question_of_a_bench(benches, file, monkeypatch, caplog):
    monkeypatch.setitem(POLICIES, "planner", lambda *_: FaultyPolicy())
    run = benches.start("earth-bench", file, BenchOptions(workers=1))
    benches.manager.wait(run, 60)
    fault = find_fault(caplog, benches.manager.store, run).fault
    (row,) = benches.read_standing(run).rows
    assert benches.manager.record(run).status == "answered"
    assert row["status"] == "failed" and row["reason"] == fault.sentence and "faults" not in row


def test_a_fault_of_a_command_has_exit_code_1_and_bad_input_2(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    monkeypatch.setitem(POLICIES, "planner", lambda *_: FaultyPolicy())
    lake = write_lake(tmp_path / "lake")
    assert main(["ask", QUESTION, "--data", str(lake), "--json"]) == 1
    out, err = capsys.readouterr()
    printed = json.loads(out)
    reason = printed["reason"]
    (fault,) = printed["faults"]
    assert fault["error"] == "ZeroDivisionError" and fault["message"] == reason and fault["code"] in reason
    assert fault["code"] in err and "Traceback" not in out
    assert "ZeroDivisionError" in reason and "\n" not in reason
    assert "Traceback" in err and reason in err
    with monkeypatch.context() as patched:
        patched.setattr("treeline.core.commands.answering.ask", divide)
        assert main(["ask", QUESTION, "--data", str(lake), "--json"]) == 1
    out, err = capsys.readouterr()
    assert "The command failed with ZeroDivisionError" in json.loads(out)["error"]["message"]
    assert "Traceback" in err
    assert main(["ask", QUESTION, "--data", str(tmp_path / "nowhere")]) == 2
    out, err = capsys.readouterr()
    assert "Traceback" not in err and "nowhere" in err
    monkeypatch.setenv("TREELINE_LOG", "loud")
    assert main(["tools"]) == 2


def test_a_page_that_runs_as_the_main_module_is_named_by_its_file():
    page = str(Path(main.__code__.co_filename).parents[1] / "pages" / "tools.py")
    with pytest.raises(ZeroDivisionError) as raised:
        exec(compile("1 / 0", page, "exec"), {"__name__": "__main__"})
    assert fault_of(raised.value, "This page").where == "treeline.pages.tools:1"


def divide_item(item, stop):
    return item / 0


def test_a_fault_in_a_process_of_a_bench_is_told_with_its_own_traceback():
    with pytest.raises(ZeroDivisionError) as raised:
        list(work_through([1, 2], divide_item, 2, threading.Event(), threads=False))
    assert "in divide_item" in fault_of(raised.value, "It").traceback


@pytest.mark.parametrize("spoilt", [None, 7, ("text",), ("text", [1]), ("text", [("module", "line")])])
def test_a_traceback_goes_along_to_another_process(spoilt):
    try:
        divide()
    except ZeroDivisionError as error:
        there = fault_of(error, "It")
        keep_traceback(error)
        sent = pickle.loads(pickle.dumps(error))
        assert fault_of(sent, "It") == there and "in divide" in there.traceback
        sent.treeline_traceback = spoilt
        assert "ZeroDivisionError" in fault_of(sent, "It").traceback


def test_a_fault_of_a_command_is_kept_where_there_is_a_record(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("treeline.core.commands.cards.run", divide)
    assert main(["cards"]) == 1 and not (tmp_path / "home").exists()
    store = Store(tmp_path / "home" / "treeline.sqlite")
    assert main(["cards"]) == 1
    (stored,) = faults_of(store, "")
    assert stored.fault.code in capsys.readouterr().err and "in divide" in stored.fault.traceback


def test_a_question_that_a_fault_kept_from_its_answer_is_not_declined_by_the_exit_code(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("treeline.toolkit.statistics.images.numbers_of", divide)
    lake = write_lake(tmp_path / "lake")
    assert main(["ask", QUESTION, "--data", str(lake), "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert [fault["error"] for fault in result["faults"]] == ["ZeroDivisionError"]
    assert "Signature" not in result["answer"]


def test_the_code_is_that_of_the_place(tmp_path):
    def catch(function):
        try:
            function()
        except ZeroDivisionError as error:
            return fault_of(error, "It")
        raise AssertionError

    first, again = catch(divide), catch(divide)
    assert first == again and len(first.code) == 8 and int(first.code, 16) >= 0
    assert catch(lambda: FaultyPolicy().decide(None, None, None)).code != first.code


def test_a_record_that_cannot_be_written_leaves_the_log(tmp_path, caplog):
    store = Store(tmp_path / "s.sqlite")
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE faults")
    try:
        divide()
    except ZeroDivisionError as error:
        assert record_fault(store, error, "It").code in caplog.text
    assert "could not be recorded" in caplog.text


def test_of_the_faults_of_pages_the_last_of_each_is_kept(tmp_path):
    store = Store(tmp_path / "store.sqlite")
    for run in ("", "", "", "r", "r"):
        record_fault(store, ValueError("x"), "This page", run)
    assert (len(faults_of(store, "")), len(faults_of(store, "r"))) == (1, 2)


def test_the_faults_of_a_run_go_with_it(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.create_run("r", "w", "q", {})
    try:
        divide()
    except ZeroDivisionError as error:
        record_fault(store, error, "It", "r")
    assert len(faults_of(store, "r")) == 1
    store.delete_run("r")
    assert faults_of(store, "r") == []
